import { copyPlain } from '../../authoring/copy-plain.js';
import type { Call, Trace } from '../../model/calls/model-call.js';
import { packCalls, type StoredCalls, unpackCalls } from '../../model/calls/stored-calls.js';
import { isOfEvaluation, mayCost, type Period } from '../../model/calls/usage.js';
import { isSameInOrder } from '../../model/json.js';
import type { Json } from '../../model/result.js';
import type { CallSettings } from '../../recordings/recording.js';
import { cutMiddle } from '../../text/cut-middle.js';
import { AttemptSpans } from './attempt-spans.js';
import { CallRecord, type CallStart, type FailedCall } from './call-record.js';
import { type CallSanitizer, cleanCall } from './stored-parts.js';

export interface AttemptCallsOptions {
  /** Seconds since the attempt began. */
  readonly now: () => number;
  /** Earlier calls: of the import of its file, or of the target whose output it grades again. */
  readonly earlier: Trace;
  readonly settings: Pick<CallSettings, 'capture' | 'captureMib'>;
  readonly sanitizer: () => CallSanitizer;
  /** Reports of quick calls are not closer together, since a report costs as much as such a call. */
  readonly secondsBetweenReports: number;
  /** Batches work with other work of this kind. */
  readonly later: (work: () => void) => void;
  /** Calls have begun or ended: without their texts before {@link AttemptCalls.store}, with them after it. */
  readonly onCalled: (calls: StoredCalls) => void;
}

/** Milliseconds for which the rest of answers is read. */
const mostForRestMs = 2000;

/** The calls of one attempt, or of the import of one file. */
export class AttemptCalls {
  #records: CallRecord[] = [];
  /** Failed calls that a client may still repeat. */
  readonly #failed: CallRecord[] = [];
  /** Calls that have begun or ended since the last report. */
  readonly #unreported = new Set<CallRecord>();
  /** Calls that were reported as begun and may cost something. Until the end of each is reported, the cost is unknown. */
  readonly #open = new Set<CallRecord>();
  #reportedAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  readonly #options: AttemptCallsOptions;
  readonly spans: AttemptSpans;
  readonly #earlier: readonly Call[];
  #begun: number;
  #isStored = false;
  /** What grading sees of the target's calls, where all of them have ended; a copy, as graders may change them. */
  #graded: readonly Call[] | undefined = [];

  constructor(options: AttemptCallsOptions) {
    this.#options = options;
    this.spans = new AttemptSpans(options);
    this.#earlier = renumbered(options.earlier.calls);
    this.#begun = this.#earlier.length;
  }

  begin(start: CallStart): CallRecord {
    const { now, onCalled } = this.#options;
    this.#begun += 1;
    const record = new CallRecord(this.#begun, start, now, {
      onFailed: () => this.#failed.push(record),
      onEnd: () => this.#ended(record),
    });
    this.#records.push(record);
    const { asked } = start;
    if (asked !== undefined) {
      // At once: what it asked for must not be counted again when its attempt ends.
      const { calls, texts } = this.#withoutTexts([record.head()]);
      onCalled({ calls: calls.map((call) => ({ ...call, asked })), texts });
    }
    this.#changed(record);
    return record;
  }

  /** The calls so far, in order of their start, as user code sees them: what they cost is known only when they are stored. */
  list(): Call[] {
    return this.#all().map((call) => ('cost' in call ? withoutCost(call) : call));
  }

  /** All of target and body, stored ones with what they cost. */
  ofEvaluation(): Call[] {
    return this.#all().filter(isOfEvaluation);
  }

  #all(): Call[] {
    const own = this.#records.map((record) => this.#callOf(record));
    return this.#earlier.length === 0 ? own : [...this.#earlier, ...own];
  }

  /** The target has finished: its calls are graded from now on. */
  beginGrading(): void {
    const calls = ofTarget(this.list());
    const copies = calls.map(copyPlain);
    // What is too large to be copied is shared.
    const areCopied = calls.every((call, at) => call.end !== undefined && call !== copies[at]);
    this.#graded = areCopied ? copies : undefined;
  }

  /** True if grading again sees the calls of the target, as they were stored, like grading did. */
  areExact(stored: StoredCalls): boolean {
    const calls = ofTarget(unpackCalls(stored).calls).map(withoutCost);
    // The order of fields counts: prompts are made of calls.
    return this.#graded !== undefined && isSameInOrder(renumbered(calls), this.#graded);
  }

  /** True for a request that has no answer yet. */
  isUnderWay({ method, url }: Pick<CallStart, 'method' | 'url'>): boolean {
    return this.#records.some(
      ({ start, isAwaited }) => isAwaited && start.method === method && start.url === url,
    );
  }

  /** Its own calls of models without a connection, or with the answer 429 or 5xx. A call that was aborted is none of these. */
  inTransport(): FailedCall[] {
    return this.#records.flatMap((record) => record.transportFailure ?? []);
  }

  /** Time intervals of its own calls, in seconds since the attempt began. */
  periods(): Period[] {
    return this.#records.map(({ period }) => period);
  }

  /** Removes and returns ended calls. */
  take(): Call[] {
    const ended = this.#records.filter((record) => record.hasEnded);
    this.#records = this.#records.filter((record) => !record.hasEnded);
    return ended.map((record) => this.#callOf(record));
  }

  /** Reads answers whose clients have read only the head, for recordings; with a time limit, as some never end. */
  readRest(): Promise<unknown> | undefined {
    const open = this.#records.filter(({ hasEnded, rest }) => !hasEnded && rest !== undefined);
    if (open.length === 0) return undefined;
    let timer: NodeJS.Timeout;
    const late = new Promise((resolve) => {
      timer = setTimeout(resolve, mostForRestMs);
    });
    const all = Promise.all(open.map(({ rest }) => rest?.()));
    return Promise.race([all, late]).finally(() => clearTimeout(timer));
  }

  /** The calls for storing with the result; calls that end later are reported as late. */
  store(): StoredCalls {
    this.#isStored = true;
    this.#unreported.clear();
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const record of this.#records) record.settle();
    const spans = this.spans.list();
    return this.#packed(this.#all(), spans.length > 0 ? { spans } : {});
  }

  #callOf(record: CallRecord): Call {
    record.retryOf ??= this.#repeatedBy(record);
    return record.toCall();
  }

  /** The number of the failed call with the same request that nothing else repeats. */
  #repeatedBy(record: CallRecord): number | undefined {
    const at = this.#failed.findLastIndex((failed) => failed.isRepeatedBy(record));
    return at === -1 ? undefined : this.#failed.splice(at, 1)[0]?.number;
  }

  #ended(record: CallRecord): void {
    record.retryOf ??= this.#repeatedBy(record);
    if (this.#isStored) {
      this.#unreported.delete(record);
      this.#options.onCalled(this.#packed([late(record.toCall())]));
    } else this.#changed(record);
  }

  /**
   * Reports a call in case the process dies before it sends the result. The start of a call is reported at once, unless the
   * runner already knows of a call that has not ended. Replayed calls cost nothing: only their end is reported, and later.
   */
  #changed(record: CallRecord): void {
    const isReplayed = record.start.recording?.replayed !== undefined;
    if (isReplayed && !record.hasEnded) return;
    this.#unreported.add(record);
    const { now, later, secondsBetweenReports } = this.#options;
    const since = isReplayed ? Math.max(this.#reportedAt, now()) : this.#reportedAt;
    const wait = since + secondsBetweenReports - now();
    const report = () => this.#report();
    const isUrgent = this.#open.size === 0 && !isReplayed;
    if (isUrgent || wait <= 0 || this.#isStored) later(report);
    else this.#timer ??= setTimeout(() => later(report), wait * 1000).unref();
  }

  #report(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#unreported.size === 0) return;
    const calls = Array.from(this.#unreported, (record) => {
      const call = record.hasEnded ? record.toCall() : record.begun();
      if (!record.hasEnded && mayCost(call)) this.#open.add(record);
      else this.#open.delete(record);
      return call;
    });
    this.#unreported.clear();
    this.#reportedAt = this.#options.now();
    this.#options.onCalled(this.#withoutTexts(this.#isStored ? calls.map(late) : calls));
  }

  #packed(calls: readonly Call[], spans: Pick<Trace, 'spans'> = {}): StoredCalls {
    const { capture, captureMib } = this.#options.settings;
    if (capture === 'usage') return this.#withoutTexts(calls);
    const sanitizer = this.#options.sanitizer();
    const trace = { calls: calls.map((call) => cleanCall(call, sanitizer)), ...spans };
    const packed = packCalls(trace, (item) => sanitizer.callText(item));
    return fitCalls(packed, captureMib);
  }

  #withoutTexts(calls: readonly Call[]): StoredCalls {
    const sanitizer = this.#options.sanitizer();
    return packCalls({ calls: calls.map((call) => cleanCall(withoutText(call), sanitizer)) });
  }
}

/** With numbers from 1 on. */
function renumbered(calls: readonly Call[]): Call[] {
  const numbers = new Map(calls.map(({ number }, position) => [number, position + 1]));
  return calls.map((call, position) => {
    const { retry_of, ...others } = call;
    const number = position + 1;
    const repeated = retry_of === undefined ? undefined : numbers.get(retry_of);
    // In their order: code may see it.
    return repeated === undefined ? { ...others, number } : { ...call, number, retry_of: repeated };
  });
}

function ofTarget(calls: readonly Call[]): Call[] {
  return calls.filter(({ role }) => role === 'target');
}

function withoutCost({ cost: _, ...call }: Call): Call {
  return call;
}

function late(call: Call): Call {
  return { ...call, late: true };
}

function withoutText({ error: _error, mcp: _mcp, ...call }: Call): Call {
  if (call.model_call === undefined) return call;
  const { messages, answer, tools, tool_calls, parameters, error, ...exchange } = call.model_call;
  return { ...call, model_call: exchange };
}

const longestText = 64 * 1024;
const shortestText = 64;

/** The calls, with the middle of long texts cut so that they fit; the same array if they fit already. */
function fitCalls(calls: StoredCalls, maxMib = 2): StoredCalls {
  const maxBytes = maxMib * 1024 * 1024;
  if (mostBytesOf(calls) <= maxBytes || bytesOf(calls) <= maxBytes) return calls;
  for (let longest = longestText; longest >= shortestText; longest /= 4) {
    const fitted = { ...(cutTexts(calls as unknown as Json, longest) as object), cut: true };
    if (bytesOf(fitted) <= maxBytes) return fitted as StoredCalls;
  }
  // Thousands of calls, or of messages: what they cost is kept.
  return { ...withoutExchangeTexts(calls), texts: [], cut: true };
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** Bytes that the JSON of a value has at most: escapes make text up to six times as long. */
function mostBytesOf(value: unknown): number {
  if (typeof value === 'string') return 6 * value.length + 3;
  if (typeof value !== 'object' || value === null) return 25;
  let bytes = 3;
  for (const [name, field] of Object.entries(value))
    bytes += 6 * name.length + 4 + mostBytesOf(field);
  return bytes;
}

function cutTexts(value: Json, longest: number): Json {
  if (typeof value === 'string') return cutMiddle(value, longest);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: Json) => cutTexts(item, longest));
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, cutTexts(field, longest)]),
  );
}

function withoutExchangeTexts({ calls, spans }: StoredCalls): Pick<StoredCalls, 'calls' | 'spans'> {
  return {
    ...(spans && { spans: spans.map(({ arguments: _, result, attributes, ...span }) => span) }),
    calls: calls.map(({ model_call, ...call }) => {
      if (model_call === undefined) return call;
      const { messages, answer, tools, tool_calls, parameters, ...exchange } = model_call;
      return { ...call, model_call: exchange };
    }),
  };
}
