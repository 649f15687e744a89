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
