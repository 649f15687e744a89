import type { Bounds } from '../../statistics/bounds.js';
import type { Percentiles } from '../../statistics/percentile.js';
import { figureText } from '../../text/number-text.js';
import { boundsText, noIntervalText, percentText } from '../../text/share-text.js';
import { type IntervalChip, placeOn } from '../scores/score.js';
import type { DeclaredScale } from '../scores/score-limits.js';

/** Cells of a bar. */
const barCells = 20;

/** A bar of 20 cells, `█` for the share (0 to 1) and `░` for the rest. */
export function renderBar(share: number): string {
  const full = Math.round(Math.min(1, Math.max(0, share)) * barCells);
  return '█'.repeat(full) + '░'.repeat(barCells - full);
}

/** The bar of a mean at its place on its scale; empty beyond it. */
export function renderMeanBar({ avg, scale }: { avg: number; scale?: DeclaredScale }): string {
  const place = placeOn(avg, scale);
  return place === undefined ? '' : renderBar(place);
}

/** A share (0 to 1) as a percentage: `74.1 %`. */
export function renderPercent(share: number): string {
  return `${percentText(share)} %`;
}

/** The bounds of a mean, `0.713–0.767`; the reason if there are none. */
export function renderMeanBounds({ low, high }: Bounds): string {
  if (low === null || high === null) return noIntervalText();
  const texts = [low, high].map(figureText);
  return texts[0] === texts[1] ? closeBounds(low, high) : texts.join('–');
}

/** With as many digits as needed to tell the bounds apart. */
function closeBounds(low: number, high: number): string {
  for (let digits = 4; digits < 17; digits += 1) {
    const [from, to] = [low.toPrecision(digits), high.toPrecision(digits)];
    if (from !== to) return `${from}–${to}`;
  }
  return `${low}–${high}`;
}

/** Percentiles, where known: `p50 412, p95 1,820`. */
export function renderPercentiles({ p50, p95 }: Percentiles): string {
  return `p50 ${figureText(p50 ?? 0)}, p95 ${figureText(p95 ?? 0)}`;
}

/** The bounds of the share or mean of a chip; the reason if there are none. */
export function renderInterval(chip: IntervalChip): string {
  if (chip.type === 'ratio') return boundsText(chip.interval);
  return chip.percentiles === undefined ? renderMeanBounds(chip.interval) : noIntervalText(chip);
}
