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

/** A proxy with these traps and no others: user code may give all objects a `get` or a `has`. */
export function ownProxy<Target extends object>(
  target: Target,
  handler: ProxyHandler<Target>,
): Target {
  return new Proxy(target, Object.setPrototypeOf(handler, null));
}
