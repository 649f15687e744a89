import { joinBytes } from './lines.js';
import type { StreamEvent, StreamSplitter } from './stream-event.js';

const preludeBytes = 12;
const checksumBytes = 4;
/** AWS sends messages of at most 16 MiB; a greater length is no event stream. */
const longestMessage = 24 * 1024 * 1024;

/**
 * Reads messages of `application/vnd.amazon.eventstream`: length, length of headers, checksum; headers; payload; checksum.
 * Checksums are not checked; anything else than a message ends the reading.
 */
export class AwsEventStream implements StreamSplitter {
  #chunks: Uint8Array[] = [];
  #size = 0;
  #wanted = preludeBytes;
  #isBroken = false;

  push(chunk: Uint8Array): StreamEvent[] {
    if (this.#isBroken) return [];
    this.#chunks.push(chunk.slice());
    this.#size += chunk.length;
    if (this.#size < this.#wanted) return [];
    const bytes = joinBytes(this.#chunks);
    const events: StreamEvent[] = [];
    let start = 0;
    this.#wanted = preludeBytes;
    while (bytes.length - start >= preludeBytes) {
      const view = new DataView(bytes.buffer, start);
      const length = view.getUint32(0);
      const headersEnd = preludeBytes + view.getUint32(4);
      if (length > longestMessage || headersEnd + checksumBytes > length) {
        this.#isBroken = true;
        break;
      }
      if (bytes.length - start < length) {
        this.#wanted = length;
        break;
      }
      const headers = readHeaders(bytes.subarray(start + preludeBytes, start + headersEnd));
      const payload = bytes.subarray(start + headersEnd, start + length - checksumBytes);
      events.push(eventOf(headers, new TextDecoder().decode(payload)));
      start += length;
    }
    const rest = bytes.subarray(start);
    this.#chunks = [rest];
    this.#size = rest.length;
    return events;
  }

  end(): StreamEvent[] {
    return [];
  }
}

function eventOf(headers: ReadonlyMap<string, string>, data: string): StreamEvent {
  const type = headers.get(':message-type');
  if (type === 'exception') {
    return { name: headers.get(':exception-type') ?? type, data, isError: true };
  }
  if (type === 'error') {
    const message = headers.get(':error-message') ?? '';
    return {
      name: headers.get(':error-code') ?? type,
      data: JSON.stringify({ message }),
      isError: true,
    };
  }
  return { name: headers.get(':event-type') ?? '', data };
}

/** Bytes of a value by its type; texts and byte arrays (7 and 6) say their own length. */
const valueBytes: Readonly<Record<number, number>> = {
  0: 0,
  1: 0,
  2: 1,
  3: 2,
  4: 4,
  5: 8,
  8: 8,
  9: 16,
};

/** The headers whose value is a text. */
function readHeaders(bytes: Uint8Array): ReadonlyMap<string, string> {
  const decoder = new TextDecoder();
  const headers = new Map<string, string>();
  let at = 0;
  while (at < bytes.length) {
    const nameEnd = at + 1 + (bytes[at] as number);
    const type = bytes[nameEnd];
    if (type === undefined) break;
    const isText = type === 7;
    const hasLength = isText || type === 6;
    const start = nameEnd + (hasLength ? 3 : 1);
    const length = hasLength
      ? (bytes[nameEnd + 1] ?? 0) * 256 + (bytes[nameEnd + 2] ?? 0)
      : valueBytes[type];
    if (length === undefined || start + length > bytes.length) break;
    if (isText) {
      const name = decoder.decode(bytes.subarray(at + 1, nameEnd));
      headers.set(name, decoder.decode(bytes.subarray(start, start + length)));
    }
    at = start + length;
  }
  return headers;
}
