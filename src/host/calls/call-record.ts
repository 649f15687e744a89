import type { Call, CallRole, ModelExchange } from '../../model/calls/model-call.js';
import { inStoredOrder } from '../../model/calls/stored-calls.js';
import { isModelCall, type Period } from '../../model/calls/usage.js';
import { type OtherRequest, otherRequest, recognise } from '../../model-calls/recognise.js';
import { firstTokenAt } from '../../model-calls/wire/read-exchange.js';
import { hasHost } from '../../text/host-matcher.js';
import type { CallRecording, ObservedAnswer } from '../recordings/recorded-parts.js';
import { BodyCapture, decodeBody, maxBodyBytes } from './body-capture.js';
import { errorLine, storedHeadersOf, storedUrl } from './stored-parts.js';

/** A call of a model that got no answer, or one that says nothing of its request. */
export interface FailedCall {
  readonly url: string;
  readonly status?: number | undefined;
  /** As it was thrown; absent with an answer. */
  readonly error?: unknown;
}

export interface CallStart {
  readonly role: CallRole;
  /** Id of the span that it is in. */
  readonly parent?: string | undefined;
  readonly method: string;
  readonly url: string;
  /** Bodies of answers come without their compression. */
  readonly isDecoded?: true;
  /** The available part of the request body. */
  readonly body?: BodyCapture;
  /** Its permission request. */
  readonly asked?: number | undefined;
  /** Seconds for which it was held. */
  readonly waited?: number | undefined;
  /** Hosts whose requests are none of models. */
  readonly notModels?: readonly string[] | undefined;
  readonly recording?: CallRecording | undefined;
  /** A body that is no JSON says nothing of it, as it is not read as HTTP. */
  readonly isOpaque?: true;
  /** The program that it is instead of a call. */
  readonly program?: string;
}

/** Methods of requests without a body. */
const isReading = /^(GET|HEAD|OPTIONS|DELETE|CONNECT)$/i;

type Mutable<Fields> = { -readonly [Name in keyof Fields]: Fields[Name] };

/** Listeners of a call; each is called at most once. */
interface CallListener {
  /** Its client may repeat it from now on. */
  readonly onFailed: () => void;
  readonly onEnd: () => void;
}

export type BeginCall = (start: Omit<CallStart, 'role' | 'parent' | 'notModels'>) => CallRecord;

/** One HTTP call while it is observed: observers fill it in, and bodies are parsed only on demand. */
export class CallRecord {
  readonly number: number;
  readonly start: CallStart;
  retryOf: number | undefined;
  readonly request: BodyCapture;
  readonly answer = new BodyCapture();
  /** Reads the part of the answer that its client has not read, for a recording. */
  rest: (() => Promise<void>) | undefined;
  readonly #now: () => number;
  readonly #startedAt: number;
  readonly #listener: CallListener;
  /** Time when its client could see the failure. */
  #failedAt: number | undefined;
  #status: number | undefined;
  #headers: Readonly<Record<string, string>> = {};
  #finalUrl: string | undefined;
  /** Pieces of the answer with the times of their arrival; forgotten once the answer is read. */
  #arrivals: { readonly at: number; readonly bytes: Uint8Array }[] = [];
  #firstTokenAt: number | undefined;
  #endedAt: number | undefined;
  #lastAt: number;
  #isComplete = false;
  #isRecorded = false;
  #error: string | undefined;
  #thrown: unknown;
  #note: string | undefined;
  #url: string | undefined;
  #exchange: { readonly value: ModelExchange | undefined } | undefined;
  #other: OtherRequest | undefined;

  /** `now` gives seconds since the attempt began. */
  constructor(number: number, start: CallStart, now: () => number, listener: CallListener) {
    this.number = number;
    this.start = start;
    this.request = start.body ?? new BodyCapture();
    this.#now = now;
    this.#startedAt = now();
    this.#lastAt = this.#startedAt;
    this.#listener = listener;
    start.recording?.begun?.(() => this.#observed());
  }

  /** The head of the answer has come, from `url` after redirects. */
  answered(status: number, headers: Readonly<Record<string, string>>, url?: string): void {
    this.#status = status;
    this.#headers = headers;
    this.#finalUrl = url;
    this.#lastAt = this.#now();
    // The end of an answer without a body is known before its head.
    if (this.#isComplete) {
      this.#error = undefined;
      this.#failedAt = undefined;
    }
    if ([408, 409, 429].includes(status) || status >= 500) this.#failed();
  }

  received(piece: Uint8Array | string): void {
    this.#lastAt = this.#now();
    const kept = this.answer.add(piece);
    if (kept instanceof Uint8Array) this.#arrivals.push({ at: this.#lastAt, bytes: kept });
  }

  completed(): void {
    this.#isComplete = true;
    this.#lastAt = this.#now();
    // A stream of HTTP/2 also ends in order where its client closes it.
    this.abandoned();
    this.#end();
  }

  /** The caller stopped reading before the end of the answer. */
  left(): void {
    this.#end();
  }

  /** Passes the answer so far to its recording, because clients may stop reading after the last event of a stream. */
  settle(): void {
    if (!this.hasEnded && this.#status !== undefined) this.#record();
  }

  /** The client or the server has given up; a failure unless an answer had come. */
  abandoned(error: unknown = new Error('closed before an answer came')): void {
    if (this.#status === undefined) this.failed(error);
  }

  /** The answer failed, or will not end. */
  failed(error: unknown): void {
    if (this.#endedAt !== undefined) return;
    this.#error = errorLine(error);
    this.#thrown = error;
    this.#lastAt = this.#now();
    if (this.#status === undefined) this.#failed();
    this.#end();
  }

  /** How a call of a model failed for a reason that says nothing of its request; absent for any other call. */
  get transportFailure(): FailedCall | undefined {
    const status = this.#status;
    const hasFailed =
      status === undefined
        ? this.#error !== undefined && !/abort/i.test(this.#error)
        : status === 429 || status >= 500;
    if (!hasFailed || !isModelCall(this.toCall())) return undefined;
    return { url: this.start.url, status, error: this.#thrown };
  }

  /** Notes the parts that could not be recorded. */
  note(text: string): void {
    this.#note ??= text;
  }

  /** From its start to the last received byte, because an unread answer never ends. */
  get period(): Period {
    return [this.#startedAt, this.isAwaited ? this.#now() : this.#lastAt];
  }

  get isAwaited(): boolean {
    return this.#status === undefined && !this.hasEnded;
  }

  get hasEnded(): boolean {
    return this.#endedAt !== undefined;
  }

  /** The same request as another, which began after this one had failed. */
  isRepeatedBy(other: CallRecord): boolean {
    const { role, method, url } = this.start;
    return (
      this.#failedAt !== undefined &&
      this.#failedAt <= other.#startedAt &&
      role === other.start.role &&
      method === other.start.method &&
      url === other.start.url &&
      this.request.size === other.request.size &&
      Buffer.compare(this.request.bytes(), other.request.bytes()) === 0
    );
  }

  /** The call as known at its start. */
  head(): Call {
    const { role, parent, method, url, waited = 0, recording, program } = this.start;
    this.#url ??= program === undefined ? storedUrl(url) : url;
    const call: Mutable<Call> = {
      number: this.number,
      role,
      ...(parent !== undefined && { parent }),
      method,
      url: this.#url,
      start: this.#startedAt,
    };
    if (program !== undefined) call.program = program;
    if (waited > 0) call.waited = waited;
    if (recording?.replayed !== undefined) call.replayed = true;
    return call;
  }

  /** The call while it has no end. Until its body is seen, it may be one of a model. */
  begun(): Call {
    const call = this.toCall();
    const { method, url, program, notModels = [] } = this.start;
    const isSeen = this.request.size > 0 || program !== undefined || isReading.test(method);
    if (isSeen || call.unknown_model_call !== undefined || hasHost(url, notModels)) return call;
    return call.model_call === undefined ? { ...call, unknown_model_call: {} } : call;
  }

  toCall(): Call {
    if (this.start.program !== undefined) return this.#toProgram();
    const exchange = this.#recognised();
    const headers = storedHeadersOf(this.#headers);
    const note = this.#note ?? this.#missingNote();
    const { recording } = this.start;
    // Field by field: a run makes many of them.
    const call: Mutable<Call> = this.head();
    if (this.#status !== undefined) call.status = this.#status;
    if (this.#firstTokenAt !== undefined) call.first_token = this.#firstTokenAt;
    if (this.#endedAt !== undefined) call.end = this.#endedAt;
    call.request_size = this.request.size;
    if (this.#status !== undefined) call.response_size = this.#answerSize;
    if (headers !== undefined) call.headers = headers;
    if (this.#error !== undefined) call.error = this.#error;
    if (this.retryOf !== undefined) call.retry_of = this.retryOf;
    if (note !== undefined) call.note = note;
    if (this.#isRecorded || recording?.replayed) {
      call.recording = recording?.name ?? '';
      if (recording?.isShared) call.shared = true;
    }
    if (exchange !== undefined) call.model_call = exchange;
    else Object.assign(call, this.#other);
    return call;
  }

  #toProgram(): Call {
    const call: Mutable<Call> = this.head();
    if (this.#endedAt !== undefined) call.end = this.#endedAt;
    if (this.#error !== undefined) call.error = this.#error;
    return call;
  }

  /** Passes the answer to its recording before it is dropped. */
  #record(): void {
    const ended = this.start.recording?.ended;
    if (ended === undefined || this.#isRecorded) return;
    this.#isRecorded = ended(this.#observed());
  }

  #observed(): ObservedAnswer {
    const isDecoded = this.start.isDecoded === true || !('content-encoding' in this.#headers);
    const arrived = this.#arrivals.map(({ bytes }) => bytes);
    const chunks = isDecoded ? arrived : [this.#decodedAnswer()];
    const exchange = this.#recognised();
    return {
      status: this.#status,
      headers: this.#headers,
      url: this.#finalUrl,
      chunks: this.answer.size > maxBodyBytes ? undefined : chunks,
      size: this.answer.size,
      isComplete: this.#isComplete,
      hasEnded: this.hasEnded,
      error: this.#error,
      exchange,
    };
  }

  #recognised(): ModelExchange | undefined {
    if (this.#exchange !== undefined) return this.#exchange.value;
    const status = this.#status;
    const answer =
      status === undefined
        ? undefined
        : {
            status,
            headers: this.#headers,
            body: this.#decodedAnswer(),
            json: this.#isComplete ? this.start.recording?.replayed?.json : undefined,
            complete: this.#isComplete && !this.answer.isMissing,
          };
    const request = { ...this.start, body: this.request };
    const read = recognise(request, answer);
    const value = read && inStoredOrder(read);
    // Bodies of requests may come until the end.
    if (value === undefined) this.#other = otherRequest({ ...request, answer });
    if (value?.stream === true && this.#firstTokenAt === undefined) {
      this.#firstTokenAt = firstTokenAt(this.#headers['content-type'], this.#arrivals);
    }
    if (this.hasEnded) {
      this.#arrivals = [];
      this.#exchange = { value };
      this.answer.drop();
    }
    return value;
  }

  #decodedAnswer(): Uint8Array {
    const bytes = this.answer.bytes();
    if (this.start.isDecoded === true) return bytes;
    try {
      return decodeBody(bytes, this.#headers['content-encoding']);
    } catch (error) {
      this.note(`The answer could not be decompressed: ${errorLine(error)}.`);
      return new Uint8Array(0);
    }
  }

  get #answerSize(): number {
    const recorded = this.start.recording?.replayed?.size;
    return this.#isComplete && recorded !== undefined ? recorded : this.answer.size;
  }

  #missingNote(): string | undefined {
    const missing = [
      ...(this.request.isMissing ? ['request'] : []),
      ...(this.answer.size > maxBodyBytes ? ['answer'] : []),
    ];
    if (missing.length === 0) return undefined;
    const was = missing.length === 1 ? 'was' : 'were';
    return `The ${missing.join(' and the ')} had more than 16 MiB and ${was} not read.`;
  }

  #failed(): void {
    this.#failedAt = this.#lastAt;
    this.#listener.onFailed();
  }

  #end(): void {
    if (this.#endedAt !== undefined) return;
    this.#endedAt = this.#now();
    this.#record();
    this.#listener.onEnd();
  }
}
