const narrowest = 60;
// Of a terminal that does not say.
const usual = 80;

/**
 * Columns that lines on a stream may have, at least 60: those of its terminal, else those that `COLUMNS` says; infinite
 * without either, as in pipes and logs, where nothing is cut.
 */
export function streamWidth(
  { isTTY, columns }: { readonly isTTY?: boolean; readonly columns?: number },
  env: { readonly COLUMNS?: string | undefined } = process.env,
): number {
  const given = columns || Number.parseInt(env.COLUMNS ?? '', 10);
  if (given > 0) return Math.max(narrowest, given);
  return isTTY === true ? usual : Number.POSITIVE_INFINITY;
}
