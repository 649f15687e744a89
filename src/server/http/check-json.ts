import { jsonPointer } from './invalid-values.js';
import { ProblemError } from './problem.js';

const prototypeKeys = new Set(['__proto__', 'constructor', 'prototype']);

interface Place {
  readonly value: object;
  readonly key: PropertyKey | undefined;
  readonly parent: Place | undefined;
  readonly depth: number;
}

/**
 * Checks that parsed JSON is not nested deeper than `depth` and has no key that could reach a prototype. Errors:
 * 400.
 */
export function checkJson(value: unknown, depth: number): void {
  // Not recursive, because JSON.parse accepts five million levels.
  const places: Place[] = [];
  if (isContainer(value)) places.push({ value, key: undefined, parent: undefined, depth: 1 });
  for (let place = places.pop(); place !== undefined; place = places.pop()) {
    if (place.depth > depth) {
      throw new ProblemError(400, `The body is nested deeper than ${depth} levels.`);
    }
    for (const [key, inner] of entries(place.value)) {
      if (typeof key === 'string' && prototypeKeys.has(key)) throw prototypeKey(place, key);
      if (isContainer(inner)) {
        places.push({ value: inner, key, parent: place, depth: place.depth + 1 });
      }
    }
  }
}

// Without names for the items of an array, which may have a million.
function entries(value: object): Iterable<readonly [PropertyKey, unknown]> {
  return Array.isArray(value) ? value.entries() : Object.entries(value);
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function prototypeKey(place: Place, key: string): ProblemError {
  const path: PropertyKey[] = [key];
  for (let at: Place | undefined = place; at !== undefined; at = at.parent) {
    if (at.key !== undefined) path.unshift(at.key);
  }
  const pointer = jsonPointer(path);
  return new ProblemError(400, `The body is not valid at ${pointer}: no key may be named ${key}.`, {
    errors: [{ pointer, detail: `No key may be named ${key}.` }],
  });
}
