import type { OwnPrices } from '../../model/calls/call-rules.js';
import type { Call } from '../../model/calls/model-call.js';
import { mayCost, usageOf } from '../../model/calls/usage.js';
import type { CallPricer } from '../../model-calls/prices.js';

/**
 * Makes what tells US dollars that calls cost, replayed ones as if they were made; `null` when the cost of one is not
 * known. The price list is loaded for the first of them.
 */
export function costsWith(own?: OwnPrices): (calls: readonly Call[]) => Promise<number | null> {
  let loading: Promise<CallPricer> | undefined;
  return async (calls) => {
    if (calls.length === 0) return 0;
    loading ??= loadPricer(own);
    const pricer = await loading;
    const priced = calls.map((call) =>
      call.cost === undefined && mayCost(call) ? { ...call, cost: pricer.priceOf(call) } : call,
    );
    const { cost = 0, unpriced, replayed_cost = 0, replayed_unpriced } = usageOf(priced) ?? {};
    if (cost === null || unpriced || replayed_unpriced) return null;
    return Number((cost + replayed_cost).toPrecision(12));
  };
}

async function loadPricer(own: OwnPrices | undefined): Promise<CallPricer> {
  const { CallPricer } = await import('../../model-calls/prices.js');
  const pricer = new CallPricer(own);
  await pricer.load();
  return pricer;
}
