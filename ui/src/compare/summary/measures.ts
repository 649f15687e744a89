import { scoreMeasures } from '../../../../src/compare/cases/score-measures.js';
import { correctedTexts } from '../../../../src/text/calibration-text.js';
import { scoreName } from '../../../../src/text/score-name.js';
import type { ComparedRun, RunComparison } from '../../api/schema.js';
import { type TestedDifference, verdictOf } from '../../components/figures/difference-text.js';
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
  /** What people would pass of a score: the ids of the runs that have labels, by position. */
  readonly labelled?: ReadonlyMap<number, string>;
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
    ...scoreMeasures(runs.map(({ scores }) => scores)).flatMap(
      ({ key, type, name }): ComparedMeasure[] => {
        const isIt = (of: { readonly key: string; readonly type: string }) =>
          of.key === key && (of.type === type || of.type === 'mixed');
        const figures = runs.map(({ scores }) => scoreFigure(scores.find(isIt)));
        return [
          {
            name,
            key,
            type,
            figures,
            differences: comparisons.map(({ scores }) => scores.find(isIt)),
            scale: type === 'avg' ? (declaredScale(runs, key) ?? scaleOf(figures)) : [0, 1],
          },
          ...correctedMeasure(runs, key, type),
        ];
      },
    ),
  ];
}

/** What is ordered by whether it moved: a measure, with its differences from the base. */
interface Movable {
  /** Of a score; absent for the pass rate. */
  readonly key?: string | undefined;
  readonly differences: readonly (TestedDifference | undefined)[];
}

/** The measures of one score, which stay together. */
export interface MovedScore<T> {
  readonly key: string;
  readonly lines: readonly T[];
  /** Beyond chance: worse in any run, else better in any. */
  readonly verdict: 'worse' | 'better' | undefined;
  /** The difference that decided, or came closest to it: of the smallest p. */
  readonly test: TestedDifference | undefined;
}

/** Measures in the order in which they are read. */
interface OrderedMeasures<T> {
  readonly passRate: T | undefined;
  /** Beyond chance in any run: those that are worse first, each by p. */
  readonly moved: readonly MovedScore<T>[];
  /** All others, by p, then by size. */
  readonly rest: readonly MovedScore<T>[];
}

/** Orders measures: pass rate, scores that moved beyond chance, all other scores. */
export function movedFirst<T extends Movable>(measures: readonly T[]): OrderedMeasures<T> {
  const keys = new Set(measures.flatMap(({ key }) => key ?? []));
  const scores = [...keys].map((key) =>
    scoreOf(
      key,
      measures.filter((measure) => measure.key === key),
    ),
  );
  const moved = scores.filter(({ verdict }) => verdict !== undefined);
  return {
    passRate: measures.find(({ key }) => key === undefined),
    moved: moved.toSorted((a, b) => Number(isBetter(a)) - Number(isBetter(b)) || byChance(a, b)),
    rest: scores.filter(({ verdict }) => verdict === undefined).toSorted(byChance),
  };
}

const isBetter = ({ verdict }: Pick<MovedScore<unknown>, 'verdict'>) => verdict === 'better';

function scoreOf<T extends Movable>(key: string, lines: readonly T[]): MovedScore<T> {
  const tests = lines.flatMap(({ differences }) => differences.flatMap((one) => one ?? []));
  const verdicts = tests.map(verdictOf);
  const verdict = (['worse', 'better'] as const).find((one) => verdicts.includes(one));
  const deciding = tests.filter((test) => verdict === undefined || verdictOf(test) === verdict);
  const [test] = deciding.toSorted(bySmallestP);
  return { key, lines, verdict, test };
}

function byChance(a: MovedScore<unknown>, b: MovedScore<unknown>): number {
  if (a.test === undefined || b.test === undefined) return Number(!a.test) - Number(!b.test);
  return bySmallestP(a.test, b.test);
}

/** By p, corrected and by itself, then by size; what is not tested comes last. */
function bySmallestP(a: TestedDifference, b: TestedDifference): number {
  const size = ({ difference }: TestedDifference) => Math.abs(difference?.estimate ?? 0);
  return (a.p_adjusted ?? 1) - (b.p_adjusted ?? 1) || (a.p ?? 2) - (b.p ?? 2) || size(b) - size(a);
}

/** What people would pass of a score in each run; none without labels. */
function correctedMeasure(
  runs: RunComparison['runs'],
  key: string,
  type: ComparedMeasure['type'],
): ComparedMeasure[] {
  const gives = type === 'ratio' ? 'verdicts' : 'values';
  const scores = runs.map(({ corrected = [] }) =>
    corrected.find((one) => one.key === key && one.gives === gives),
  );
  const labelled = new Map(
    runs.flatMap(({ run_id }, at) => (scores[at] === undefined ? [] : [[at, run_id] as const])),
  );
  if (labelled.size === 0) return [];
  const figures = scores.map((score): RunFigure => {
    if (score === undefined) return { ...absent, of: 'no labels' };
    const { value, of } = correctedTexts(score);
    const { estimate, low = null, high = null } = score.corrected ?? {};
    return { estimate, low, high, text: value, of };
  });
  // Drawn as a mark, not as the share of what is counted.
  const kind = { name: 'corrected', key, type: 'avg' } as const;
  return [{ ...kind, figures, differences: [], scale: [0, 1], labelled }];
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
