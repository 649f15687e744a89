import type { Bounds } from '../statistics/bounds.js';
import { withSign } from './number-text.js';

/** Maximum decimals of a share. */
const mostDecimals = 8;
/** Rounding can move a sum of quotients slightly away from 0 or 1. */
const rounding = 1e-12;

/**
 * A share (0 to 1) in percent with one decimal, `74.1`; with more where one decimal would show 0 or 100 for a share
 * that is neither.
 */
export function percentText(share: number): string {
  const isExact = Math.abs(share) < rounding || Math.abs(1 - share) < rounding;
  let decimals = 1;
  let text = (share * 100).toFixed(decimals);
  while (!isExact && decimals < mostDecimals && [0, 100].includes(Number(text))) {
    decimals += 1;
    text = (share * 100).toFixed(decimals);
  }
  return text;
}

/** A difference of shares in percentage points: `+9.8`, `−6.4`, `0.0`. */
export function pointsText(difference: number): string {
  return withSign(difference, (Math.abs(difference) * 100).toFixed(1));
}

/** The reason why a mean, or a difference of means, has no interval. `higher`, `lower`: the pairs that differ, each way. */
export function noIntervalText(
  of: {
    readonly percentiles?: unknown;
    readonly pairs?: number;
    readonly higher?: number;
    readonly lower?: number;
  } = {},
): string {
  const { pairs = 0, higher, lower } = of;
  if (pairs > 1 && higher === 0 && lower === 0) return 'all alike';
  return of.percentiles === undefined ? 'n too small' : 'unbounded values';
}

/** The bounds of a share in percent, `71.3–76.7`, each as {@link percentText}; the reason if there are none. */
export function boundsText({ low, high }: Bounds): string {
  if (low === null || high === null) return noIntervalText();
  return `${percentText(low)}–${percentText(high)}`;
}
