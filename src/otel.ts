import { type SpanInProgress, startSpan } from './authoring/spans.js';

/** The fields that are read of a span of `@opentelemetry/sdk-trace-base`. */
export interface ReadableSpan {
  readonly name: string;
  /** 2 is a client. */
  readonly kind: number;
  readonly attributes: object;
  /** `code` 2 is an error. */
  readonly status: { readonly code: number; readonly message?: string };
  /** Of the second version of OpenTelemetry's packages. */
  readonly parentSpanContext?: { readonly spanId: string };
  /** Of the first version. */
  readonly parentSpanId?: string;
  spanContext(): { readonly spanId: string };
}

/** A `SpanProcessor` of OpenTelemetry. */
export interface AssaySpanProcessor {
  onStart(span: ReadableSpan): void;
  onEnd(span: ReadableSpan): void;
  forceFlush(): Promise<void>;
  shutdown(): Promise<void>;
}

const kindClient = 2;
const statusError = 2;
const inProgress = new WeakMap<object, SpanInProgress>();

/**
 * Adds the spans of an app to the results that they belong to: `new NodeTracerProvider({ spanProcessors: [spanProcessor] })`.
 * A span belongs to the attempt whose code starts it. Does nothing outside of evaluations, such as in production.
 */
export const spanProcessor: AssaySpanProcessor = {
  onStart(span) {
    if (isHttpCall(span)) return;
    const started = startSpan({
      id: span.spanContext().spanId,
      parent: span.parentSpanContext?.spanId ?? span.parentSpanId,
      name: span.name,
    });
    if (started !== undefined) inProgress.set(span, started);
  },
  onEnd(span) {
    const { name, attributes, status } = span;
    inProgress.get(span)?.end({
      name,
      ...(Object.keys(attributes).length > 0 && { attributes }),
      ...(status.code === statusError && { error: status.message ?? 'error' }),
    });
  },
  async forceFlush() {},
  async shutdown() {},
};

/** Instrumentations of HTTP clients make these; the calls of a result say more. */
function isHttpCall({ kind, attributes }: ReadableSpan): boolean {
  return (
    kind === kindClient && ('http.request.method' in attributes || 'http.method' in attributes)
  );
}
