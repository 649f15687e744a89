import { createHash } from 'node:crypto';
import type { ModelExchange } from '../../model/calls/model-call.js';
import type { StoredCall, StoredCalls } from '../../model/calls/stored-calls.js';
import { isObject, type Json, type JsonObject } from '../../model/json.js';

/** What requests have in common: their instructions, the tools that they offer, their parameters. */
export const requestParts = ['system', 'tools', 'parameters'] as const;
export type RequestPart = (typeof requestParts)[number];

/** A call of a trace, by hashes. */
export interface TraceCall {
  /** Messages that it sends again, of those of the call before. */
  readonly kept: number;
  /** The messages behind them: `t` for the answer of a tool, `m` for any other; and their hashes. */
  readonly kinds: string;
  readonly fresh: readonly string[];
  /** The hash of the answer. */
  readonly answer: string;
  /** The answer asks for tools. */
  readonly asks: boolean;
}

/** What an attempt asked models for, by hashes of the texts. */
export interface RequestFacts {
  /** By role: the distinct hashes of each part, in order of first use. */
  readonly roles: ReadonlyMap<string, Readonly<Record<RequestPart, readonly string[]>>>;
  /** The calls of the target, else of the body, that were not answered with an error. */
  readonly trace: readonly TraceCall[];
}

/** Keeps the parts of requests by their hashes. */
export interface PartTexts {
  keep(hash: string, part: Json): void;
}

/** The hash of JSON; the same for the same. */
function hashOf(value: Json): string {
  return createHash('sha1').update(JSON.stringify(value)).digest('base64').slice(0, 16);
}

/** Reads what an attempt asked models for. Distinct parts are kept in `texts`. */
export function requestFacts(stored: StoredCalls, texts: PartTexts): RequestFacts {
  const hashes: string[] = [];
  const hashAt = (place: number) => {
    hashes[place] ??= hashOf(comparable(stored.texts[place] ?? null));
    return hashes[place];
  };
  const roles = new Map<string, Record<RequestPart, string[]>>();
  for (const { role, model_call } of stored.calls) {
    if (model_call?.messages === undefined) continue;
    const known = roles.get(role) ?? { system: [], tools: [], parameters: [] };
    roles.set(role, known);
    for (const part of requestParts) {
      const value = partOf(stored, model_call, part);
      if (value === '' || (Array.isArray(value) && value.length === 0)) continue;
      const hash = hashOf(value);
      if (known[part].includes(hash)) continue;
      known[part].push(hash);
      texts.keep(hash, value);
    }
  }
  return { roles, trace: traceOf(stored, hashAt) };
}

type StoredExchange = NonNullable<StoredCall['model_call']>;

/** A part of a request: the text of its instructions, a list of tools, or parameters with the model. */
function partOf({ texts }: StoredCalls, exchange: StoredExchange, part: RequestPart): Json {
  const at = (places: readonly number[] = []) => places.map((place) => texts[place] ?? null);
  if (part === 'tools') return at(exchange.tools);
  if (part === 'system') return at(exchange.messages).filter(isSystem).map(textOf).join('\n\n');
  return parametersOf(exchange);
}

function parametersOf({
  model,
  stream,
  parameters = {},
}: Pick<ModelExchange, 'model' | 'stream' | 'parameters'>): JsonObject {
  const own = { ...(model !== undefined && { model }), ...(stream && { stream: true }) };
  return { ...own, ...parameters };
}

function isSystem(message: Json): boolean {
  return isObject(message) && (message.role === 'system' || message.role === 'developer');
}

/** The text of a message; of other content its JSON. */
export function textOf(message: Json): string {
  const content = isObject(message) ? (message.content ?? null) : message;
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) {
    return content
      .map((part) =>
        isObject(part) && typeof part.text === 'string' ? part.text : JSON.stringify(part),
      )
      .join('\n');
  }
  return content === null ? '' : JSON.stringify(content);
}

/** The calls that make up the trace of an attempt: of its target, else of its body, without those that failed. */
export function tracedCalls({ calls }: StoredCalls): StoredCall[] {
  const spoken = calls.filter(
    ({ model_call: exchange, status = 0, error }) =>
      exchange?.messages !== undefined && status < 400 && error === undefined,
  );
  const target = spoken.filter(({ role }) => role === 'target');
  return target.length > 0 ? target : spoken.filter(({ role }) => role === 'body');
}

/** The places of the messages of a request that are no instructions. */
export function spokenPlaces({ texts }: StoredCalls, { model_call }: StoredCall): number[] {
  return (model_call?.messages ?? []).filter((place) => !isSystem(texts[place] ?? null));
}

function traceOf(stored: StoredCalls, hashAt: (place: number) => string): TraceCall[] {
  let before: readonly string[] = [];
  return tracedCalls(stored).map((call) => {
    const places = spokenPlaces(stored, call);
    const sent = places.map(hashAt);
    let kept = 0;
    while (kept < before.length && before[kept] === sent[kept]) kept += 1;
    before = sent;
    const { answer = [], tool_calls: tools = [] } = call.model_call ?? {};
    return {
      kept,
      kinds: places
        .slice(kept)
        .map((place) => (isToolAnswer(stored.texts[place]) ? 't' : 'm'))
        .join(''),
      fresh: sent.slice(kept),
      answer: answer.map(hashAt).join(),
      asks: tools.length > 0,
    };
  });
}

export function isToolAnswer(message: Json | undefined): boolean {
  return isObject(message) && (message.role === 'tool' || message.role === 'function');
}

/** Ids that providers draw for each call, and what only they can read. */
const drawn =
  /^(id|tool_call_id|call_id|toolCallId|tool_use_id|toolUseId|index|signature|thoughtSignature|encrypted_content)$/;
/** Thoughts, which are other ones each time. */
const thoughts = /^(reasoning|reasoning_content|thinking)$/;

/** A message without what is another one each time, though it says the same. */
function comparable(value: Json, key = ''): Json {
  if (Array.isArray(value)) {
    return value.filter((item) => !isThought(item)).map((item: Json) => comparable(item));
  }
  if (isObject(value)) {
    const fields = Object.entries(value as JsonObject).filter(
      ([name]) => !drawn.test(name) && !thoughts.test(name),
    );
    return Object.fromEntries(fields.map(([name, item]) => [name, comparable(item, name)]));
  }
  // The same arguments are also written in other ways.
  if (key === 'arguments' && typeof value === 'string') return parsed(value);
  return value;
}

function isThought(item: unknown): boolean {
  return isObject(item) && /thinking|reasoning/.test(String(item.type));
}

/** Parses JSON; other text stays. */
function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
