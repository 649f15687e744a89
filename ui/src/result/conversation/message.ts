/** A piece of what a message says. */
export type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'image'; readonly url: string }
  | { readonly kind: 'value'; readonly value: unknown }
  | Call;

/** A call of a tool, with its answer once there is one. */
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
  /** Seconds, as it stands there or since the first message. */
  readonly at: number | undefined;
}
