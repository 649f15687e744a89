import { renderNumber } from '../exporters/figures.js';
import type { IntervalChip } from '../model/run-figures.js';
import type { Bounds } from '../statistics/bounds.js';

/** A whole number with its thousands separated, `1,000`. */
export function renderCount(count: number): string {
  // Not Intl.NumberFormat: making the first one costs a noticeable part of a small run.
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** A count with its noun, `1 evaluation` or `1,000 evaluations`. */
export function countOf(count: number, noun: string): string {
  return `${renderCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** A time that goes on, given in seconds: `0.4 s`, `59.9 s`, `2 min 5 s`, `1 h 2 min`. */
export function renderElapsed(seconds: number): string {
  if (seconds < 59.95) return `${Math.max(0, seconds).toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  const minutes = Math.round(seconds / 60);
  return `${renderCount(Math.floor(minutes / 60))} h ${minutes % 60} min`;
}

/** A latency given in seconds: `<0.1 ms`, `0.2 ms`, `741 ms`, `2.1 s`, `2 min 5 s`. */
export function renderLatency(seconds: number): string {
  if (seconds >= 0.9995) return renderElapsed(seconds);
  const milliseconds = seconds * 1000;
  if (milliseconds >= 99.95) return `${milliseconds.toFixed(0)} ms`;
  return milliseconds > 0 && milliseconds < 0.05 ? '<0.1 ms' : `${milliseconds.toFixed(1)} ms`;
}

/** The bounds of a share (0 to 1) in percent, `71.3–76.7`; empty where there are none. */
export function renderBounds({ low, high }: Bounds): string {
  return low === null || high === null ? '' : `${points(low)}–${points(high)}`;
}

function points(share: number): string {
  return (share * 100).toFixed(1);
}

/** The bounds of a mean, `0.713–0.767`; says why where there are none. */
export function renderMeanBounds({ low, high }: Bounds): string {
  if (low === null || high === null) return 'n too small';
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

/** The bounds of the share or mean of a chip. */
export function renderInterval({ type, interval }: IntervalChip): string {
  return type === 'avg' ? renderMeanBounds(interval) : renderBounds(interval);
}
