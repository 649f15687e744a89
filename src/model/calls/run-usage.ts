import { isCount, isObject } from '../json.js';
import { isFinished, type Origin, type ResultStatus } from '../result.js';
import {
  isTotals,
  isUsage,
  noUsage,
  splitReplayed,
  type Usage,
  UsageSum,
  type UsageTotals,
} from './usage.js';

/** What calls used when they ran: not in the run that shows it. */
interface TakenUsage extends UsageTotals {
  /** The results that have such calls; of results carried over or regraded, all. */
  readonly results: number;
}

const takenKinds = ['carried', 'regraded', 'replayed'] as const;

/**
 * What results have that their run did not spend, by why: they were `carried` over from another run, `regraded` with an
 * output of another run, or their calls were `replayed` from recordings. Each absent for none.
 */
export type Taken = { readonly [kind in (typeof takenKinds)[number]]?: TakenUsage };

/**
 * What a run spent on calls: the sum over what ran in it. `taken` stands beside it and is in no other figure but
 * `replayed` and `replayed_cost`, which repeat the calls and the cost of `taken.replayed`.
 */
export interface RunUsage extends Usage {
  readonly taken?: Taken;
}

/** The fields of a row that its spending depends on. */
export interface SpendingRow {
  readonly usage?: Usage | undefined;
  readonly origin?: Pick<Origin, 'kind'> | undefined;
  readonly status?: ResultStatus | undefined;
}

/** Adds up what rows spent in their run, and apart from it what they took over. */
export class RunUsageSum {
  readonly #spent = new UsageSum();
  readonly #taken = new Map<keyof Taken, { sum: UsageSum; results: number }>();
  #hasUsage = false;

  add({ usage, origin, status }: SpendingRow): void {
    if (origin !== undefined && (status === undefined || isFinished({ status }))) {
      this.#take(origin.kind).results += 1;
    }
    if (usage === undefined) return;
    this.#hasUsage = true;
    if (origin === undefined && usage.replayed === undefined) this.#spent.add(usage);
    else this.#split(usage, origin);
  }

  /** `undefined` when no row had usage. */
  usage(): RunUsage | undefined {
    if (!this.#hasUsage) return undefined;
    const taken = takenKinds.flatMap((kind) => {
      const { sum, results } = this.#taken.get(kind) ?? {};
      const usage = sum?.usage();
      if (usage === undefined || usage.calls === 0 || results === undefined) return [];
      const { by_role: _, ...totals } = usage;
      return [[kind, { results, ...totals }] as const];
    });
    const { by_role, ...spent } = this.#spent.usage() ?? noUsage;
    const { replayed }: Taken = Object.fromEntries(taken);
    return {
      ...spent,
      ...(replayed && { replayed: replayed.calls, replayed_cost: replayed.cost ?? 0 }),
      by_role,
      ...(taken.length > 0 && { taken: Object.fromEntries(taken) }),
    };
  }

  #split(usage: Usage, origin: SpendingRow['origin']): void {
    const spent: [string, UsageTotals][] = [];
    let hasReplayed = false;
    for (const [role, totals] of Object.entries(usage.by_role)) {
      const { live, replayed } = splitReplayed(totals);
      if (replayed !== undefined) {
        this.#take('replayed').sum.add({ ...replayed, by_role: {} });
        hasReplayed = true;
      }
      if (live === undefined) continue;
      if (isSpent(role, origin)) spent.push([role, live]);
      else if (origin !== undefined) this.#take(origin.kind).sum.add({ ...live, by_role: {} });
    }
    if (hasReplayed) this.#take('replayed').results += 1;
    this.#spent.add(usageOfRoles(usage, spent, origin?.kind === 'carried'));
  }

  #take(kind: keyof Taken) {
    const known = this.#taken.get(kind);
    if (known !== undefined) return known;
    const taken = { sum: new UsageSum(), results: 0 };
    this.#taken.set(kind, taken);
    return taken;
  }
}

/** True for calls that a run made itself. A regrade keeps the calls of the target; those of evaluators are its own. */
export function isSpent(role: string, origin: SpendingRow['origin']): boolean {
  return origin === undefined || (origin.kind === 'regraded' && role !== 'target');
}

/** The usage of some roles of a result, which names only what these lack. */
function usageOfRoles(
  { other_calls, unpriced_models, models_without_tokens, ...usage }: Usage,
  roles: readonly (readonly [string, UsageTotals])[],
  isCarried: boolean,
): Usage {
  const { needs_include_usage, unknown_hosts } = usage;
  const has = (kind: 'unpriced' | 'without_tokens' | 'unknown_calls') =>
    roles.some(([, totals]) => (totals[kind] ?? 0) > 0);
  const sum = new UsageSum();
  for (const [role, totals] of roles) sum.add({ ...totals, by_role: { [role]: totals } });
  return {
    ...(sum.usage() ?? noUsage),
    ...(other_calls !== undefined && !isCarried && { other_calls }),
    ...(unpriced_models && has('unpriced') && { unpriced_models }),
    ...(models_without_tokens && has('without_tokens') && { models_without_tokens }),
    ...(needs_include_usage && has('without_tokens') && { needs_include_usage }),
    ...(unknown_hosts && has('unknown_calls') && { unknown_hosts }),
  };
}

/** What one result spent in its run. */
export function runUsageOf(row: SpendingRow): RunUsage | undefined {
  const { usage, origin } = row;
  // Nothing is taken over, as mostly in a sort of many rows.
  if (origin === undefined && usage?.replayed === undefined) return usage;
  const sum = new RunUsageSum();
  sum.add(row);
  return sum.usage();
}

/** What rows spent, pruned ones left out. */
export function runUsageOfRows(
  rows: Iterable<SpendingRow & { readonly pruned?: boolean | undefined }>,
): RunUsage | undefined {
  const sum = new RunUsageSum();
  for (const row of rows) if (row.pruned !== true) sum.add(row);
  return sum.usage();
}

/** {@link RunUsage} without who made the calls. */
export type SpentTotals = UsageTotals & Pick<RunUsage, 'taken'>;

/** Spent or not: what all results used when they ran. */
export function usageWithTaken(usage: RunUsage): Usage {
  const sum = new UsageSum();
  sum.add(usage);
  for (const taken of Object.values(usage.taken ?? {})) sum.add({ ...taken, by_role: {} });
  return sum.usage() ?? noUsage;
}

/** True where models were called, in this run or when its results ran. */
export function hasCalls<Of extends SpentTotals>(usage: Of | undefined): usage is Of {
  return usage !== undefined && (usage.calls > 0 || usage.taken !== undefined);
}

/** True for results of {@link RunUsageSum}. */
export function isRunUsage(value: unknown): value is RunUsage {
  if (!isUsage(value)) return false;
  const { taken } = value as { readonly taken?: unknown };
  return taken === undefined || (isObject(taken) && Object.values(taken).every(isTaken));
}

function isTaken(value: unknown): boolean {
  return isTotals(value) && isCount(value.results);
}
