import type { CallRole, Span } from '../../model/calls/model-call.js';
import type { Json, JsonObject } from '../../model/result.js';
import { cutMiddle } from '../../text/cut-middle.js';
import type { CallSanitizer } from './clean-call.js';
import { errorLine } from './error-line.js';

/** Maximum number of spans kept of one attempt. */
export const maxSpans = 1000;
const longestName = 200;

/** Start of a span. */
export interface SpanStart {
  readonly kind: Span['kind'];
  readonly id: string;
  readonly parent?: string | undefined;
  readonly name: string;
  /** Arguments of a tool. */
  readonly arguments?: unknown;
}

/** A span at its end. */
export interface SpanEnd {
  /** Result of a tool. */
  readonly result?: unknown;
  readonly attributes?: unknown;
  readonly error?: unknown;
  /** Values that differ from those at the start. */
  readonly name?: string;
}

interface AttemptSpansOptions {
  /** Seconds since the attempt began. */
  readonly now: () => number;
  readonly earlier: { readonly spans?: readonly Span[] };
  readonly sanitizer: () => CallSanitizer;
}

/** The tools that ran in an attempt, and the spans of its OpenTelemetry. */
export class AttemptSpans {
  readonly #options: AttemptSpansOptions;
  readonly #records: SpanRecord[] = [];

  constructor(options: AttemptSpansOptions) {
    this.#options = options;
  }

  /** `undefined` if there are too many. */
  begin(start: SpanStart, role: CallRole): SpanRecord | undefined {
    if (this.#records.length >= maxSpans) return undefined;
    const { now, sanitizer } = this.#options;
    const record = new SpanRecord(start, role, now, sanitizer());
    this.#records.push(record);
    return record;
  }

  /** The spans so far, in order of their start. */
  list(): Span[] {
    const { spans = [] } = this.#options.earlier;
    return [...spans, ...this.#records.map((record) => record.span)];
  }
}

/** A span while it is observed; its values are copied at that moment, without secrets. */
export class SpanRecord {
  span: Span;
  readonly #now: () => number;
  readonly #sanitizer: CallSanitizer;

  constructor(start: SpanStart, role: CallRole, now: () => number, sanitizer: CallSanitizer) {
    this.#now = now;
    this.#sanitizer = sanitizer;
    const { kind, id, parent, name, arguments: given } = start;
    this.span = {
      kind,
      id: this.#label(id),
      ...(parent === undefined ? {} : { parent }),
      name: this.#label(name),
      role,
      start: now(),
      ...(given === undefined ? {} : { arguments: this.#value(given) }),
    };
  }

  end({ result, attributes, error, name }: SpanEnd): void {
    if (this.span.end !== undefined) return;
    this.span = {
      ...this.span,
      ...(name === undefined ? {} : { name: this.#label(name) }),
      end: this.#now(),
      ...(error === undefined ? {} : { error: this.#sanitizer.text(errorLine(error)) }),
      ...(result === undefined ? {} : { result: this.#value(result) }),
      ...(attributes === undefined ? {} : { attributes: this.#value(attributes) as JsonObject }),
    };
  }

  #label(text: string): string {
    return cutMiddle(this.#sanitizer.text(text), longestName);
  }

  /** Anything becomes JSON there. */
  #value(value: unknown): Json {
    return this.#sanitizer.callText(value as Json);
  }
}
