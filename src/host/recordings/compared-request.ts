import { isThenable } from '../../authoring/thenable.js';
import type { Json } from '../../model/json.js';
import { keyOf, type RecordedRequest, type RequestKey } from '../../recordings/recording.js';
import type { StoredExchange } from '../../recordings/recording-files.js';

/** Removes the normalized paths from the JSON body of a request, and returns the rest, which is compared. */
export type NormalizeBody = (body: unknown) => unknown;

/** A request without what does not count. */
export function comparedRequest(
  { method, url, body }: RecordedRequest,
  normalize: NormalizeBody | undefined,
): RecordedRequest {
  if (normalize === undefined || body === undefined || !('json' in body)) {
    return { method, url, ...(body && { body }) };
  }
  return { method, url, body: { json: normalizedJson(body.json, normalize) } };
}

/** What tells a request from others, by what of it counts. Error: {@link NormalizeProblem}. */
export function comparedKey(
  role: string,
  request: RecordedRequest,
  normalize: NormalizeBody | undefined,
): RequestKey {
  return keyOf(role, comparedRequest(request, normalize));
}

/** The problem of a `normalize` of the user, as a sentence without its full stop. */
export class NormalizeProblem extends Error {}

function normalizedJson(body: Json, normalize: NormalizeBody): Json {
  let normalized: unknown;
  try {
    normalized = normalize(structuredClone(body));
    // As JSON has it: a field may have been set to undefined.
    if (!isThenable(normalized)) return JSON.parse(JSON.stringify(normalized) ?? 'null');
  } catch (error) {
    const [reason] = String(error).split('\n');
    throw new NormalizeProblem(`normalize failed: ${reason}`);
  }
  throw new NormalizeProblem('normalize returned a promise; it must return the body itself');
}

/** The recorded exchange that a request that is not recorded is most like, and where they differ first. */
export interface NearestExchange {
  /** Path of its file. */
  readonly file: string;
  /** Path of the first difference, such as `messages[1].content`; absent if they are equal. */
  readonly path?: string;
  /** The recorded text and that of the request, around the difference. */
  readonly recorded?: string;
  readonly asked?: string;
  /** The words of the request before the difference. */
  readonly before?: string;
}

/** Values of JSON that are no object or list, by path. */
type Leaves = ReadonlyMap<string, string>;

/** Compares a request with the recorded ones of the same role; `undefined` when there are none. */
export function findNearest(
  role: string,
  request: RecordedRequest,
  stored: readonly StoredExchange[],
  normalize: NormalizeBody | undefined,
): NearestExchange | undefined {
  const leavesOf = (compared: RecordedRequest) => leavesIn(comparedRequest(compared, normalize));
  const asked = leavesOf(request);
  let nearest: { readonly file: string; readonly leaves: Leaves } | undefined;
  let fewest = Number.POSITIVE_INFINITY;
  for (const { path, exchange } of stored) {
    if (exchange.role !== role) continue;
    const leaves = leavesOf(exchange.request);
    const count = differences(asked, leaves);
    if (count >= fewest) continue;
    fewest = count;
    nearest = { file: path, leaves };
  }
  if (nearest === undefined) return undefined;
  const { file, leaves } = nearest;
  for (const path of new Set([...asked.keys(), ...leaves.keys()])) {
    const [before, after] = [leaves.get(path), asked.get(path)];
    if (before !== after) return { file, path, ...differingTexts(before, after) };
  }
  return { file };
}

function leavesIn({ method, url, body }: RecordedRequest): Leaves {
  const leaves = new Map([
    ['method', method],
    ['url', url],
  ]);
  collect(body instanceof Object && 'json' in body ? body.json : body, '', leaves);
  return leaves;
}

function collect(value: unknown, path: string, leaves: Map<string, string>): void {
  if (typeof value !== 'object' || value === null) {
    leaves.set(path === '' ? 'body' : path, typeof value === 'string' ? value : String(value));
    return;
  }
  for (const [key, field] of Object.entries(value)) {
    const step = Array.isArray(value) ? `[${key}]` : path === '' ? key : `.${key}`;
    collect(field, `${path}${step}`, leaves);
  }
}

function differences(a: Leaves, b: Leaves): number {
  let count = 0;
  for (const [path, text] of a) if (b.get(path) !== text) count += 1;
  for (const path of b.keys()) if (!a.has(path)) count += 1;
  return count;
}

/** Most characters that are shown of a text. */
const mostShown = 160;

function differingTexts(
  recorded: string | undefined,
  asked: string | undefined,
): Pick<NearestExchange, 'recorded' | 'asked' | 'before'> {
  const from = recorded ?? '';
  const to = asked ?? '';
  let at = 0;
  while (at < from.length && from[at] === to[at]) at += 1;
  return {
    recorded: recorded === undefined ? 'nothing' : lineAround(from, at),
    asked: asked === undefined ? 'nothing' : lineAround(to, at),
    before: to.slice(0, at).trim().split(/\s+/).slice(-3).join(' ').slice(-mostShown),
  };
}

/** The line at a position, as much as can be shown. */
function lineAround(text: string, at: number): string {
  const start = text.lastIndexOf('\n', at - 1) + 1;
  const next = text.indexOf('\n', at);
  const line = text.slice(start, next === -1 ? undefined : next);
  if (line.length <= mostShown) return line;
  const from = Math.max(0, at - start - mostShown / 2);
  const shown = line.slice(from, from + mostShown);
  return `${from > 0 ? '…' : ''}${shown}${from + mostShown < line.length ? '…' : ''}`.toWellFormed();
}
