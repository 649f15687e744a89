import type { Bounds } from '../../../../src/statistics/bounds.js';
import type { Percentiles } from '../../../../src/statistics/percentile.js';
import { signedAmount, type Unit } from '../../../../src/text/amount-text.js';
import { renderLatency } from '../../../../src/text/duration-text.js';
import { figureText } from '../../../../src/text/number-text.js';
import { noIntervalText, percentText } from '../../../../src/text/share-text.js';

export { figureText as figure, renderLatency as duration };

/** A whole number with thousands separators: `12,400`. */
export function count(value: number): string {
  return value.toLocaleString('en-US');
}

/** A rate, as on every page: `78.9 %`; `–` if there is none. */
export function rateText(rate: number | null | undefined): string {
  return rate === null || rate === undefined ? '–' : `${percentText(rate)} %`;
}

/** Explains a pass rate in a tooltip: `45 of 79 passed; counted are results with a verdict, and errors`. */
export function passRateTitle(
  of: { readonly passed: number; readonly total: number } | null,
): string {
  if (of === null || of.total === 0) return 'Nothing has a verdict or is an error';
  return `${count(of.passed)} of ${count(of.total)} passed; counted are results with a verdict, and errors`;
}

/** Bounds of a mean: `28.9–30.3`, or the reason if there are none. */
export function meanBoundsText({ low, high }: Bounds): string {
  return low === null || high === null
    ? noIntervalText()
    : `${figureText(low)}–${figureText(high)}`;
}

/** `p50 412, p95 1,820`; `undefined` if unknown. */
export function percentilesText(of: Percentiles | undefined): string | undefined {
  if (of === undefined || of.p50 === null || of.p95 === null) return undefined;
  return `p50 ${figureText(of.p50)}, p95 ${figureText(of.p95)}`;
}

/** The typical value: p50 for unbounded values, else the mean. */
export function typicalValue(of: {
  readonly avg: number;
  readonly percentiles?: Percentiles;
}): number {
  return of.percentiles?.p50 ?? of.avg;
}

/** A number and its noun: `1 result`, `342 results`. */
export function counted(value: number, noun: string, nouns = `${noun}s`): string {
  return `${count(value)} ${value === 1 ? noun : nouns}`;
}

/** Seconds with three digits, for a column of seconds: `1.84`, `10.0`, `124`, `0.004`. */
export function seconds(value: number): string {
  if (value >= 99.95) return count(Math.round(value));
  if (value >= 9.995) return value.toFixed(1);
  if (value >= 0.00995 || value === 0) return value.toFixed(2);
  return value < 0.0005 ? '<0.001' : value.toFixed(3);
}

/** True for a latency that is shown as longer than the p95 beside it. */
export function isSlow(latency: number, p95: number | null): boolean {
  return p95 !== null && latency > p95 && seconds(latency) !== seconds(p95);
}

/** A running time: `1:47`, `1:02:05`. */
export function clock(value: number): string {
  const whole = Math.max(0, Math.round(value));
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const [hours = 0, minutes = 0, rest = 0] = parts;
  const two = (part: number) => String(part).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** What a measure is: shares, values, values in one run and verdicts in the other, or an amount. */
export type MeasureType = 'ratio' | 'avg' | 'mixed' | 'seconds' | 'dollars' | 'tokens' | 'calls';

/** The unit of a measure. */
export function unitOf(type: MeasureType): Unit {
  if (type === 'ratio') return 'share';
  return type === 'seconds' || type === 'dollars' || type === 'tokens' ? type : 'number';
}

/** A difference in the format of its measure. */
export function signed(value: number, type: MeasureType): string {
  return signedAmount(value, unitOf(type));
}

/** Why there are counts in place of rates. */
export const countsOnlyTitle =
  'The filter selects results by what came of them, so that a rate of them would say nothing: these are counts.';
