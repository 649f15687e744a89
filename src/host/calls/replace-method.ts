type Method = (this: never, ...given: never[]) => unknown;

/** Puts another method in the place of one that an object has or inherits, with the same number of parameters. */
export function replaceMethod<Name extends string>(
  object: { readonly [name in Name]: Method },
  name: Name,
  replace: (inherited: Method) => (this: never, ...given: never[]) => unknown,
): void {
  const inherited = object[name];
  const value = replace(inherited);
  Object.defineProperty(value, 'length', { value: inherited.length });
  Object.defineProperty(object, name, { value, configurable: true, writable: true });
}
