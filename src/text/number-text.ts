let numberFormat: Intl.NumberFormat | undefined;

/** A number with thousands separators and at most three decimals; more if it is tiny. */
export function renderNumber(value: number): string {
  const size = Math.abs(value);
  const fits = size === 0 || (size >= 0.001 && size < 1e15);
  const rounded = () => Number(value.toPrecision(3));
  // Below 1e21, `String` would write all digits.
  if (size >= 1e15 && size < 1e21) return rounded().toExponential();
  if (!fits) return String(rounded());
  // Created on demand, because it takes longer than many a command.
  numberFormat ??= new Intl.NumberFormat('en-US', { maximumFractionDigits: 3 });
  return numberFormat.format(value);
}

/** A value of a score, on every surface: `0.83`, `482.9`, `12,346`; above a thousand a whole number. */
export function figureText(value: number): string {
  const size = Math.abs(value);
  return size >= 999.9995 && size < 1e15 ? renderNumber(Math.round(value)) : renderNumber(value);
}

/** The basis of a mean: `mean of 60`, with a declared scale `mean of 60, on 0 to 100`. */
export function meanOfText({
  count,
  scale,
}: {
  readonly count: number;
  readonly scale?: readonly [number, number];
}): string {
  const of = `mean of ${renderNumber(count)}`;
  return scale === undefined ? of : `${of}, on ${scale.map(renderNumber).join(' to ')}`;
}

/** A difference with its sign, unless its text contains only zeros. `text`: its size. */
export function withSign(value: number, text: string): string {
  return /[1-9]/.test(text) ? `${value < 0 ? '−' : '+'}${text}` : text;
}
