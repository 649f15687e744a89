import { passedShare } from '../../../../src/model/scores/score.js';
import type { Bounds } from '../../../../src/statistics/bounds.js';
import { meanOfText } from '../../../../src/text/number-text.js';
import { boundsText, noIntervalText } from '../../../../src/text/share-text.js';
import type { IntervalChip } from '../../api/schema.js';
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
  /** The share, mean or p50 as text: `88.9 %`, `.86`. */
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
  return { ...line, isCount: true, bounds: '', value: '', of };
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
