/** One event of a streamed answer. */
export interface StreamEvent {
  /** As the framing says it; JSON lines and arrays have no names. */
  readonly name?: string;
  /** Its text, mostly JSON. */
  readonly data: string;
  /** Only when true: the framing says that it is an error. */
  readonly isError?: true;
}

/** Takes a stream apart; chunks may be cut anywhere. */
export interface StreamSplitter {
  /** The events that end in this chunk. */
  push(chunk: Uint8Array): readonly StreamEvent[];
  /** The rest at the end of the stream. */
  end(): readonly StreamEvent[];
}
