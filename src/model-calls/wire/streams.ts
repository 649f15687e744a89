/** One event of a streamed answer. */
export interface StreamEvent {
  /** As the framing says it; JSON lines and arrays have no names. */
  readonly name?: string;
  /** Its text, mostly JSON. */
  readonly data: string;
  /** Only when true: the framing says that it is an error. */
  readonly isError?: true;
  /** Number of bytes of the answer with which it is complete. */
  readonly end: number;
}

/**
 * The events of a streamed answer, as far as it has come; none of an answer that is no stream. Without a content type of
 * streams, the first character decides.
 */
export function eventsIn(contentType: string | undefined, body: Uint8Array): Iterable<StreamEvent> {
  const type = contentType?.toLowerCase() ?? '';
  if (type.includes('vnd.amazon.eventstream')) return awsEvents(body);
  // A character for each byte, so that places in it are places in the body.
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1');
  if (type.includes('text/event-stream')) return serverSentEvents(text);
  if (/ndjson|jsonl|json-seq|stream\+json/.test(type)) return jsonLines(text);
  const [, first = ''] = /^(?:\s|\xef|\xbb|\xbf)*(.)/s.exec(text) ?? [];
  if (first === '[') return jsonArray(text);
  // `data:`, `event:`, `id:` and comments.
  return /[dei:]/.test(first) ? serverSentEvents(text) : [];
}

function utf8(latin1: string): string {
  return Buffer.from(latin1, 'latin1').toString('utf8');
}

const byteOrderMark = '\xef\xbb\xbf';

/** Lines that end in LF, CR or CR LF, each with where the next one begins; the last one may have no end. */
function* linesIn(text: string): Generator<readonly [line: string, next: number]> {
  let start = text.startsWith(byteOrderMark) ? byteOrderMark.length : 0;
  for (const { 0: lineEnd, index } of text.matchAll(/\r\n?|\n/g)) {
    const next = index + lineEnd.length;
    yield [text.slice(start, index), next];
    start = next;
  }
  if (start < text.length) yield [text.slice(start), text.length];
}

/** Server-sent events as the HTML standard says; the last one counts even without the empty line that ends it. */
function* serverSentEvents(text: string): Generator<StreamEvent> {
  let name: string | undefined;
  let data: string[] = [];
  const event = (end: number): StreamEvent => {
    return { ...(name !== undefined && { name: utf8(name) }), data: utf8(data.join('\n')), end };
  };
  for (const [line, next] of linesIn(text)) {
    if (line === '') {
      if (data.length > 0) yield event(next);
      name = undefined;
      data = [];
    } else if (line.startsWith('data:')) data.push(fieldValue(line, 5));
    else if (line === 'data') data.push('');
    else if (line.startsWith('event:')) name = fieldValue(line, 6);
  }
  if (data.length > 0) yield event(text.length);
}

/** The text after the colon, without one leading space. */
function fieldValue(line: string, from: number): string {
  return line.slice(line[from] === ' ' ? from + 1 : from);
}

/** A JSON value a line. */
function* jsonLines(text: string): Generator<StreamEvent> {
  for (const [line, end] of linesIn(text)) {
    if (line.trim() !== '') yield { data: utf8(line), end };
  }
}

const [quote, backslash] = [0x22, 0x5c];
const openers = new Set([0x5b, 0x7b]);
const closers = new Set([0x5d, 0x7d]);

/** The objects of a JSON array. */
function* jsonArray(text: string): Generator<StreamEvent> {
  let depth = 0;
  let start = 0;
  let isInText = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (isInText) {
      if (character === backslash) at += 1;
      else if (character === quote) isInText = false;
    } else if (character === quote) isInText = true;
    else if (openers.has(character)) {
      depth += 1;
      if (depth === 2) start = at;
    } else if (closers.has(character)) {
      depth -= 1;
      if (depth === 1) yield { data: utf8(text.slice(start, at + 1)), end: at + 1 };
    }
  }
}

const preludeBytes = 12;
const checksumBytes = 4;
/** AWS sends messages of at most 16 MiB; a greater length is no event stream. */
const longestMessage = 24 * 1024 * 1024;

/**
 * Messages of `application/vnd.amazon.eventstream`: length, length of headers, checksum; headers; payload; checksum.
 * Checksums are not checked; anything else than a message ends the reading.
 */
function* awsEvents(bytes: Uint8Array): Generator<StreamEvent> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let end = 0;
  for (let start = 0; bytes.length - start >= preludeBytes; start = end) {
    const length = view.getUint32(start);
    const payload = start + preludeBytes + view.getUint32(start + 4);
    end = start + length;
    if (length > longestMessage || payload + checksumBytes > end || end > bytes.length) return;
    const headers = readHeaders(bytes.subarray(start + preludeBytes, payload));
    const data = new TextDecoder().decode(bytes.subarray(payload, end - checksumBytes));
    yield { ...eventOf(headers, data), end };
  }
}

function eventOf(headers: ReadonlyMap<string, string>, data: string): Omit<StreamEvent, 'end'> {
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
