/** True for `assay` and its subpath exports. */
export function isAssay(specifier: string): boolean {
  return /^assay(?:\/|$)/.test(specifier);
}
