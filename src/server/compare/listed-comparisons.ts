import { setTimeout } from 'node:timers/promises';
import { type ComparisonSummary, comparison } from '../../compare/compare-cases.js';
import type { EvalCase } from '../../compare/eval-case.js';
import { foldCases } from '../../compare/fold-cases.js';
import { AssayError } from '../../errors.js';
import { logPath } from '../../store/folders.js';
import { lookAt } from '../../store/regular-file.js';
import type { ListedRun } from '../../store/run-document.js';
import type { Store } from '../../store/store.js';
import { inTurns } from '../in-turns.js';
import { type ComparedPrevious, toPreviousRun } from './previous-run.js';
import { Recent } from './recent.js';
import { serialQueue } from './serial-queue.js';

/** What is compared of a listing: its newest runs, as long as they have no more results than this together. */
export const comparedInListings = { runs: 20, results: 100_000 } as const;

/** Milliseconds a listing waits for what is soon known. */
const glance = 25;
/** For the newest runs of several sessions; they are small. */
const keptComparisons = 200;

/** Compares the runs of listings with those before them, each pair once for what their logs hold. */
export class ListedComparisons {
  readonly #store: () => Pick<Store, 'openFolder'>;
  readonly #comparisons = new Recent<ComparisonSummary | null>(keptComparisons);
  /** A run is read once, although it is compared with the one before and with the one after. */
  readonly #cases = new Recent<readonly EvalCase[] | undefined>(2);
  readonly #alone = serialQueue();

  constructor(store: () => Pick<Store, 'openFolder'>) {
    this.#store = store;
  }

  /**
   * For each run of a session, newest first, the one before; `null` for the last of them. `isPatient`: the answer
   * waits for all that is compared in listings.
   */
  async of(
    runs: readonly ListedRun[],
    isPatient: boolean,
  ): Promise<readonly (ComparedPrevious | null)[]> {
    const known = new Map<ListedRun, ComparisonSummary | null>();
    const comparing = newestOf(runs).map(async ([run, base]) => {
      known.set(run, await this.#comparison(run, base));
    });
    const all = Promise.all(comparing);
    if (isPatient) await all;
    // Whoever waits for it meets the same error.
    else await Promise.race([all.catch(() => undefined), setTimeout(glance)]);
    return runs.map((run, at) => {
      const base = runs[at + 1];
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
        return (await inTurns(comparison(before, cases))).summary;
      }),
    );
  }

  #casesOf(run: ListedRun): Promise<readonly EvalCase[] | undefined> {
    return this.#cases.get(run.run_id, versionOf(run), () => this.#readCases(run));
  }

  /** `undefined` when the run was deleted at this very moment, or is damaged. */
  async #readCases({ folder }: ListedRun): Promise<readonly EvalCase[] | undefined> {
    try {
      const run = await this.#store().openFolder(folder);
      try {
        return await inTurns(foldCases(run.rows));
      } finally {
        await run.close();
      }
    } catch (error) {
      if (error instanceof AssayError) return undefined;
      throw error;
    }
  }
}

/** Changes with everything that is appended to the log of a run. */
function versionOf({ run_id, folder }: ListedRun): string {
  return `${run_id}:${lookAt(logPath(folder))?.size ?? 'gone'}`;
}

/** The newest runs, each with the one before; those that are in progress would be another the next moment. */
function newestOf(runs: readonly ListedRun[]): [ListedRun, ListedRun][] {
  const newest: [ListedRun, ListedRun][] = [];
  let results = 0;
  for (const [at, run] of runs.slice(0, comparedInListings.runs).entries()) {
    const base = runs[at + 1];
    results += run.total_evaluations;
    if (base === undefined || results + base.total_evaluations > comparedInListings.results) break;
    if (!isInProgress(run) && !isInProgress(base)) newest.push([run, base]);
  }
  return newest;
}

function isInProgress({ state }: ListedRun): boolean {
  return state === 'running' || state === 'paused';
}
