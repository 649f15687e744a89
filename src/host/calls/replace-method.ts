type Method = (this: never, ...given: never[]) => unknown;

/** Replaces a method that an object has or inherits; keeps its name, its number of parameters and its `promisify.custom`. */
export function replaceMethod<Name extends string>(
  object: { readonly [name in Name]: Method },
  name: Name,
  replace: (inherited: Method) => (this: never, ...given: never[]) => unknown,
): void {
  const inherited = object[name];
  const value = replace(inherited);
  Object.defineProperties(value, Object.getOwnPropertyDescriptors(inherited));
  Object.defineProperty(object, name, { value, configurable: true, writable: true });
}
