let numberFormat: Intl.NumberFormat | undefined;

/** A number with thousands separators and at most three decimals; more if it is tiny. */
export function renderNumber(value: number): string {
  const size = Math.abs(value);
  const fits = size === 0 || (size >= 0.001 && size < 1e15);
  if (!fits) return String(Number(value.toPrecision(3)));
  // Created on demand, because it takes longer than many a command.
  numberFormat ??= new Intl.NumberFormat('en-US', { maximumFractionDigits: 3 });
  return numberFormat.format(value);
}
