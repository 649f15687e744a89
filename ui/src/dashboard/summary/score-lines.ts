import { passedShare } from '../../../../src/model/score.js';
import { boundsText } from '../../../../src/model/share-text.js';
import type { IntervalChip } from '../../api/schema.js';
import { type Bounds, count, figure, meanBoundsText, rateText } from '../../components/figures.js';
import { wantedText } from '../../components/threshold-text.js';

/** A line of the scores of a run: a share, a mean, or below a mean the share that reaches its threshold. */
export interface ScoreLine {
  readonly key: string;
  readonly kind: 'share' | 'mean' | 'threshold';
  /** The key, or the threshold: `≥ .8`. */
  readonly name: string;
  /** The share or mean. */
  readonly level: number;
  readonly interval: Bounds;
  /** The interval as text. */
  readonly bounds: string;
  /** The share or mean as text: `88.9 %`, `.86`. */
  readonly value: string;
  /** What the value is of: `56 / 63`, `avg of 67`. */
  readonly of: string;
}

/** The lines of the scores of a run. */
export function scoreLines(chips: readonly IntervalChip[]): ScoreLine[] {
  return chips.flatMap((chip): ScoreLine[] => {
    const { key, interval } = chip;
    const share = passedShare(chip);
    if (chip.type === 'ratio')
      return [shareLine({ key, kind: 'share', name: key }, chip, interval)];
    const mean: ScoreLine = {
      key,
      kind: 'mean',
      name: key,
      level: chip.avg,
      interval,
      bounds: meanBoundsText(interval),
      value: figure(chip.avg),
      of: `avg of ${count(chip.count)}`,
    };
    if (share === undefined) return [mean];
    const { passed_interval = { low: null, high: null } } = chip;
    const name = wantedText(chip) ?? 'passed';
    return [mean, shareLine({ key, kind: 'threshold', name }, share, passed_interval)];
  });
}

function shareLine(
  line: Pick<ScoreLine, 'key' | 'kind' | 'name'>,
  { passed, total }: { readonly passed: number; readonly total: number },
  interval: Bounds,
): ScoreLine {
  const level = passed / Math.max(1, total);
  return {
    ...line,
    level,
    interval,
    bounds: boundsText(interval),
    value: rateText(level),
    of: `${count(passed)} / ${count(total)}`,
  };
}
