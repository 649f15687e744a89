type Method = (this: never, ...given: never[]) => unknown;

/** Puts another method in the place of one that an object has or inherits, with the same number of parameters and what `promisify()` finds at it. */
export function replaceMethod<Name extends string>(
  object: { readonly [name in Name]: Method },
  name: Name,
  replace: (inherited: Method) => (this: never, ...given: never[]) => unknown,
): void {
  const inherited = object[name];
  const value = replace(inherited);
  for (const key of ['length', ...Object.getOwnPropertySymbols(inherited)]) {
    Object.defineProperty(value, key, Object.getOwnPropertyDescriptor(inherited, key) ?? {});
  }
  Object.defineProperty(object, name, { value, configurable: true, writable: true });
}
