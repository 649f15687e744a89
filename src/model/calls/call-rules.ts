/** Price of a model, in US dollars per million tokens. */
export interface ModelPrice {
  /** The provider to name where the address does not tell; without a price here, that of the price list is taken for it. */
  readonly provider?: string | undefined;
  readonly input?: number | undefined;
  /** Input read from the provider's cache; as other input when it is not given. */
  readonly cached?: number | undefined;
  readonly output?: number | undefined;
  /** US dollars per thousand searches, of rerankers. */
  readonly searches?: number | undefined;
}

/** Prices of a user's own, by model. */
export type OwnPrices = Readonly<Record<string, ModelPrice>>;

/** Rate limits of a model; absent fields are unlimited. */
export interface Rate {
  /** Calls a minute. */
  readonly requests?: number | undefined;
  /** Input and output tokens a minute. */
  readonly tokens?: number | undefined;
  /** Calls at the same time. */
  readonly at_once?: number | undefined;
}

/** Rates by model or host; `*` stands for any characters. The first that matches a call applies. */
export type Rates = Readonly<Record<string, Rate>>;

/** Limits for the calls of an attempt. */
export interface CallLimits {
  /** Calls of models; retries count. */
  readonly calls?: number | undefined;
  /** Input and output tokens. */
  readonly tokens?: number | undefined;
  /** US dollars. */
  readonly cost?: number | undefined;
}

export const callLimitNames = ['calls', 'tokens', 'cost'] as const satisfies (keyof CallLimits)[];
