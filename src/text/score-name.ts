/** The names of figures of assay's own, which stand beside scores. */
const ownFigures = /^(pass rate|pass[@^]\d+|latency|cost|model tokens|calls)$/i;

/**
 * The name of a score where other figures stand beside it, on every surface: its key, and `cost (score)` where a figure of
 * assay's own is called so.
 */
export function scoreName(key: string): string {
  return ownFigures.test(key) ? `${key} (score)` : key;
}
