import { setTimeout } from 'node:timers/promises';
import type { EvalCase } from '../../compare/cases/eval-case.js';
import { casesOf } from '../../compare/cases/group-by-case.js';
import { type ComparisonSummary, compareCases } from '../../compare/compare-cases.js';
import { AssayError } from '../../errors.js';
import { lookAt } from '../../files/regular-file.js';
import { logPath } from '../../store/folders.js';
import { previousOf } from '../../store/listing/previous-of.js';
import type { ListedRun } from '../../store/listing/run-json.js';
import type { Store } from '../../store/store.js';
import { AnswerCache } from './answer-cache.js';
import { type ComparedPrevious, toPreviousRun } from './previous-run.js';
import { serialQueue } from './serial-queue.js';

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
    const version = `${versionOf(base)} ${versionOf(run)}`;
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
    return this.#cases.get(run.run_id, versionOf(run), () => this.#readCases(run));
  }

  /** `undefined` when the run was just deleted, or is damaged. */
  async #readCases({ folder }: ListedRun): Promise<readonly EvalCase[] | undefined> {
    try {
      const run = await this.#store().openFolder(folder);
      try {
        return casesOf(run.rows, run.runId);
      } finally {
        await run.close();
      }
    } catch (error) {
      if (error instanceof AssayError) return undefined;
      throw error;
    }
  }
}

/** Changes whenever the log of a run grows. */
function versionOf({ run_id, folder }: ListedRun): string {
  return `${run_id}:${lookAt(logPath(folder))?.size ?? 'gone'}`;
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
