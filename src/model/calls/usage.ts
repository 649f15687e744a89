import { hostOf } from '../../text/parsed-url.js';
import { isCount, isNumber, isStrings } from '../json.js';
import {
  type Fitting,
  inJson,
  isTrue,
  nullOr,
  object,
  optional,
  recordOf,
  type Shape,
} from '../shapes.js';
import { hasFailed, isUnused } from './known-usage.js';
import { type Call, type ModelExchange, type ToolCall, tokenCounts } from './model-call.js';

const tokenKinds = namesIn(tokenCounts);

/** Numbers of calls, and of what may have made some; each absent for none. */
const callCounts = {
  /** Calls that cost something that is not known: with some, `cost` is a lower bound. */
  unpriced: optional(isCount),
  /** Those of them whose tokens are known, but not the price of their model. */
  without_price: optional(isCount),
  /** Calls that did not report their tokens: with some, the tokens are lower bounds. */
  without_tokens: optional(isCount),
  /** Calls that look like one of a model, but are not understood. */
  unknown_calls: optional(isCount),
  /** Started programs whose calls are not seen: they are in no other figure but `unpriced`. */
  programs: optional(isCount),
  /** How often something that called models was cut off, so that its last calls are not known. Like programs, in no other figure but `unpriced`. */
  cut_off: optional(isCount),
  /** Of a part of a run: that calls of its other results, or of none, may belong to it. Like programs, in no other figure but `unpriced`. */
  elsewhere: optional(isCount),
  /** Results of other tools that did not record their calls. Like programs, in no other figure but `unpriced`. */
  unrecorded: optional(isCount),
  /** Calls that got an error, or no answer. */
  failed: optional(isCount),
  /** Calls that repeat a failed one. */
  retried: optional(isCount),
  /**
   * Calls that were answered from recordings. They cost nothing. In the usage of a result they count as calls and tokens, in
   * that of a run they do not.
   */
  replayed: optional(isCount),
  /** Replayed calls whose price is not known. */
  replayed_unpriced: optional(isCount),
};
const countKinds = namesIn(callCounts);

const { without_tokens, unknown_calls, failed, retried } = callCounts;
const partCounts = { ...tokenCounts, without_tokens, unknown_calls, failed, retried };
const partKinds = namesIn(partCounts);

export const usageTotals = {
  /** Calls of models, also those that only look like one; retries count. */
  calls: isCount,
  ...tokenCounts,
  /** US dollars of the calls with a known cost; `null` if no paid call has one. */
  cost: nullOr(isNumber),
  ...callCounts,
  /** US dollars that replayed calls with known prices would have cost; absent for none. */
  replayed_cost: optional(isNumber),
  /** The part of tokens and counts that is of replayed calls; absent unless some calls are replayed and others are not. */
  replayed_part: optional(inJson(object(partCounts))),
};
const isTotals = inJson(object(usageTotals));

/** Total usage of model calls; token counts are absent where no provider reported them. */
export interface UsageTotals extends Fitting<typeof isTotals> {}

/** Names of what is not known, in order of first appearance. */
const names = {
  /** The models whose price is not known, by the names that were asked for. */
  unpriced_models: optional(isStrings),
  /** The models of the calls that did not report their tokens. */
  models_without_tokens: optional(isStrings),
  /** The hosts of the calls that are not understood. */
  unknown_hosts: optional(isStrings),
  /** The names of the programs whose calls are not seen. */
  program_names: optional(isStrings),
};
const nameLists = namesIn(names);

/** True for results of {@link usageOf}. */
export const isUsage = inJson(
  object({
    ...usageTotals,
    /** HTTP calls that are not calls of a model; absent for none. */
    other_calls: optional(isCount),
    ...names,
    /** The models that evaluators called, by their names, each once; absent where they called none. */
    judge_models: optional(recordOf(isStrings)),
    /** Some of the calls without tokens are streams that were not asked for their usage. */
    needs_include_usage: optional(isTrue),
    /** The same by who made the calls, in order of first appearance. */
    by_role: recordOf(isTotals as Shape<UsageTotals>),
  }),
);

/** Usage of the calls of an attempt or of a run. */
export interface Usage extends Fitting<typeof isUsage> {}

function namesIn<Fields extends object>(fields: Fields): readonly (keyof Fields)[] {
  return Object.keys(fields) as (keyof Fields)[];
}

/** The fields of a call that usage depends on. */
export type CountedCall = Pick<
  Call,
  'role' | 'cost' | 'status' | 'error' | 'retry_of' | 'replayed' | 'unknown_model_call' | 'program'
> & {
  readonly url?: string;
  readonly model_call?: CountedExchange;
};

type CountedExchange = Partial<
  Pick<
    ModelExchange,
    'usage' | 'error' | 'model' | 'response_model' | 'operation' | 'cut' | 'stream'
  >
>;

/** True for a call of a model, whether it is understood or only looks like one. */
export function isModelCall({
  model_call,
  unknown_model_call,
}: {
  readonly model_call?: unknown;
  readonly unknown_model_call?: unknown;
}): boolean {
  return model_call !== undefined || unknown_model_call !== undefined;
}

/** True for a call that usage counts: one of a model, unless it is not understood and cost nothing. */
export function isCounted(call: CountedCall): boolean {
  if (call.program !== undefined || !isModelCall(call)) return false;
  return call.model_call !== undefined || !costsNothing(call);
}

/** True for what may cost something: a call of a model, and a program whose calls are not seen. */
export function mayCost(call: Parameters<typeof isModelCall>[0] & Pick<Call, 'program'>): boolean {
  return isModelCall(call) || call.program !== undefined;
}

/** True for a program that did not start, for a refused request, and for one that reached no server. One that was left without an answer may cost something. */
export function costsNothing({
  status = 0,
  error = '',
  model_call,
  unknown_model_call: unknown,
  program,
}: Pick<
  CountedCall,
  'status' | 'error' | 'model_call' | 'unknown_model_call' | 'program'
>): boolean {
  if (program !== undefined) return error !== '';
  if (model_call?.usage !== undefined || unknown?.counts_tokens) return false;
  if (status > 0) return status >= 400;
  return /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH/.test(error);
}

/** True when an exchange has reported all its tokens, or is of a kind that is not billed by them. */
export function hasAllTokens({ usage, operation, cut }: CountedExchange): boolean {
  // A cut stream reports only the beginning.
  if (cut === true) return false;
  if (usage?.searches !== undefined) return true;
  if (operation === 'moderation' && usage === undefined) return true;
  const isInputOnly = operation === 'embeddings' || operation === 'rerank';
  return usage?.input !== undefined && (usage.output !== undefined || isInputOnly);
}

/** The usage of calls; `undefined` without calls. */
export function usageOf(calls: readonly CountedCall[]): Usage | undefined {
  if (calls.length === 0) return undefined;
  const sum = new UsageSum();
  for (const call of calls) sum.addCall(call);
  return sum.usage();
}

/** Usage without who made the calls. */
export function totalsOf<Of extends Usage>(usage: Of) {
  const { by_role, judge_models, other_calls, unpriced_models, ...more } = usage;
  const { models_without_tokens, needs_include_usage, unknown_hosts, program_names, ...totals } =
    more;
  return totals;
}

/** The usage without calls. */
export const noUsage: Usage = { calls: 0, cost: 0, by_role: {} };

/** The usage of something that was cut off: its last calls are not known. */
export const cutOffUsage: Usage = { calls: 0, cost: null, unpriced: 1, cut_off: 1, by_role: {} };

/** The usage of calls that may belong to a part of a run, or not. */
export const elsewhereUsage: Usage = {
  ...{ calls: 0, cost: null, unpriced: 1, elsewhere: 1, by_role: {} },
};

/** The usage of a result of another tool that did not record its calls. */
export const unrecordedUsage: Usage = {
  ...{ calls: 0, cost: null, unpriced: 1, unrecorded: 1, by_role: {} },
};

/** Adds up usage, of calls or of rows. */
export class UsageSum {
  readonly #all = new Totals();
  readonly #byRole = new Map<string, Totals>();
  readonly #names = new Map<(typeof nameLists)[number], Set<string>>();
  /** By the name of the evaluator. */
  readonly #judgeModels = new Map<string, Set<string>>();
  #needsIncludeUsage = false;
  #others = 0;
  #isEmpty = true;

  addCall(call: CountedCall): void {
    const { role, model_call: exchange, cost, retry_of, replayed = false } = call;
    this.#isEmpty = false;
    const isFree = costsNothing(call);
    if (call.program !== undefined) {
      if (!isFree) this.#addProgram(role, call.program);
      return;
    }
    const isUnknown = exchange === undefined;
    if (!isCounted(call)) {
      this.#others += 1;
      return;
    }
    const lacksTokens = !isUnknown && !isFree && !hasAllTokens(exchange);
    const lacksCost = !replayed && typeof cost !== 'number';
    const lacksPrice = lacksCost && !isUnknown && !lacksTokens;
    const totals: UsageTotals = {
      calls: 1,
      ...exchange?.usage,
      ...(replayed
        ? {
            ...{ cost: 0, replayed: 1, replayed_cost: cost ?? 0 },
            ...(typeof cost !== 'number' && !isFree && { replayed_unpriced: 1 }),
          }
        : { cost: cost ?? null, ...(lacksCost && { unpriced: 1 }) }),
      ...(lacksPrice && { without_price: 1 }),
      ...(lacksTokens && { without_tokens: 1 }),
      ...(isUnknown && { unknown_calls: 1 }),
      ...(hasFailed(call) && { failed: 1 }),
      ...(retry_of !== undefined && { retried: 1 }),
    };
    this.#all.add(totals);
    this.#role(role).add(totals);
    const name = exchange?.model ?? exchange?.response_model;
    const [, evaluator] = /^evaluator:(.*)$/s.exec(role) ?? [];
    // An alias may be answered by another model tomorrow; a failed call was answered by none.
    if (evaluator !== undefined && !hasFailed(call)) {
      this.#addJudge(evaluator, [exchange?.response_model ?? exchange?.model ?? []].flat());
    }
    if (lacksPrice) this.#name('unpriced_models', name);
    if (lacksTokens) this.#name('models_without_tokens', name);
    if (isUnknown) this.#name('unknown_hosts', hostOf(call.url ?? ''));
    this.#needsIncludeUsage ||= lacksTokens && isUnaskedStream(exchange);
  }

  add(usage: Usage): void {
    const { by_role } = usage;
    this.#isEmpty = false;
    this.#others += usage.other_calls ?? 0;
    this.#needsIncludeUsage ||= usage.needs_include_usage === true;
    for (const list of nameLists) {
      for (const name of usage[list] ?? []) this.#name(list, name);
    }
    for (const [name, models] of Object.entries(usage.judge_models ?? {})) {
      this.#addJudge(name, models);
    }
    this.#all.add(usage);
    for (const role in by_role) {
      const part = by_role[role];
      if (part !== undefined) this.#role(role).add(part);
    }
  }

  /** `undefined` when nothing was added. */
  usage(): Usage | undefined {
    if (this.#isEmpty) return undefined;
    const names = [...this.#names].map(([list, found]) => [list, [...found]]);
    return {
      ...this.#all.value(),
      ...(this.#others > 0 && { other_calls: this.#others }),
      ...Object.fromEntries(names),
      ...(this.#judgeModels.size > 0 && {
        judge_models: Object.fromEntries(
          [...this.#judgeModels].map(([name, models]) => [name, [...models]]),
        ),
      }),
      ...(this.#needsIncludeUsage && { needs_include_usage: true }),
      by_role: Object.fromEntries([...this.#byRole].map(([role, part]) => [role, part.value()])),
    };
  }

  #addProgram(role: string, program: string): void {
    const totals = { calls: 0, cost: null, unpriced: 1, programs: 1 };
    this.#all.add(totals);
    this.#role(role).add(totals);
    this.#name('program_names', program);
  }

  #addJudge(evaluator: string, models: readonly string[]): void {
    if (models.length === 0) return;
    const known = this.#judgeModels.get(evaluator);
    if (known === undefined) this.#judgeModels.set(evaluator, new Set(models));
    else for (const model of models) known.add(model);
  }

  #name(list: (typeof nameLists)[number], name: string | undefined): void {
    if (name === undefined || name === '') return;
    const known = this.#names.get(list);
    if (known === undefined) this.#names.set(list, new Set([name]));
    else known.add(name);
  }

  #role(role: string): Totals {
    const known = this.#byRole.get(role);
    if (known !== undefined) return known;
    const totals = new Totals();
    this.#byRole.set(role, totals);
    return totals;
  }
}

/** A whole stream without a count: chat completions report it only if they are asked to. */
function isUnaskedStream({ stream, cut, error, usage }: CountedExchange): boolean {
  return stream === true && cut !== true && error === undefined && usage === undefined;
}

/** True for a row that has no latency because recordings answered. */
export function hasReplayedLatency({ usage }: { readonly usage?: Usage | undefined }): boolean {
  if (usage?.replayed === undefined) return false;
  const { target, body } = usage.by_role;
  // Without a target, the latency is that of the body.
  return (target ?? body)?.replayed !== undefined;
}

/** The totals of calls that were made, and of those that were replayed, at what they cost when they were recorded; each absent for none. */
export function splitReplayed(totals: UsageTotals): {
  readonly live?: UsageTotals;
  readonly replayed?: UsageTotals;
} {
  const { replayed = 0, replayed_cost, replayed_unpriced, replayed_part, ...own } = totals;
  if (replayed === 0) return { live: own };
  const cost = replayed_unpriced === replayed ? null : (replayed_cost ?? 0);
  const known = {
    calls: replayed,
    cost,
    ...(replayed_unpriced !== undefined && { unpriced: replayed_unpriced }),
  };
  if (replayed >= own.calls) {
    const { programs, ...calls } = own;
    const of = { replayed: { ...calls, ...known } };
    return programs === undefined
      ? of
      : { ...of, live: { calls: 0, cost: null, unpriced: programs, programs } };
  }
  const live: { -readonly [Kind in keyof UsageTotals]: UsageTotals[Kind] } = {
    ...own,
    calls: own.calls - replayed,
  };
  for (const kind of partKinds) {
    const left = (own[kind] ?? 0) - (replayed_part?.[kind] ?? 0);
    if (left > 0) live[kind] = left;
    else delete live[kind];
  }
  return { live, replayed: { ...replayed_part, ...known } };
}

class Totals {
  #calls = 0;
  #cost = 0;
  #isPriced = false;
  #replayedCost = 0;
  readonly #counts = new Map<(typeof countKinds)[number], number>();
  readonly #tokens = new Map<(typeof tokenKinds)[number], number>();
  readonly #replayed = new Map<(typeof partKinds)[number], number>();

  add(part: UsageTotals): void {
    // Its cost of 0 would be that of no call. Logs of older versions have costs without a number of calls.
    if (isUnused(part) && !part.cost) return;
    this.#calls += part.calls;
    this.#replayedCost += part.replayed_cost ?? 0;
    if (part.cost !== null) {
      this.#isPriced = true;
      this.#cost += part.cost;
    }
    addTo(this.#counts, countKinds, part);
    addTo(this.#tokens, tokenKinds, part);
    if (part.replayed === undefined) return;
    addTo(this.#replayed, partKinds, part.replayed === part.calls ? part : part.replayed_part);
  }

  value(): UsageTotals {
    const isKnown = this.#isPriced || !this.#counts.has('unpriced');
    return {
      calls: this.#calls,
      ...Object.fromEntries(this.#tokens),
      // Sums of a few thousand prices differ by rounding in the 17th digit.
      cost: isKnown ? Number(this.#cost.toPrecision(12)) : null,
      ...Object.fromEntries(
        countKinds.flatMap((kind) =>
          this.#counts.has(kind) ? [[kind, this.#counts.get(kind)]] : [],
        ),
      ),
      ...(this.#counts.has('replayed') && {
        replayed_cost: Number(this.#replayedCost.toPrecision(12)),
      }),
      ...(this.#replayed.size > 0 &&
        this.#counts.get('replayed') !== this.#calls && {
          replayed_part: Object.fromEntries(this.#replayed),
        }),
    };
  }
}

function addTo<Kind extends string>(
  sums: Map<Kind, number>,
  kinds: readonly Kind[],
  part: { readonly [kind in Kind]?: number } = {},
): void {
  for (const kind of kinds) {
    const count = part[kind];
    if (count !== undefined) sums.set(kind, (sums.get(kind) ?? 0) + count);
  }
}

/** True for a call of target or body. */
export function isOfEvaluation({ role }: Pick<Call, 'role'>): boolean {
  return role === 'target' || role === 'body';
}

/** The calls without programs. */
export function callsAlone(calls: readonly Call[]): readonly Call[] {
  return calls.length === 0 ? calls : calls.filter(({ program }) => program === undefined);
}

/** The calls of models, also those that only look like one. */
export function modelCallsOf(calls: readonly Call[]): readonly Call[] {
  return calls.length === 0 ? calls : calls.filter(isModelCall);
}

/** The tool calls that models asked for, in order. */
export function toolCallsOf(calls: readonly Call[]): ToolCall[] {
  return calls.length === 0 ? [] : calls.flatMap((call) => call.model_call?.tool_calls ?? []);
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

/** Begin and end. */
export type Period = readonly [from: number, to: number];

/** Total length of the intervals of the first list outside of those of the second; overlaps count once. */
export function lengthOutside(periods: readonly Period[], others: readonly Period[]): number {
  const excluded = sorted(others);
  let length = 0;
  let counted = Number.NEGATIVE_INFINITY;
  for (const [from, to] of sorted(periods)) {
    let at = Math.max(from, counted);
    for (const [begin, end] of excluded) {
      if (begin >= to) break;
      length += Math.max(0, begin - at);
      at = Math.max(at, end);
    }
    length += Math.max(0, to - at);
    counted = Math.max(counted, to);
  }
  return length;
}

function sorted(periods: readonly Period[]): Period[] {
  return [...periods].sort(([a], [b]) => a - b);
}
