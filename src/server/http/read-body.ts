import type { IncomingMessage, ServerResponse } from 'node:http';
import { ProblemError } from './problem.js';
import { jsonPointer } from './validation.js';

const prototypeKeys = new Set(['__proto__', 'constructor', 'prototype']);

/** Thrown when the client has disconnected. */
export class ClientGone extends Error {}

/** True when the request announces a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Limits of a body. */
export interface BodyLimits {
  /** Bytes. */
  readonly size: number;
  readonly depth: number;
}

/** Reads and parses the JSON body of a request; an empty one is `{}`. Errors: 400, 413. */
export async function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  limits: BodyLimits,
): Promise<unknown> {
  if (!hasBody(request)) return {};
  if (Number(request.headers['content-length'] ?? 0) > limits.size) throw tooLarge(limits.size);
  if (isWaitingForConsent(request)) response.writeContinue();
  const bytes = await readBytes(request, limits.size);
  if (bytes.length === 0) return {};
  const value = parseJson(bytes);
  checkJson(value, limits.depth);
  return value;
}

// No `for await`: leaving that loop early closes the connection, which the answer still needs.
function readBytes(request: IncomingMessage, size: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const settle = (act: () => void) => {
      request.off('data', take).off('end', end).off('error', gone).off('close', gone);
      act();
    };
    const take = (chunk: Buffer) => {
      length += chunk.length;
      chunks.push(chunk);
      if (length > size) settle(() => reject(tooLarge(size)));
    };
    const end = () => settle(() => resolve(Buffer.concat(chunks)));
    const gone = () => settle(() => reject(new ClientGone()));
    request.on('data', take).on('end', end).on('error', gone).on('close', gone);
  });
}

function parseJson(bytes: Buffer): unknown {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ProblemError(400, 'The body is not UTF-8.');
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ProblemError(400, `The body is not JSON: ${(error as SyntaxError).message}.`);
  }
}

function isWaitingForConsent({ headers }: IncomingMessage): boolean {
  return headers.expect?.toLowerCase() === '100-continue';
}

function tooLarge(size: number): ProblemError {
  return new ProblemError(413, `The body is larger than the ${size} bytes that are taken.`);
}

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
function checkJson(value: unknown, depth: number): void {
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
