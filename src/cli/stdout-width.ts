const narrowest = 60;

/** Columns of the terminal behind stdout, at least 60; `undefined` when stdout is none and lines may be of any width. */
export function stdoutWidth(): number | undefined {
  const given = process.stdout.columns ?? Number.parseInt(process.env.COLUMNS ?? '', 10);
  return given > 0 ? Math.max(narrowest, given) : undefined;
}
