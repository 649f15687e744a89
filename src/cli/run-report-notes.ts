import { countOf } from './figures.js';
import type { RunReportOptions } from './run-report-options.js';
import { standingOf } from './run-report-rows.js';
import { escapeLines, fitWidth, widthOf, wrapLine } from './terminal-text.js';

/** Failed results that are looked at, and reasons that are told on a terminal. */
const mostRead = 20;
const mostReasons = 5;
/** Of one reason; a result alone shows the rest. */
const mostLines = 30;
const mostCharacters = 4000;

interface Reason {
  /** The first result that failed for it. */
  readonly name: string;
  readonly text: string;
  count: number;
}

/** Why results failed: the notes of failed scores, each reason once. */
export function renderReasons(
  indices: readonly number[],
  { run, columns, colours }: RunReportOptions,
): string[] {
  const failed = indices.filter((index) => {
    const row = run.rows[index];
    return row !== undefined && standingOf(row) === 'failed';
  });
  const reasons = new Map<string, Reason>();
  for (const index of failed.slice(0, mostRead)) {
    const entry = run.entry(index);
    const name = entry.trial === undefined ? entry.function : `${entry.function}~${entry.trial}`;
    for (const { key, passed, notes } of entry.result.scores) {
      if (passed !== false || notes === undefined) continue;
      const text = `${key}: ${notes}`;
      const known = reasons.get(text);
      if (known === undefined) reasons.set(text, { name, text, count: 1 });
      else known.count += 1;
    }
  }
  const all = [...reasons.values()];
  const told = columns === Number.POSITIVE_INFINITY ? all : all.slice(0, mostReasons);
  const left = all.length - told.length;
  return [
    ...told.flatMap((reason) => reasonLines(reason, columns, colours)),
    ...(left === 0 ? [] : [`  … ${countOf(left, 'more reason')}`]),
  ];
}

function reasonLines(
  { name, text, count }: Reason,
  columns: number,
  colours: RunReportOptions['colours'],
): string[] {
  const others = count === 1 ? '' : ` and ${count - 1} more`;
  const [who = ''] = escapeLines(name);
  const shown = text.trim().slice(0, mostCharacters);
  const [first = '', ...rest] = escapeLines(shown);
  const telling = rest.filter((line) => line.trim() !== '');
  const lines = telling.slice(0, mostLines);
  const isCut = shown.length < text.trim().length || lines.length < telling.length;
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
    ...(isCut ? [`    ${colours.dim('… cut')}`] : []),
  ];
}
