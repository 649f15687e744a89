/** True for what `await` waits for. Throws what a getter named `then` throws. */
export function isThenable(value: unknown): boolean {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return false;
  return typeof (value as { readonly then?: unknown }).then === 'function';
}
