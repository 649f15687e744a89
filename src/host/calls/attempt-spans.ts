import { subscribe } from 'node:diagnostics_channel';
import type { CallRole, Span } from '../../model/calls/model-call.js';
import type { Json, JsonObject } from '../../model/result.js';
import { cutMiddle } from '../../text/cut-middle.js';
import { type CallSanitizer, errorLine } from './stored-parts.js';

/** Maximum number of spans kept of one attempt. */
export const maxSpans = 1000;
const longestName = 200;
/** Name of the spans of OpenTelemetry in which `ai` 6 runs tools. */
const aiToolSpan = 'ai.toolCall';

export interface SpanStart {
  readonly kind: Span['kind'];
  readonly id: string;
  readonly parent?: string | undefined;
  readonly name: string;
  readonly arguments?: unknown;
}

/** Who begins it, and the id of the span of the AI SDK around it. */
interface Place {
  readonly role: CallRole;
  readonly span?: string;
}

interface SpanEnd {
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

interface Api {
  readonly context?: {
    active(): {
      getValue(key: symbol): { spanContext(): { readonly spanId: string } } | undefined;
    };
  };
}

// Every copy of `@opentelemetry/api` 1 shares both, so none needs to be loaded.
const apiKey = Symbol.for('opentelemetry.js.api.1');
const spanKey = Symbol.for('OpenTelemetry Context Key SPAN');

/** Id of the active OpenTelemetry span of the running code. */
function activeSpanId(): string | undefined {
  const { context } = (globalThis as { readonly [apiKey]?: Api })[apiKey] ?? {};
  try {
    return context?.active().getValue(spanKey)?.spanContext().spanId;
  } catch {
    // A context manager of the user's own.
    return undefined;
  }
}

interface AiToolCall {
  readonly toolName: string;
  readonly toolCallId: string;
  readonly input: unknown;
}

/** A tool, as `ai` 6 passes it to its integrations. */
export interface AiToolEvent {
  readonly toolCall: AiToolCall;
  readonly output?: unknown;
  readonly error?: unknown;
}

/** An event of `ai` 7, published at the start of an operation and again, with the outcome, at its end. */
interface AiMessage {
  readonly type?: unknown;
  readonly event?: {
    readonly toolCall?: AiToolCall;
    readonly callId?: unknown;
    readonly functionId?: unknown;
  };
  readonly result?: { readonly output?: { readonly output?: unknown; readonly error?: unknown } };
  readonly error?: unknown;
}

type BeginSpan = (start: SpanStart) => SpanRecord | undefined;

/** Operations inside other operations, visible by their own calls and tools. */
const partTypes = new Set<unknown>(['step', 'languageModelCall']);

/** Records the AI SDK: tools of versions 6 and 7, and functions of version 7. */
export class AiWork {
  readonly #running = new WeakMap<object, SpanRecord>();

  constructor() {
    subscribe('tracing:ai:telemetry:asyncEnd', (message) => {
      const { result, error } = message as AiMessage;
      const { output, error: failure = error } = result?.output ?? {};
      this.#end(message as object, { result: output, error: failure });
    });
  }

  /** Handles an event of `ai` 7; returns its span, if there is one. */
  published(message: unknown, begin: BeginSpan): Span | undefined {
    const { type, event = {} } = message as AiMessage;
    if (type === 'executeTool') return this.#begin(message as object, event.toolCall, begin);
    if (partTypes.has(type) || event.callId === undefined) return undefined;
    const name = String(event.functionId ?? type);
    const record = begin({ kind: 'span', id: String(event.callId), name });
    return this.#keep(message as object, record);
  }

  started({ toolCall }: AiToolEvent, begin: BeginSpan): void {
    this.#begin(toolCall, toolCall, begin);
  }

  finished({ toolCall, output, error }: AiToolEvent): void {
    this.#end(toolCall, { result: output, error });
  }

  #begin(key: object, call: AiToolCall | undefined, begin: BeginSpan): Span | undefined {
    if (call === undefined) return undefined;
    const { toolCallId: id, toolName: name, input } = call;
    const record = begin({ kind: 'tool', id: String(id), name: String(name), arguments: input });
    return this.#keep(key, record);
  }

  #keep(key: object, record: SpanRecord | undefined): Span | undefined {
    if (record !== undefined) this.#running.set(key, record);
    return record?.span;
  }

  #end(key: object, end: SpanEnd): void {
    this.#running.get(key)?.end(end);
    this.#running.delete(key);
  }
}
