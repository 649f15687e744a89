/**
 * Functions of JavaScript and Node that the host uses, captured before user code runs: evaluations may change
 * globals, but must not affect other evaluations of the process. In the host bundle, `scripts/bundle.mjs` replaces
 * globals of these names by them.
 */
const json = { parse: globalThis.JSON.parse, stringify: globalThis.JSON.stringify };
const clock = {
  now: globalThis.performance.now.bind(globalThis.performance),
  timeOrigin: globalThis.performance.timeOrigin,
};
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

/** Copies all methods of its class onto the object, so that changes to the class do not affect it. */
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
