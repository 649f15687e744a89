import { AsyncResource } from 'node:async_hooks';
import { isBytes } from '../../values/inspect-value.js';

/** Maximum length of text read from a stream, in characters: a stream may be endless. */
const maxCharacters = 128 * 1024 * 1024;
/** Maximum chunks read from a stream that is neither text nor bytes. */
const maxValues = 100_000;
/** Milliseconds of reading available chunks before timers and other attempts get a turn. */
const turnMs = 10;

interface Source {
  readonly next: () => Promise<IteratorResult<unknown, unknown>>;
  /** Tells the source that no more is read. */
  readonly cancel: (reason: unknown) => unknown;
}

/**
 * Reads a stream to its end: text and bytes (UTF-8) become one text, other chunks a list. Aborting the signal
 * cancels the stream and rejects.
 */
export class StreamReading {
  readonly #source: Source;
  readonly #signal: AbortSignal;
  readonly #onFirst: () => void;
  readonly #decoder = new TextDecoder();
  #chunks = 0;
  #text = '';
  /** Defined from the first chunk that is neither text nor bytes. */
  #values: unknown[] | undefined;

  /** `onFirst` is called with the first chunk. Throws for a stream that was already read. */
  constructor(stream: object, signal: AbortSignal, onFirst: () => void) {
    this.#source = sourceOf(stream);
    this.#signal = signal;
    this.#onFirst = onFirst;
  }

  /** Everything read so far. */
  get value(): unknown {
    return this.#values ?? this.#text;
  }

  /** Resolves to the complete value. */
  finish(): Promise<unknown> {
    return new Promise((resolve, reject) => {
      // In the context of the attempt, because the source may print something.
      const onAbort = AsyncResource.bind(() => {
        this.#cancel();
        reject(this.#signal.reason);
      });
      if (this.#signal.aborted) {
        onAbort();
        return;
      }
      this.#signal.addEventListener('abort', onAbort, { once: true });
      this.#read()
        .finally(() => this.#signal.removeEventListener('abort', onAbort))
        .then(resolve, reject);
    });
  }

  async #read(): Promise<unknown> {
    let turnEndsAt = performance.now() + turnMs;
    for (;;) {
      if (performance.now() >= turnEndsAt) {
        await new Promise((resolve) => setImmediate(resolve));
        turnEndsAt = performance.now() + turnMs;
      }
      const { done, value } = await this.#source.next();
      // The abort has already rejected the promise.
      if (done === true || this.#signal.aborted) break;
      this.#chunks += 1;
      if (this.#chunks === 1) this.#onFirst();
      this.#take(value);
      const limit = this.#exceeded();
      if (limit !== undefined) {
        this.#cancel();
        throw new Error(`the stream did not end within ${limit}`);
      }
    }
    this.#takeText(this.#decoder.decode());
    return this.value;
  }

  #take(chunk: unknown): void {
    if (typeof chunk === 'string') {
      // A character that began in bytes cannot continue in text.
      this.#takeText(this.#decoder.decode());
      this.#takeText(chunk);
    } else if (typeof chunk === 'object' && chunk !== null && isBytes(chunk)) {
      this.#takeText(this.#decoder.decode(chunk as Uint8Array, { stream: true }));
    } else {
      this.#values ??= this.#text === '' ? [] : [this.#text];
      this.#values.push(chunk);
    }
  }

  #takeText(text: string): void {
    if (this.#values === undefined) this.#text += text;
    else if (text !== '') this.#values.push(text);
  }

  #exceeded(): string | undefined {
    if (this.#text.length > maxCharacters) return '128 MiB';
    return (this.#values?.length ?? 0) > maxValues ? '100,000 values' : undefined;
  }

  /** Cancels the source and ignores its answer: the attempt has ended in any case. */
  #cancel(): void {
    try {
      const cancelling = this.#source.cancel(this.#signal.reason);
      Promise.resolve(cancelling).catch(() => undefined);
    } catch {
      // The source has ended already.
    }
  }
}

/**
 * True for everything that {@link StreamReading} can read: streams, async iterables and `fetch` responses. Never
 * throws.
 */
export function isStream(value: unknown): value is object {
  try {
    return (
      typeof value === 'object' &&
      value !== null &&
      (isReadable(value) || isAsyncIterable(value) || isResponse(value))
    );
  } catch {
    return false;
  }
}

function sourceOf(stream: object): Source {
  if (isResponse(stream)) return sourceOfResponse(stream);
  if (isReadable(stream)) {
    const reader = stream.getReader();
    return {
      next: () => reader.read() as Promise<IteratorResult<unknown, unknown>>,
      cancel: (reason) => reader.cancel(reason),
    };
  }
  const iterator = (stream as AsyncIterable<unknown>)[Symbol.asyncIterator]();
  return {
    next: async () => iterator.next(),
    // Node streams end immediately; a generator continues until its next `yield`.
    cancel: () => ('destroy' in stream ? (stream as Destroyable).destroy() : iterator.return?.()),
  };
}

function sourceOfResponse(response: Response): Source {
  if (response.bodyUsed) {
    throw new TypeError('the output is a Response whose body has been read already');
  }
  return response.body === null ? nothing : sourceOf(response.body);
}

const nothing: Source = {
  next: async () => ({ done: true, value: undefined }),
  cancel: () => undefined,
};

interface Destroyable {
  readonly destroy: () => unknown;
}

function isResponse(value: object): value is Response {
  return Object.prototype.toString.call(value) === '[object Response]' && 'bodyUsed' in value;
}

function isReadable(value: object): value is ReadableStream<unknown> {
  return 'getReader' in value && typeof value.getReader === 'function';
}

function isAsyncIterable(value: object): value is AsyncIterable<unknown> {
  return Symbol.asyncIterator in value && typeof value[Symbol.asyncIterator] === 'function';
}
