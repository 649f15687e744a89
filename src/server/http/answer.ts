/** What a handler answers; sending it is the router's business. */
export type Answer = JsonAnswer | TextAnswer | EventsAnswer;

export interface JsonAnswer {
  readonly kind: 'json';
  readonly body: unknown;
  /** Changes whenever the body would; answers of run reads have one. */
  readonly version?: string;
  /** The part of the tag that `If-Match` is held against; it changes when what can be edited does. */
  readonly revision?: string;
}

/** A document that is sent piece by piece, as fast as the client takes it. */
export interface TextAnswer {
  readonly kind: 'text';
  readonly contentType: string;
  readonly pieces: AsyncIterable<string>;
  /** Offered for saving under this name. */
  readonly fileName?: string;
  readonly version?: string;
}

/** Server-sent events until either side ends it. */
export interface EventsAnswer {
  readonly kind: 'events';
  /** Begins to send; answers with what ends it. `send` is given whole event blocks, `data:` lines and all. */
  readonly subscribe: (send: (block: string) => void) => () => void;
}

/** A JSON answer. */
export function json(body: unknown, version?: string, revision?: string): JsonAnswer {
  return {
    kind: 'json',
    body,
    ...(version === undefined ? {} : { version }),
    ...(revision === undefined ? {} : { revision }),
  };
}
