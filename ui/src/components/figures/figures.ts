import { figureText, withSign } from '../../../../src/text/number-text.js';
import { noIntervalText, percentText, pointsText } from '../../../../src/text/share-text.js';
import { renderSmallDollars, renderTokens } from '../../../../src/text/usage-text.js';

export { figureText as figure };

/** `0.87` as `.87`. */
export function withoutZero(text: string): string {
  return text.replace(/^([-+−]?)0\./, '$1.');
}

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

/** Bounds of a 95 % interval; `null` if there is none. */
export interface Bounds {
  readonly low: number | null;
  readonly high: number | null;
}

/** Bounds of a mean: `28.9–30.3`, or the reason if there are none. */
export function meanBoundsText({ low, high }: Bounds): string {
  return low === null || high === null
    ? noIntervalText()
    : `${figureText(low)}–${figureText(high)}`;
}

/** Percentiles of values; `null` if unknown. */
export interface Percentiles {
  readonly p50: number | null;
  readonly p95: number | null;
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

/** Seconds with three digits: `1.84`, `10.0`, `124`; `.004`. */
export function seconds(value: number): string {
  if (value >= 99.95) return count(Math.round(value));
  if (value >= 9.995) return value.toFixed(1);
  if (value >= 0.00995 || value === 0) return value.toFixed(2);
  return value < 0.0005 ? '<.001' : withoutZero(value.toFixed(3));
}

/** A running time: `1:47`, `1:02:05`. */
export function clock(value: number): string {
  const whole = Math.max(0, Math.round(value));
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const [hours = 0, minutes = 0, rest = 0] = parts;
  const two = (part: number) => String(part).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** A duration with its unit: `2.31 s`, below a tenth of a second `38 ms`, `.69 ms`. */
export function duration(value: number): string {
  if (value >= 0.0995 || value === 0) return `${seconds(value)} s`;
  const ms = value * 1000;
  if (ms < 0.005) return '<.01 ms';
  return `${ms >= 9.95 ? Math.round(ms) : withoutZero(ms.toFixed(ms >= 0.995 ? 1 : 2))} ms`;
}

/** A difference of latencies in seconds: `+.36`, `−1.84`, `+.004`; 0 below half a millisecond. */
export function signedSeconds(value: number): string {
  if (Math.abs(value) < 0.0005) return '0';
  return withSign(value, withoutZero(seconds(Math.abs(value))));
}

/** The unit of a measure: shares, values, values in one run and verdicts in the other, or time. */
export type MeasureType = 'ratio' | 'avg' | 'mixed' | 'seconds' | 'dollars' | 'tokens' | 'calls';

/** A difference in the format of its measure. */
export function signed(value: number, type: MeasureType): string {
  if (type === 'seconds') return signedSeconds(value);
  if (type === 'dollars') return withSign(value, renderSmallDollars(Math.abs(value)));
  if (type === 'tokens') return withSign(value, renderTokens(Math.abs(value)));
  return type === 'ratio' ? pointsText(value) : withSign(value, figureText(Math.abs(value)));
}

/** Why there are counts in place of rates. */
export const countsOnlyTitle =
  'The filter selects results by what came of them, so that a rate of them would say nothing: these are counts.';
