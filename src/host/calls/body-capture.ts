import { type Json, parseJson } from '../../model/json.js';

/** Maximum bytes kept of one body; longer ones are only measured. */
export const maxBodyBytes = 16 * 1024 * 1024;

/** A copy of the body of a request or an answer, as it passes. */
export class BodyCapture {
  /** Bytes that have passed. */
  size = 0;
  #pieces: (Uint8Array | string)[] = [];
  #isDropped = false;
  #json: { readonly value: Json | undefined } | undefined;

  /** Adds a piece and returns the kept part. Bytes are copied, because their owner may change or transfer the memory. */
  add(piece: Uint8Array | string): Uint8Array | string | undefined {
    this.size += typeof piece === 'string' ? Buffer.byteLength(piece) : piece.byteLength;
    this.#json = undefined;
    if (this.size > maxBodyBytes) this.drop();
    if (this.#isDropped) return undefined;
    const kept = typeof piece === 'string' ? piece : Buffer.from(piece);
    this.#pieces.push(kept);
    return kept;
  }

  /** Forgets the content, now and from now on. */
  drop(): void {
    this.#isDropped = true;
    this.#pieces = [];
    this.#json = undefined;
  }

  /** The content is missing, although it was not empty. */
  get isMissing(): boolean {
    return this.#isDropped && this.size > 0;
  }

  bytes(): Uint8Array {
    const [first, ...others] = this.#pieces;
    if (first === undefined) return new Uint8Array(0);
    if (others.length === 0) return asBytes(first);
    const whole = Buffer.concat(this.#pieces.map(asBytes));
    this.#pieces = [whole];
    return whole;
  }

  /** The content as JSON, parsed once; `undefined` for anything else. */
  json(): Json | undefined {
    this.#json ??= { value: this.size === 0 ? undefined : parseJson(this.#text()) };
    return this.#json.value;
  }

  #text(): string {
    const [first] = this.#pieces;
    if (typeof first === 'string' && this.#pieces.length === 1) return first.toWellFormed();
    return new TextDecoder().decode(this.bytes());
  }
}

function asBytes(piece: Uint8Array | string): Uint8Array {
  return typeof piece === 'string' ? Buffer.from(piece) : piece;
}

type Decode = (bytes: Uint8Array) => Uint8Array;

/** A decompressed body; of a cut body, the available part. Throws for invalid bytes. */
export function decodeBody(bytes: Uint8Array, encoding: string | undefined): Uint8Array {
  if (encoding === undefined || bytes.length === 0) return bytes;
  // The last was applied last.
  return encoding
    .toLowerCase()
    .split(',')
    .reverse()
    .reduce((body, name) => decoderOf(name.trim())(body), bytes);
}

function decoderOf(name: string): Decode {
  const zlib = process.getBuiltinModule('node:zlib');
  const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH } = zlib.constants;
  switch (name) {
    case 'gzip':
    case 'x-gzip':
    case 'deflate':
      return (bytes) => zlib.unzipSync(bytes, { finishFlush: Z_SYNC_FLUSH });
    case 'br':
      return (bytes) => zlib.brotliDecompressSync(bytes, { finishFlush: BROTLI_OPERATION_FLUSH });
    case 'zstd': {
      // From Node 22.15 on; the types are those of Node 20.
      const { zstdDecompressSync } = zlib as typeof zlib & { zstdDecompressSync?: Decode };
      if (zstdDecompressSync !== undefined) return zstdDecompressSync;
      throw new Error('this version of Node cannot decompress zstd');
    }
    case 'identity':
    case '':
      return (bytes) => bytes;
    default:
      throw new Error(`unknown content encoding ${name}`);
  }
}
