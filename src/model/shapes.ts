import {
  isCount,
  isJson,
  isJsonObject,
  isNumber,
  isObject,
  isStrings,
  isTimeText,
} from './json.js';

/** What a value of a file or a message has to be: a check that narrows its type. */
export interface Shape<T> {
  (value: unknown): value is T;
  /** What is wrong with a value that does not fit, and where in it; absent where the name of the shape says it all. */
  readonly fault?: (value: unknown, at: string) => ShapeFault;
}

/** The type of the values that fit a shape. */
export type Fitting<S> = S extends (value: unknown) => value is infer T ? T : never;

/** Why a value does not fit a shape. */
export interface ShapeFault {
  /** JSON pointer, empty for the whole value. */
  readonly at: string;
  /** `must be a text`. */
  readonly problem: string;
  /** What is there instead; absent if the problem says it. */
  readonly found?: { readonly value: unknown };
}

type Fields = { readonly [name: string]: Shape<unknown> };

type Simple<T> = { [Key in keyof T]: T[Key] };

/** An object with fields of these shapes; those that may be `undefined` may be absent. */
export type ObjectOf<F> = Simple<
  {
    readonly [Key in keyof F as undefined extends Fitting<F[Key]> ? never : Key]: Fitting<F[Key]>;
  } & {
    readonly [Key in keyof F as undefined extends Fitting<F[Key]> ? Key : never]?: Fitting<F[Key]>;
  }
>;

/** What JSON has of a type: an optional field is there, or absent. */
export type InJson<T> = { [Key in keyof T]: Exclude<T[Key], undefined> };

/** The shape of what was parsed from JSON. */
export function inJson<T>(shape: Shape<T>): Shape<InJson<T>> {
  return shape as Shape<unknown> as Shape<InJson<T>>;
}

/** An object with these fields; others do not matter. */
export function object<F extends Fields>(fields: F): Shape<ObjectOf<F>> {
  const checks = Object.entries(fields).map(([name, shape]) => ({
    ...{ name, shape },
    // Most fields of most lines are absent, and there may be millions of lines.
    mayBeAbsent: shape(undefined),
  }));
  const wrongIn = (value: { readonly [name: string]: unknown }) => {
    for (const check of checks) {
      const field = value[check.name];
      if (field === undefined ? !check.mayBeAbsent : !check.shape(field)) return check;
    }
    return undefined;
  };
  const fits = (value: unknown): value is ObjectOf<F> =>
    isObject(value) && wrongIn(value) === undefined;
  return Object.assign(fits, {
    fault: (value: unknown, at: string): ShapeFault => {
      const wrong = isObject(value) ? wrongIn(value) : undefined;
      if (!isObject(value) || wrong === undefined) return mustBe('an object', value, at);
      return faultOf(value[wrong.name], wrong.shape, `${at}/${wrong.name}`);
    },
  });
}

/** An object with these fields and no others. */
export function exactly<F extends Fields>(fields: F): Shape<ObjectOf<F>> {
  const has = object(fields);
  const unknownIn = (value: object) =>
    Object.keys(value).find((name) => !Object.hasOwn(fields, name));
  const fits = (value: unknown): value is ObjectOf<F> =>
    has(value) && unknownIn(value) === undefined;
  const fault = (value: unknown, at: string): ShapeFault => {
    if (!has(value)) return faultOf(value, has, at);
    return { at, problem: `has the unknown field ${shortly(unknownIn(value))}` };
  };
  return Object.assign(fits, { fault });
}

/** The fields of an object that are named here, in this order, without those that are `undefined`. */
export function only<F extends Fields>(fields: F, value: ObjectOf<F>): ObjectOf<F> {
  const given: { readonly [name: string]: unknown } = value;
  const found: { [name: string]: unknown } = {};
  for (const name of Object.keys(fields)) {
    if (given[name] !== undefined) found[name] = given[name];
  }
  return found as ObjectOf<F>;
}

export function optional<T>(shape: Shape<T>): Shape<T | undefined> {
  const fits = (value: unknown): value is T | undefined => value === undefined || shape(value);
  return Object.assign(fits, { fault: (value: unknown, at: string) => faultOf(value, shape, at) });
}

export function nullOr<T>(shape: Shape<T>): Shape<T | null> {
  const fits = (value: unknown): value is T | null => value === null || shape(value);
  const fault = (value: unknown, at: string) => mustBe(`${nameOf(shape)} or null`, value, at);
  return Object.assign(fits, { fault });
}

export function listOf<T>(shape: Shape<T>): Shape<readonly T[]> {
  const fits = (value: unknown): value is readonly T[] =>
    Array.isArray(value) && value.every(shape);
  return Object.assign(fits, {
    fault: (value: unknown, at: string): ShapeFault => {
      if (!Array.isArray(value)) return mustBe('a list', value, at);
      const wrong = value.findIndex((item) => !shape(item));
      return faultOf(value[wrong], shape, `${at}/${wrong}`);
    },
  });
}

export function recordOf<T>(shape: Shape<T>): Shape<{ readonly [key: string]: T }> {
  const fits = (value: unknown): value is { readonly [key: string]: T } =>
    isObject(value) && Object.values(value).every(shape);
  return Object.assign(fits, {
    fault: (value: unknown, at: string): ShapeFault => {
      if (!isObject(value)) return mustBe('an object', value, at);
      const [key, wrong] = Object.entries(value).find(([, one]) => !shape(one)) ?? [];
      return faultOf(wrong, shape, `${at}/${key}`);
    },
  });
}

export function oneOf<const T extends string>(...values: readonly T[]): Shape<T> {
  const fits = (value: unknown): value is T => values.includes(value as T);
  return named(values.length > 2 ? `one of ${values.join(', ')}` : values.join(' or '), fits);
}

/** An object of one of these shapes; its field `key` says which. */
export function variants<K extends string, V extends Fields>(
  key: K,
  shapes: V,
): Shape<{ [N in keyof V]: Variant<K, V, N> }[keyof V]> {
  type One = { [N in keyof V]: Variant<K, V, N> }[keyof V];
  const shapeOf = (value: unknown) => {
    const name = isObject(value) ? value[key] : undefined;
    return typeof name === 'string' && Object.hasOwn(shapes, name) ? shapes[name] : undefined;
  };
  const fits = (value: unknown): value is One => shapeOf(value)?.(value) === true;
  const fault = (value: unknown, at: string): ShapeFault => {
    if (!isObject(value)) return mustBe('an object', value, at);
    const shape = shapeOf(value) ?? object({ [key]: oneOf(...Object.keys(shapes)) });
    return faultOf(value, shape, at);
  };
  return Object.assign(fits, { fault });
}

/** What has the shape of this name. */
export type Variant<K extends string, V, N extends keyof V> = Simple<
  { readonly [Key in K]: N } & Fitting<V[N]>
>;

export function both<A, B>(first: Shape<A>, second: Shape<B>): Shape<A & B> {
  const fits = (value: unknown): value is A & B => first(value) && second(value);
  const fault = (value: unknown, at: string) => faultOf(value, first(value) ? second : first, at);
  return Object.assign(fits, { fault });
}

/** The shape with a name for what it asks for: `a time in Unix seconds`. */
export function named<T>(name: string, shape: (value: unknown) => value is T): Shape<T> {
  const fits = (value: unknown): value is T => shape(value);
  return Object.assign(fits, { fault: (value: unknown, at: string) => mustBe(name, value, at) });
}

/** Why a value that does not fit does not. */
export function faultOf(value: unknown, shape: Shape<unknown>, at = ''): ShapeFault {
  return shape.fault?.(value, at) ?? mustBe(nameOf(shape), value, at);
}

function nameOf(shape: Shape<unknown>): string {
  return names.get(shape) ?? 'valid';
}

function mustBe(name: string, value: unknown, at: string): ShapeFault {
  return { at, problem: `must be ${name}`, found: { value } };
}

/** The fault with what is there instead: `must be a text, not 3`. */
export function faultText({ problem, found }: ShapeFault): string {
  return found === undefined ? problem : `${problem}, not ${shortly(found.value)}`;
}

function shortly(value: unknown): string {
  if (value === undefined) return 'missing';
  const text = JSON.stringify(value) ?? typeof value;
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

export function isText(value: unknown): value is string {
  return typeof value === 'string';
}

export function isFlag(value: unknown): value is boolean {
  return typeof value === 'boolean';
}

export function isTrue(value: unknown): value is true {
  return value === true;
}

/** True for a finite number that is not negative. */
export function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

const names = new Map<Shape<unknown>, string>([
  [isText, 'a text'],
  [isFlag, 'true or false'],
  [isTrue, 'true'],
  [isAmount, 'a number of 0 or more'],
  [isCount, 'a whole number'],
  [isNumber, 'a number'],
  [isStrings, 'a list of texts'],
  [isTimeText, 'a time, RFC 3339'],
  [isObject, 'an object'],
  [isJson, 'there'],
  [isJsonObject, 'an object'],
]);
