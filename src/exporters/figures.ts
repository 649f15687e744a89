import type { IntervalChip } from '../model/run-figures.js';
import type { Bounds } from '../statistics/bounds.js';
import type { Percentiles } from '../statistics/percentile.js';
import { boundsText, noIntervalText, percentText } from '../text/share-text.js';

/** Cells of a bar. */
const barCells = 20;

let numberFormat: Intl.NumberFormat | undefined;

// Making one takes longer than many a command.
function formatNumber(value: number): string {
  numberFormat ??= new Intl.NumberFormat('en-US', { maximumFractionDigits: 3 });
  return numberFormat.format(value);
}

/** A bar of 20 cells, `█` for the share (0 to 1) and `░` for the rest. */
export function renderBar(share: number): string {
  const full = Math.round(Math.min(1, Math.max(0, share)) * barCells);
  return '█'.repeat(full) + '░'.repeat(barCells - full);
}

/** A share (0 to 1) as a percentage: `74.1 %`. */
export function renderPercent(share: number): string {
  return `${percentText(share)} %`;
}

/** A number with thousands separated and at most three decimals; more when it is tiny. */
export function renderNumber(value: number): string {
  const size = Math.abs(value);
  const fits = size === 0 || (size >= 0.001 && size < 1e15);
  return fits ? formatNumber(value) : String(Number(value.toPrecision(3)));
}

/** A time given in seconds, in seconds or, below one, in milliseconds. */
export function renderSeconds(seconds: number): string {
  return seconds >= 1
    ? `${formatNumber(Number(seconds.toFixed(2)))} s`
    : `${formatNumber(Number((seconds * 1000).toFixed(1)))} ms`;
}

/** The bounds of a mean, `0.713–0.767`; says why where there are none. */
export function renderMeanBounds({ low, high }: Bounds): string {
  if (low === null || high === null) return noIntervalText();
  const texts = [low, high].map(renderNumber);
  return texts[0] === texts[1] ? closeBounds(low, high) : texts.join('–');
}

/** With as many digits as it takes to see that they differ. */
function closeBounds(low: number, high: number): string {
  for (let digits = 4; digits < 17; digits += 1) {
    const [from, to] = [low.toPrecision(digits), high.toPrecision(digits)];
    if (from !== to) return `${from}–${to}`;
  }
  return `${low}–${high}`;
}

/** Percentiles of values that are known: `p50 412, p95 1,820`. */
export function renderPercentiles({ p50, p95 }: Percentiles): string {
  return `p50 ${renderNumber(p50 ?? 0)}, p95 ${renderNumber(p95 ?? 0)}`;
}

/** The bounds of the share or mean of a chip; says why where there are none. */
export function renderInterval(chip: IntervalChip): string {
  const { type, interval, percentiles } = chip;
  if (percentiles !== undefined) return noIntervalText(chip);
  return type === 'avg' ? renderMeanBounds(interval) : boundsText(interval);
}
