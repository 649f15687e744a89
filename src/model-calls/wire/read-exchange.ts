import type { CallMessage, ModelExchange, TokenUsage } from '../../model/calls/model-call.js';
import { parseJson } from '../../model/json.js';
import type { Json, JsonObject } from '../../model/result.js';
import { anthropicMessages } from './anthropic.js';
import { bedrockConverse } from './bedrock-converse.js';
import { bedrockInvoke } from './bedrock-invoke.js';
import { cohereChat, cohereChatV1, cohereEmbeddings, cohereRerank } from './cohere.js';
import { googleEmbeddings, googleGenerateContent } from './google.js';
import { countOf, defined, nameOf, objectOf } from './json.js';
import { toolCallsOf } from './messages.js';
import { ollamaChat, ollamaEmbeddings, ollamaGenerate } from './ollama.js';
import {
  openaiChat,
  openaiCompletions,
  openaiEmbeddings,
  openaiModerations,
} from './openai-chat.js';
import { openaiResponses } from './openai-responses.js';
import { providerOfHost } from './provider-of-host.js';
import { eventsIn, type StreamEvent } from './streams.js';
import { costInHeaders, reportedCost, usageOf } from './usage-fields.js';
import {
  type AnsweredPart,
  errorOf,
  namedError,
  oneLine,
  pathOf,
  type WireFormat,
} from './wire-format.js';

/** Headers by lower-case name. */
type Headers = { readonly [name: string]: string | undefined };

/** The request of an HTTP call. */
export interface ExchangeRequest {
  readonly method: string;
  readonly url: string;
  /** As JSON; absent for any other. */
  readonly body: Json | undefined;
}

/** The answer of an HTTP call. */
export interface ExchangeAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Decompressed, and all that came. */
  readonly body: Uint8Array;
  /** The body as JSON, if it has been parsed. */
  readonly json?: Json | undefined;
  /** False when the connection ended, or the client left, before the end of the body. */
  readonly complete: boolean;
}

const formats: readonly WireFormat[] = [
  openaiChat,
  openaiResponses,
  anthropicMessages,
  googleGenerateContent,
  bedrockConverse,
  bedrockInvoke,
  ollamaChat,
  ollamaGenerate,
  cohereChat,
  cohereChatV1,
  openaiEmbeddings,
  openaiCompletions,
  googleEmbeddings,
  ollamaEmbeddings,
  cohereEmbeddings,
  cohereRerank,
  openaiModerations,
];

/** Reads an HTTP call as a model call; `undefined` if request and answer have no known shape. Never throws. */
export function readExchange(
  request: ExchangeRequest,
  answer: ExchangeAnswer | undefined,
): ModelExchange | undefined {
  if (request.method.toUpperCase() !== 'POST') return undefined;
  const path = pathOf(request.url);
  const body = objectOf(request.body);
  if (body === undefined) return undefined;
  const parsed = answer && takeApart(answer);
  const first = parsed?.events.find(({ event }) => event !== undefined);
  const format = findFormat(path, body, first, answer?.status);
  if (format === undefined) return undefined;
  return {
    provider: providerOfHost(request.url) ?? format.provider,
    operation: format.operation,
    ...withoutEmpty(format.readRequest(body, path)),
    ...(answer !== undefined && parsed !== undefined && readAnswer(format, answer, parsed)),
  };
}

/** True for a request that is one of a model by its address, whatever its body. */
export function isModelAddress({ method, url }: Pick<ExchangeRequest, 'method' | 'url'>): boolean {
  const path = pathOf(url);
  return method.toUpperCase() === 'POST' && formats.some((format) => format.path.test(path));
}

/** Arrival time of the first part of the answer itself; `undefined` if there is none. */
export function firstTokenAt(
  contentType: string | undefined,
  chunks: readonly { readonly at: number; readonly bytes: Uint8Array }[],
): number | undefined {
  let format: WireFormat | undefined;
  for (const { data, name, end } of eventsIn(
    contentType,
    Buffer.concat(chunks.map(({ bytes }) => bytes)),
  )) {
    const event = objectOf(parseJson(data));
    if (event === undefined) continue;
    format ??= formats.find((known) => known.isAnswer(event, name));
    if (!format?.isToken(event, name)) continue;
    let left = end;
    return chunks.find(({ bytes }) => {
      left -= bytes.length;
      return left <= 0;
    })?.at;
  }
  return undefined;
}

/** The last event of streams of OpenAI's. */
const doneMark = '[DONE]';

/** An event with its data as JSON. */
interface ParsedEvent extends Omit<StreamEvent, 'end'> {
  readonly json: Json | undefined;
  /** Absent for other JSON. */
  readonly event: JsonObject | undefined;
}

interface ParsedAnswer {
  readonly events: readonly ParsedEvent[];
  readonly isStream: boolean;
}

/** An answer's events; one that is no stream is a single event. */
function takeApart({ status, headers, body, json }: ExchangeAnswer): ParsedAnswer {
  const known = objectOf(json);
  if (known !== undefined) {
    return { events: [{ data: '', json: known, event: known }], isStream: false };
  }
  const events = Array.from(eventsIn(headers['content-type'], body), parsedEvent);
  if (events.length > 0) return { events, isStream: status < 400 };
  const data = decode(body);
  if (!data.trimStart().startsWith('{')) return { events: [], isStream: isStreamType(headers) };
  const whole = parsedEvent({ data });
  if (whole.json !== undefined) return { events: [whole], isStream: false };
  const values = Array.from(eventsIn('application/jsonl', body), parsedEvent);
  const isLines = values.length > 1 && values[0]?.json !== undefined;
  return { events: isLines ? values : [], isStream: isLines };
}

function parsedEvent(event: Omit<StreamEvent, 'end'>): ParsedEvent {
  const json = parseJson(event.data);
  return { ...event, json, event: objectOf(json) };
}

function isStreamType(headers: Headers): boolean {
  return /event-?stream|ndjson|jsonl/i.test(headers['content-type'] ?? '');
}

/** The shape of the answer decides; without one, the end of the address. */
function findFormat(
  path: string,
  body: JsonObject,
  first: ParsedEvent | undefined,
  status = 0,
): WireFormat | undefined {
  const possible = formats.filter(
    (format) => format.isRequest(body) && (!format.isKnownByPath || format.path.test(path)),
  );
  if (possible.length === 0) return undefined;
  const byPath = possible.filter((format) => format.path.test(path));
  const { event, name } = first ?? {};
  if (event !== undefined && !byPath.some(({ isKnownByPath }) => isKnownByPath)) {
    const found = [...byPath, ...possible].find((format) => format.isAnswer(event, name));
    if (found !== undefined) return found;
  }
  const isAnswered = event !== undefined && status < 400;
  return byPath.find(
    ({ isSharedPath }) => !isSharedPath || (!isAnswered && nameOf(body.model) !== undefined),
  );
}

function readAnswer(format: WireFormat, answer: ExchangeAnswer, parsed: ParsedAnswer) {
  const reader = format.answerReader();
  if (answer.status >= 400) {
    for (const { event, name } of parsed.events) if (event !== undefined) reader.push(event, name);
    // What was read before the error is billed.
    const usage = reader.read().usage ?? headerUsage(answer.headers);
    return defined({ error: statusError(answer, parsed), usage });
  }
  let hasEnded = false;
  let error: string | undefined;
  let strange: string | undefined;
  let cost: number | undefined;
  for (const { data, name, isError, event } of parsed.events) {
    if (data === doneMark) hasEnded = true;
    else if (event === undefined) strange ??= data;
    else if (isError) error ??= [name, errorOf(event)].filter(Boolean).join(': ');
    else {
      reader.push(event, name);
      hasEnded ||= format.isEnd(event, name);
      error ??= namedError(event);
      cost = reportedCost(event) ?? cost;
    }
  }
  const said = withoutEmpty(reader.read());
  const toolCalls = toolCallsOf(said.answer ?? []);
  const usage = said.usage ?? headerUsage(answer.headers);
  const isAnswered =
    (said.answer ?? []).some(hasContent) || (format.operation === 'embeddings' && !error);
  const isWhole = hasEnded || (answer.complete && said.finish_reason !== undefined);
  return defined({
    ...said,
    usage: isAnswered ? countedUsage(usage) : usage,
    reported_cost: cost ?? costInHeaders(answer.headers, parsed.isStream),
    response_id: said.response_id ?? awsRequestId(format, answer.headers),
    tool_calls: toolCalls.length === 0 ? undefined : toolCalls,
    stream: parsed.isStream || undefined,
    cut: (parsed.isStream && !isWhole && !error && !said.error) || undefined,
    error: said.error ?? error ?? notJson(answer, parsed, strange),
  });
}

function hasContent({ content, tool_calls: tools }: CallMessage): boolean {
  return [content, tools].some((part) => (Array.isArray(part) ? part.length > 0 : Boolean(part)));
}

/** Usage without counts of 0: servers that do not count report them, and no answer takes no tokens. */
function countedUsage(usage: TokenUsage | undefined): TokenUsage | undefined {
  const { input, output, searches } = usage ?? {};
  if (usage === undefined || searches !== undefined) return usage;
  if (!input && !output) return undefined;
  const { input: _, output: __, ...parts } = usage;
  return { ...(input && { input }), ...(output && { output }), ...parts };
}

/** Answers of Bedrock have no id of their own. */
function awsRequestId({ provider }: WireFormat, headers: Headers): string | undefined {
  return provider === bedrockConverse.provider ? nameOf(headers['x-amzn-requestid']) : undefined;
}

/** The error of a complete answer that is not JSON. */
function notJson(
  { complete, body }: ExchangeAnswer,
  { events, isStream }: ParsedAnswer,
  strange: string | undefined,
): string | undefined {
  if (!complete) return undefined;
  const text =
    strange ?? (events.length === 0 && !isStream ? decode(body.subarray(0, 2000)) : undefined);
  return text === undefined ? undefined : oneLine(`not JSON: ${text.slice(0, 200)}`);
}

function statusError({ status, headers, body }: ExchangeAnswer, { events }: ParsedAnswer): string {
  const error = errorOf(events[0]?.json);
  const kind = nameOf(headers['x-amzn-errortype'])?.split(':')[0];
  if (error !== undefined) return kind === undefined ? error : oneLine(`${kind}: ${error}`);
  const text = oneLine(decode(body.subarray(0, 2000))).slice(0, 200);
  return [kind ?? `HTTP ${status}`, text].filter((part) => part !== '').join(': ');
}

/** Bedrock's InvokeModel counts tokens in headers. */
function headerUsage(headers: Headers): AnsweredPart['usage'] {
  const count = (name: string) => {
    const value = headers[`x-amzn-bedrock-${name}-token-count`];
    return value === undefined ? undefined : countOf(Number(value));
  };
  return usageOf({
    input: count('input'),
    cache_read: count('cache-read-input'),
    cache_write: count('cache-write-input'),
    output: count('output'),
  });
}

/** A copy without empty lists and objects. */
function withoutEmpty<T extends object>(part: T): T {
  const entries = Object.entries(part).filter(
    ([, value]) => typeof value !== 'object' || value === null || Object.keys(value).length > 0,
  );
  // All fields of a part may be absent.
  return Object.fromEntries(entries) as T;
}

const decoder = new TextDecoder();

function decode(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}
