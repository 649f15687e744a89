import { isPlain } from './is-record.js';

// Deeper values are shared instead of copied; stored values are never deeper.
const maxDepth = 200;
// Values with more elements and fields are shared instead of copied, because some are infinite.
const maxParts = 1_000_000;

/**
 * Copies arrays and plain objects all the way down; everything else (class instances, functions, maps) is shared.
 * So an attempt can change its input or metadata without affecting other attempts. Values that are too large, or whose
 * getters throw, are shared as a whole.
 */
export function copyPlain<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  try {
    // Most metadata is empty.
    if (isPlain(value) && Object.keys(value).length === 0) return {} as T;
    return new Copying().copy(value, 0) as T; // same shape by construction
  } catch {
    return value;
  }
}

class Copying {
  readonly #copies = new Map<object, unknown>();
  #parts = 0;

  copy(value: unknown, depth: number): unknown {
    if (typeof value !== 'object' || value === null || depth > maxDepth) return value;
    if (this.#copies.has(value)) return this.#copies.get(value);
    if (Array.isArray(value)) return this.#list(value, depth);
    return isPlain(value) ? this.#fields(value, depth) : value;
  }

  #list(value: readonly unknown[], depth: number): unknown[] {
    const twin: unknown[] = [];
    this.#copies.set(value, twin);
    for (const element of value) {
      this.#count();
      twin.push(this.copy(element, depth + 1));
    }
    return twin;
  }

  #fields(value: object, depth: number): Record<string, unknown> {
    const twin: Record<string, unknown> = {};
    this.#copies.set(value, twin);
    for (const [key, element] of Object.entries(value)) {
      this.#count();
      setOwn(twin, key, this.copy(element, depth + 1));
    }
    return twin;
  }

  #count(): void {
    this.#parts += 1;
    if (this.#parts > maxParts) throw new RangeError('too large to be copied');
  }
}

// A key named __proto__ stays a key; defining every key would be slow.
function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') {
    target[key] = value;
    return;
  }
  Object.defineProperty(target, key, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  });
}
