import { figure, seconds, withoutZero } from './figures.js';

/** A number of a difference with its sign; nothing but zeros has none. `text`: the number without it. */
function withSign(value: number, text: string): string {
  return /[1-9]/.test(text) ? `${value < 0 ? '−' : '+'}${text}` : text;
}

/** A difference of shares in points: `+9.8`, `−6.4`, `0.0`. */
export function points(share: number): string {
  return withSign(share, (Math.abs(share) * 100).toFixed(1));
}

/** A difference of values: `+.05`, `−1.2`, `+12,400`; below a thousandth it is none. */
export function signedFigure(value: number): string {
  const size = Math.abs(value);
  if (size >= 1) return withSign(value, figure(size));
  const text = size.toFixed(3).replace(/0$/, '');
  return /[1-9]/.test(text) ? withSign(value, withoutZero(text)) : '0';
}

/** A difference of latencies in seconds: `+.36`, `−1.84`, `+.004`; below half a millisecond it is none. */
export function signedSeconds(value: number): string {
  if (Math.abs(value) < 0.0005) return '0';
  return withSign(value, withoutZero(seconds(Math.abs(value))));
}

/** A difference in the way of its measure. */
export function signed(value: number, type: 'ratio' | 'avg' | 'mixed' | 'seconds'): string {
  if (type === 'seconds') return signedSeconds(value);
  return type === 'ratio' ? points(value) : signedFigure(value);
}

/** A p-value: `p < .001`, `p = .004`, `p = .12`. */
export function pText(value: number): string {
  if (value < 0.001) return 'p < .001';
  return `p = ${withoutZero(value >= 0.995 ? '1' : value.toFixed(value < 0.095 ? 3 : 2))}`;
}
