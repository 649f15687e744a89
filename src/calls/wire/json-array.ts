import { joinBytes } from './lines.js';
import type { StreamEvent, StreamSplitter } from './stream-event.js';

const quote = 0x22;
const backslash = 0x5c;

/** Reads the objects of a JSON array one by one, as they come. */
export class JsonArray implements StreamSplitter {
  readonly #decoder = new TextDecoder();
  #pieces: Uint8Array[] = [];
  #depth = 0;
  #inText = false;
  #isEscaped = false;

  push(chunk: Uint8Array): StreamEvent[] {
    const events: StreamEvent[] = [];
    let start = this.#depth > 1 ? 0 : -1;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] as number;
      if (this.#inText) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (byte === backslash) this.#isEscaped = true;
        else if (byte === quote) this.#inText = false;
      } else if (byte === quote) this.#inText = true;
      else if (byte === 0x5b || byte === 0x7b) {
        this.#depth += 1;
        if (this.#depth === 2) start = at;
      } else if ((byte === 0x5d || byte === 0x7d) && this.#depth > 0) {
        this.#depth -= 1;
        if (this.#depth === 1) {
          const bytes = joinBytes([...this.#pieces, chunk.subarray(start, at + 1)]);
          events.push({ data: this.#decoder.decode(bytes) });
          this.#pieces = [];
          start = -1;
        }
      }
    }
    if (start >= 0) this.#pieces.push(chunk.slice(start));
    return events;
  }

  end(): StreamEvent[] {
    return [];
  }
}
