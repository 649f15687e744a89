/** What a model costs, in US dollars per million tokens. */
export interface ModelPrice {
  readonly input: number;
  /** Input read from the provider's cache; as other input when it is not given. */
  readonly cached?: number | undefined;
  readonly output: number;
}

/** Prices of a user's own, by model. */
export type OwnPrices = Readonly<Record<string, ModelPrice>>;
