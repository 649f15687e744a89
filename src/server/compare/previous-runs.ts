import { setTimeout } from 'node:timers/promises';
import type { EvalCase } from '../../compare/cases/eval-case.js';
import { casesOf } from '../../compare/cases/group-by-case.js';
import { type ComparisonSummary, compareCases } from '../../compare/compare-cases.js';
import { whyNotCompared } from '../../compare/group-differences.js';
import { AssayError } from '../../errors.js';
import type { RunSummary } from '../../model/run.js';
import type { GroupBy, KeysOf } from '../../model/summary/row-groups.js';
import { type PreviousRunOrWhy, previousOf } from '../../store/listing/previous-of.js';
import { type ListedRun, logVersion, toRunSummary } from '../../store/listing/run-json.js';
import type { Store } from '../../store/store.js';
import type { StoredRun } from '../../store/stored-run.js';
import { AnswerCache, serialQueue } from '../cache.js';
import type { RowTable, RowTables } from '../rows/row-table.js';
import { type Comparisons, promptResults } from './comparisons.js';

/** The previous run of the session with the figures of its `run.json`, as JSON. */
type PreviousRun = Omit<RunSummary, 'state' | 'config_name' | 'pass_rate' | 'params'>;

/** The previous run of the session and the comparison with it, as JSON. */
export interface ComparedPrevious extends PreviousRun {
  /** `null` while it is being computed, and if one of the runs cannot be read. */
  readonly comparison: ComparisonSummary | null;
  /** False when `comparison` is out of date. */
  readonly is_current: boolean;
}

/** A run in a listing, with the previous one. */
export interface RunWithPrevious extends RunSummary {
  /** `null` for the first run of a session. */
  readonly previous: ComparedPrevious | null;
}

/** Access to runs. */
export interface SessionRuns {
  read(runId: string): Promise<StoredRun>;
  /** Newest first. */
  listRuns(sessionName: string): Promise<readonly ListedRun[]>;
}

/** Milliseconds that an answer waits for a comparison of longer runs. */
const maxWait = 25;

/** A run in progress is compared again after this many milliseconds, or this multiple of the last duration. */
const recompare = { pause: 1000, share: 20 } as const;

interface Compared {
  readonly previousId: string;
  /** The moment of the run. */
  readonly version: string;
  readonly comparison: ComparisonSummary | null;
  /** Time of the next comparison of a run in progress, as `performance.now()`. */
  readonly freshUntil: number;
}

/** Compares runs with their previous ones; pages of long runs do not wait for it. */
export class PreviousRuns {
  readonly #runs: SessionRuns;
  readonly #tables: RowTables;
  readonly #comparisons: Comparisons;
  readonly #last = new WeakMap<StoredRun, Compared>();
  readonly #working = new WeakMap<StoredRun, Promise<Compared>>();

  constructor(runs: SessionRuns, tables: RowTables, comparisons: Comparisons) {
    this.#runs = runs;
    this.#tables = tables;
    this.#comparisons = comparisons;
  }

  /**
   * The run before, with the comparison. With `isPatient`, waits for an up-to-date one, however long the runs are.
   */
  async of(current: RowTable, isPatient: boolean) {
    const before = await this.#before(current.run);
    if (before.run === undefined) return { previous: null, no_previous: before.why };
    const listed = before.run;
    const compared = isPatient
      ? await this.#compare(current, listed.run_id)
      : await this.#compareSoon(current, listed);
    const last = compared ?? this.#last.get(current.run);
    const previous = {
      ...toPreviousRun(listed),
      comparison: last?.previousId === listed.run_id ? last.comparison : null,
      is_current: compared?.previousId === listed.run_id && compared.version === current.version,
    };
    return { previous };
  }

  /**
   * Compares the groups of a run with the run before, over all results of both. `differences` are by key, empty if nothing
   * is compared; `version` changes whenever one of the runs changes.
   */
  async groups(current: RowTable, by: GroupBy, keysOf: KeysOf) {
    const before = await this.#before(current.run);
    if (before.run === undefined) {
      const { why: no_previous } = before;
      return { previous: null, no_previous, differences: new Map(), version: no_previous };
    }
    const { run_id, run_name } = before.run;
    const not = (not_compared: string) => ({
      previous: { run_id, run_name, not_compared },
      differences: new Map(),
      version: `${run_id} ${run_name} ${not_compared}`,
    });
    const why = whyNotCompared(by);
    if (why !== undefined) return not(why);
    try {
      const base = this.#tables.counted(await this.#runs.read(run_id));
      const differences = await this.#comparisons.groups(base, current, by, keysOf);
      return {
        previous: { run_id, run_name },
        differences,
        version: `${run_name} ${base.version}`,
      };
    } catch (error) {
      if (error instanceof AssayError) return not(`${run_name} cannot be read`);
      throw error;
    }
  }

  /** The run before and its rows; without `table` if it cannot be read. */
  async rows(current: RowTable) {
    const before = await this.#before(current.run);
    if (before.run === undefined) return { previous: null, no_previous: before.why };
    const { run_id, run_name } = before.run;
    const previous = { run_id, run_name };
    try {
      return { previous, table: this.#tables.current(await this.#runs.read(run_id)) };
    } catch (error) {
      if (error instanceof AssayError) return { previous };
      throw error;
    }
  }

  /** The comparison; `undefined` if it takes too long. */
  async #compareSoon(current: RowTable, listed: ListedRun): Promise<Compared | undefined> {
    const { run } = current;
    const last = this.#last.get(run);
    const isResting = run.state === 'running' && performance.now() < (last?.freshUntil ?? 0);
    if (isResting && last?.previousId === listed.run_id) return last;
    if (current.rows.length + listed.total_evaluations <= promptResults) {
      return this.#compare(current, listed.run_id);
    }
    const working = this.#working.get(run) ?? this.#compare(current, listed.run_id);
    // Callers that wait for it get the same error.
    const soon = working.catch(() => undefined);
    return (await Promise.race([soon, setTimeout(maxWait)])) ?? undefined;
  }

  #compare(current: RowTable, previousId: string): Promise<Compared> {
    const { run } = current;
    const working = this.#work(current, previousId).finally(() => {
      if (this.#working.get(run) === working) this.#working.delete(run);
    });
    this.#working.set(run, working);
    return working;
  }

  async #work(current: RowTable, previousId: string): Promise<Compared> {
    const begun = performance.now();
    const comparison = await this.#summary(current, previousId);
    const now = performance.now();
    const compared = {
      previousId,
      version: current.version,
      comparison,
      freshUntil: now + Math.max(recompare.pause, recompare.share * (now - begun)),
    };
    this.#last.set(current.run, compared);
    return compared;
  }

  async #summary(current: RowTable, previousId: string): Promise<ComparisonSummary | null> {
    try {
      const previous = this.#tables.counted(await this.#runs.read(previousId));
      const { gates: _, ...summary } = await this.#comparisons.compare(previous, current);
      return summary;
    } catch (error) {
      // Just deleted, or damaged: the rows of this run can still be shown.
      if (error instanceof AssayError) return null;
      throw error;
    }
  }

  /** Listings contain saved runs only, so a not-started run has no previous one. */
  async #before({ runId, header }: StoredRun): Promise<PreviousRunOrWhy> {
    return previousOf(await this.#runs.listRuns(header.session_name), runId);
  }
}

/** The fields of the previous run. */
function toPreviousRun(run: ListedRun): PreviousRun {
  const summary = toRunSummary(run);
  const { state: _, config_name: __, pass_rate: ___, params: ____, ...previous } = summary;
  return previous;
}

/** The newest runs of a listing are compared, up to this number of results in total. */
export const comparedInListings = { runs: 20, results: 100_000 } as const;

/** Milliseconds that a listing waits for comparisons. */
const glance = 25;
/** The number of cached comparisons, which are small. */
const keptComparisons = 200;

/** Compares each run of a listing with the one before; cached until a log changes. */
export class ListedComparisons {
  readonly #store: () => Pick<Store, 'openFolder'>;
  readonly #comparisons = new AnswerCache<ComparisonSummary | null>(keptComparisons);
  /** Cached, because a run is compared with the previous one and the next one. */
  readonly #cases = new AnswerCache<readonly EvalCase[] | undefined>(2);
  readonly #alone = serialQueue();

  constructor(store: () => Pick<Store, 'openFolder'>) {
    this.#store = store;
  }

  /**
   * The run before each run in a session, newest first; `null` where there is none. With `isPatient`, waits for all
   * comparisons.
   */
  async of(
    runs: readonly ListedRun[],
    isPatient: boolean,
  ): Promise<readonly (ComparedPrevious | null)[]> {
    const known = new Map<ListedRun, ComparisonSummary | null>();
    const bases = runs.map(({ run_id }) => previousOf(runs, run_id).run);
    const comparing = newestOf(runs, bases).map(async ([run, base]) => {
      known.set(run, await this.#comparison(run, base));
    });
    const all = Promise.all(comparing);
    if (isPatient) await all;
    // Callers that wait for it get the same error.
    else await Promise.race([all.catch(() => undefined), setTimeout(glance)]);
    return runs.map((run, at) => {
      const base = bases[at];
      if (base === undefined) return null;
      const comparison = known.get(run);
      const is_current = comparison !== undefined;
      return { ...toPreviousRun(base), comparison: comparison ?? null, is_current };
    });
  }

  /** `null` when one of them cannot be read. */
  #comparison(run: ListedRun, base: ListedRun): Promise<ComparisonSummary | null> {
    const version = `${logVersion(base)} ${logVersion(run)}`;
    return this.#comparisons.get(run.run_id, version, () =>
      this.#alone(async () => {
        const cases = await this.#casesOf(run);
        const before = await this.#casesOf(base);
        if (cases === undefined || before === undefined) return null;
        return compareCases(before, cases).summary;
      }),
    );
  }

  #casesOf(run: ListedRun): Promise<readonly EvalCase[] | undefined> {
    return this.#cases.get(run.run_id, logVersion(run), () => this.#readCases(run));
  }

  /** `undefined` when the run was just deleted, or is damaged. */
  async #readCases({ folder }: ListedRun): Promise<readonly EvalCase[] | undefined> {
    try {
      const run = await this.#store().openFolder(folder);
      try {
        return casesOf(run.rows, run.runId, (row) => run.gradingOf(row));
      } finally {
        await run.close();
      }
    } catch (error) {
      if (error instanceof AssayError) return undefined;
      throw error;
    }
  }
}

/** The newest runs, each with the one before, without runs in progress, which change all the time. */
function newestOf(
  runs: readonly ListedRun[],
  bases: readonly (ListedRun | undefined)[],
): [ListedRun, ListedRun][] {
  const newest: [ListedRun, ListedRun][] = [];
  let results = 0;
  for (const [at, run] of runs.slice(0, comparedInListings.runs).entries()) {
    const base = bases[at];
    results += run.total_evaluations;
    if (base === undefined) continue;
    if (results + base.total_evaluations > comparedInListings.results) break;
    if (!isInProgress(run)) newest.push([run, base]);
  }
  return newest;
}

/** True for a run that is running or paused. */
export function isInProgress({ state }: ListedRun): boolean {
  return state === 'running' || state === 'paused';
}
