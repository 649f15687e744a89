import { figureText, renderNumber } from '../../text/number-text.js';
import { percentText } from '../../text/share-text.js';
import type { GateVerdict } from './gate-verdict.js';

// Quotients are rounded: a limit that is met exactly must not fail by the last binary digit.
export const rounding = 1e-12;

/** The notation of a kind of number. */
interface Notation {
  /** The actual value as in summaries, with `digits` additional decimals. */
  readonly value: (value: number, digits: number) => string;
  /** The required value. */
  readonly limit: (value: number) => string;
}

export const percent: Notation = {
  value: (rate, digits) =>
    `${digits === 0 ? percentText(rate) : (rate * 100).toFixed(1 + digits)} %`,
  limit: (rate) => `${Number((rate * 100).toFixed(6))} %`,
};

export const average: Notation = {
  value: (value, digits) =>
    `${digits === 0 ? figureText(value) : value.toLocaleString('en-US', { maximumFractionDigits: 3 + digits })} on average`,
  limit: (value) => (Number(value.toFixed(3)) === value ? renderNumber(value) : String(value)),
};

/** Judges that a value is at least a limit. `of`: what it is of. */
export function compare(
  what: string,
  value: number,
  atLeast: number,
  notation: Notation,
  of?: string,
): GateVerdict {
  const figure = `${what} ${shown(value, atLeast, notation)}`;
  const text = of === undefined ? figure : `${figure} ${of}`;
  return value >= atLeast - rounding
    ? { verdict: 'yes', text: `${text}, at least ${notation.limit(atLeast)} asked for` }
    : { verdict: 'no', text: `${text} is under ${notation.limit(atLeast)}` };
}

const mostMoreDigits = 6;

/** The actual value as in summaries, with more digits if it would look like the limit. */
export function shown(value: number, limit: number, { value: render }: Notation): string {
  const isLimit = Math.abs(value - limit) <= rounding;
  let digits = 0;
  while (!isLimit && digits < mostMoreDigits && render(value, digits) === render(limit, digits)) {
    digits += 1;
  }
  return render(value, digits);
}
