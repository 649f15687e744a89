import { createHash } from 'node:crypto';
import type { Call, CallMessage, ModelExchange, Span, Trace } from '../model/calls/model-call.js';
import type { ReadableRun } from '../model/readable-run.js';
import type { Json, JsonObject, ResultEntry } from '../model/result.js';
import { hasVerdict, isFinished, passes } from '../model/result.js';
import type { RunHead } from '../model/run.js';
import type { Score } from '../model/scores/score.js';
import { chunkLength } from './chunks.js';
import type { Exporter } from './exporter.js';
import { rejectTableOptions } from './json.js';

/**
 * A run as OpenTelemetry traces in OTLP JSON: lines of `TracesData` with about 64,000 characters, each of which a
 * collector takes as a request. Every finished result has a span with an event `gen_ai.evaluation.result` for each
 * score, and a span below it for each call; with `calls` they also have what was said. Ids are derived from the ids of
 * run and result, so the same run always gives the same traces. Results do not say when they began: all begin when the
 * run did.
 */
export const otlpExporter: Exporter<'otlp'> = {
  format: 'otlp',
  contentType: 'application/x-ndjson; charset=utf-8',
  extension: 'otlp.jsonl',
  render: (run, options = {}) => {
    rejectTableOptions(options, 'An OTLP export');
    return lines(run, options.calls ?? false);
  },
};

async function* lines(run: ReadableRun, texts: boolean): AsyncGenerator<string> {
  let pending: string[] = [];
  let length = 0;
  for await (const { entry, index } of run.entries()) {
    if (!isFinished(entry.result)) continue;
    for (const span of spansOf(run.head, entry, run.trace(index), texts)) {
      const text = JSON.stringify(span);
      if (length > 0 && length + text.length > chunkLength) {
        yield tracesLine(run.head, pending);
        pending = [];
        length = 0;
      }
      pending.push(text);
      length += text.length;
    }
  }
  if (length > 0) yield tracesLine(run.head, pending);
}

/** A line of `TracesData` with spans that are JSON already. */
function tracesLine(head: RunHead, spans: readonly string[]): string {
  const resource = JSON.stringify({
    attributes: attributes({ 'service.name': 'assay', 'assay.run.id': head.run_id }),
  });
  const schema = `"schemaUrl":"https://opentelemetry.io/schemas/1.41.0"`;
  const scope = `{"scope":{"name":"assay"},"spans":[${spans.join(',')}],${schema}}`;
  return `{"resourceSpans":[{"resource":${resource},"scopeSpans":[${scope}],${schema}}]}\n`;
}

function* spansOf(head: RunHead, entry: ResultEntry, trace: Trace, texts: boolean) {
  const ids = new Ids(head.run_id, entry.id);
  const { calls, spans = [] } = trace;
  yield resultSpan(head, entry, trace, ids);
  for (const call of calls) yield callSpan(head, call, ids, texts);
  const known = new Set(spans.map(({ id }) => id));
  for (const [position, span] of spans.entries()) {
    const parent = span.parent !== undefined && known.has(span.parent) ? span.parent : undefined;
    yield innerSpan(head, span, { ids, position, parent, texts });
  }
}

/** Ids of a result's trace and spans: parts of hashes, as hexadecimal digits. */
class Ids {
  readonly #base: string;
  readonly trace: string;
  readonly root: string;

  constructor(runId: string, resultId: string) {
    this.#base = `${runId}\n${resultId}`;
    this.trace = hash(this.#base, 32);
    this.root = this.span(0);
  }

  /** The id of the span of a call, by its number, or of one that has a name. */
  span(key: number | string): string {
    return hash(`${this.#base}\n${key}`, 16);
  }
}

function hash(text: string, digits: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, digits);
}

/** Values of enums are numbers in OTLP JSON. */
const kindInternal = 1;
const kindClient = 3;
const statusError = 2;

function resultSpan(head: RunHead, entry: ResultEntry, { calls, spans = [] }: Trace, ids: Ids) {
  const { result } = entry;
  const ends = [...calls, ...spans].map(({ start, end }) => end ?? start);
  const end = nanoseconds(head, Math.max(result.latency ?? 0, ...ends));
  const answered = calls.findLast(
    (call) => call.role === 'target' && call.model_call !== undefined,
  );
  const responseId = answered?.model_call?.response_id;
  return {
    traceId: ids.trace,
    spanId: ids.root,
    name: entry.id,
    kind: kindInternal,
    startTimeUnixNano: nanoseconds(head, 0),
    endTimeUnixNano: end,
    attributes: attributes({
      'test.suite.name': entry.function,
      'test.case.name': entry.id,
      'test.case.result.status': caseStatus(result),
      'assay.run.name': head.run_name,
      'assay.session.name': head.session_name,
      'assay.dataset': entry.dataset,
      'assay.labels': entry.labels,
      'assay.trial': entry.trial,
      'error.type': result.error === null ? undefined : '_OTHER',
    }),
    events: result.scores.map((score) => evaluationEvent(score, end, responseId)),
    status: result.error === null ? {} : { code: statusError, message: firstLine(result.error) },
  };
}

/** Absent when nothing judged the result. */
function caseStatus(result: ResultEntry['result']): string | undefined {
  if (result.status === 'error') return 'fail';
  if (!hasVerdict(result)) return undefined;
  return passes(result) ? 'pass' : 'fail';
}

function evaluationEvent(score: Score, timeUnixNano: string, responseId: string | undefined) {
  const { key, value, passed, notes } = score;
  const label = passed === undefined ? undefined : passed ? 'pass' : 'fail';
  return {
    timeUnixNano,
    name: 'gen_ai.evaluation.result',
    attributes: attributes({
      'gen_ai.evaluation.name': key,
      'gen_ai.evaluation.score.value': value === undefined ? undefined : { double: value },
      'gen_ai.evaluation.score.label': label,
      'gen_ai.evaluation.explanation': notes === '' ? undefined : notes,
      'gen_ai.response.id': responseId,
    }),
  };
}

function callSpan(head: RunHead, call: Call, ids: Ids, texts: boolean) {
  const { model_call: exchange, status, error = exchange?.error } = call;
  const hasFailed = error !== undefined || (status !== undefined && status >= 400);
  return {
    traceId: ids.trace,
    spanId: ids.span(call.number),
    parentSpanId: ids.root,
    name:
      exchange === undefined
        ? call.method
        : [exchange.operation, exchange.model].filter(Boolean).join(' '),
    kind: kindClient,
    startTimeUnixNano: nanoseconds(head, call.start),
    endTimeUnixNano: nanoseconds(head, call.end ?? call.start),
    attributes: attributes({
      ...httpAttributes(call),
      'assay.call.role': call.role,
      'assay.call.cost': call.cost == null ? undefined : { double: call.cost },
      'error.type': hasFailed ? String(status ?? '_OTHER') : undefined,
      ...(exchange && modelAttributes(call, exchange)),
      ...(exchange && texts && textAttributes(exchange)),
    }),
    links:
      call.retry_of === undefined ? [] : [{ traceId: ids.trace, spanId: ids.span(call.retry_of) }],
    status: hasFailed ? { code: statusError, message: failure(call, texts) } : {},
  };
}

/** Tools that ran, and spans of the app. */
function innerSpan(
  head: RunHead,
  span: Span,
  {
    ids,
    position,
    parent,
    texts,
  }: { ids: Ids; position: number; parent: string | undefined; texts: boolean },
) {
  const { kind, id, name, role, start, end = start, error } = span;
  return {
    traceId: ids.trace,
    // A tool call may run twice.
    spanId: kind === 'tool' ? ids.span(`tool ${position}`) : ids.span(`span ${id}`),
    parentSpanId: parent === undefined ? ids.root : ids.span(`span ${parent}`),
    name: kind === 'tool' ? `execute_tool ${name}` : name,
    kind: kindInternal,
    startTimeUnixNano: nanoseconds(head, start),
    endTimeUnixNano: nanoseconds(head, end),
    attributes: [
      ...attributes({
        'assay.call.role': role,
        'error.type': error === undefined ? undefined : '_OTHER',
        ...(kind === 'tool' && toolAttributes(span, texts)),
      }),
      ...(texts ? attributes(ownAttributes(span)) : []),
    ],
    status:
      error === undefined ? {} : { code: statusError, ...(texts && { message: firstLine(error) }) },
  };
}

function toolAttributes({ id, name, arguments: given, result }: Span, texts: boolean): Attributes {
  const json = (value: Json | undefined) =>
    texts && value !== undefined ? JSON.stringify(value) : undefined;
  return {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': name,
    'gen_ai.tool.call.id': id,
    'gen_ai.tool.call.arguments': json(given),
    'gen_ai.tool.call.result': json(result),
  };
}

/** Those of the app, as far as they are plain. */
function ownAttributes({ attributes: own = {} }: Span): Attributes {
  return Object.fromEntries(
    Object.entries(own).map(([key, value]) => [
      key,
      typeof value === 'object' ? (textsOf(value) ?? JSON.stringify(value)) : value,
    ]),
  );
}

/** Errors of providers quote what was sent. */
function failure({ status, error, model_call }: Call, texts: boolean): string {
  const said = error ?? (texts ? model_call?.error : undefined);
  return firstLine(said ?? `HTTP ${status}`);
}

function httpAttributes(call: Call): Attributes {
  const server = /^\w+:\/\/(\[[^\]]*\]|[^/:?#]*)(?::(\d+))?/.exec(call.url);
  return {
    'http.request.method': call.method,
    'url.full': call.url,
    'server.address': server?.[1],
    'server.port': server?.[2] === undefined ? undefined : Number(server[2]),
    'http.response.status_code': call.status,
  };
}

/** Providers as the conventions name them, where they do; Vertex AI and Gemini share a wire. */
const providerNames: Readonly<Record<string, string>> = { google: 'gcp.gen_ai' };

function modelAttributes(call: Call, exchange: ModelExchange): Attributes {
  const { usage, parameters = {}, provider } = exchange;
  const number = (...keys: string[]) =>
    keys.map((key) => parameterOf(parameters, key)).find((value) => typeof value === 'number');
  const double = (...keys: string[]) => {
    const value = number(...keys);
    return value === undefined ? undefined : { double: value };
  };
  return {
    'gen_ai.operation.name': exchange.operation,
    'gen_ai.provider.name': providerNames[provider] ?? provider,
    'gen_ai.request.model': exchange.model,
    'gen_ai.request.stream': exchange.stream,
    'gen_ai.request.temperature': double('temperature'),
    'gen_ai.request.top_p': double('top_p', 'topP'),
    'gen_ai.request.top_k': double('top_k', 'topK'),
    'gen_ai.request.max_tokens': number(
      ...[
        'max_tokens',
        'max_completion_tokens',
        'max_output_tokens',
        'maxOutputTokens',
        'maxTokens',
      ],
    ),
    'gen_ai.request.frequency_penalty': double('frequency_penalty', 'frequencyPenalty'),
    'gen_ai.request.presence_penalty': double('presence_penalty', 'presencePenalty'),
    'gen_ai.request.seed': number('seed'),
    'gen_ai.response.model': exchange.response_model,
    'gen_ai.response.id': exchange.response_id,
    'gen_ai.response.finish_reasons':
      exchange.finish_reason === undefined ? undefined : [exchange.finish_reason],
    'gen_ai.response.time_to_first_chunk':
      call.first_token === undefined ? undefined : { double: call.first_token - call.start },
    'gen_ai.usage.input_tokens': usage?.input,
    'gen_ai.usage.cache_read.input_tokens': usage?.cache_read,
    'gen_ai.usage.cache_creation.input_tokens': usage?.cache_write,
    'gen_ai.usage.output_tokens': usage?.output,
    'gen_ai.usage.reasoning.output_tokens': usage?.reasoning,
  };
}

/** A parameter of a request, wherever the wire has it. */
function parameterOf(parameters: JsonObject, key: string): Json | undefined {
  for (const group of ['generationConfig', 'inferenceConfig', 'options']) {
    const inner = parameters[group];
    if (typeof inner === 'object' && inner !== null && !Array.isArray(inner)) {
      const value = (inner as JsonObject)[key];
      if (value !== undefined) return value;
    }
  }
  return parameters[key];
}

function textsOf(value: Json | undefined): readonly string[] | undefined {
  const texts = Array.isArray(value) ? value.filter((text) => typeof text === 'string') : [];
  return texts.length === 0 ? undefined : texts;
}

function textAttributes(exchange: ModelExchange): Attributes {
  const { messages, answer, tools, finish_reason, parameters = {} } = exchange;
  const stop = ['stop', 'stop_sequences', 'stopSequences']
    .map((key) => parameterOf(parameters, key))
    .find((value) => value !== undefined);
  const isSystem = ({ role }: CallMessage) => role === 'system' || role === 'developer';
  const system = messages?.filter(isSystem).flatMap((message) => messageParts(message));
  const input = messages?.filter((message) => !isSystem(message)).map(toMessage);
  const output = answer?.map((message) => ({
    ...toMessage(message),
    finish_reason: finish_reason ?? '',
  }));
  const json = (value: readonly unknown[] | undefined) =>
    value === undefined || value.length === 0 ? undefined : JSON.stringify(value);
  return {
    'gen_ai.system_instructions': json(system),
    'gen_ai.input.messages': json(input),
    'gen_ai.output.messages': json(output),
    'gen_ai.tool.definitions': json(tools),
    'gen_ai.request.stop_sequences': typeof stop === 'string' ? [stop] : textsOf(stop),
  };
}

function toMessage(message: CallMessage) {
  return { role: message.role, parts: messageParts(message) };
}

/** A message's parts in the conventions' own shape. */
function messageParts(message: CallMessage): JsonObject[] {
  const { content, tool_calls: calls, tool_call_id: id } = message;
  if (message.role === 'tool') {
    return [
      { type: 'tool_call_response', ...(id !== undefined && { id }), result: content ?? null },
    ];
  }
  const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content);
  return [
    ...parts.map((part) =>
      part.type === 'text' || part.type === 'reasoning'
        ? { type: part.type, content: part.text ?? '' }
        : part,
    ),
    ...listOf(calls).map((call) => {
      const definition = (call.function ?? call.custom ?? {}) as JsonObject;
      const args = definition.arguments ?? definition.input ?? null;
      return {
        type: 'tool_call',
        ...(call.id !== undefined && { id: call.id }),
        name: definition.name ?? '',
        arguments: parsed(args),
      };
    }),
  ];
}

function listOf(value: Json | undefined): readonly JsonObject[] {
  const list = Array.isArray(value) ? (value as readonly Json[]) : [];
  return list.filter((item) => typeof item === 'object' && item !== null) as JsonObject[];
}

function parsed(args: Json): Json {
  if (typeof args !== 'string') return args;
  try {
    return JSON.parse(args) as Json;
  } catch {
    return args;
  }
}

/** A time after the run began, as OTLP JSON writes 64-bit numbers: as a text. */
function nanoseconds(head: RunHead, secondsAfter: number): string {
  const microseconds = BigInt(Math.round(secondsAfter * 1e6));
  return String((BigInt(head.created_at) * 1_000_000n + microseconds) * 1000n);
}

type AttributeValue = string | boolean | number | readonly string[] | { readonly double: number };
type Attributes = { readonly [name: string]: AttributeValue | undefined };

/** Attributes as OTLP JSON writes them, without those that are `undefined`. */
function attributes(values: Attributes) {
  return Object.entries(values).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: anyValue(value) }],
  );
}

function anyValue(value: AttributeValue): JsonObject {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number') {
    return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  }
  if ('double' in value) return { doubleValue: value.double };
  return { arrayValue: { values: value.map((text) => ({ stringValue: text })) } };
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}
