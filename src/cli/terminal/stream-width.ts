const narrowest = 60;
// For a terminal that does not report its width.
const usual = 80;

/**
 * Maximum line width on a stream, at least 60: that of its terminal, else `COLUMNS`; infinite without either, as in
 * pipes and logs, where nothing is cut.
 */
export function streamWidth(
  { isTTY, columns }: { readonly isTTY?: boolean; readonly columns?: number },
  env: { readonly COLUMNS?: string | undefined } = process.env,
): number {
  const given = columns || Number.parseInt(env.COLUMNS ?? '', 10);
  if (given > 0) return Math.max(narrowest, given);
  return isTTY === true ? usual : Number.POSITIVE_INFINITY;
}
