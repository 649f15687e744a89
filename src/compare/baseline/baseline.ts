import type { RunUsage } from '../../model/calls/run-usage.js';
import { type CaseScore, type CaseUsage, type EvalCase, valuesOf } from '../cases/eval-case.js';

/** Version of the baseline format that this code writes. */
export const baselineVersion = 2;

/** The first field of a baseline file, which contains its version. */
export const baselineMark = 'assay_baseline';

/** The content of a baseline file: everything that a comparison needs except outputs and latencies. */
export interface Baseline {
  readonly run_id: string;
  readonly run_name: string;
  /** Start of the run: RFC 3339, UTC, whole seconds. */
  readonly date: string;
  /** Usage of the calls of the run; absent without calls, and in files of older versions. */
  readonly usage?: RunUsage | undefined;
  /** Sorted by id; each has a finished trial. */
  readonly cases: readonly EvalCase[];
}

/** The parts of a run that go into its baseline. */
export interface BlessedRun {
  readonly run_id: string;
  readonly run_name: string;
  /** Whole Unix seconds. */
  readonly created_at: number;
  readonly usage?: RunUsage | undefined;
  readonly cases: readonly EvalCase[];
}

/**
 * Renders a run as a baseline file: one line per finished case, sorted by id, so that a diff shows which cases
 * changed. What identifies their attempts, graded or as drawn, which differs in every run, is two lines after them. The same run always gives the same text. Ends with a newline.
 */
export function renderBaseline({ run_id, run_name, created_at, usage, cases }: BlessedRun): string {
  const finished = cases
    .filter((evalCase) => evalCase.trials > 0)
    .sort((a, b) => compareText(a.id, b.id));
  const lines = finished.map((evalCase) => `    ${JSON.stringify(toLine(evalCase))}`);
  const attempts = [
    ...attemptsLine(
      'attempts',
      finished.map(({ graded = '' }) => graded),
    ),
    ...attemptsLine(
      'draws',
      finished.map(({ draw = '' }) => draw),
    ),
  ];
  return [
    '{',
    `  "${baselineMark}": ${baselineVersion},`,
    `  "run_name": ${JSON.stringify(run_name)},`,
    `  "run_id": ${JSON.stringify(run_id)},`,
    `  "date": ${JSON.stringify(dateOf(created_at))},`,
    ...(usage === undefined ? [] : [`  "usage": ${JSON.stringify(usage)},`]),
    ...(lines.length === 0 ? ['  "evaluations": ['] : ['  "evaluations": [', lines.join(',\n')]),
    ['  ]', ...attempts].join(',\n'),
    '}\n',
  ].join('\n');
}

function attemptsLine(name: string, ids: readonly string[]): string[] {
  return ids.every((id) => id === '') ? [] : [`  "${name}": ${JSON.stringify(ids)}`];
}

function toLine(evalCase: EvalCase) {
  const { id, cluster, trials, passes, judged, errors = 0, scores, outputHash, usage } = evalCase;
  const sorted = [...scores].sort((a, b) => compareText(a.key, b.key));
  return {
    id,
    ...(cluster === undefined ? {} : { cluster }),
    trials,
    passes,
    judged,
    ...(errors === 0 ? {} : { errors }),
    // Not by assignment: a key may be called __proto__.
    scores: Object.fromEntries(sorted.map((score) => [score.key, toScore(score)])),
    ...(outputHash === null ? {} : { output: outputHash }),
    ...(usage && { usage: toUsage(usage) }),
  };
}

/** Sums of prices differ by rounding in the 17th digit. */
function toUsage({ calls, tokens, cost }: CaseUsage): CaseUsage {
  return { calls, tokens, cost: cost === null ? null : Number(cost.toPrecision(12)) };
}

function toScore(score: CaseScore) {
  const { derived: byThreshold } = score;
  const verdicts = {
    ...(score.kind === 'ratio' && { passed: score.sum, of: score.count }),
    ...(score.human && { human: true }),
    ...(score.asserted && { asserted: true }),
    ...(byThreshold && { derived: { passed: byThreshold.passes, of: byThreshold.of } }),
    ...(score.scale && { scale: score.scale }),
    ...(score.rubrics && { rubrics: [...score.rubrics].sort(compareText) }),
    ...(score.models && { models: [...score.models].sort(compareText) }),
  };
  const values = valuesOf(score);
  if (values !== undefined) return { ...verdicts, values };
  return score.kind === 'ratio' ? verdicts : { sum: score.sum, count: score.count };
}

function dateOf(seconds: number): string {
  const date = new Date(seconds * 1000);
  const known = Number.isNaN(date.getTime()) ? new Date(0) : date;
  return known.toISOString().replace(/\.\d+Z$/, 'Z');
}

/** Code unit order, which does not depend on the locale. */
function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
