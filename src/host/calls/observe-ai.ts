import { subscribe } from 'node:diagnostics_channel';
import type { SpanEnd, SpanRecord, SpanStart } from './attempt-spans.js';

/** A tool call of the AI SDK. */
interface AiToolCall {
  readonly toolName: string;
  readonly toolCallId: string;
  readonly input: unknown;
}

/** What `ai` 6 passes to its integrations about a tool. */
export interface AiToolEvent {
  readonly toolCall: AiToolCall;
  readonly output?: unknown;
  readonly error?: unknown;
}

/** What `ai` 7 publishes at the begin of some work, and again with its outcome at the end. */
interface AiMessage {
  readonly type?: unknown;
  readonly event?: { readonly toolCall?: AiToolCall };
  readonly result?: { readonly output?: { readonly output?: unknown; readonly error?: unknown } };
  readonly error?: unknown;
}

type BeginSpan = (start: SpanStart) => SpanRecord | undefined;

/** The tools that the AI SDK runs, whose version 6 calls integrations, and version 7 publishes. */
export class AiTools {
  readonly #running = new WeakMap<object, SpanRecord>();

  constructor() {
    subscribe('tracing:ai:telemetry:asyncEnd', (message) => {
      const { result, error } = message as AiMessage;
      const { output, error: failure = error } = result?.output ?? {};
      this.#end(message as object, { result: output, error: failure });
    });
  }

  /** Takes in what `ai` 7 has published. */
  published(message: unknown, begin: BeginSpan): void {
    const { type, event } = message as AiMessage;
    if (type === 'executeTool') this.#begin(message as object, event?.toolCall, begin);
  }

  /** `ai` 6 runs a tool. */
  started({ toolCall }: AiToolEvent, begin: BeginSpan): void {
    this.#begin(toolCall, toolCall, begin);
  }

  /** A tool of `ai` 6 has ended. */
  finished({ toolCall, output, error }: AiToolEvent): void {
    this.#end(toolCall, { result: output, error });
  }

  #begin(key: object, call: AiToolCall | undefined, begin: BeginSpan): void {
    if (call === undefined) return;
    const { toolCallId: id, toolName: name, input } = call;
    const record = begin({ kind: 'tool', id: String(id), name: String(name), arguments: input });
    if (record !== undefined) this.#running.set(key, record);
  }

  #end(key: object, end: SpanEnd): void {
    this.#running.get(key)?.end(end);
    this.#running.delete(key);
  }
}
