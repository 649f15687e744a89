import { Lines } from './lines.js';
import type { StreamEvent, StreamSplitter } from './stream-event.js';

/** Reads a JSON value a line. */
export class JsonLines implements StreamSplitter {
  readonly #lines = new Lines();

  push(chunk: Uint8Array): StreamEvent[] {
    return eventsOf(this.#lines.push(chunk));
  }

  end(): StreamEvent[] {
    return eventsOf(this.#lines.end());
  }
}

function eventsOf(lines: readonly string[]): StreamEvent[] {
  return lines.filter((line) => line.trim() !== '').map((data) => ({ data }));
}
