import type { CountedAttempt } from '../../model/result.js';
import type { Score } from '../../model/scores/score.js';
import { verifiedNotes, type WronglyCarried } from '../../model/summary/verified.js';
import { countOf } from '../../text/count-text.js';
import { figureText } from '../../text/number-text.js';
import { differenceLines } from '../terminal/difference-lines.js';
import { escapeTerminal, fitWidth, padEnd, widthOf, wrapLine } from '../terminal/terminal-text.js';
import { errorHeading } from './evaluation-error.js';
import type { RunReportOptions } from './report-options.js';

type Attempt = Pick<CountedAttempt, 'status' | 'output' | 'scores' | 'error'>;

/** What differs of a result: `output`, `error` or the key of a score, and both texts. */
interface Differing {
  readonly name: string;
  readonly before: string;
  readonly now: string;
}

const mostScores = 3;
const widestName = 20;

/** Renders what came of carried results that ran again, and both sides of what differs. */
export function renderVerified(options: RunReportOptions): string[] {
  const { run, columns, colours } = options;
  const { verified } = run.summary();
  if (verified === undefined) return [];
  const { differ = 0, rates = [] } = verified;
  const paint = differ + rates.length === 0 ? String : colours.red;
  return verifiedNotes(verified).flatMap(({ text, result }) => [
    ...wrapLine(escapeTerminal(text), columns - 2).map((line) => `  ${paint(line)}`),
    ...(result === undefined ? [] : renderDiffering(result, options)),
  ]);
}

function renderDiffering(wrong: WronglyCarried, options: RunReportOptions): string[] {
  const { run, columns, colours } = options;
  const { counted, result } = run.entry(run.rows.findIndex(({ id }) => id === wrong.id));
  if (counted === undefined) return [];
  const [shown, more] = differingOf(wrong, counted, result);
  const names = shown.map(({ name }) => fitWidth(escapeTerminal(name), widestName, 'middle'));
  const width = Math.max(0, ...names.map(widthOf));
  const lines = shown.flatMap((differing, at) => {
    const room = columns - width - 7;
    return differenceLines(differing, colours, room, 2 * columns).map(
      (line, lineAt) => `    ${padEnd(lineAt === 0 ? (names[at] ?? '') : '', width)}   ${line}`,
    );
  });
  return more === 0 ? lines : [...lines, `    … ${countOf(more, 'more score')}`];
}

function differingOf(
  { scores = [], carried, now }: WronglyCarried,
  before: Attempt,
  after: Attempt,
): [shown: readonly Differing[], more: number] {
  const outcomes = { before: outcomeText(before), now: outcomeText(after) };
  const isError = [before, after].some(({ status }) => status === 'error');
  const name = isError ? 'outcome' : 'output';
  // An error has no scores.
  const ofScores = (isError ? [] : scores).flatMap(({ key }): Differing[] => {
    const [was, is] = [before, after].map((attempt) => attempt.scores.find((s) => s.key === key));
    // The line above has values alone.
    if (carried === now && was?.notes === undefined && is?.notes === undefined) return [];
    return [{ name: key, before: scoreText(was), now: scoreText(is) }];
  });
  const shown = ofScores.slice(0, mostScores);
  return [
    [...(outcomes.before === outcomes.now ? [] : [{ name, ...outcomes }]), ...shown],
    ofScores.length - shown.length,
  ];
}

function outcomeText({ status, output, error }: Attempt): string {
  return status === 'error' ? `error: ${errorHeading(error ?? '')}` : JSON.stringify(output);
}

/** `fail: expected 30 days`, `0.42 fail` */
function scoreText(score: Score | undefined): string {
  if (score === undefined) return 'none';
  const { value, passed, notes } = score;
  const texts = [
    ...(value === undefined ? [] : [figureText(value)]),
    ...(passed === undefined ? [] : [passed ? 'pass' : 'fail']),
  ];
  return [texts.join(' '), ...(notes === undefined ? [] : [notes])].join(': ');
}
