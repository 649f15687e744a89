// Deeper values are shared instead of copied; nothing stored is deeper either.
const maxDepth = 200;

/**
 * Copies arrays and plain objects all the way down; everything else (class instances, functions, maps) is shared.
 * One attempt that changes its input or metadata then leaves those of other attempts alone.
 */
export function copyPlain<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  return copy(value, 0, new Map()) as T; // same shape by construction
}

function copy(value: unknown, depth: number, copies: Map<object, unknown>): unknown {
  if (typeof value !== 'object' || value === null || depth > maxDepth) return value;
  if (copies.has(value)) return copies.get(value);
  if (Array.isArray(value)) {
    const twin: unknown[] = [];
    copies.set(value, twin);
    for (const element of value) twin.push(copy(element, depth + 1, copies));
    return twin;
  }
  if (!isPlain(value)) return value;
  const twin: Record<string, unknown> = {};
  copies.set(value, twin);
  for (const [key, element] of Object.entries(value)) {
    setOwn(twin, key, copy(element, depth + 1, copies));
  }
  return twin;
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

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
