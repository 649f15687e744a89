/** A part of a message. */
export type Part =
  | { readonly kind: 'text'; readonly text: string; readonly sources?: readonly CitedSource[] }
  /** Thoughts of a model; empty if the provider does not show them. */
  | { readonly kind: 'thinking'; readonly text: string; readonly isEncrypted?: true }
  | { readonly kind: 'image'; readonly url: string }
  | { readonly kind: 'sources'; readonly sources: readonly CitedSource[] }
  | { readonly kind: 'value'; readonly value: unknown }
  | CallPart;

/** A tool call, with its result if there is one. */
export interface CallPart {
  readonly kind: 'call';
  readonly id: string | undefined;
  readonly name: string;
  readonly given: unknown;
  readonly answer?: unknown;
  /** The provider ran the tool itself. */
  readonly isHosted?: true;
  /** The arguments should be JSON, and are not. */
  readonly isNotJson?: true;
  /** The answer is marked as an error. */
  readonly isFailed?: true;
}

/** A source that a model cites. */
export interface CitedSource {
  readonly title?: string;
  readonly url?: string;
  /** The cited words. */
  readonly quote?: string;
}

/** A text, a value, a thought or a tool call in a message. */
export interface Message {
  /** `user`, `assistant`, `system`, `thinking`, `call`, … */
  readonly who: string;
  readonly parts: readonly Part[];
  /** Seconds, as given or since the first message. */
  readonly at: number | undefined;
}

/** True for what the user of the app says. */
export function isFromUser({ who }: Pick<Message, 'who'>): boolean {
  return who === 'user' || who === 'human';
}
