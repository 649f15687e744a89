import { subscribe } from 'node:diagnostics_channel';
import type { Span } from '../../model/calls/model-call.js';
import type { SpanEnd, SpanRecord, SpanStart } from './attempt-spans.js';

/** A tool call of the AI SDK. */
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

  /** `ai` 6 runs a tool. */
  started({ toolCall }: AiToolEvent, begin: BeginSpan): void {
    this.#begin(toolCall, toolCall, begin);
  }

  /** A tool of `ai` 6 has ended. */
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
