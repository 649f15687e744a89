import { type Fields, fieldsOf, readParts } from '../calls/message-parts.js';
import type { StoredCalls } from '../calls/stored-calls.js';
import type { Json, JsonObject, ResultEntry } from '../result.js';

/** Where the texts of a result stand, those that say most of it first. */
export const textPlaces = [
  'note',
  'error',
  'annotation',
  'output',
  'input',
  'reference',
  'answer',
  'call',
  'message',
  'log',
  'metadata',
  'trace',
  'prompt',
  'name',
  'dataset',
  'label',
] as const;
export type TextPlace = (typeof textPlaces)[number];

/** A text of a result. */
export interface PlacedText {
  readonly in: TextPlace;
  /** The score of a note, the tool of an answer. */
  readonly of?: string | undefined;
  readonly text: string;
}

/**
 * The texts of a result that are searched, without empty ones: those of {@link textPlaces}. Of its calls, the messages
 * that the target and the body sent and got: what judges are asked repeats the rest.
 */
export function* textsOf(entry: ResultEntry, calls?: StoredCalls): Generator<PlacedText> {
  const seen = new Set<string>();
  for (const one of allTexts(entry, calls)) {
    // The same message may be given, sent and traced.
    if (one.text === '' || seen.has(one.text)) continue;
    seen.add(one.text);
    yield one;
  }
}

function* allTexts(entry: ResultEntry, calls: StoredCalls | undefined): Generator<PlacedText> {
  const { result } = entry;
  for (const { key, notes } of result.scores) {
    if (notes !== undefined) yield { in: 'note', of: key, text: notes };
  }
  if (result.error !== null) yield { in: 'error', text: result.error };
  yield { in: 'annotation', text: result.annotation };
  for (const place of ['output', 'input', 'reference'] as const) {
    yield* valueTexts(place, result[place]);
  }
  yield* traceTexts(result.trace_data);
  if (calls !== undefined) yield* callTexts(calls);
  for (const [key, value] of Object.entries(result.metadata)) {
    for (const { text } of valueTexts('metadata', value)) {
      yield { in: 'metadata', text: `${key}:${text}` };
    }
  }
  yield { in: 'name', text: entry.function };
  yield { in: 'dataset', text: entry.dataset };
  for (const label of entry.labels) yield { in: 'label', text: label };
}

function* traceTexts({ messages, logs, ...others }: JsonObject): Generator<PlacedText> {
  if (Array.isArray(messages)) yield* messageTexts(messages);
  if (Array.isArray(logs)) {
    for (const log of logs) {
      const text = fieldsOf(log)?.text;
      if (typeof text === 'string') yield { in: 'log', text };
    }
  }
  for (const value of Object.values(others)) yield* valueTexts('trace', value ?? null);
}

function* callTexts({ calls, texts, spans = [] }: StoredCalls): Generator<PlacedText> {
  const places = new Set<number>();
  for (const { role, model_call: exchange } of calls) {
    if (role.startsWith('evaluator:')) continue;
    for (const place of exchange?.messages ?? []) places.add(place);
    for (const place of exchange?.answer ?? []) places.add(place);
  }
  yield* messageTexts([...places].map((place) => texts[place] ?? null));
  for (const { kind, role, name, arguments: given, result, error = '' } of spans) {
    if (kind !== 'tool' || role.startsWith('evaluator:')) continue;
    yield* toolTexts(name, given);
    yield* valueTexts('answer', result ?? null, name);
    yield { in: 'answer', of: name, text: error };
  }
}

function* messageTexts(messages: readonly Json[]): Generator<PlacedText> {
  const tools = new Map<string | undefined, string>();
  for (const message of messages.map(fieldsOf)) {
    if (message === undefined) continue;
    const place = isPrompt(message) ? 'prompt' : 'message';
    for (const part of readParts(message)) {
      if (part.kind === 'text' || part.kind === 'thinking') yield { in: place, text: part.text };
      else if (part.kind === 'value') yield* valueTexts(place, part.value as Json);
      else if (part.kind === 'answer') {
        yield* valueTexts('answer', (part.answer ?? null) as Json, tools.get(part.id));
      } else if (part.kind === 'call') {
        tools.set(part.id, part.name);
        yield* toolTexts(part.name, part.given as Json | undefined);
        yield* valueTexts('answer', (part.answer ?? null) as Json, part.name);
      }
    }
  }
}

function isPrompt({ role }: Fields): boolean {
  return role === 'system' || role === 'developer';
}

/** `hold_seat {"seat":"12A"}`. */
function* toolTexts(name: string, given: Json | undefined): Generator<PlacedText> {
  const [first, ...others] = valueTexts('call', given ?? null);
  yield { in: 'call', text: first === undefined ? name : `${name} ${first.text}` };
  yield* others;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what JSON writes in another way
const escaped = /["\\\u0000-\u001f]/;

/** A structure is searched as compact JSON; strings that JSON escapes are also searched unescaped. */
function* valueTexts(place: TextPlace, value: Json, of?: string): Generator<PlacedText> {
  if (value === null) return;
  if (typeof value === 'string') {
    yield { in: place, of, text: value };
    return;
  }
  const json = compact(value);
  if (json !== undefined) yield { in: place, of, text: json };
  if (json !== undefined && !json.includes('\\')) return;
  for (const text of leavesOf(value)) {
    if (json === undefined || escaped.test(text)) yield { in: place, of, text };
  }
}

/** Compact JSON; `undefined` if the value is nested too deep. */
function compact(value: Json): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** The keys and single values of a structure, unescaped. */
function* leavesOf(value: Json): Generator<string> {
  // Uses its own stack, because imported values may be nested deeper than the call stack allows.
  const open: Json[] = [value];
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    if (typeof item !== 'object' || item === null) {
      yield String(item);
      continue;
    }
    for (const [key, inner] of Object.entries(item)) {
      if (!Array.isArray(item)) yield key;
      open.push(inner as Json);
    }
  }
}
