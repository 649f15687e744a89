import { isCount, isJson, isNumber, isObject, isSameJson } from '../json.js';
import type { Json, ResultEntry } from '../result.js';
import {
  isText,
  listOf,
  nullOr,
  object,
  oneOf,
  optional,
  recordOf,
  type Shape,
} from '../shapes.js';
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

/** A call without its texts, stored or not. */
export type LightCall = Omit<StoredCall, 'model_call'> & {
  readonly model_call?: Omit<ModelExchange, Shared>;
};

/** The calls of an attempt without their texts. */
export interface LightCalls extends Pick<StoredCalls, 'spans' | 'unreadable'> {
  readonly calls: readonly LightCall[];
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

/** Calls of several places as one, without their texts; as {@link joinCalls}. */
export function joinLightCalls(parts: readonly LightCalls[]): LightCalls {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  const byNumber = new Map(parts.flatMap(({ calls }) => calls.map((call) => [call.number, call])));
  const spans = parts.flatMap((part) => part.spans ?? []);
  return {
    calls: [...byNumber.values()].sort((a, b) => a.number - b.number),
    ...(spans.length > 0 && { spans }),
    ...(parts.some(({ unreadable }) => unreadable) && { unreadable: true }),
  };
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

// Calls and spans are checked as far as readers rely on them.

/** Amounts whose sums are numbers, too. */
const isAmount = (value: unknown): value is number =>
  isNumber(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER;

/** Calls with messages of a shape, and tools of another. */
function areCalls(isMessage: Shape<unknown>, isTool: Shape<unknown>) {
  const exchange = object({
    provider: isText,
    operation: isText,
    model: optional(isText),
    response_model: optional(isText),
    reported_cost: optional(isAmount),
    usage: optional(recordOf(isAmount)),
    tool_calls: optional(listOf(isObject)),
    messages: optional(listOf(isMessage)),
    answer: optional(listOf(isMessage)),
    tools: optional(listOf(isTool)),
  });
  return listOf(
    object({
      number: isNumber,
      role: isText,
      method: isText,
      url: isText,
      start: isNumber,
      cost: optional(nullOr(isAmount)),
      model_call: optional(exchange),
    }),
  );
}

/** True for calls without their texts. */
export const areLightCalls = areCalls(isCount, isCount) as Shape<unknown> as Shape<
  readonly LightCall[]
>;

/** True for spans. */
export const areSpans = listOf(
  object({
    kind: oneOf('tool', 'span'),
    id: isText,
    name: isText,
    role: isText,
    start: isNumber,
    end: optional(isNumber),
    error: optional(isText),
  }),
) as Shape<unknown> as Shape<readonly Span[]>;

const hasStored = object({
  texts: listOf(isJson),
  calls: areCalls(isCount, isCount),
  spans: optional(areSpans),
}) as Shape<unknown> as Shape<StoredCalls>;

/** True for results of {@link packCalls}. */
export function isStoredCalls(value: unknown): value is StoredCalls {
  if (!hasStored(value)) return false;
  const { calls, texts } = value;
  return calls.every(({ model_call: { messages = [], answer = [], tools = [] } = {} }) => {
    const areMessages = [...messages, ...answer].every((place) => isObject(texts[place]));
    return areMessages && tools.every((place) => place < texts.length);
  });
}

/** True for the calls of results of {@link unpackCalls}. */
export const isCalls = areCalls(isObject, isJson) as Shape<unknown> as Shape<readonly Call[]>;
