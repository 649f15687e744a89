import { Lines } from './lines.js';
import type { StreamEvent, StreamSplitter } from './stream-event.js';

/** Reads server-sent events as the HTML standard says; an event that has no empty line behind it counts, too. */
export class ServerSentEvents implements StreamSplitter {
  readonly #lines = new Lines();
  #name: string | undefined;
  #data: string[] = [];

  push(chunk: Uint8Array): StreamEvent[] {
    return this.#events(this.#lines.push(chunk));
  }

  end(): StreamEvent[] {
    return this.#events([...this.#lines.end(), '']);
  }

  #events(lines: readonly string[]): StreamEvent[] {
    const events: StreamEvent[] = [];
    for (const line of lines) {
      if (line === '') {
        if (this.#data.length > 0) {
          const data = this.#data.join('\n');
          events.push(this.#name === undefined ? { data } : { name: this.#name, data });
        }
        this.#name = undefined;
        this.#data = [];
      } else if (line.startsWith('data:')) this.#data.push(fieldValue(line, 5));
      else if (line === 'data') this.#data.push('');
      else if (line.startsWith('event:')) this.#name = fieldValue(line, 6);
    }
    return events;
  }
}

/** The text after the colon, without one leading space. */
function fieldValue(line: string, from: number): string {
  return line.slice(line[from] === ' ' ? from + 1 : from);
}
