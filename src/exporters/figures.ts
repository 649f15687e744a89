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

/** A share (0 to 1) as a percentage with one decimal, `74.1 %`; more where that would say all or nothing. */
export function renderPercent(share: number): string {
  const text = (share * 100).toFixed(1);
  const saysTooMuch = (text === '0.0' && share > 0) || (text === '100.0' && share < 1);
  return `${saysTooMuch ? (share * 100).toFixed(3) : text} %`;
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
