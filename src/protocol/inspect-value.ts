// What can be asked of values that may throw, or lie, when they are looked at.

/** True for what holds raw bytes. */
export function isBytes(value: object): value is ArrayBufferView | ArrayBufferLike {
  return (
    ArrayBuffer.isView(value) || value instanceof ArrayBuffer || value instanceof SharedArrayBuffer
  );
}

/** True for an object that is just its own fields, as most are. May throw. */
export function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return (prototype === Object.prototype || prototype === null) && !('toJSON' in value);
}

/** True for a plain object without fields, as most metadata and trace data are; false for what throws. */
export function isEmptyPlain(value: unknown): value is Record<string, never> {
  try {
    if (typeof value !== 'object' || value === null || !isPlain(value)) return false;
    for (const _ in value) return false;
    return true;
  } catch {
    return false;
  }
}

/**
 * True for an object without fields that is likely to hold something all the same: it has methods, getters, or properties
 * that are not enumerable. May throw.
 */
export function hidesContent(value: object): boolean {
  if (Reflect.ownKeys(value).length > 0) return true;
  for (let prototype: unknown = Object.getPrototypeOf(value); ; ) {
    if (typeof prototype !== 'object' || prototype === null) return false;
    const above: unknown = Object.getPrototypeOf(prototype);
    // That of plain objects, of whatever realm.
    if (above === null && Object.hasOwn(prototype, 'hasOwnProperty')) return false;
    if (Reflect.ownKeys(prototype).some((key) => key !== 'constructor')) return true;
    prototype = above;
  }
}

/** What kind of object it is, in words: `an instance of Point`. May throw. */
export function kindOf(value: object): string {
  const tag = Object.prototype.toString.call(value).slice('[object '.length, -1);
  if (/Generator$/.test(tag)) return 'a generator';
  const { constructor: made } = value as { readonly constructor?: unknown };
  const name = typeof made === 'function' ? nameOf(made) : 'anonymous';
  return name === 'anonymous' || name === 'Object' ? 'an object' : `an instance of ${name}`;
}

/** The value of a field, or a text that says what its getter threw. */
export function readField(source: object, key: string): unknown {
  try {
    return (source as Record<string, unknown>)[key];
  } catch (error) {
    return `<threw ${messageOf(error)}>`;
  }
}

/** The name of a function, or `anonymous`. */
export function nameOf(value: { readonly name?: unknown }): string {
  try {
    return typeof value.name === 'string' && value.name !== '' ? value.name : 'anonymous';
  } catch {
    return 'anonymous';
  }
}

/** What a thrown value says, in one piece of text. */
export function messageOf(error: unknown): string {
  try {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  } catch {
    return 'something that cannot be shown';
  }
}
