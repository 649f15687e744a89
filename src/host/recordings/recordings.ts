import { isThenable } from '../../authoring/thenable.js';
import { addTo } from '../../model/lists-by-key.js';
import { otherRequest, recognise } from '../../model-calls/recognise.js';
import { isModelAddress } from '../../model-calls/wire/read-exchange.js';
import {
  isIgnored,
  type RecordedRequest,
  type RecordedResponse,
  type RecordingOptions,
  withoutPaths,
} from '../../recordings/recording.js';
import { filesIn, placeOf } from '../../recordings/recording-files.js';
import { hasHost } from '../../text/host-matcher.js';
import { isLoopback } from '../../text/loopback.js';
import { leaveUntimed, type Scope } from '../attempt/attempt.js';
import type { BodyCapture } from '../calls/body-capture.js';
import { AttemptRecording, type TakenExchange } from './attempt-recording.js';
import { type NearestExchange, type NormalizeBody, NormalizeProblem } from './compared-request.js';
import {
  type BodySanitizer,
  type CallRecording,
  type GivenAnswer,
  toChunks,
  toRecordedBody,
  toRecordedUrl,
} from './recorded-parts.js';
import { SharedRecordings } from './shared-recordings.js';

/** A request before it is sent. */
export interface OutgoingRequest {
  readonly method: string;
  readonly url: string;
  /** The whole body, as sent; missing if it exceeds the limit. */
  readonly body: BodyCapture;
  /** Its answer is the one after redirects. Default false. */
  readonly follows?: boolean;
}

/** Decision about a request. */
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
  /** Hosts whose requests are none of models, though they look like it. */
  readonly notModels?: readonly string[] | undefined;
}

/**
 * Records and replays calls. Every layer that can answer calls (fetch, `node:http`) asks it before a request is sent:
 *
 *     const decision = recordings.decide(scope, { method, url, body });
 *
 * and follows the decision. `scope` is the scope of the running code (`currentScope`); `body` is the whole body, so a
 * streamed body is read first. The recording is made from the `CallRecord` of the call, so the layer only passes
 * `decision.recording` in its `CallStart`.
 */
export class Recordings {
  readonly #options: RecordingsOptions;
  readonly #normalizePaths: NormalizeBody;
  /** Own ones of evaluations, with the paths. */
  readonly #normalizers = new Map<NormalizeBody, NormalizeBody>();
  /** By name of the eval file. */
  readonly #shared = new Map<string, SharedRecordings>();
  #byHash: ReadonlyMap<string, readonly string[]> | undefined;

  constructor(options: RecordingsOptions) {
    this.#options = options;
    this.#normalizePaths = withoutPaths(options.normalize);
  }

  decide(scope: Scope, request: OutgoingRequest): RecordingDecision {
    const { url } = request;
    if (!/^https?:/i.test(url)) return { action: 'call' };
    if (isIgnored(request, this.#options.ignore)) {
      return this.#options.mode === 'offline'
        ? { action: 'answer', answer: { status: 204, headers: {}, chunks: [] } }
        : { action: 'call' };
    }
    const recording = this.#recordingOf(scope.caller);
    if (recording === undefined) return { action: 'call' };
    if (this.#isLocal(url) && !this.#isOfModel(request)) {
      recording.countLocal();
      return { action: 'call' };
    }
    try {
      return this.#decide(scope, request, recording);
    } catch (error) {
      if (!(error instanceof NormalizeProblem)) throw error;
      leaveUntimed(scope);
      return this.#refuse(scope, request, error.message);
    }
  }

  #recordingOf(caller: Scope['caller']): AttemptRecording | undefined {
    const { recordingSource: source } = caller;
    if (source === undefined) return undefined;
    caller.recording ??= new AttemptRecording({
      ...this.#options,
      ...source,
      normalize: this.#normalizeBody(source.normalize),
      shared: this.#sharedOf(source.source.file),
    });
    return caller.recording;
  }

  #decide(scope: Scope, request: OutgoingRequest, recording: AttemptRecording): RecordingDecision {
    const { role } = scope;
    const { body, follows } = request;
    const { mode, sanitizer } = this.#options;
    // Most requests have no secrets, and looking for them takes longer than comparing.
    const asIs = asItIs(request, sanitizer());
    const same = asIs && recording.take(role, asIs, follows);
    const stored = same?.exchange.request ?? toRecordedRequest(request, sanitizer());
    const found =
      same ?? recording.take(role, stored, follows) ?? recording.takeShared(role, stored, follows);
    if (found !== undefined || mode === 'offline') leaveUntimed(scope);
    if (found !== undefined) return replay(found, body);
    const isExpected = mode === 'replay' || mode === 'offline';
    const nearest = isExpected ? recording.miss(role, stored) : undefined;
    if (mode === 'offline') {
      const { model } = recognise(request, undefined) ?? {};
      const problems = recording.problemsOf(role, stored);
      const text = refusalText(request, model, recording, { nearest, problems });
      return this.#refuse(scope, request, text);
    }
    if (body.isMissing) {
      recording.warn(`a request to ${stored.url} was not recorded: it has more than 16 MiB`);
      return { action: 'call' };
    }
    return { action: 'call', recording: recording.begin(role, stored) };
  }

  /**
   * Handles a request of a layer that cannot answer calls: offline, returns the error of the request; otherwise warns
   * that it is not recorded. `why` is a sentence without its full stop.
   */
  takeUnanswerable(
    scope: Scope,
    { method, url }: Pick<OutgoingRequest, 'method' | 'url'>,
    why: string,
  ): Error | undefined {
    const isOfModel = isModelAddress({ method, url });
    const recording = this.#recordingOf(scope.caller);
    if (recording === undefined) return undefined;
    if (!isOfModel && this.#isLocal(url)) {
      recording.countLocal();
      return undefined;
    }
    const { mode, sanitizer } = this.#options;
    const isCounted = !isIgnored({ method, url }, this.#options.ignore);
    if (mode !== 'offline') {
      if (!isCounted) return undefined;
      recording.warn(`a request to ${toRecordedUrl(url, sanitizer())} was not recorded: ${why}`);
      return undefined;
    }
    const { host, pathname } = new URL(url);
    const text = `not recorded: ${method} ${host}${pathname}\n  ${why}`;
    leaveUntimed(scope);
    if (isCounted) recording.countRefused();
    if (isOfModel) scope.caller.refusal ??= text;
    return new NotRecorded(text);
  }

  /** Notes that a connection to a host was refused. */
  refused({ caller }: Scope, host: string): void {
    const url = `https://${host}/`;
    if (!isIgnored({ method: 'POST', url }, this.#options.ignore))
      this.#recordingOf(caller)?.countRefused();
  }

  /** True for an address of this machine whose calls the settings do not name. */
  #isLocal(url: string): boolean {
    return isLoopback(url) && !hasHost(url, this.#options.hosts ?? []);
  }

  #isOfModel(request: OutgoingRequest): boolean {
    const { notModels } = this.#options;
    return (
      otherRequest({ ...request, notModels }).unknown_model_call !== undefined ||
      recognise(request, undefined) !== undefined
    );
  }

  /** Refuses a request. If it is one of a model, the result becomes an error. */
  #refuse({ caller }: Scope, request: OutgoingRequest, text: string): RecordingDecision {
    if (!this.#isOfModel(request)) return { action: 'refuse', error: new NotRecorded(text) };
    caller.refusal ??= text;
    return { action: 'answer', answer: refusal(text) };
  }

  /** Returns the same function for the same `normalize`, so that all attempts share one index of requests. */
  #normalizeBody(own: NormalizeBody | undefined): NormalizeBody | undefined {
    if (own === undefined && this.#options.normalize.length === 0) return undefined;
    if (own === undefined) return this.#normalizePaths;
    const known = this.#normalizers.get(own);
    if (known !== undefined) return known;
    const normalize: NormalizeBody = (body) => {
      const kept = own(body) ?? body;
      return isThenable(kept) ? kept : this.#normalizePaths(kept);
    };
    this.#normalizers.set(own, normalize);
    return normalize;
  }

  #sharedOf(file: string): SharedRecordings {
    const known = this.#shared.get(file);
    if (known !== undefined) return known;
    const byHash = () => (this.#byHash ??= hashesIn(this.#options.folder));
    const shared = new SharedRecordings({ ...this.#options, file, byHash });
    this.#shared.set(file, shared);
    return shared;
  }
}

/** Paths of all recordings by the hash in their names. */
function hashesIn(folder: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const path of filesIn(folder, '', { isDeep: true })) {
    const [hash = ''] = placeOf(path).name.split('-');
    addTo(found, hash, path);
  }
  return found;
}

/** The request with its JSON as it is, secrets included; `undefined` for other bodies. */
function asItIs(
  { method, url, body }: OutgoingRequest,
  sanitizer: BodySanitizer,
): RecordedRequest | undefined {
  const json = body.json();
  if (json === undefined) return undefined;
  return { method, url: toRecordedUrl(url, sanitizer), body: { json } };
}

function toRecordedRequest(
  { method, url, body }: OutgoingRequest,
  sanitizer: BodySanitizer,
): RecordedRequest {
  const kept = toRecordedBody(body, sanitizer);
  return { method, url: toRecordedUrl(url, sanitizer), ...(kept && { body: kept }) };
}

function replay(
  { name, isShared, exchange: { response, failed = [] } }: TakenExchange,
  request: BodyCapture,
): RecordingDecision {
  const failures = failed.map(({ response: failure, ...attempt }) => ({
    ...attempt,
    request,
    ...(failure && { answer: toAnswer(failure) }),
  }));
  const { body, size } = response;
  const json = body !== undefined && 'json' in body ? body.json : undefined;
  return {
    action: 'answer',
    answer: toAnswer(response),
    recording: { name, isShared, replayed: { size, json, failed: failures } },
  };
}

function toAnswer({ status, headers, url, body, size }: RecordedResponse): GivenAnswer {
  return { status, headers, url, chunks: toChunks(body), size };
}

/** The reason for refusing a request that is not recorded. */
function refusalText(
  { method, url, body }: OutgoingRequest,
  model: string | undefined,
  recording: AttemptRecording,
  why: WhyNotRecorded,
): string {
  const { host, pathname } = new URL(url);
  const what = model === undefined ? '' : ` (${model})`;
  const size = body.isMissing ? ', with more than 16 MiB' : '';
  return [
    `not recorded: ${method} ${host}${pathname}${what}${size}`,
    ...whyLines(recording, why).map((line) => `  ${line}`),
    `  record it: ${recording.recordCommand}`,
  ].join('\n');
}

interface WhyNotRecorded {
  readonly nearest: NearestExchange | undefined;
  readonly problems: readonly string[];
}

function whyLines({ folder }: AttemptRecording, { nearest, problems }: WhyNotRecorded): string[] {
  if (problems.length > 0) return [...problems];
  if (nearest === undefined) return [`there is no recording of it in ${folder}`];
  const { file, path, recorded, asked } = nearest;
  if (path === undefined) return [`${file} is the same, and has been used`];
  return [`nearest recording ${file} differs first in ${path}:`, `- ${recorded}`, `+ ${asked}`];
}

/** An error whose message every client of a model shows, and that no client retries. */
function refusal(text: string): GivenAnswer {
  const error = { message: text, type: 'not_recorded', code: 400, status: 'INVALID_ARGUMENT' };
  return {
    status: 400,
    headers: { 'content-type': 'application/json', 'x-should-retry': 'false' },
    chunks: toChunks({ json: { type: 'error', message: text, error } }),
  };
}

class NotRecorded extends Error {
  override name = 'NotRecorded';
}
