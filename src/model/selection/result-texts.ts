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

/** Takes in a text. */
type Add = (place: TextPlace, text: string, of?: string) => void;

/**
 * The texts of a result that are searched, without empty ones: those of {@link textPlaces}. Of its calls, the messages
 * that the target and the body sent and got: what judges are asked repeats the rest.
 */
export function textsOf(entry: ResultEntry, calls?: StoredCalls): readonly PlacedText[] {
  const texts: PlacedText[] = [];
  const seen = new Set<string>();
  addTexts(entry, calls, (place, text, of) => {
    // The same message may be given, sent and traced.
    if (text === '' || seen.size === seen.add(text).size) return;
    texts.push({ in: place, of, text });
  });
  return texts;
}

function addTexts(entry: ResultEntry, calls: StoredCalls | undefined, add: Add): void {
  const { result } = entry;
  for (const { key, notes } of result.scores) {
    if (notes !== undefined) add('note', notes, key);
  }
  if (result.error !== null) add('error', result.error);
  add('annotation', result.annotation);
  for (const place of ['output', 'input', 'reference'] as const) {
    addValue(place, result[place], add);
  }
  addTrace(result.trace_data, add);
  if (calls !== undefined) addCalls(calls, add);
  for (const [key, value] of Object.entries(result.metadata)) {
    addValue('metadata', value, (place, text) => add(place, `${key}:${text}`));
  }
  add('name', entry.function);
  add('dataset', entry.dataset);
  for (const label of entry.labels) add('label', label);
}

function addTrace({ messages, logs, ...others }: JsonObject, add: Add): void {
  if (Array.isArray(messages)) addMessages(messages, add);
  if (Array.isArray(logs)) {
    for (const log of logs) {
      const text = fieldsOf(log)?.text;
      if (typeof text === 'string') add('log', text);
    }
  }
  for (const value of Object.values(others)) addValue('trace', value ?? null, add);
}

function addCalls({ calls, texts, spans = [] }: StoredCalls, add: Add): void {
  const places = new Set<number>();
  for (const { role, model_call: exchange } of calls) {
    if (role.startsWith('evaluator:')) continue;
    for (const place of exchange?.messages ?? []) places.add(place);
    for (const place of exchange?.answer ?? []) places.add(place);
  }
  const messages = [...places].map((place) => texts[place] ?? null);
  addMessages(messages, add);
  for (const { kind, role, name, arguments: given, result, error = '' } of spans) {
    if (kind !== 'tool' || role.startsWith('evaluator:')) continue;
    addTool(name, given, add);
    addValue('answer', result ?? null, add, name);
    add('answer', error, name);
  }
}

function addMessages(messages: readonly Json[], add: Add): void {
  const tools = new Map<string | undefined, string>();
  for (const message of messages) {
    const fields = fieldsOf(message);
    if (fields === undefined) continue;
    const place = isPrompt(fields) ? 'prompt' : 'message';
    for (const part of readParts(fields)) {
      if (part.kind === 'text' || part.kind === 'thinking') add(place, part.text);
      else if (part.kind === 'value') addValue(place, part.value as Json, add);
      else if (part.kind === 'answer') {
        addValue('answer', (part.answer ?? null) as Json, add, tools.get(part.id));
      } else if (part.kind === 'call') {
        tools.set(part.id, part.name);
        addTool(part.name, part.given as Json | undefined, add);
        addValue('answer', (part.answer ?? null) as Json, add, part.name);
      }
    }
  }
}

function isPrompt({ role }: Fields): boolean {
  return role === 'system' || role === 'developer';
}

/** `hold_seat {"seat":"12A"}`. */
function addTool(name: string, given: Json | undefined, add: Add): void {
  const texts: string[] = [];
  addValue('call', given ?? null, (_, text) => texts.push(text));
  const [first, ...others] = texts;
  add('call', first === undefined ? name : `${name} ${first}`);
  for (const text of others) add('call', text);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what JSON writes in another way
const escaped = /["\\\u0000-\u001f]/;

/** A structure is searched as compact JSON; strings that JSON escapes are also searched unescaped. */
function addValue(place: TextPlace, value: Json, add: Add, of?: string): void {
  if (value === null) return;
  if (typeof value === 'string') {
    add(place, value, of);
    return;
  }
  const json = compact(value);
  if (json !== undefined) add(place, json, of);
  if (json !== undefined && !json.includes('\\')) return;
  for (const text of leavesOf(value)) {
    if (json === undefined || escaped.test(text)) add(place, text, of);
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
