import { AwsEventStream } from './aws-event-stream.js';
import { JsonArray } from './json-array.js';
import { JsonLines } from './json-lines.js';
import { ServerSentEvents } from './server-sent-events.js';
import type { StreamEvent, StreamSplitter } from './stream-event.js';

/** Makes a splitter for the content type of an answer; one of JSON or unknown type is looked at first. */
export function streamSplitter(contentType: string | undefined): StreamSplitter {
  const type = contentType?.toLowerCase() ?? '';
  if (type.includes('text/event-stream')) return new ServerSentEvents();
  if (type.includes('vnd.amazon.eventstream')) return new AwsEventStream();
  if (/ndjson|jsonl|json-seq|stream\+json/.test(type)) return new JsonLines();
  return new GuessedStream();
}

const blank = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf]);
/** First letters of `data:`, `event:`, `id:` and comments. */
const beginsEvent = new Set([0x64, 0x65, 0x69, 0x3a]);

/** Decides by the first byte that is not blank: an array of JSON, server-sent events without their content type, or no stream. */
class GuessedStream implements StreamSplitter {
  #found: StreamSplitter | 'none' | undefined;

  /** False when the bytes are no stream. */
  get isStream(): boolean {
    return typeof this.#found === 'object';
  }

  push(chunk: Uint8Array): readonly StreamEvent[] {
    this.#found ??= guess(chunk);
    return typeof this.#found === 'object' ? this.#found.push(chunk) : [];
  }

  end(): readonly StreamEvent[] {
    return typeof this.#found === 'object' ? this.#found.end() : [];
  }
}

function guess(chunk: Uint8Array): StreamSplitter | 'none' | undefined {
  const first = chunk.find((byte) => !blank.has(byte));
  if (first === undefined) return undefined;
  if (first === 0x5b) return new JsonArray();
  return beginsEvent.has(first) ? new ServerSentEvents() : 'none';
}
