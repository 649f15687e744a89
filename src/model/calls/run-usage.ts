import { isCount } from '../json.js';
import { isFinished, type Origin, type ResultStatus } from '../result.js';
import { both, type Fitting, inJson, object, optional, recordOf, type Shape } from '../shapes.js';
import { isUnused } from './known-usage.js';
import {
  elsewhereUsage,
  isUsage,
  noUsage,
  splitReplayed,
  totalsOf,
  type Usage,
  UsageSum,
  type UsageTotals,
  usageTotals,
} from './usage.js';

/** What calls of some results used. */
const isOfResults = inJson(
  object({
    ...usageTotals,
    /** The results that have such calls; of results carried over or regraded, all. */
    results: isCount,
  }),
);

const takenKinds = ['carried', 'regraded', 'replayed'] as const;

/**
 * What results have that their run did not spend, by why: they were `carried` over from another run, `regraded` with an
 * output of another run, or their calls were `replayed` from recordings. Each absent for none.
 */
export type Taken = {
  readonly [kind in (typeof takenKinds)[number]]?: Fitting<typeof isOfResults>;
};

const beside = inJson(
  object({
    taken: optional(recordOf(isOfResults) as Shape<Taken>),
    /** The part of all this that belongs to attempts, or gradings, that later ones have replaced, and to pruned results. */
    replaced: optional(isOfResults),
    /** The part of all this that no result has, as of attempts that were stopped; of a part of a run, what may belong to it. */
    unlisted: optional(isUsage as Shape<Usage>),
  }),
);

/** True for results of {@link RunUsageSum}. */
export const isRunUsage: Shape<RunUsage> = both(isUsage, beside);

/**
 * What a run spent on calls: the sum over every attempt that ever ran in it, in all its executions. `taken` stands beside it
 * and is in no other figure but `replayed` and `replayed_cost`, which repeat the calls and the cost of `taken.replayed`.
 */
export interface RunUsage extends Usage, Fitting<typeof beside> {}

/** The fields of a row that its spending depends on. */
export interface SpendingRow {
  readonly usage?: Usage | undefined;
  readonly origin?: Pick<Origin, 'kind'> | undefined;
  readonly status?: ResultStatus | undefined;
  /** What its earlier attempts and gradings spent. */
  readonly replaced_usage?: Usage | undefined;
  readonly pruned?: boolean | undefined;
}

/** Adds up what rows spent in their run, and apart from it what they took over. */
export class RunUsageSum {
  readonly #spent = new UsageSum();
  readonly #taken = new Map<keyof Taken, { sum: UsageSum; results: number }>();
  readonly #replaced = { sum: new UsageSum(), results: 0 };
  #unlisted: Usage | undefined;
  #hasUsage = false;

  add({ usage, origin, status, replaced_usage: replaced, pruned }: SpendingRow): void {
    if (pruned === true) {
      this.#addReplaced(sumOfUsage(replaced, spentOf({ usage, origin })));
      return;
    }
    this.#addReplaced(replaced);
    if (origin !== undefined && (status === undefined || isFinished({ status }))) {
      this.#take(origin.kind).results += 1;
    }
    if (usage === undefined) return;
    this.#hasUsage = true;
    if (origin === undefined && usage.replayed === undefined) this.#spent.add(usage);
    else this.#split(usage, origin);
  }

  /** Adds what attempts without a result spent. */
  addUnlisted(usage: Usage): void {
    this.#hasUsage = true;
    this.#spent.add(usage);
    this.#unlisted = sumOfUsage(this.#unlisted, usage);
  }

  /** `undefined` when no row had usage. */
  usage(): RunUsage | undefined {
    if (!this.#hasUsage) return undefined;
    const taken = takenKinds.flatMap((kind) => {
      const { sum, results } = this.#taken.get(kind) ?? {};
      const usage = sum?.usage();
      if (usage === undefined || isUnused(usage) || results === undefined) return [];
      const { by_role: _, ...totals } = usage;
      return [[kind, { results, ...totals }] as const];
    });
    // Which models judged is a matter of results.
    const { by_role, judge_models: _, ...spent } = this.#spent.usage() ?? noUsage;
    const { replayed }: Taken = Object.fromEntries(taken);
    const { sum, results } = this.#replaced;
    const replaced = sum.usage();
    return {
      ...spent,
      ...(replayed && { replayed: replayed.calls, replayed_cost: replayed.cost ?? 0 }),
      by_role,
      ...(taken.length > 0 && { taken: Object.fromEntries(taken) }),
      ...(replaced && { replaced: { results, ...totalsOf(replaced) } }),
      ...(this.#unlisted && { unlisted: this.#unlisted }),
    };
  }

  #addReplaced(usage: Usage | undefined): void {
    if (usage === undefined) return;
    this.#hasUsage = true;
    this.#spent.add(usage);
    this.#replaced.sum.add(usage);
    this.#replaced.results += 1;
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

/**
 * What an attempt spent in its run, or with `isMeant` some roles of it; `undefined` for nothing. Where only some roles are
 * meant, it is not known whose the HTTP calls are that are none of models.
 */
export function spentOf(
  { usage, origin }: SpendingRow,
  isMeant?: (role: string) => boolean,
): Usage | undefined {
  if (usage === undefined) return undefined;
  if (origin === undefined && usage.replayed === undefined && isMeant === undefined) return usage;
  const roles = Object.entries(usage.by_role).flatMap(([role, totals]) => {
    const { live } = splitReplayed(totals);
    const isIn = live !== undefined && isSpent(role, origin) && isMeant?.(role) !== false;
    return isIn ? [[role, live] as const] : [];
  });
  const withOthers = isMeant === undefined && origin?.kind !== 'carried';
  const spent = usageOfRoles(usage, roles, !withOthers);
  return isUnused(spent) && spent.other_calls === undefined ? undefined : spent;
}

/** US dollars, as far as they are known, and the number of calls of which they are not. */
export interface Cost {
  readonly cost: number;
  readonly unpriced: number;
}

/** The cost of no calls. */
export const noCost: Cost = { cost: 0, unpriced: 0 };

/** What rows, and attempts without a result, have cost a run. */
export function costOf(rows: Iterable<SpendingRow>, unlisted: Usage | undefined): Cost {
  let cost = 0;
  let unpriced = 0;
  const add = (usage: Usage | undefined) => {
    cost += usage?.cost ?? 0;
    unpriced += usage?.unpriced ?? 0;
  };
  add(unlisted);
  for (const row of rows) {
    add(spentOf(row));
    add(row.replaced_usage);
  }
  return { cost, unpriced };
}

/** What a grading spent: all calls of an attempt but those of its target, which a regrade takes over. */
export function spentOnGrading(row: SpendingRow): Usage | undefined {
  return spentOf(row, (role) => role !== 'target');
}

/** Both together; `undefined` for neither. */
export function sumOfUsage(a: Usage | undefined, b: Usage | undefined): Usage | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const sum = new UsageSum();
  sum.add(a);
  sum.add(b);
  return sum.usage();
}

/** The usage of some roles of a result, which names only what these lack. */
function usageOfRoles(
  { other_calls, unpriced_models, models_without_tokens, ...usage }: Usage,
  roles: readonly (readonly [string, UsageTotals])[],
  withoutOthers: boolean,
): Usage {
  const { needs_include_usage, unknown_hosts, program_names } = usage;
  const has = (kind: 'unpriced' | 'without_tokens' | 'unknown_calls' | 'programs') =>
    roles.some(([, totals]) => (totals[kind] ?? 0) > 0);
  const sum = new UsageSum();
  for (const [role, totals] of roles) sum.add({ ...totals, by_role: { [role]: totals } });
  return {
    ...(sum.usage() ?? noUsage),
    ...(other_calls !== undefined && !withoutOthers && { other_calls }),
    ...(unpriced_models && has('unpriced') && { unpriced_models }),
    ...(models_without_tokens && has('without_tokens') && { models_without_tokens }),
    ...(needs_include_usage && has('without_tokens') && { needs_include_usage }),
    ...(unknown_hosts && has('unknown_calls') && { unknown_hosts }),
    ...(program_names && has('programs') && { program_names }),
  };
}

/** What a run spent on one result, in all its attempts. */
export function runUsageOf(row: SpendingRow): RunUsage | undefined {
  const { usage, origin, replaced_usage, pruned } = row;
  // Nothing is taken over or replaced, as mostly in a sort of many rows.
  const isPlain = origin === undefined && replaced_usage === undefined && pruned !== true;
  if (isPlain && usage?.replayed === undefined) return usage;
  const sum = new RunUsageSum();
  sum.add(row);
  return sum.usage();
}

/** What a run spent on rows; of a whole run also what `unlisted` attempts did. */
export function runUsageOfRows(
  rows: Iterable<SpendingRow>,
  unlisted?: Usage,
): RunUsage | undefined {
  const sum = new RunUsageSum();
  for (const row of rows) sum.add(row);
  if (unlisted !== undefined) sum.addUnlisted(unlisted);
  return sum.usage();
}

/**
 * What stands beside the rows of a part of a run: calls without a result, and those at import, which one result has for
 * all, may belong to any part, nobody knows. `undefined` for nothing. Beside all rows are the `unlisted` calls.
 */
export function besideParts(
  all: readonly SpendingRow[],
  unlisted: Usage | undefined,
): (part: readonly SpendingRow[]) => Usage | undefined {
  const importing = all.filter(hasImportCalls);
  return (part) => {
    if (unlisted === undefined && importing.length === 0) return undefined;
    const rows = new Set(part);
    if (rows.size === all.length) return unlisted;
    const hasAll = unlisted === undefined && importing.every((row) => rows.has(row));
    return hasAll ? undefined : elsewhereUsage;
  };
}

/** True where the run spent something on the import of the file of a row. */
function hasImportCalls({ usage, origin, replaced_usage: replaced }: SpendingRow): boolean {
  const { file } = usage?.by_role ?? {};
  const isOwn = file !== undefined && isSpent('file', origin);
  return (isOwn && splitReplayed(file).live !== undefined) || replaced?.by_role.file !== undefined;
}

/** {@link RunUsage} without who made the calls. */
export type SpentTotals = UsageTotals & Pick<RunUsage, 'taken' | 'replaced'>;

/** Spent or not: what all results used when they ran. */
export function usageWithTaken(usage: RunUsage): Usage {
  const sum = new UsageSum();
  sum.add(usage);
  for (const taken of Object.values(usage.taken ?? {})) sum.add({ ...taken, by_role: {} });
  return sum.usage() ?? noUsage;
}

/** True where models were called, or may have been by programs, in this run or when its results ran. */
export function hasCalls<Of extends SpentTotals>(usage: Of | undefined): usage is Of {
  return usage !== undefined && (!isUnused(usage) || usage.taken !== undefined);
}
