import { passedShare } from '../../../../src/model/scores/score.js';
import { worstFirst } from '../../../../src/model/scores/worst-first.js';
import type { Bounds } from '../../../../src/statistics/bounds.js';
import { meanOfText } from '../../../../src/text/number-text.js';
import { boundsText, noIntervalText } from '../../../../src/text/share-text.js';
import type { IntervalChip, RowSummary, RunSummary, ScoreChip } from '../../api/schema.js';
import {
  changeText,
  noPairsText,
  type TestedDifference,
  verdictOf,
  wholeText,
} from '../../components/figures/difference-text.js';
import {
  count,
  figure,
  meanBoundsText,
  rateText,
  typicalValue,
} from '../../components/figures/figures.js';
import { wantedText } from '../../components/scores/threshold-text.js';

/**
 * A line for a score of a run: a share, a mean, or percentiles of unbounded values; below it, the share that reaches the
 * threshold, or the values beside verdicts that an evaluator gave.
 */
export interface ScoreLine {
  /** It has counts alone: see `counts_only`. */
  readonly isCount: boolean;
  readonly key: string;
  readonly kind: 'share' | 'mean' | 'percentiles' | 'threshold';
  /** The key; of a second line the threshold, `≥ .8`, or `(value)`. */
  readonly name: string;
  /** It is the second line of its score. */
  readonly isSecond: boolean;
  /** The share, p50, or where the mean is on its scale: from 0 to 1, or beyond. */
  readonly level: number;
  /** On the scale of `level`. */
  readonly interval: Bounds;
  /** The interval as text, or the reason if there is none. */
  readonly bounds: string;
  /** The share, mean or p50 as text: `88.9 %`, `.86`; without one, the count: `56 / 63`. */
  readonly value: string;
  /** The basis of the value: `56 / 63`, `mean of 67`, `p50 of 67, p95 1,820`. */
  readonly of: string;
}

const noBounds: Bounds = { low: null, high: null };

/** The lines of the scores of a run. `countsOnly`: what came of the results decided which they are. */
export function scoreLines(chips: readonly IntervalChip[], countsOnly = false): ScoreLine[] {
  const lines = linesOf(chips);
  return countsOnly ? lines.map(toCount) : lines;
}

function toCount(line: ScoreLine): ScoreLine {
  const of = line.of.replace(/^(?:mean|p50) of ([\d,]+).*/s, '$1 valued');
  return { ...line, isCount: true, bounds: '', value: of, of: '' };
}

function linesOf(chips: readonly IntervalChip[]): ScoreLine[] {
  return chips.flatMap((chip): ScoreLine[] => {
    const { key, interval } = chip;
    const share = passedShare(chip);
    if (chip.type === 'ratio') {
      const first = shareLine({ key, kind: 'share', name: key }, chip, interval);
      const { values, values_interval = noBounds } = chip;
      if (values === undefined) return [first];
      const second = valueLine({ key, type: 'avg', ...values, interval: values_interval });
      return [first, { ...second, name: '(value)', isSecond: true }];
    }
    const mean = valueLine(chip);
    if (share === undefined) return [mean];
    const { passed_interval = noBounds } = chip;
    const name = wantedText(chip) ?? 'passed';
    return [mean, shareLine({ key, kind: 'threshold', name }, share, passed_interval)];
  });
}

function valueLine(chip: IntervalChip & { readonly type: 'avg' }): ScoreLine {
  const { key, interval, avg, percentiles, scale: [least, greatest] = [0, 1] } = chip;
  const line = { key, name: key, isCount: false, isSecond: false };
  if (percentiles === undefined) {
    const at = (value: number) => (value - least) / (greatest - least);
    const { low, high } = interval;
    return {
      ...line,
      kind: 'mean',
      level: at(avg),
      interval: { low: low === null ? null : at(low), high: high === null ? null : at(high) },
      bounds: meanBoundsText(interval),
      value: figure(avg),
      of: meanOfText(chip),
    };
  }
  const { p95 } = percentiles;
  const level = typicalValue(chip);
  return {
    ...line,
    kind: 'percentiles',
    level,
    interval,
    bounds: noIntervalText(chip),
    value: figure(level),
    of: `p50 of ${count(chip.count)}, p95 ${figure(p95 ?? avg)}`,
  };
}

function shareLine(
  line: Pick<ScoreLine, 'key' | 'kind' | 'name'>,
  { passed, total }: { readonly passed: number; readonly total: number },
  interval: Bounds,
): ScoreLine {
  const level = passed / Math.max(1, total);
  return {
    ...line,
    isSecond: line.kind === 'threshold',
    level,
    interval,
    isCount: false,
    bounds: boundsText(interval),
    value: rateText(level),
    of: `${count(passed)} / ${count(total)}`,
  };
}

/** The scores of the last runs by key, the oldest run first. */
export type ScoreHistory = readonly ReadonlyMap<string, ScoreChip>[];

/** The scores of a run and of the runs before it, each of which is compared with the next. */
export function historyOf(
  runs: readonly RunSummary[],
  runId: string,
  maxRuns: number,
): ScoreHistory {
  const byId = new Map(runs.map((run) => [run.run_id, run]));
  const before: RunSummary[] = [];
  for (
    let run = byId.get(runId);
    run !== undefined && before.length < maxRuns;
    run = byId.get(run.previous?.run_id ?? '')
  ) {
    if (run.score_chips.length > 0 || run.run_id === runId) before.push(run);
  }
  return before.reverse().map(({ score_chips, counted_chips: chips = score_chips }) => {
    return new Map(chips.map((chip) => [chip.key, chip]));
  });
}

/**
 * The value of a score in each run: share, mean, or p50 of unbounded values, like the newest; `undefined` for runs
 * that have another kind.
 */
export function levelsOf(chips: readonly (ScoreChip | undefined)[]): (number | undefined)[] {
  const newest = chips.findLast((chip) => chip !== undefined);
  return chips.map((chip) =>
    chip === undefined || kindOf(chip) !== kindOf(newest) ? undefined : levelOf(chip),
  );
}

function kindOf(chip: ScoreChip | undefined): string | undefined {
  return chip?.type === 'avg' && chip.percentiles !== undefined ? 'percentiles' : chip?.type;
}

function levelOf(chip: ScoreChip): number {
  return chip.type === 'ratio' ? chip.passed / Math.max(1, chip.total) : typicalValue(chip);
}

type Previous = RowSummary['previous'];

/** The difference of a score from the run before, over the cases of both, or why there is none. */
interface VersusLast {
  /** `▼ −2.4`, or a short reason why there is none. */
  readonly text: string;
  /** The number of cases. */
  readonly pairs: string;
  /** All figures of the difference. */
  readonly hint: string;
  /** Set only beyond chance. */
  readonly verdict: 'better' | 'worse' | undefined;
}

/** The reason why nothing is compared with the run before; `undefined` if it is. `whyNone`: why there is none. */
export function whyNotCompared(
  previous: Previous,
  whyNone: string | undefined,
): string | undefined {
  if (previous === null) return whyNone ?? 'no earlier run';
  if (previous.comparison !== null) return undefined;
  return previous.is_current
    ? `${previous.run_name} cannot be read`
    : `${previous.run_name} is being compared`;
}

/** A score compared with the run before; `undefined` if nothing is compared. */
export function versusLast(previous: Previous, key: string): VersusLast | undefined {
  const comparison = previous?.comparison;
  if (previous === null || !comparison) return undefined;
  const score = comparison.scores.find((one) => one.key === key);
  const none = (text: string, hint: string) => ({ text, pairs: '', hint, verdict: undefined });
  if (score === undefined) return none('new', `${previous.run_name} does not have ${key}`);
  if (score.type === 'mixed') return none('not alike', noPairsText('mixed'));
  if (score.difference === null && comparison.carried > 0)
    return none('carried', `its results were carried over, so they are the same as before`);
  if (score.difference === null) return none('no pairs', noPairsText(score.type));
  const tested: TestedDifference = score;
  const carried = comparison.carried === 0 ? '' : `, without ${count(comparison.carried)} carried`;
  return {
    text: changeText(tested, score.type),
    pairs: count(score.pairs),
    hint: `Against ${previous.run_name}: ${wholeText(score, score.type)}${carried}`,
    verdict: verdictOf(tested),
  };
}

/** With more scores, the summary shows the worst ones. */
export const fewScores = 8;

/** The worst scores, those that moved beyond chance among them, and the others; both the worst first. */
export function worstScores(
  chips: readonly IntervalChip[],
  moved: ReadonlySet<string>,
): { readonly worst: readonly IntervalChip[]; readonly others: readonly IntervalChip[] } {
  if (chips.length <= fewScores) return { worst: chips, others: [] };
  const sorted = worstFirst(chips);
  const first = sorted.toSorted((a, b) => Number(moved.has(b.key)) - Number(moved.has(a.key)));
  const chosen = new Set(first.slice(0, fewScores));
  return {
    worst: sorted.filter((chip) => chosen.has(chip)),
    others: sorted.filter((chip) => !chosen.has(chip)),
  };
}

/** The range of the shares of the other scores: `81.1 % to 98.3 %`; empty without shares. */
export function rangeText(chips: readonly IntervalChip[]): string {
  const shares = chips.flatMap((chip) => {
    const share = passedShare(chip);
    return share === undefined ? [] : share.passed / Math.max(1, share.total);
  });
  if (shares.length === 0) return '';
  const [least, most] = [rateText(Math.min(...shares)), rateText(Math.max(...shares))];
  return least === most ? least : `${least} to ${most}`;
}
