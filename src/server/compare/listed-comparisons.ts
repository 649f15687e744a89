import { setTimeout } from 'node:timers/promises';
import { AssayError } from '../../errors.js';
import { type ComparisonSummary, comparison } from '../../model/compare/compare-units.js';
import { foldUnits } from '../../model/compare/fold-units.js';
import type { Unit } from '../../model/compare/unit.js';
import type { RunState } from '../../model/run.js';
import type { ListedRun } from '../../store/run-document.js';
import type { Store } from '../../store/store.js';
import { inTurns } from '../in-turns.js';
import { type ComparedPrevious, toPreviousRun } from './previous-run.js';

/** What is compared of a listing: its newest runs, as long as they have no more results than this together. */
export const comparedInListings = { runs: 20, results: 100_000 } as const;

/** Milliseconds a listing waits for what is soon known. */
const glance = 25;

interface Compared {
  readonly base: ListedRun;
  /** `null` when one of them could not be read. */
  readonly comparison: ComparisonSummary | null;
}

/**
 * Compares the runs of listings with those before them. A run that reads as before is the same object in the next
 * listing, so each pair is compared once.
 */
export class ListedComparisons {
  readonly #store: () => Pick<Store, 'openFolder'>;
  readonly #known = new WeakMap<ListedRun, Compared>();
  #queue: Promise<unknown> = Promise.resolve();

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
    const working = this.#compareNewest(runs);
    if (isPatient) await working;
    // Whoever waits for it meets the same error.
    else await Promise.race([working.catch(() => undefined), setTimeout(glance)]);
    return runs.map((run, at) => this.#previous(run, runs[at + 1]));
  }

  #previous(run: ListedRun, base: ListedRun | undefined): ComparedPrevious | null {
    if (base === undefined) return null;
    const known = this.#compared(run, base);
    return {
      ...toPreviousRun(base),
      comparison: known?.comparison ?? null,
      is_current: known !== undefined,
    };
  }

  #compared(run: ListedRun, base: ListedRun): Compared | undefined {
    const known = this.#known.get(run);
    return known?.base === base ? known : undefined;
  }

  #compareNewest(runs: readonly ListedRun[]): Promise<void> {
    const working = this.#queue.then(() => this.#work(newestOf(runs)));
    this.#queue = working.catch(() => undefined);
    return working;
  }

  async #work(runs: readonly ListedRun[]): Promise<void> {
    // Each run is read once, although it is compared with the one before and the one after.
    let last: { readonly run: ListedRun; readonly units: readonly Unit[] | undefined } | undefined;
    const unitsOf = async (run: ListedRun) => {
      if (last?.run !== run) last = { run, units: await this.#units(run) };
      return last.units;
    };
    for (const [at, run] of runs.entries()) {
      const base = runs[at + 1];
      if (base === undefined || isInProgress(run.state) || isInProgress(base.state)) continue;
      if (this.#compared(run, base) !== undefined) continue;
      const units = await unitsOf(run);
      const before = await unitsOf(base);
      const isReadable = units !== undefined && before !== undefined;
      const summary = isReadable ? (await inTurns(comparison(before, units))).summary : null;
      this.#known.set(run, { base, comparison: summary });
    }
  }

  /** `undefined` when the run was deleted at this very moment, or is damaged. */
  async #units({ folder }: ListedRun): Promise<readonly Unit[] | undefined> {
    try {
      const run = await this.#store().openFolder(folder);
      try {
        return await inTurns(foldUnits(run.rows));
      } finally {
        await run.close();
      }
    } catch (error) {
      if (error instanceof AssayError) return undefined;
      throw error;
    }
  }
}

/** The runs that are compared, and the one before the last of them. */
function newestOf(runs: readonly ListedRun[]): readonly ListedRun[] {
  const newest = runs.slice(0, comparedInListings.runs + 1);
  let results = 0;
  const tooMany = newest.findIndex((run) => {
    results += run.total_evaluations;
    return results > comparedInListings.results;
  });
  return tooMany < 0 ? newest : newest.slice(0, tooMany);
}

function isInProgress(state: RunState): boolean {
  return state === 'running' || state === 'paused';
}
