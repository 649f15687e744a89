import { isCount, isNumber, isObject, isStrings } from '../json.js';
import type { Call, ModelExchange, TokenUsage, ToolCall } from './model-call.js';
import { lengthOutside, type Period } from './time-intervals.js';

/** Total usage of model calls; token counts are absent where no provider reported them. */
export interface UsageTotals extends TokenUsage {
  /** Calls of models; retries count. */
  readonly calls: number;
  /** US dollars of the calls with a known price; `null` if no paid call has one. */
  readonly cost: number | null;
  /** Calls that cost something whose price is not known; absent for none: with some, `cost` is a lower bound. */
  readonly unpriced?: number;
  /** Calls that got an error, or no answer; absent for none. */
  readonly failed?: number;
  /** Calls that repeat a failed one; absent for none. */
  readonly retried?: number;
  /** Calls that were answered from recordings; absent for none. They count as calls and tokens, and cost nothing. */
  readonly replayed?: number;
  /** US dollars that replayed calls with known prices would have cost; absent for none. */
  readonly replayed_cost?: number;
}

/** Usage of the calls of an attempt or of a run. */
export interface Usage extends UsageTotals {
  /** HTTP calls that are not calls of a known model; absent for none. */
  readonly other_calls?: number;
  /** The models of the calls whose price is not known, by the names that were asked for, in order of first appearance. */
  readonly unpriced_models?: readonly string[];
  /** The same by who made the calls, in order of first appearance. */
  readonly by_role: { readonly [role: string]: UsageTotals };
}

/** The fields of a call that usage depends on. */
type CountedCall = Pick<Call, 'role' | 'cost' | 'status' | 'error' | 'retry_of' | 'replayed'> & {
  readonly model_call?: Pick<ModelExchange, 'usage' | 'error' | 'model' | 'response_model'>;
};

/** The usage of calls; `undefined` without calls. */
export function usageOf(calls: readonly CountedCall[]): Usage | undefined {
  if (calls.length === 0) return undefined;
  const sum = new UsageSum();
  for (const call of calls) sum.addCall(call);
  return sum.usage();
}

/** Usage without who made the calls. */
export function totalsOf(usage: Usage): UsageTotals {
  const { by_role: _, other_calls: __, unpriced_models: ___, ...totals } = usage;
  return totals;
}

/** The usage without calls. */
export const noUsage: Usage = { calls: 0, cost: 0, by_role: {} };

/** All tokens of calls, input and output; `undefined` where no provider said any. */
export function tokensOf({ input, output }: TokenUsage): number | undefined {
  return input === undefined && output === undefined ? undefined : (input ?? 0) + (output ?? 0);
}

/** Adds up usage, of calls or of rows. */
export class UsageSum {
  readonly #all = new Totals();
  readonly #byRole = new Map<string, Totals>();
  readonly #unpricedModels = new Set<string>();
  #others = 0;
  #isEmpty = true;

  addCall(call: CountedCall): void {
    const { role, model_call, cost, retry_of, replayed = false } = call;
    this.#isEmpty = false;
    if (model_call === undefined) {
      this.#others += 1;
      return;
    }
    const totals: UsageTotals = {
      calls: 1,
      ...model_call.usage,
      ...(replayed ? { cost: 0, replayed: 1, replayed_cost: cost ?? 0 } : costOf(cost)),
      ...(hasFailed(call) && { failed: 1 }),
      ...(retry_of !== undefined && { retried: 1 }),
    };
    this.#all.add(totals);
    this.#role(role).add(totals);
    const name = model_call.model ?? model_call.response_model;
    if (totals.unpriced === 1 && name !== undefined) this.#unpricedModels.add(name);
  }

  add({ other_calls = 0, unpriced_models = [], by_role, ...totals }: Usage): void {
    this.#isEmpty = false;
    this.#others += other_calls;
    for (const name of unpriced_models) this.#unpricedModels.add(name);
    this.#all.add(totals);
    for (const role in by_role) {
      const part = by_role[role];
      if (part !== undefined) this.#role(role).add(part);
    }
  }

  /** `undefined` when nothing was added. */
  usage(): Usage | undefined {
    if (this.#isEmpty) return undefined;
    return {
      ...this.#all.value(),
      ...(this.#others > 0 && { other_calls: this.#others }),
      ...(this.#unpricedModels.size > 0 && { unpriced_models: [...this.#unpricedModels] }),
      by_role: Object.fromEntries([...this.#byRole].map(([role, part]) => [role, part.value()])),
    };
  }

  #role(role: string): Totals {
    const known = this.#byRole.get(role);
    if (known !== undefined) return known;
    const totals = new Totals();
    this.#byRole.set(role, totals);
    return totals;
  }
}

function costOf(cost: number | null | undefined): Pick<UsageTotals, 'cost' | 'unpriced'> {
  return typeof cost === 'number' ? { cost } : { cost: null, unpriced: 1 };
}

/** True for a row that has no latency because recordings answered. */
export function hasReplayedLatency({ usage }: { readonly usage?: Usage | undefined }): boolean {
  if (usage?.replayed === undefined) return false;
  const { target, body } = usage.by_role;
  // Without a target, the latency is that of the body.
  return (target ?? body)?.replayed !== undefined;
}

function hasFailed({ status = 0, error, model_call }: CountedCall): boolean {
  return status >= 400 || error !== undefined || model_call?.error !== undefined;
}

const tokenKinds = [
  ...(['input', 'cache_read', 'cache_write', 'cache_write_1h', 'output'] as const),
  ...(['reasoning', 'input_audio', 'output_audio'] as const),
];

class Totals {
  #calls = 0;
  #cost = 0;
  #isPriced = false;
  #unpriced = 0;
  #failed = 0;
  #retried = 0;
  #replayed = 0;
  #replayedCost = 0;
  readonly #tokens = new Map<(typeof tokenKinds)[number], number>();

  add(part: UsageTotals): void {
    this.#calls += part.calls;
    this.#unpriced += part.unpriced ?? 0;
    this.#failed += part.failed ?? 0;
    this.#retried += part.retried ?? 0;
    this.#replayed += part.replayed ?? 0;
    this.#replayedCost += part.replayed_cost ?? 0;
    if (part.cost !== null) {
      this.#isPriced = true;
      this.#cost += part.cost;
    }
    for (const kind of tokenKinds) {
      const tokens = part[kind];
      if (tokens !== undefined) this.#tokens.set(kind, (this.#tokens.get(kind) ?? 0) + tokens);
    }
  }

  value(): UsageTotals {
    const isKnown = this.#isPriced || this.#unpriced === 0;
    return {
      calls: this.#calls,
      ...Object.fromEntries(this.#tokens),
      // Sums of a few thousand prices differ by rounding in the 17th digit.
      cost: isKnown ? Number(this.#cost.toPrecision(12)) : null,
      ...(this.#unpriced > 0 && { unpriced: this.#unpriced }),
      ...(this.#failed > 0 && { failed: this.#failed }),
      ...(this.#retried > 0 && { retried: this.#retried }),
      ...(this.#replayed > 0 && {
        replayed: this.#replayed,
        replayed_cost: Number(this.#replayedCost.toPrecision(12)),
      }),
    };
  }
}

/** The tool calls that models asked for, in order. */
export function toolCallsOf(calls: readonly Call[]): ToolCall[] {
  return calls.length === 0 ? [] : calls.flatMap((call) => call.model_call?.tool_calls ?? []);
}

/** True for results of {@link usageOf}. */
export function isUsage(value: unknown): value is Usage {
  return (
    isTotals(value) &&
    (value.other_calls === undefined || isCount(value.other_calls)) &&
    (value.unpriced_models === undefined || isStrings(value.unpriced_models)) &&
    isObject(value.by_role) &&
    Object.values(value.by_role).every(isTotals)
  );
}

function isTotals(value: unknown): value is { readonly [key: string]: unknown } {
  return (
    isObject(value) &&
    isCount(value.calls) &&
    (value.cost === null || isNumber(value.cost)) &&
    (['unpriced', 'failed', 'retried', 'replayed'] as const).every(
      (kind) => value[kind] === undefined || isCount(value[kind]),
    ) &&
    (value.replayed_cost === undefined || isNumber(value.replayed_cost)) &&
    tokenKinds.every((kind) => value[kind] === undefined || isNumber(value[kind]))
  );
}

/** Seconds that the latency leaves out: calls of the target, else of the body, were held, and no call was under way. */
export function waitedOf(
  calls: readonly Pick<Call, 'role' | 'start' | 'end' | 'waited'>[],
): number {
  const timed = calls.some(({ role }) => role === 'target') ? 'target' : 'body';
  const waits = calls.flatMap(({ role, start, waited = 0 }): Period[] =>
    role === timed && waited > 0 ? [[start - waited, start]] : [],
  );
  const made = calls.map(({ start, end = start }): Period => [start, end]);
  return Math.round(lengthOutside(waits, made) * 1e6) / 1e6;
}
