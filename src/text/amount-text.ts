import { renderLatency } from './duration-text.js';
import { figureText, withSign } from './number-text.js';
import { percentText, pointsText } from './share-text.js';
import { renderDollars, renderTokens } from './usage-text.js';

/** What a measure is in: shares of 1, values of scores and counts, seconds, US dollars, tokens. */
export type Unit = 'share' | 'number' | 'seconds' | 'dollars' | 'tokens';

const renderers = {
  share: percentText,
  number: figureText,
  seconds: renderLatency,
  dollars: renderDollars,
  tokens: renderTokens,
} as const;

/** A value of a measure: `78.2` for a share, `0.83`, `1.84 s`, `$0.0018`, `4.1k`. */
export function amountText(value: number, unit: Unit): string {
  return renderers[unit](value);
}

/** A difference with its sign, unless it is rounded to 0: `+9.8` points for shares, `−0.05`, `+0.61 s`. */
export function signedAmount(value: number, unit: Unit): string {
  if (unit === 'share') return pointsText(value);
  const size = Math.abs(value);
  if (unit === 'seconds' && size < 0.00005) return renderLatency(0);
  return withSign(value, amountText(size, unit));
}
