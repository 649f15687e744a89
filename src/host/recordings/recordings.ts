import type { ModelExchange } from '../../model/calls/model-call.js';
import { withoutPaths } from '../../recordings/json-path.js';
import type {
  RecordedExchange,
  RecordedRequest,
  RecordingOptions,
} from '../../recordings/recording.js';
import { shellWord } from '../../text/shell-word.js';
import type { Scope } from '../attempt/attempt.js';
import { storedHeadersOf } from '../calls/headers.js';
import { recognise } from '../calls/recognise.js';
import { AttemptRecording, type OpenExchange } from './attempt-recording.js';
import type { CallRecording, ObservedAnswer } from './call-recording.js';
import type { NearestExchange } from './nearest-exchange.js';
import {
  type BodySanitizer,
  toChunks,
  toRecordedAnswer,
  toRecordedBody,
  toRecordedStream,
} from './recorded-body.js';
import { isLoopback, toRecordedUrl } from './recorded-url.js';
import type { NormalizeBody } from './request-key.js';

/** A request before it is sent. */
export interface OutgoingRequest {
  readonly method: string;
  readonly url: string;
  /** The whole body, as it is sent; absent when it was longer than what is kept of bodies. */
  readonly body: Uint8Array | undefined;
}

/** An answer to give instead of making a call. */
export interface GivenAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Not compressed; to be given one by one. */
  readonly chunks: readonly Uint8Array[];
}

/** What to do with a request. */
export type RecordingDecision =
  /** Make the call, with `recording` in its record. */
  | { readonly action: 'call'; readonly recording?: CallRecording }
  /**
   * Give this answer. With `recording` it is observed like any other; without, it is a refusal that clients do not
   * repeat, and no call is recorded.
   */
  | {
      readonly action: 'answer';
      readonly answer: GivenAnswer;
      readonly recording?: CallRecording;
    }
  /** Fail with this error, without a call. */
  | { readonly action: 'refuse'; readonly error: Error };

export interface RecordingsOptions extends RecordingOptions {
  readonly sanitizer: () => BodySanitizer;
}

/**
 * Records and replays calls. Every layer that can answer calls (fetch, `node:http`) asks it before a request is sent:
 *
 *     const decision = recordings.decide(scope, { method, url, body });
 *
 * and does what the decision says. `scope` is what the running code belongs to (`currentScope`); the body is the
 * whole body, so a body that comes in pieces is read first. What is recorded is taken from the `CallRecord` of the
 * call, so the layer only passes `decision.recording` on in its `CallStart`.
 */
export class Recordings {
  readonly #options: RecordingsOptions;
  readonly #normalizePaths: NormalizeBody;

  constructor(options: RecordingsOptions) {
    this.#options = options;
    this.#normalizePaths = withoutPaths(options.normalize);
  }

  decide({ caller, role }: Scope, request: OutgoingRequest): RecordingDecision {
    const { method, url } = request;
    const body = request.body ?? new Uint8Array(0);
    const exchange = recognise({ method, url, headers: {}, body }, undefined);
    const isOfModel = exchange !== undefined;
    const isHttp = /^https?:/i.test(url);
    if (!isHttp || (!isOfModel && isLoopback(url))) return { action: 'call' };
    const { mode, sanitizer } = this.#options;
    const { recordingSource: source } = caller;
    if (source === undefined) return { action: 'call' };
    caller.recording ??= new AttemptRecording({
      ...this.#options,
      ...source,
      normalizeBody: this.#normalizeBody(source.normalize),
    });
    const { recording } = caller;
    const stored = toRecordedRequest(request, sanitizer());
    const found = mode === 'record' ? undefined : recording.take(role, stored);
    if (found !== undefined) return replay(found);
    const nearest = mode === 'record' ? undefined : recording.miss(role, stored);
    if (mode === 'offline') return refuse(caller, request, exchange, recording, nearest);
    if (request.body === undefined) {
      source.warn(`a request to ${stored.url} was not recorded: it has more than 16 MiB`);
      return { action: 'call' };
    }
    return {
      action: 'call',
      recording: record(recording.begin(role, stored), stored, sanitizer, source.warn),
    };
  }

  #normalizeBody(own: NormalizeBody | undefined): NormalizeBody | undefined {
    if (own === undefined && this.#options.normalize.length === 0) return undefined;
    return (body) => this.#normalizePaths(own?.(body) ?? body);
  }
}

function toRecordedRequest(
  { method, url, body }: OutgoingRequest,
  sanitizer: BodySanitizer,
): RecordedRequest {
  const kept = body && toRecordedBody(body, sanitizer);
  return { method, url: toRecordedUrl(url, sanitizer), ...(kept && { body: kept }) };
}

function replay({ name, duration, response }: RecordedExchange): RecordingDecision {
  const { status, headers, body } = response;
  const answer = { status, headers, chunks: toChunks(body) };
  return { action: 'answer', answer, recording: { name, replayed: { duration } } };
}

function record(
  open: OpenExchange,
  { url }: RecordedRequest,
  sanitizer: () => BodySanitizer,
  warn: (text: string) => void,
): CallRecording {
  const { name } = open;
  const ended = (answer: ObservedAnswer): boolean => {
    if (!isWhole(answer)) return false;
    const { status = 0, headers, chunks, exchange, duration } = answer;
    if (chunks === undefined) {
      warn(`an answer of ${url} was not recorded: it has more than 16 MiB`);
      return false;
    }
    const clean = sanitizer();
    const bytes = Buffer.concat(chunks);
    const isStream =
      exchange?.stream === true || /event-stream/.test(headers['content-type'] ?? '');
    const body = isStream ? toRecordedStream(chunks, clean) : toRecordedAnswer(bytes, clean);
    if (body === undefined && bytes.length > 0) {
      warn(`an answer of ${url} was not recorded: it is binary and has a secret in it`);
      return false;
    }
    open.store({
      duration,
      response: {
        status,
        headers: recordedHeaders(headers, clean),
        ...(body && bytes.length > 0 && { body }),
      },
    });
    return true;
  };
  return { name, ended };
}

/** Answers that say nothing of the model: of a wrong key, of a provider that is busy or broken. */
const passing = new Set([401, 403, 407, 408, 409, 425, 429]);

/** True for an answer that is worth keeping: it came to its end, and would be the same again. */
function isWhole({ status = 0, isComplete, exchange }: ObservedAnswer): boolean {
  if (status < 200 || status >= 500 || passing.has(status)) return false;
  // An error in an answer of status 200.
  if (status < 400 && exchange?.error !== undefined) return false;
  if (exchange?.stream === true) return exchange.cut !== true;
  return isComplete;
}

function recordedHeaders(
  headers: Readonly<Record<string, string>>,
  sanitizer: BodySanitizer,
): Record<string, string> {
  const kept = Object.entries({
    ...storedHeadersOf(headers),
    ...(headers['x-amzn-errortype'] && { 'x-amzn-errortype': headers['x-amzn-errortype'] }),
  });
  return Object.fromEntries(kept.map(([name, value]) => [name, String(sanitizer.callText(value))]));
}

/** Refuses a request that is not recorded. */
function refuse(
  caller: Scope['caller'],
  { method, url, body }: OutgoingRequest,
  exchange: ModelExchange | undefined,
  recording: AttemptRecording,
  nearest: NearestExchange | undefined,
): RecordingDecision {
  const { host, pathname } = new URL(url);
  const model = exchange?.model === undefined ? '' : ` (${exchange.model})`;
  const size = body === undefined ? ', with more than 16 MiB' : '';
  const text = [
    `not recorded: ${method} ${host}${pathname}${model}${size}`,
    ...whyLines(recording, nearest).map((line) => `  ${line}`),
    `  record it: assay run ${shellWord(recording.subject)} --record`,
  ].join('\n');
  if (exchange === undefined) return { action: 'refuse', error: new NotRecorded(text) };
  caller.refusal ??= text;
  return { action: 'answer', answer: refusal(text) };
}

function whyLines(
  { path: file, problem }: AttemptRecording,
  nearest: NearestExchange | undefined,
): string[] {
  if (problem !== undefined) return [problem];
  if (nearest === undefined) return [`there is no recording of it in ${file}`];
  const { name, path, recorded, asked } = nearest;
  if (path === undefined) return [`${name} of ${file} is the same, and has been used`];
  return [
    `nearest recording ${name} of ${file} differs first in ${path}:`,
    `- ${recorded}`,
    `+ ${asked}`,
  ];
}

/** An error that every client of a model shows with its message, and that none asks again for. */
function refusal(text: string): GivenAnswer {
  const error = { message: text, type: 'not_recorded', code: 400, status: 'INVALID_ARGUMENT' };
  return {
    status: 400,
    headers: { 'content-type': 'application/json', 'x-should-retry': 'false' },
    chunks: [Buffer.from(JSON.stringify({ type: 'error', message: text, error }))],
  };
}

class NotRecorded extends Error {
  override name = 'NotRecorded';
}
