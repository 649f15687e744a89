import { expect } from 'chai';
import fc from 'fast-check';

/**
 * How to make a value. What fast-check draws and prints is this plain description: the values themselves throw, lie or
 * never end when they are looked at.
 */
export interface Recipe {
  readonly kind: keyof typeof makers;
  /** What it is made of. */
  readonly parts: readonly Recipe[];
  readonly text: string;
  readonly size: number;
  /** A value that is used as it is. */
  readonly value?: unknown;
}

/** Makes what the recipe says; each call makes it anew. */
export function make(recipe: Recipe): unknown {
  return makers[recipe.kind](recipe);
}

/** Kinds that fill any limit there is. */
const vast: readonly string[] = [
  'branching',
  'sparseList',
  'endlessMap',
  'endlessSet',
  'endlessToJson',
  'endlessGetters',
  'endlessText',
];

/** Recipes for anything that JavaScript can hold; or only for what is not too large for anything. */
export function hostileRecipe({ isVast = true } = {}): fc.Arbitrary<Recipe> {
  const kinds = (Object.keys(makers) as (keyof typeof makers)[]).filter(
    (kind) => isVast || !vast.includes(kind),
  );
  const { recipe } = fc.letrec<{ recipe: Recipe }>((tie) => ({
    recipe: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      plainValue(),
      fc.record({
        kind: fc.constantFrom(...kinds),
        parts: fc.array(tie('recipe'), { maxLength: 3 }),
        text: anyText(),
        size: fc.oneof({ weight: 6, arbitrary: fc.nat(40) }, fc.nat(4000)),
      }),
    ),
  }));
  return recipe;
}

function plainValue(): fc.Arbitrary<Recipe> {
  const anything = fc.anything({
    withBigInt: true,
    withBoxedValues: true,
    withDate: true,
    withMap: true,
    withSet: true,
    withNullPrototype: true,
    withObjectString: true,
    withTypedArray: true,
    withSparseArray: true,
    withUnicodeString: true,
    maxDepth: 2,
  });
  return anything.map((value) => ({ kind: 'asItIs', parts: [], text: '', size: 0, value }));
}

/** Any text, ill-formed and unprintable text included. */
export function anyText(): fc.Arbitrary<string> {
  const unit = fc.oneof(
    fc.integer({ min: 0x20, max: 0x7e }),
    fc.integer({ min: 0, max: 0xffff }),
    fc.constantFrom(0, 0x0a, 0x1b, 0x22, 0x5c, 0x7f, 0x9b, 0x2028, 0x202e, 0xd800, 0xdc00, 0xfeff),
  );
  const loose = fc.array(unit, { maxLength: 12 }).map((units) => String.fromCharCode(...units));
  const names = fc.constantFrom('__proto__', 'toJSON', 'then', 'constructor', '…', '1', '');
  return fc.oneof(loose, names, fc.string({ unit: 'grapheme', maxLength: 8 }));
}

const makers = {
  asItIs: ({ value }) => value,
  text: ({ text }) => text,
  longText: ({ text, size }) => text.repeat(size),
  list: ({ parts }) => parts.map(make),
  longList: ({ parts, size }) => Array(size).fill(first(parts)),
  sparseList: ({ parts, size }) => {
    const list: unknown[] = [];
    list[size * 1_000_000] = first(parts);
    return list;
  },
  fields: ({ parts, text }) => Object.fromEntries(parts.map((part, at) => [text + at, make(part)])),
  oneField: ({ parts, text }) => Object.fromEntries([[text, first(parts)]]),
  manyFields: ({ parts, size }) =>
    Object.fromEntries(Array.from({ length: size }, (_, at) => [`f${at}`, first(parts)])),
  withoutPrototype: ({ parts, text }) =>
    Object.assign(Object.create(null), { [`${text}.`]: first(parts) }),
  shared: ({ parts }) => {
    const value = first(parts);
    return { one: value, two: [value, { value }] };
  },
  branching: ({ parts, size }) => {
    let value = first(parts);
    for (let level = 0; level < size % 64; level += 1) value = [value, value];
    return value;
  },
  deepLists: ({ parts, size }) => {
    let value = first(parts);
    for (let level = 0; level < size; level += 1) value = [value];
    return value;
  },
  deepFields: ({ parts, size, text }) => {
    let value = first(parts);
    for (let level = 0; level < size; level += 1) value = { [text]: value };
    return value;
  },
  cycle: ({ parts, text }) => {
    const value: Record<string, unknown> = { part: first(parts) };
    value[`${text}.`] = [value];
    return value;
  },
  cyclicList: ({ parts }) => {
    const list: unknown[] = parts.map(make);
    list.push(list);
    return list;
  },
  map: ({ parts, text }) => new Map(parts.map((part, at) => [at === 0 ? text : make(part), part])),
  mapByItself: ({ parts }) => {
    const map = new Map<unknown, unknown>([[first(parts), 1]]);
    return map.set(map, map);
  },
  mapByLarge: ({ parts, size }) => {
    const key = Array(size).fill(first(parts));
    return new Map(Array.from({ length: 50 }, (_, at) => [[at, key], at]));
  },
  endlessMap: ({ parts }) => {
    const part = first(parts);
    return new (class extends Map<unknown, unknown> {
      override *[Symbol.iterator](): MapIterator<[unknown, unknown]> {
        for (let at = 0; ; at += 1) yield [at, part];
      }
    })();
  },
  set: ({ parts }) => new Set(parts.map(make)),
  endlessSet: ({ parts }) => {
    const part = first(parts);
    return new (class extends Set<unknown> {
      override *[Symbol.iterator](): SetIterator<unknown> {
        for (;;) yield part;
      }
    })();
  },
  error: ({ parts, text }) =>
    Object.assign(new RangeError(text, { cause: first(parts) }), { [`${text}.`]: first(parts) }),
  lyingError: ({ parts }) => {
    const [message, name, stack] = parts.map(make);
    const error = new Error('no');
    // Reading it once keeps V8 from making it later, of what is below.
    expect(error.stack).to.be.a('string');
    return Object.defineProperties(error, {
      message: { value: message },
      name: { value: name },
      stack: { value: stack },
    });
  },
  assertion: ({ parts }) => ({ name: 'AssertionError', message: first(parts) }),
  errorOfItself: ({ text }) => {
    const error = new Error(text);
    error.cause = error;
    return error;
  },
  instance: ({ parts }) =>
    new (class Answer {
      part = first(parts);
      readonly #hidden = 1;
      get hidden() {
        return this.#hidden;
      }
    })(),
  toJson: ({ parts, text }) => {
    const part = first(parts);
    return { text, toJSON: () => part };
  },
  toJsonOfItself: () => {
    const value = { toJSON: () => value };
    return value;
  },
  endlessToJson: () => {
    const next = (): object => ({ toJSON: next });
    return next();
  },
  toJsonThrows: ({ parts }) => ({ toJSON: thrower(first(parts)) }),
  getterThrows: ({ parts, text }) =>
    Object.defineProperty({}, text, { enumerable: true, get: thrower(first(parts)) }),
  changingGetter: ({ parts }) => {
    const values = parts.map(make);
    let reads = 0;
    return {
      get value() {
        reads += 1;
        return values[reads % values.length];
      },
    };
  },
  endlessGetters: () => {
    const next = (): object => ({
      get a() {
        return next();
      },
      get b() {
        return next();
      },
    });
    return next();
  },
  proxyThrows: ({ parts, size }) => {
    const trap = traps[size % traps.length] ?? 'get';
    return new Proxy({ a: 1 }, { [trap]: thrower(first(parts)) });
  },
  proxyLies: ({ parts, size }) => {
    const trap = traps[size % traps.length] ?? 'get';
    const part = first(parts);
    return new Proxy(size % 2 === 0 ? {} : [], { [trap]: () => part });
  },
  revoked: ({ size }) => {
    const { proxy, revoke } = Proxy.revocable([{}, [], () => 1][size % 3] ?? {}, {});
    revoke();
    return proxy;
  },
  function: ({ text }) => Object.defineProperty(() => 1, 'name', { value: text }),
  namelessFunction: ({ parts }) => Object.defineProperty(() => 1, 'name', { value: first(parts) }),
  symbol: ({ text }) => Symbol(text),
  bigInt: ({ size }) => -(7n ** BigInt(size)),
  number: ({ size }) => [-0, Number.NaN, Number.NEGATIVE_INFINITY, 5e-324, 2 ** 53, 1e21][size % 6],
  promise: ({ parts }) => Promise.resolve(parts.length),
  lyingDate: ({ parts }) => {
    const part = first(parts);
    return Object.assign(new Date(0), { toISOString: () => part });
  },
  lyingText: ({ parts }) => {
    const part = first(parts);
    return Object.assign(new String('a'), { valueOf: () => part });
  },
  endlessText: () => {
    const next = (): object => Object.assign(new String('a'), { valueOf: next });
    return next();
  },
  lyingPattern: ({ parts }) => {
    const part = first(parts);
    return Object.assign(/a/, { toString: () => part });
  },
  falseKind: ({ size }) =>
    Object.create(
      [Date, Map, Set, Uint8Array, Promise, RegExp, Error][size % 7]?.prototype ?? null,
    ),
  bytes: ({ size }) => new Uint8Array(size % 100).fill(size),
  detachedBytes: () => {
    const bytes = new Uint8Array(8);
    structuredClone(bytes, { transfer: [bytes.buffer] });
    return bytes;
  },
  sharedBytes: ({ size }) => new SharedArrayBuffer(size % 100),
  view: ({ size }) => new DataView(new ArrayBuffer((size % 100) + 4), 2),
  generator: ({ parts }) => parts.values(),
  weak: ({ size }) => [new WeakMap(), new WeakSet(), new WeakRef({})][size % 3],
} satisfies Record<string, (recipe: Recipe) => unknown>;

const traps = ['get', 'has', 'ownKeys', 'getOwnPropertyDescriptor', 'getPrototypeOf'] as const;
const nothing: Recipe = { kind: 'text', parts: [], text: 'nothing', size: 0 };

function thrower(thrown: unknown): () => never {
  return () => {
    throw thrown;
  };
}

function first(parts: readonly Recipe[]): unknown {
  return make(parts[0] ?? nothing);
}

/** Values for evaluations of another process, the same for every seed. */
export function hostileSamples(seed: number, count: number): unknown[] {
  return fc.sample(hostileRecipe({ isVast: false }), { seed, numRuns: count }).map(make);
}
