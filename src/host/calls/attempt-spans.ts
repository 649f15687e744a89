import type { CallRole, Span } from '../../model/calls/model-call.js';
import type { Json, JsonObject } from '../../model/result.js';
import { cutMiddle } from '../../text/cut-middle.js';
import { activeSpanId } from './active-span.js';
import type { CallSanitizer } from './clean-call.js';
import { errorLine } from './error-line.js';

/** Maximum number of spans kept of one attempt. */
export const maxSpans = 1000;
const longestName = 200;
/** Name of the spans of OpenTelemetry in which `ai` 6 runs tools. */
const aiToolSpan = 'ai.toolCall';

/** Start of a span. */
export interface SpanStart {
  readonly kind: Span['kind'];
  readonly id: string;
  readonly parent?: string | undefined;
  readonly name: string;
  /** Arguments of a tool. */
  readonly arguments?: unknown;
}

/** Who begins it, and the id of the span of the AI SDK around it. */
interface Place {
  readonly role: CallRole;
  readonly span?: string;
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
  readonly #byId = new Map<string, SpanRecord>();

  constructor(options: AttemptSpansOptions) {
    this.#options = options;
  }

  /** `undefined` if there are too many. */
  begin(start: SpanStart, place: Place): SpanRecord | undefined {
    const active = start.parent ?? activeSpanId();
    const around = this.#byId.get(active ?? '');
    if (start.kind === 'tool' && around?.span.name === aiToolSpan) {
      around.become(start);
      return around;
    }
    if (this.#records.length >= maxSpans) return undefined;
    const { now, sanitizer } = this.#options;
    const placed = { ...start, parent: this.innermost(place, active) };
    const record = new SpanRecord(placed, place, now, sanitizer());
    this.#records.push(record);
    this.#byId.set(start.id, record);
    return record;
  }

  /** Id of the innermost span around code: of the AI SDK, as its scope says, or the active one of OpenTelemetry. */
  innermost({ span }: Pick<Place, 'span'>, active = activeSpanId()): string | undefined {
    const record = this.#byId.get(active ?? '');
    return record !== undefined && record.isIn === span ? record.span.id : span;
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
  /** Id of the span of the AI SDK in which it began. */
  readonly isIn: string | undefined;
  readonly #now: () => number;
  readonly #sanitizer: CallSanitizer;

  constructor(
    start: SpanStart,
    { role, span: isIn }: Place,
    now: () => number,
    sanitizer: CallSanitizer,
  ) {
    this.isIn = isIn;
    this.#now = now;
    this.#sanitizer = sanitizer;
    const { parent } = start;
    this.span = {
      ...this.#started(start),
      role,
      start: now(),
      ...(parent === undefined ? {} : { parent }),
    };
  }

  /** Another observer says more about the same work. */
  become(start: SpanStart): void {
    this.span = { ...this.span, ...this.#started(start) };
  }

  #started({ kind, id, name, arguments: given }: SpanStart) {
    return {
      kind,
      id: this.#label(id),
      name: this.#label(name),
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
