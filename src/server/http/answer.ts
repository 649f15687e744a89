/** The result of a handler, which the router sends. */
export type Answer = JsonAnswer | TextAnswer | EventsAnswer;

export interface JsonAnswer {
  readonly kind: 'json';
  readonly body: unknown;
  /** Changes whenever the body changes; reads of runs have one. */
  readonly version?: string;
  /** The part of the ETag that `If-Match` is compared with; it changes when editable data changes. */
  readonly revision?: string;
}

/** A document that is sent in pieces, as fast as the client reads them. */
export interface TextAnswer {
  readonly kind: 'text';
  readonly contentType: string;
  readonly pieces: AsyncIterable<string>;
  /** The suggested file name of a download. */
  readonly fileName?: string;
  /** What the document lacks, as a sentence. */
  readonly leftOut?: string | undefined;
  readonly version?: string;
}

/** Server-sent events until either side closes the stream. */
export interface EventsAnswer {
  readonly kind: 'events';
  /**
   * Starts sending and returns a function that stops it. `send` expects complete event blocks, including `data:`
   * lines.
   */
  readonly subscribe: (send: (block: string) => void) => () => void;
}

/** Creates a JSON answer. */
export function json(body: unknown, version?: string, revision?: string): JsonAnswer {
  return {
    kind: 'json',
    body,
    ...(version === undefined ? {} : { version }),
    ...(revision === undefined ? {} : { revision }),
  };
}
