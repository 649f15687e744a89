/** A part of a message. */
export type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'image'; readonly url: string }
  | { readonly kind: 'value'; readonly value: unknown }
  | Call;

/** A tool call, with its result if there is one. */
export interface Call {
  readonly kind: 'call';
  readonly id: string | undefined;
  readonly name: string;
  readonly given: unknown;
  readonly answer?: unknown;
}

/** A text, a value or a tool call in a message. */
export interface Message {
  /** `user`, `assistant`, `system`, `call`, … */
  readonly who: string;
  readonly parts: readonly Part[];
  /** Seconds, as given or since the first message. */
  readonly at: number | undefined;
}
