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
export function activeSpanId(): string | undefined {
  const { context } = (globalThis as { readonly [apiKey]?: Api })[apiKey] ?? {};
  try {
    return context?.active().getValue(spanKey)?.spanContext().spanId;
  } catch {
    // A context manager of the user's own.
    return undefined;
  }
}
