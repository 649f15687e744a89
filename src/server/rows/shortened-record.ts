import type { Json } from '../../model/result.js';

type Fields = { [key: string]: Json };

/** Fields that may be cut, because tables show only their start. */
const mayBeShort = new Set(['input', 'output', 'reference', 'error', 'metadata']);

/** Required fields by type of line. */
const needed = new Map<string, readonly string[]>([
  ['planned', ['id', 'function', 'dataset', 'labels', 'input', 'reference', 'metadata']],
  ['finished', ['status', 'output', 'scores', 'error', 'latency', 'trace_data']],
  [
    'imported',
    [
      'status',
      'output',
      'scores',
      'error',
      'latency',
      'trace_data',
      'annotation',
      'correction_history',
    ],
  ],
]);

/**
 * Parses a log line from its start and its end, with its one long value cut to a string: its beginning, or the
 * beginning of its JSON. `undefined` if more than one value is cut; then the whole line must be read.
 */
export function shortenRecord(head: string, tail: string): Fields | undefined {
  const found = readHead(head);
  if (found === undefined || !mayBeShort.has(found.key)) return undefined;
  const start = valueStart(found.key, found.rest);
  const rest = readTail(tail);
  if (start === undefined || rest === undefined) return undefined;
  const fields = { ...found.fields, [found.key]: start, ...rest };
  const { type } = fields;
  const names = typeof type === 'string' ? needed.get(type) : undefined;
  return names?.every((name) => Object.hasOwn(fields, name)) === true ? fields : undefined;
}

/** The fields before the value that does not end in the head, and the beginning of that value. */
function readHead(
  head: string,
): { readonly fields: Fields; readonly key: string; readonly rest: string } | undefined {
  const fields: Fields = {};
  // Keys of records need no escapes.
  const nextKey = /[{,]"(\w+)":/y;
  for (let at = 0; ; ) {
    nextKey.lastIndex = at;
    const key = nextKey.exec(head)?.[1];
    if (key === undefined || key === '__proto__') return undefined;
    const start = nextKey.lastIndex;
    const end = valueEnd(head, start);
    if (end === undefined) return { fields, key, rest: head.slice(start) };
    fields[key] = JSON.parse(head.slice(start, end)) as Json;
    at = end;
  }
}

/** The end of the JSON value that starts here; `undefined` if it does not end in the text. */
function valueEnd(text: string, start: number): number | undefined {
  const token = /"(?:[^"\\]|\\.)*"|[[\]{}]|[^\s"[\]{},:]+|[,:]/gsy;
  token.lastIndex = start;
  for (let depth = 0; ; ) {
    const found = token.exec(text)?.[0];
    // A number at the end of the text may continue.
    if (found === undefined || token.lastIndex === text.length) return undefined;
    if (found === '[' || found === '{') depth += 1;
    if (found === ']' || found === '}') depth -= 1;
    if (depth === 0) return token.lastIndex;
  }
}

/** The replacement for a long value. */
function valueStart(key: string, rest: string): Json | undefined {
  if (key === 'metadata') return {};
  // Whether it is a conversation is known only for the whole list.
  if (rest.startsWith('[{')) return undefined;
  if (!rest.startsWith('"')) return rest;
  // The last escape may be incomplete.
  const whole = /^"(?:[^"\\]|\\(?:u[0-9a-f]{4}|[^u]))*/is.exec(rest)?.[0];
  return whole === undefined ? undefined : (JSON.parse(`${whole}"`) as Json);
}

/**
 * The fields after the long value. If text becomes an object when a brace is put before it, then it starts between two
 * fields of the record itself: within a value there would be an extra brace, and within a string quotes are escaped.
 */
function readTail(tail: string): Fields | undefined {
  for (let at = tail.indexOf(',"'); at !== -1; at = tail.indexOf(',"', at + 1)) {
    try {
      return JSON.parse(`{${tail.slice(at + 1)}`) as Fields;
    } catch {
      // Not a boundary between fields; try the next one.
    }
  }
  return tail.endsWith('}') ? {} : undefined;
}
