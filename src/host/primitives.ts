/**
 * Functions of JavaScript and Node that the host uses, captured before user code runs: evaluations may change
 * globals, but must not affect other evaluations of the process. In the host bundle, `scripts/bundle.mjs` replaces
 * globals of these names by them.
 */
const { parse, stringify } = globalThis.JSON;
const { hasOwn, defineProperty, getOwnPropertyDescriptor } = Object;
const { apply, deleteProperty } = Reflect;
const json = { parse, stringify: withoutToJson(stringify) };
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

/**
 * The same function, for which objects, lists and texts have no `toJSON`: what user code adds to their prototypes must
 * not change the data of assay. The prototypes are as they were when it returns.
 */
function withoutToJson(real: typeof stringify): typeof stringify {
  const prototypes = [Object, Array, String, Number, Boolean].map((one): object => one.prototype);
  return (...given: unknown[]): string => {
    let hidden: [object, PropertyDescriptor][] | undefined;
    for (const prototype of prototypes) {
      if (!hasOwn(prototype, 'toJSON')) continue;
      const property = getOwnPropertyDescriptor(prototype, 'toJSON');
      // One that cannot be removed stays in force.
      if (property === undefined || !deleteProperty(prototype, 'toJSON')) continue;
      hidden ??= [];
      hidden[hidden.length] = [prototype, property];
    }
    if (hidden === undefined) return apply(real, undefined, given) as string;
    try {
      return apply(real, undefined, given) as string;
    } finally {
      for (const [prototype, property] of hidden) defineProperty(prototype, 'toJSON', property);
    }
  };
}
