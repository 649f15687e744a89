/**
 * What the host uses of JavaScript and Node, as it was before any code of the user's: evaluations of one process may
 * change globals, but not what becomes of their neighbours. `scripts/bundle.mjs` puts those with the name of a global in
 * its place everywhere in the host.
 */
const json = { parse: globalThis.JSON.parse, stringify: globalThis.JSON.stringify };
const clock = { now: globalThis.performance.now.bind(globalThis.performance) };
const bytes = Object.fromEntries(
  Object.entries(Object.getOwnPropertyDescriptors(globalThis.Buffer))
    .filter(([, { value }]) => typeof value === 'function')
    .map(([name, { value }]) => [name, value.bind(globalThis.Buffer)]),
);
const { setTimeout, clearTimeout, setImmediate, queueMicrotask } = globalThis;
const { Date: RealDate } = globalThis;
const { toISOString } = RealDate.prototype;
const { apply } = Reflect;

export {
  bytes as Buffer,
  clearTimeout,
  clock as performance,
  json as JSON,
  queueMicrotask,
  setImmediate,
  setTimeout,
};

export const nextTick = process.nextTick.bind(process);

/** RFC 3339, UTC, milliseconds. */
export function isoNow(): string {
  return apply(toISOString, new RealDate(), []);
}

/** The same object with all methods of its class as its own, so that nobody who changes the class changes it. */
export function withOwnMethods<T extends object>(object: T): T {
  const prototype: object = Object.getPrototypeOf(object);
  for (const name of Object.getOwnPropertyNames(prototype)) {
    const method = Object.getOwnPropertyDescriptor(prototype, name);
    if (method !== undefined && name !== 'constructor') {
      Object.defineProperty(object, name, method);
    }
  }
  return object;
}
