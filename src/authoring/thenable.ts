/** True for values that `await` waits for. Throws errors of a `then` getter. */
export function isThenable(value: unknown): boolean {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return false;
  return typeof (value as { readonly then?: unknown }).then === 'function';
}
