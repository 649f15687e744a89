import { isCount, isNumber, isObject, isSameJson } from '../json.js';
import type { Json, ResultEntry } from '../result.js';
import type { Call, CallMessage, ModelExchange, Span, Trace } from './model-call.js';
import { waitedOf } from './usage.js';

/** Fields of an exchange whose items repeat from call to call. */
const shared = ['messages', 'answer', 'tools'] as const;
type Shared = (typeof shared)[number];

/** An exchange that names its messages and tools by their place in {@link StoredCalls.texts}. */
type StoredExchange = Omit<ModelExchange, Shared> & {
  readonly [name in Shared]?: readonly number[];
};

/** A call as it is stored. */
export type StoredCall = Omit<Call, 'model_call'> & {
  readonly model_call?: StoredExchange;
  /** Id of its permission request (message `ask` of hosts); only while its attempt runs. */
  readonly asked?: number;
};

/** The calls of an attempt with each message and tool definition once: agents send their whole history again and again. */
export interface StoredCalls {
  readonly calls: readonly StoredCall[];
  readonly texts: readonly Json[];
  /** Absent for none. */
  readonly spans?: readonly Span[];
  /** The middle of long texts is missing. */
  readonly cut?: true;
  /** Calls are missing, because their line of the log is damaged. */
  readonly unreadable?: true;
}

/** Stores repeated items of calls once. `toText` converts each distinct item before it is stored. */
export function packCalls(
  { calls, spans }: Trace,
  toText: (item: Json) => Json = (item) => item,
): StoredCalls {
  const texts: Json[] = [];
  const bySize = new Map<number, { readonly item: Json; readonly place: number }[]>();
  const placeOf = (item: Json): number => {
    const size = sizeOf(item);
    const alike = bySize.get(size) ?? [];
    const known = alike.find((other) => isSameJson(other.item, item));
    if (known !== undefined) return known.place;
    const place = texts.push(toText(item)) - 1;
    if (alike.push({ item, place }) === 1) bySize.set(size, alike);
    return place;
  };
  const packed = calls.map(({ model_call, ...call }): StoredCall => {
    if (model_call === undefined) return call;
    const { messages, answer, tools, ...exchange } = model_call;
    const stored: StoredExchange = {
      ...exchange,
      ...(messages && { messages: messages.map(placeOf) }),
      ...(answer && { answer: answer.map(placeOf) }),
      ...(tools && { tools: tools.map(placeOf) }),
    };
    return { ...call, model_call: stored };
  });
  return { calls: packed, texts, ...(spans && { spans }) };
}

/** The same for JSON that is the same, and mostly not for other. */
function sizeOf(value: Json): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return Number(value);
  let size = 1;
  for (const [key, field] of Object.entries(value)) size += key.length + sizeOf(field);
  return size;
}

/** An exchange with its fields in the order in which {@link unpackCalls} has them. */
export function inStoredOrder(exchange: ModelExchange): ModelExchange {
  const { usage, messages, answer, tools, ...others } = exchange;
  return {
    ...others,
    ...(usage && { usage }),
    ...(messages && { messages }),
    ...(answer && { answer }),
    ...(tools && { tools }),
  };
}

/** The calls as they were made, and the spans between them. */
export function unpackCalls({ calls, texts, spans, unreadable }: StoredCalls): Trace {
  const itemsAt = (places: readonly number[]) => places.map((place) => texts[place] ?? null);
  const unpacked = calls.map(({ model_call, ...call }) => {
    if (model_call === undefined) return call;
    const { messages, answer, tools, ...exchange } = model_call;
    const whole: ModelExchange = {
      ...exchange,
      // These items were messages when they were stored.
      ...(messages && { messages: itemsAt(messages) as unknown as CallMessage[] }),
      ...(answer && { answer: itemsAt(answer) as unknown as CallMessage[] }),
      ...(tools && { tools: itemsAt(tools) }),
    };
    return { ...call, model_call: whole };
  });
  return { calls: unpacked, ...(spans && { spans }), ...(unreadable && { unreadable }) };
}

/** Calls of several places as one, in order of their number; of two with the same number, the later place counts. */
export function joinCalls(parts: readonly StoredCalls[]): StoredCalls {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) {
    const { calls, texts, spans, cut, unreadable } = only;
    return {
      calls,
      texts,
      ...(spans && { spans }),
      ...(cut && { cut }),
      ...(unreadable && { unreadable }),
    };
  }
  const byNumber = new Map<number, StoredCall>();
  const texts: Json[] = [];
  for (const part of parts) {
    const before = texts.length;
    for (const text of part.texts) texts.push(text);
    for (const call of part.calls) byNumber.set(call.number, shifted(call, before));
  }
  const calls = [...byNumber.values()].sort((a, b) => a.number - b.number);
  const spans = parts.flatMap((part) => part.spans ?? []);
  return {
    calls,
    texts,
    ...(spans.length > 0 && { spans }),
    ...(parts.some(({ cut }) => cut) && { cut: true }),
    ...(parts.some(({ unreadable }) => unreadable) && { unreadable: true }),
  };
}

/** The call with its texts so many places further. */
function shifted(call: StoredCall, by: number): StoredCall {
  const { model_call } = call;
  if (model_call === undefined || by === 0) return call;
  const moved = shared.flatMap((name) => {
    const places = model_call[name];
    return places === undefined ? [] : [[name, places.map((place) => place + by)]];
  });
  return { ...call, model_call: { ...model_call, ...Object.fromEntries(moved) } };
}

/** A result with its calls, how long they waited, and the conversation of the target where the evaluation gave none. */
export function withCalls(entry: ResultEntry, { calls, spans }: Trace): ResultEntry {
  if (calls.length === 0 && spans === undefined) return entry;
  const waited = waitedOf(calls);
  const messages = targetMessages(calls);
  const { trace_data } = entry.result;
  const isGiven = messages === undefined || trace_data.messages !== undefined;
  return {
    ...entry,
    result: {
      ...entry.result,
      ...(waited > 0 && { waited }),
      ...(isGiven ? {} : { trace_data: { ...trace_data, messages } }),
      calls,
      ...(spans && { spans }),
    },
  };
}

/** The messages of the last model call of the target, with the answer. */
function targetMessages(calls: readonly Call[]): CallMessage[] | undefined {
  const last = calls.findLast(
    ({ role, model_call }) => role === 'target' && model_call?.messages !== undefined,
  )?.model_call;
  return last && [...(last.messages ?? []), ...(last.answer ?? [])];
}

/** True for results of {@link packCalls}, as far as readers rely on them. */
export function isStoredCalls(value: unknown): value is StoredCalls {
  if (!isObject(value) || !Array.isArray(value.texts) || !Array.isArray(value.calls)) return false;
  const { texts } = value;
  const isPlace: ItemCheck = (place, name) =>
    isCount(place) && (name === 'tools' ? place < texts.length : isObject(texts[place]));
  return (
    value.calls.every((call) => isCall(call, isPlace)) &&
    (value.spans === undefined || isSpans(value.spans))
  );
}

/** True for results of {@link unpackCalls}, as far as readers rely on them. */
export function isCalls(value: unknown): value is Call[] {
  return (
    Array.isArray(value) &&
    value.every((call) => isCall(call, (item, name) => name === 'tools' || isObject(item)))
  );
}

/** True for spans, checked as far as readers rely on them. */
export function isSpans(value: unknown): value is Span[] {
  return Array.isArray(value) && value.every(isSpan);
}

function isSpan(value: unknown): boolean {
  return (
    isObject(value) &&
    (value.kind === 'tool' || value.kind === 'span') &&
    [value.id, value.name, value.role].every((text) => typeof text === 'string') &&
    isNumber(value.start) &&
    (value.end === undefined || isNumber(value.end)) &&
    (value.error === undefined || typeof value.error === 'string')
  );
}

/** True for amounts whose sums are numbers, too. */
function isAmount(value: unknown): value is number {
  return isNumber(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
}

function isTokenUsage(value: unknown): boolean {
  return isObject(value) && Object.values(value).every(isAmount);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

type ItemCheck = (item: unknown, name: Shared) => boolean;

function isCall(value: unknown, isItem: ItemCheck): boolean {
  return (
    isObject(value) &&
    isNumber(value.number) &&
    typeof value.role === 'string' &&
    typeof value.method === 'string' &&
    typeof value.url === 'string' &&
    isNumber(value.start) &&
    (value.cost === undefined || value.cost === null || isAmount(value.cost)) &&
    (value.model_call === undefined || isExchange(value.model_call, isItem))
  );
}

function isExchange(value: unknown, isItem: ItemCheck): boolean {
  return (
    isObject(value) &&
    typeof value.provider === 'string' &&
    typeof value.operation === 'string' &&
    [value.model, value.response_model].every((name) => name === undefined || isText(name)) &&
    (value.reported_cost === undefined || isAmount(value.reported_cost)) &&
    (value.usage === undefined || isTokenUsage(value.usage)) &&
    (value.tool_calls === undefined ||
      (Array.isArray(value.tool_calls) && value.tool_calls.every(isObject))) &&
    shared.every((name) => {
      const items = value[name];
      return (
        items === undefined || (Array.isArray(items) && items.every((item) => isItem(item, name)))
      );
    })
  );
}
