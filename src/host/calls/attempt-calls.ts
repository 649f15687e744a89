import type { Call } from '../../model/model-call.js';
import type { Json } from '../../model/result.js';
import { packCalls, type StoredCalls } from '../../model/stored-calls.js';
import { CallRecord, type CallStart } from './call-record.js';
import { fitCalls } from './fit-calls.js';

/** Takes secrets out of what is stored. */
export interface CallSanitizer {
  text(text: string): string;
  callText(value: Json): Json;
}

export interface AttemptCallsOptions {
  /** Seconds since the attempt began. */
  readonly now: () => number;
  /** Calls of the target, for an attempt that grades again what it said. */
  readonly earlier: readonly Call[];
  /** Keep numbers and no text. */
  readonly usageOnly: boolean;
  /** A call has ended after {@link AttemptCalls.store}. */
  readonly onLate: (calls: StoredCalls) => void;
}

/** The calls of one attempt. */
export class AttemptCalls {
  readonly #records: CallRecord[] = [];
  readonly #options: AttemptCallsOptions;
  #sanitizer: CallSanitizer | undefined;

  constructor(options: AttemptCallsOptions) {
    this.#options = options;
  }

  begin(start: CallStart): CallRecord {
    const record: CallRecord = new CallRecord(start, this.#options.now, () => this.#ended(record));
    this.#records.push(record);
    return record;
  }

  /** The calls so far, in order of their start. */
  list(): Call[] {
    const { earlier } = this.#options;
    const own = this.#records.map((_, position) => this.#callAt(position));
    return earlier.length === 0 ? own : [...earlier, ...own];
  }

  /** The calls as they are stored with the result; those that end from now on are reported as late. */
  store(sanitizer: CallSanitizer): StoredCalls {
    this.#sanitizer = sanitizer;
    return this.#packed(this.list(), sanitizer);
  }

  #callAt(position: number, isLate = false): Call {
    const record = this.#records[position] as CallRecord;
    const before = this.#options.earlier.length + 1;
    const repeated = this.#repeatedBy(record, position);
    const retryOf = repeated === -1 ? undefined : repeated + before;
    return record.toCall(position + before, retryOf, isLate);
  }

  /** Where the last failed call with the same request is, or -1. */
  #repeatedBy(record: CallRecord, position: number): number {
    for (let before = position - 1; before >= 0; before -= 1) {
      const other = this.#records[before] as CallRecord;
      if (other.repeats(record)) return other.mayBeRetried ? before : -1;
    }
    return -1;
  }

  #ended(record: CallRecord): void {
    if (this.#sanitizer === undefined) return;
    const late = this.#callAt(this.#records.indexOf(record), true);
    this.#options.onLate(this.#packed([late], this.#sanitizer));
  }

  #packed(calls: readonly Call[], sanitizer: CallSanitizer): StoredCalls {
    const clean = calls.map((call) => withoutSecrets(call, sanitizer));
    if (this.#options.usageOnly) return packCalls(clean.map(withoutText));
    return fitCalls(packCalls(clean, (item) => sanitizer.callText(item)));
  }
}

/** Without those in messages and tools, which are cleaned once for all calls. */
function withoutSecrets(call: Call, sanitizer: CallSanitizer): Call {
  const text = (value: string) => sanitizer.text(value);
  const callText = (value: Json) => sanitizer.callText(value);
  const { model_call, headers, error } = call;
  const { tool_calls, parameters, error: problem } = model_call ?? {};
  return {
    ...call,
    url: text(call.url),
    ...(headers && {
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, text(value)]),
      ),
    }),
    ...(error === undefined ? {} : { error: text(error) }),
    ...(model_call && {
      model_call: {
        ...model_call,
        ...(tool_calls && {
          tool_calls: tool_calls.map((one) => ({ ...one, arguments: callText(one.arguments) })),
        }),
        ...(parameters && { parameters: callText(parameters) as typeof parameters }),
        ...(problem === undefined ? {} : { error: text(problem) }),
      },
    }),
  };
}

function withoutText({ error: _error, ...call }: Call): Call {
  if (call.model_call === undefined) return call;
  const { messages, answer, tools, tool_calls, parameters, error, ...exchange } = call.model_call;
  return { ...call, model_call: exchange };
}
