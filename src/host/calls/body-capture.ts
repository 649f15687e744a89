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
