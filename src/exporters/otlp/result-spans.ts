import type { Call, Span, Trace } from '../../model/calls/model-call.js';
import { isSpent } from '../../model/calls/run-usage.js';
import { hasReplayedLatency } from '../../model/calls/usage.js';
import type { ResultEntry } from '../../model/result.js';
import { hasVerdict, passes } from '../../model/result.js';
import type { RunHead } from '../../model/run.js';
import type { Score } from '../../model/scores/score.js';
import { shortHash } from '../../text/short-hash.js';
import { modelAttributes, textAttributes, textsOf, toolAttributes } from './gen-ai-attributes.js';
import {
  type Attributes,
  attributes,
  kindClient,
  kindInternal,
  nanoseconds,
  statusError,
} from './otlp-json.js';

/** The spans of a result: its own, and below it those of its calls, tools and app. */
export function* spansOf(head: RunHead, entry: ResultEntry, trace: Trace, texts: boolean) {
  const place = new ResultTrace(head, entry, trace);
  yield resultSpan(head, entry, trace, place);
  const { origin } = entry.result;
  for (const call of trace.calls) {
    yield callSpan(call, place, { texts, isSpent: isSpent(call.role, origin) });
  }
  for (const [position, span] of (trace.spans ?? []).entries()) {
    yield innerSpan(span, position, place, texts);
  }
}

/** The trace of a result: its times, and its ids, which are parts of hashes as hexadecimal digits. */
class ResultTrace {
  readonly id: string;
  readonly root: string;
  readonly #base: string;
  /** Unix milliseconds. */
  readonly #startedAt: number;
  /** Ids of spans by the parent ids of calls and other spans. */
  readonly #parents = new Map<string, string>();

  constructor(head: RunHead, { id, result }: ResultEntry, { spans = [] }: Trace) {
    this.#base = `${head.run_id}\n${id}`;
    this.id = shortHash(this.#base, 32);
    this.root = this.#spanId(0);
    this.#startedAt =
      result.started_at === undefined ? head.created_at * 1000 : Date.parse(result.started_at);
    for (const [position, span] of spans.entries()) {
      if (!this.#parents.has(span.id)) this.#parents.set(span.id, this.ofSpan(span, position));
    }
  }

  ofCall(number: number): string {
    return this.#spanId(number);
  }

  /** A tool call may run twice. */
  ofSpan({ kind, id }: Span, position: number): string {
    return this.#spanId(kind === 'tool' ? `tool ${position}` : `span ${id}`);
  }

  /** The span around a call or span; that of the result where no other is known. */
  around({ parent = '' }: Pick<Span, 'parent'>): string {
    return this.#parents.get(parent) ?? this.root;
  }

  /** Converts seconds since the start of the result to a time. */
  at(seconds: number): string {
    return nanoseconds(this.#startedAt, seconds);
  }

  #spanId(key: number | string): string {
    return shortHash(`${this.#base}\n${key}`, 16);
  }
}

function resultSpan(
  head: RunHead,
  entry: ResultEntry,
  { calls, spans = [] }: Trace,
  place: ResultTrace,
) {
  const { result } = entry;
  const ends = [...calls, ...spans].map(({ start, end }) => end ?? start);
  const end = place.at(Math.max(result.latency ?? 0, ...ends));
  const answered = calls.findLast(
    (call) => call.role === 'target' && call.model_call !== undefined,
  );
  const responseId = answered?.model_call?.response_id;
  return {
    traceId: place.id,
    spanId: place.root,
    name: entry.id,
    kind: kindInternal,
    startTimeUnixNano: place.at(0),
    endTimeUnixNano: end,
    attributes: attributes({
      'test.suite.name': entry.function,
      'test.case.name': entry.id,
      'test.case.result.status': caseStatus(result),
      'assay.counted.status': entry.counted && (caseStatus(entry.counted) ?? 'none'),
      'assay.origin': result.origin?.kind,
      'assay.run.name': head.run_name,
      'assay.session.name': head.session_name,
      'assay.dataset': entry.dataset,
      'assay.labels': entry.labels,
      'assay.trial': entry.trial,
      'assay.replayed': hasReplayedLatency(result) || undefined,
      'error.type': result.error === null ? undefined : '_OTHER',
    }),
    events: result.scores.map((score) => evaluationEvent(score, end, responseId)),
    status: result.error === null ? {} : { code: statusError, message: firstLine(result.error) },
  };
}

/** Absent when nothing judged the result. */
function caseStatus(result: Pick<ResultEntry['result'], 'status' | 'scores'>): string | undefined {
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

interface ShownCall {
  readonly texts: boolean;
  /** This run has made it; else a run before, from which the result is taken over. */
  readonly isSpent: boolean;
}

function callSpan(call: Call, place: ResultTrace, { texts, isSpent: isOwn }: ShownCall) {
  const { model_call: exchange, status, error = exchange?.error } = call;
  const hasFailed = error !== undefined || (status !== undefined && status >= 400);
  return {
    traceId: place.id,
    spanId: place.ofCall(call.number),
    parentSpanId: place.around(call),
    name:
      exchange === undefined
        ? (call.program ?? call.method)
        : [exchange.operation, exchange.model].filter(Boolean).join(' '),
    kind: kindClient,
    startTimeUnixNano: place.at(call.start),
    endTimeUnixNano: place.at(call.end ?? call.start),
    attributes: attributes({
      ...(call.program === undefined ? httpAttributes(call) : { 'assay.program': call.program }),
      'assay.call.role': call.role,
      'assay.call.unknown_model': call.unknown_model_call ? true : undefined,
      'mcp.method.name': call.mcp?.method,
      'gen_ai.tool.name': call.mcp?.method === 'tools/call' ? call.mcp.name : undefined,
      ...costAttributes(call, isOwn),
      'error.type': hasFailed ? String(status ?? '_OTHER') : undefined,
      ...(exchange && modelAttributes(call, exchange)),
      ...(exchange && texts && textAttributes(exchange)),
    }),
    links:
      call.retry_of === undefined
        ? []
        : [{ traceId: place.id, spanId: place.ofCall(call.retry_of) }],
    status: hasFailed ? { code: statusError, message: failure(call, texts) } : {},
  };
}

/** A call that was taken over, or replayed, costs nothing now; the times of a replayed one are not those of the model. */
function costAttributes(
  { cost, replayed, recorded_duration: duration }: Call,
  isOwn: boolean,
): Attributes {
  const price = cost == null ? undefined : { double: cost };
  if (!isOwn) return { 'assay.call.cost': { double: 0 }, 'assay.call.taken_cost': price };
  if (!replayed) return { 'assay.call.cost': price };
  return {
    'assay.call.cost': { double: 0 },
    'assay.call.replayed': true,
    'assay.call.replayed_cost': price,
    'assay.call.recorded_duration': duration === undefined ? undefined : { double: duration },
  };
}

/** Tools that ran, and spans of the app. */
function innerSpan(span: Span, position: number, place: ResultTrace, texts: boolean) {
  const { kind, name, role, start, end = start, error } = span;
  return {
    traceId: place.id,
    spanId: place.ofSpan(span, position),
    parentSpanId: place.around(span),
    name: kind === 'tool' ? `execute_tool ${name}` : name,
    kind: kindInternal,
    startTimeUnixNano: place.at(start),
    endTimeUnixNano: place.at(end),
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

/** Plain attributes of the app. */
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

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}
