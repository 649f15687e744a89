export type Functions = Record<string, unknown>;

/** Replaces a function by one that calls `notice` with its arguments first. */
export function patchFunction(
  owner: Functions,
  name: string,
  notice: (args: readonly unknown[]) => void,
): void {
  const original = owner[name];
  if (typeof original !== 'function') return;
  function patched(this: unknown, ...args: unknown[]): unknown {
    notice(args);
    return Reflect.apply(original as (...args: unknown[]) => unknown, this, args);
  }
  // Its name, its length, and what `promisify` and others look for.
  Object.defineProperties(patched, Object.getOwnPropertyDescriptors(original));
  owner[name] = patched;
}
