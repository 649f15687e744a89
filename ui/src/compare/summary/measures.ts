import { scoreMeasures } from '../../../../src/compare/cases/score-measures.js';
import { scoreName } from '../../../../src/text/score-name.js';
import type { ComparedRun, RunComparison } from '../../api/schema.js';
import type { TestedDifference } from '../../components/figures/difference-text.js';
import {
  figure,
  type MeasureType,
  percentilesText,
  rateText,
} from '../../components/figures/figures.js';

/** One measure of a whole run. `estimate` (p50 for unbounded values) is absent if the run does not have it. */
export interface RunFigure {
  readonly estimate: number | undefined;
  readonly low: number | null;
  readonly high: number | null;
  /** `75.0 %`, `.83`; for unbounded values `p50 410, p95 900`. */
  readonly text: string;
  /** Its basis: `121/165`, or a count. */
  readonly of: string;
}

/** The difference of a run from the base in one measure. */
export interface MeasuredDifference extends TestedDifference {
  readonly type: MeasureType;
}

/** One measure of all runs. */
export interface ComparedMeasure {
  /** `pass rate`, the key of a score, or `KEY (value)` and `KEY (passed)`. */
  readonly name: string;
  /** `undefined`: the pass rate. */
  readonly key: string | undefined;
  readonly type: 'ratio' | 'avg';
  /** In the order of the runs. */
  readonly figures: readonly RunFigure[];
  /** Against the base, over the pairs, for each run except the base. */
  readonly differences: readonly (MeasuredDifference | undefined)[];
  /** The scale for drawing. */
  readonly scale: readonly [number, number];
  /** Its figures are still being computed. */
  readonly isAwaited?: true;
}

const absent: RunFigure = { estimate: undefined, low: null, high: null, text: '–', of: '' };

/** Placeholders for runs whose figures are not known yet. */
export function awaitedMeasures(runs: number, keys: readonly string[]): readonly ComparedMeasure[] {
  return [undefined, ...keys].map((key) => ({
    name: key === undefined ? 'pass rate' : scoreName(key),
    key,
    type: 'ratio',
    figures: Array.from({ length: runs }, () => absent),
    differences: [],
    scale: [0, 1],
    isAwaited: true,
  }));
}

/** The pass rate, then the verdicts and values of every score of any of the runs, in order of first appearance. */
export function measuresOf({ runs, comparisons }: RunComparison): readonly ComparedMeasure[] {
  const passRate: ComparedMeasure = {
    name: 'pass rate',
    key: undefined,
    type: 'ratio',
    figures: runs.map(({ pass_rate }) => rateFigure(pass_rate)),
    differences: comparisons.map(({ pass_rate }) => ({ ...pass_rate, type: 'ratio' })),
    scale: [0, 1],
  };
  return [
    passRate,
    ...scoreMeasures(runs.map(({ scores }) => scores)).map(
      ({ key, type, name }): ComparedMeasure => {
        const isIt = (of: { readonly key: string; readonly type: string }) =>
          of.key === key && (of.type === type || of.type === 'mixed');
        const figures = runs.map(({ scores }) => scoreFigure(scores.find(isIt)));
        return {
          name,
          key,
          type,
          figures,
          differences: comparisons.map(({ scores }) => scores.find(isIt)),
          scale: type === 'avg' ? (declaredScale(runs, key) ?? scaleOf(figures)) : [0, 1],
        };
      },
    ),
  ];
}

function scoreFigure(score: ComparedRun['scores'][number] | undefined): RunFigure {
  if (score === undefined) return absent;
  if (score.type === 'ratio') return rateFigure(score);
  const { mean, count, percentiles } = score;
  if (mean === null) return absent;
  const estimate = percentiles?.p50 ?? mean.estimate;
  const text = percentilesText(percentiles) ?? figure(estimate);
  return { estimate, low: mean.low, high: mean.high, text, of: `of ${count}` };
}

function rateFigure({ rate, passed, total }: ComparedRun['pass_rate']): RunFigure {
  if (rate === null) return absent;
  const { estimate, low, high } = rate;
  return { estimate, low, high, text: rateText(estimate), of: `${passed}/${total}` };
}

/** From the least to the greatest value of any run; `undefined` if none is declared. */
function declaredScale(
  runs: readonly ComparedRun[],
  key: string,
): readonly [number, number] | undefined {
  const scales = runs.flatMap(({ scores }) =>
    scores.flatMap((score) =>
      score.key === key && score.type === 'avg' && score.scale ? [score.scale] : [],
    ),
  );
  if (scales.length === 0) return undefined;
  return [Math.min(...scales.map(([least]) => least)), Math.max(...scales.map(([, most]) => most))];
}

/** 0 to 1 if that contains all means, else the range of the means and their intervals. */
function scaleOf(figures: readonly RunFigure[]): readonly [number, number] {
  const ends = figures.flatMap(({ estimate, low, high }) =>
    [estimate, low, high].filter((end) => typeof end === 'number'),
  );
  const means = figures.flatMap(({ estimate }) => estimate ?? []);
  if (means.every((mean) => mean >= 0 && mean <= 1)) return [0, 1];
  const from = Math.min(0, ...ends);
  const to = Math.max(0, ...ends);
  return from === to ? [from, from + 1] : [from, to];
}

/** The position of a value on a scale, from 0 to 1. */
export function onScale(value: number, [from, to]: readonly [number, number]): number {
  return Math.max(0, Math.min(1, (value - from) / (to - from)));
}

/** A logarithmic scale of latencies. */
interface LatencyScale {
  /** `0.25 – 32 s`. */
  readonly text: string;
  /** The position of a latency, from 0 to 1. */
  readonly at: (latency: number) => number;
}

/** A scale between powers of two that contains all values; `undefined` without any. */
export function latencyScale(values: readonly (number | null)[]): LatencyScale | undefined {
  const known = values.filter((value) => value !== null).map((value) => Math.max(value, 2 ** -10));
  if (known.length === 0) return undefined;
  const from = Math.floor(Math.log2(Math.min(...known)) - 0.5);
  const to = Math.max(from + 1, Math.ceil(Math.log2(Math.max(...known)) + 0.5));
  return {
    text:
      to < 0
        ? `${short(1000 * 2 ** from)} – ${short(1000 * 2 ** to)} ms`
        : `${short(2 ** from)} – ${short(2 ** to)} s`,
    at: (latency) => {
      const place = (Math.log2(Math.max(latency, 2 ** -10)) - from) / (to - from);
      return Math.max(0, Math.min(1, place));
    },
  };
}

function short(value: number): string {
  return String(Number(value.toPrecision(value >= 100 ? 3 : 2)));
}
