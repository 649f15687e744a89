import { loadPrices, type Prices } from '../../calls/prices.js';
import type { OwnPrices } from '../../model/calls/call-rules.js';
import type { StoredCall, StoredCalls } from '../../model/calls/stored-calls.js';
import { mayCost } from '../../model/calls/usage.js';

/** Prices the calls of a run. The price list is loaded with the first of them. */
export class CallPricer {
  readonly #own: OwnPrices | undefined;
  #prices: Prices | undefined;

  constructor(own?: OwnPrices) {
    this.#own = own;
  }

  /** Name and version of the price list; absent before a call was priced. */
  get source(): string | undefined {
    return this.#prices?.source;
  }

  /** A promise while the price list is being loaded. */
  load(): Promise<void> | undefined {
    if (this.#prices !== undefined) return undefined;
    return loadPrices(this.#own).then((prices) => {
      this.#prices = prices;
    });
  }

  /** The calls, each that may cost something with its cost, `null` where that is not known, and with the provider that its price names. */
  price(calls: StoredCalls): StoredCalls {
    return {
      ...calls,
      calls: calls.calls.map((call) => {
        if (!mayCost(call) || call.cost !== undefined) return call;
        const { model_call } = call;
        const provider = this.#prices?.providerOf(call);
        return {
          ...call,
          cost: this.priceOf(call),
          ...(model_call && provider !== undefined && { model_call: { ...model_call, provider } }),
        };
      }),
    };
  }

  /** US dollars; `null` when the price is not known. */
  priceOf(call: StoredCall): number | null {
    return this.#prices?.priceOf(call) ?? null;
  }
}
