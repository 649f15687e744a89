import { countOf } from '../../text/count-text.js';
import {
  escapeLines,
  escapeTerminal,
  fitWidth,
  widthOf,
  wrapLine,
} from '../terminal/terminal-text.js';
import { type RunReportOptions, showCommand } from './report-options.js';
import { shownStandingOf } from './report-rows.js';

/** Maximum failed results to read, and reasons to show on a terminal. */
const mostRead = 20;
const mostReasons = 5;
/** Maximum length of one reason on a terminal, and in a log, where it does not scroll away. */
const onTerminal = { lines: 30, characters: 4000 };
const inLog = { lines: Number.POSITIVE_INFINITY, characters: 20_000 };

interface Reason {
  readonly id: string;
  /** Name of the first result that failed for this reason. */
  readonly name: string;
  readonly text: string;
  /** Location of the failed assertion. */
  readonly location: string | undefined;
  count: number;
}

/** Renders why results failed: the notes of failed scores, each reason once. */
export function renderReasons(indices: readonly number[], options: RunReportOptions): string[] {
  const { run, columns } = options;
  const failed = indices.filter((index) => {
    const row = run.rows[index];
    return row !== undefined && shownStandingOf(row) === 'failed';
  });
  const reasons = new Map<string, Reason>();
  for (const index of failed.slice(0, mostRead)) {
    const entry = run.entry(index);
    const name = entry.trial === undefined ? entry.function : `${entry.function}~${entry.trial}`;
    for (const { key, passed, notes, location } of entry.result.scores) {
      if (passed !== false || notes === undefined) continue;
      const text = `${key}: ${notes}`;
      const known = reasons.get(text);
      if (known === undefined) reasons.set(text, { id: entry.id, name, text, location, count: 1 });
      else known.count += 1;
    }
  }
  const all = [...reasons.values()];
  const shown = columns === Number.POSITIVE_INFINITY ? all : all.slice(0, mostReasons);
  const left = all.length - shown.length;
  return [
    ...shown.flatMap((reason) => reasonLines(reason, options)),
    ...(left === 0 ? [] : [`  … ${countOf(left, 'more reason')}`]),
  ];
}

function reasonLines(
  { id, name, text, location, count }: Reason,
  options: RunReportOptions,
): string[] {
  const { columns, colours } = options;
  const most = columns === Number.POSITIVE_INFINITY ? inLog : onTerminal;
  const others = count === 1 ? '' : ` and ${count - 1} more`;
  const [who = ''] = escapeLines(name);
  const shown = text.trim().slice(0, most.characters);
  const [first = '', ...rest] = escapeLines(shown);
  const withText = rest.filter((line) => line.trim() !== '');
  const lines = withText.slice(0, most.lines);
  const isCut = shown.length < text.trim().length || lines.length < withText.length;
  const mark = `  ${colours.red('✗')} `;
  const room = columns - 4;
  const wrap = (line: string) => wrapLine(line, room).map((part) => `    ${colours.dim(part)}`);
  const isShort = widthOf(`${who}${others}   ${first}`) <= room;
  return [
    ...(isShort
      ? [`${mark}${who}${others}   ${first}`]
      : [
          `${mark}${fitWidth(who, room - others.length, 'middle')}${others}`,
          ...wrapLine(first, room).map((part) => `    ${part}`),
        ]),
    ...lines.flatMap(wrap),
    ...(location === undefined ? [] : wrap(`at ${escapeTerminal(location)}`)),
    ...(isCut ? [`    ${colours.dim(`… all of it: ${showCommand(id, options)}`)}`] : []),
  ];
}
