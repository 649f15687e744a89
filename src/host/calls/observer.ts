import type { Trace } from '../../model/calls/model-call.js';
import type { StoredCalls } from '../../model/calls/stored-calls.js';
import type { CallSettings } from '../../recordings/recording.js';
import type { Caller, Scope } from '../attempt/attempt.js';
import type { ReplayedFailure } from '../recordings/recorded-parts.js';
import { Recordings } from '../recordings/recordings.js';
import { AttemptCalls } from './attempt-calls.js';
import {
  type AiToolEvent,
  AiWork,
  maxSpans,
  type SpanRecord,
  type SpanStart,
} from './attempt-spans.js';
import { type CallPermissions, CallRefused } from './call-permissions.js';
import type { BeginCall, CallRecord, CallStart } from './call-record.js';
import {
  answerFetch,
  type FetchCall,
  observeFetch,
  questionOf,
  questionOfFetch,
  toResponse,
  withRecording,
} from './fetch.js';
import { headOfFetch } from './fetch-bodies.js';
import { type Decide, type HoldHere, holdHttp } from './hold-http.js';
import {
  observeHttp,
  observeHttp2,
  observeUndici,
  type RecordRequest,
  type RefuseHere,
} from './observe-http.js';
import type { CallSanitizer } from './stored-parts.js';

type FetchArguments = Parameters<typeof fetch>;
/** A call before it is observed. */
type MoreOfStart = Pick<CallStart, 'asked' | 'waited' | 'recording'>;

/** Functions and values from the part of the host that is loaded first. This part is loaded at the first call. */
export interface ObserverOptions {
  /** Scope of calls of the running code; `undefined` where they are recorded elsewhere. */
  readonly scope: () => Scope | undefined;
  readonly runIn: <Result>(scope: Scope, work: () => Result) => Result;
  /** Milliseconds of the original clock, which tests of the user may have replaced. */
  readonly now: () => number;
  readonly settings: CallSettings;
  readonly sanitizer: () => CallSanitizer;
  /** Grants permission to calls; absent if they need none. */
  readonly questions: () => CallPermissions | undefined;
  /** Batches work with other work of this kind. */
  readonly later: (work: () => void) => void;
  readonly onCalled: (caller: Caller, calls: StoredCalls) => void;
}

/** Messages about calls of layers that can be neither recorded nor answered. */
const unanswerable = {
  http: 'a request whose head is sent before its body, or that brings its own connection, can be neither recorded nor answered',
  socket: 'requests that code writes to a socket itself can be neither recorded nor answered',
  thread: 'calls of other threads can be neither recorded nor answered',
  http2:
    'calls over HTTP/2 can be neither recorded nor answered: use HTTP/1.1 (Bedrock: requestHandler: new NodeHttpHandler())',
  undici:
    'calls by a copy of undici can be neither recorded nor answered: use the fetch of Node itself',
} as const;

/** Records the HTTP calls of attempts, and of the imports of eval files. */
export class Observer {
  readonly #options: ObserverOptions;
  readonly #onUndiciRequest: ReturnType<typeof observeUndici>;
  /** Absent where calls are just made. */
  readonly recordings: Recordings | undefined;
  readonly #aiWork = new AiWork();
  #recordHttp: RecordRequest | undefined;
  #isHttpHeld = false;

  constructor(options: ObserverOptions) {
    this.#options = options;
    this.#onUndiciRequest = observeUndici();
    const { sanitizer } = options;
    const { recordings, notModels } = options.settings;
    this.recordings = recordings && new Recordings({ ...recordings, sanitizer, notModels });
  }

  /** Makes a call by `fetch` for the code in a scope; without recordings before this returns. */
  fetch(real: typeof fetch, scope: Scope, given: FetchArguments): Promise<Response> {
    const { recordings } = this;
    if (recordings === undefined) return this.#make(real, scope, { given, start: {} });
    return withRecording(recordings, scope, given).then((call) =>
      'given' in call ? this.#make(real, scope, call) : call,
    );
  }

  /** Makes a call after the run, unless it is one of a model. */
  async fetchAfterEnd(real: typeof fetch, scope: Scope, given: FetchArguments): Promise<Response> {
    const { isOfModel } = await questionOfFetch({ given, start: {} }, this.#options);
    if (isOfModel) throw new CallRefused('the run has ended, so nobody would hear of this call');
    return this.fetch(real, scope, given);
  }

  async #make(real: typeof fetch, scope: Scope, call: FetchCall): Promise<Response> {
    const { given, start, answer } = call;
    const beginIn = this.#beginIn(scope);
    const runInCall = <Result>(work: () => Result) =>
      this.#options.runIn({ ...scope, isInCall: true }, work);
    const make = async (asked: MoreOfStart) => {
      const begin: BeginCall = (seen) => beginIn({ ...seen, ...start, ...asked });
      if (answer !== undefined) return answerFetch(given, answer, begin);
      return observeFetch(real, given, begin, runInCall);
    };
    const questions = this.#options.questions();
    if (questions === undefined) return make({});
    const question = await questionOfFetch(call, this.#options);
    return questions.ask(scope.caller, question, headOfFetch(given).signal, make);
  }

  observeHttp(http: typeof import('node:http')): void {
    this.#recordHttp ??= observeHttp(
      http,
      () => this.#beginHere(),
      (request) => this.#refuse(request, unanswerable.http),
    );
  }

  /** Lets the calls of `node:http` and `node:https` ask from now on. */
  holdHttp(http: typeof import('node:http')): void {
    this.observeHttp(http);
    if (this.#isHttpHeld || this.#recordHttp === undefined) return;
    this.#isHttpHeld = true;
    holdHttp(http, () => this.#holdHere(), this.#recordHttp);
  }

  observeHttp2(http2: typeof import('node:http2')): void {
    observeHttp2(
      http2,
      () => this.#beginHere(),
      (request) => this.#refuse(request, unanswerable.http2),
    );
  }

  /** Handles a request that a copy of undici has published. */
  beginUndici(scope: Scope, message: unknown): void {
    this.#onUndiciRequest(
      message,
      this.#beginIn(scope),
      (request) => this.#refuse(request, unanswerable.undici),
      (work) => this.#options.runIn(scope, work),
    );
  }

  /** Begins a request that is written to a socket, unless it is a call that passes through another client. */
  beginOnSocket(scope: Scope, start: Parameters<BeginCall>[0]): CallRecord | Error | undefined {
    if (scope.caller.calls?.isUnderWay(start)) return undefined;
    return this.#refuse(start, unanswerable.socket) ?? this.#beginIn(scope)(start);
  }

  /** Begins a call of another thread; it is made already. */
  beginInThread(scope: Scope, start: Parameters<BeginCall>[0]): CallRecord {
    if (start.program === undefined) {
      this.recordings?.takeUnanswerable(scope, start, unanswerable.thread);
    }
    return this.#beginIn(scope)(start);
  }

  /** Begins a program that the code in a scope has started, or is about to. */
  beginProgram(scope: Scope, program: string): CallRecord {
    return this.#beginIn(scope)({ method: 'START', url: `program:${program}`, program });
  }

  /** Handles an event of `ai` 7 and returns the scope of the code inside of it. */
  aiPublished(scope: Scope, message: unknown): Scope {
    const span = this.#aiWork.published(message, (start) => this.beginSpan(scope, start));
    return span === undefined ? scope : { ...scope, span: span.id };
  }

  aiToolStarted(scope: Scope, event: AiToolEvent): void {
    this.#aiWork.started(event, (start) => this.beginSpan(scope, start));
  }

  aiToolFinished(event: AiToolEvent): void {
    this.#aiWork.finished(event);
  }

  /** Begins a span of the code in a scope; `undefined` if spans are not stored. */
  beginSpan(scope: Scope, start: SpanStart): SpanRecord | undefined {
    const { caller, role } = scope;
    if (this.#options.settings.capture === 'usage' || role === 'file') return undefined;
    const span = this.callsOf(caller).spans.begin(start, scope);
    if (span === undefined)
      caller.warnings?.add(`only the first ${maxSpans.toLocaleString('en-US')} spans were kept`);
    return span;
  }

  /** The calls of an attempt or import, `earlier` before them. */
  callsOf(caller: Caller, earlier: Trace = { calls: [] }): AttemptCalls {
    const { now, onCalled } = this.#options;
    if (caller.calls !== undefined) return caller.calls;
    // Limits are kept by what answers say. Of calls at import, nothing else tells when no attempt runs.
    const tellsAtOnce = this.#options.questions() !== undefined || caller.warnings === undefined;
    caller.calls = new AttemptCalls({
      ...this.#options,
      now: () => Math.round((now() - caller.startedAt) * 1000) / 1e6,
      earlier,
      secondsBetweenReports: tellsAtOnce ? 0 : 0.05,
      onCalled: (calls) => onCalled(caller, calls),
    });
    // Its result was made without calls: those from now on are late.
    if (!caller.isRunning) caller.calls.store();
    return caller.calls;
  }

  #holdHere(): HoldHere | undefined {
    const scope = this.#options.scope();
    const isAsked = this.recordings !== undefined || this.#options.questions() !== undefined;
    if (scope === undefined || !isAsked) return undefined;
    return {
      begin: this.#beginIn(scope),
      decide: (...given) => this.#decide(scope, ...given),
      refuse: (request) => this.#refuse(request, unanswerable.http),
    };
  }

  async #decide(scope: Scope, ...[request, signal, make]: Parameters<Decide>): Promise<unknown> {
    const { body, method, url } = request;
    const decision = this.recordings?.decide(scope, { method, url, body });
    if (decision?.action === 'refuse') throw decision.error;
    const answer = decision?.action === 'answer' ? toResponse(decision.answer, url) : undefined;
    const recording = decision?.recording;
    if (answer !== undefined && recording === undefined) return make(undefined, answer);
    const makeAsked = (asked: MoreOfStart) => make({ ...asked, recording }, answer);
    const questions = this.#options.questions();
    if (questions === undefined) return makeAsked({});
    const isReplayed = recording?.replayed !== undefined;
    const question = questionOf(request, isReplayed, this.#options);
    return questions.ask(scope.caller, question, signal, makeAsked);
  }

  #refuse(...[request, why]: [...Parameters<RefuseHere>, string]): Error | undefined {
    const scope = this.#options.scope();
    return scope && this.recordings?.takeUnanswerable(scope, request, why);
  }

  #beginHere(): BeginCall | undefined {
    const scope = this.#options.scope();
    return scope && this.#beginIn(scope);
  }

  #beginIn(scope: Scope): BeginCall {
    const { caller, role } = scope;
    const parent = caller.calls?.spans.innermost(scope);
    return (start) => {
      const calls = this.callsOf(caller);
      const placed = { ...start, role, parent, notModels: this.#options.settings.notModels };
      for (const failure of start.recording?.replayed?.failed ?? []) {
        replayFailure(calls, placed, failure);
      }
      return calls.begin(placed);
    };
  }
}

/** Lists an attempt that failed during recording, so that both runs have the same calls. */
function replayFailure(
  calls: AttemptCalls,
  { asked: _, waited: __, ...start }: CallStart,
  { request: body, answer, error, end }: ReplayedFailure,
): void {
  const { name = '', isShared = false } = start.recording ?? {};
  const record = calls.begin({
    ...start,
    body,
    recording: { name, isShared, replayed: { size: answer?.size } },
  });
  if (answer !== undefined) {
    record.answered(answer.status, answer.headers);
    for (const chunk of answer.chunks) record.received(chunk);
  }
  if (error !== undefined) record.failed(error);
  else if (end === 'left') record.left();
  else if (end === undefined) record.completed();
}
