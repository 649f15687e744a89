import { setImmediate } from 'node:timers/promises';
import type { ComparisonSummary } from '../../model/compare/compare-units.js';
import { type Gates, judgeGates } from '../../model/compare/judged-gates.js';
import { figuresOf, type UnitFigures } from '../../model/compare/unit-figures.js';
import { compareInTurns } from './compare-in-turns.js';
import { Recent } from './recent.js';
import type { RunMoment } from './run-moment.js';
import { type RunUnits, toRunUnits } from './run-units.js';

/** What two runs differ in, and what that means: plain JSON. */
export interface JudgedComparison extends ComparisonSummary {
  readonly gates: Gates;
}

/** As many runs as a comparison can have; the units of a long run weigh about as much as its rows. */
const keptUnits = 4;
/** These are small. */
const keptAnswers = 32;

/** Works out comparisons, each only once for the same moments of two runs, and one after the other. */
export class Comparisons {
  readonly #units = new Recent<RunUnits>(keptUnits);
  readonly #figures = new Recent<UnitFigures>(keptAnswers);
  readonly #comparisons = new Recent<JudgedComparison>(keptAnswers);
  #queue: Promise<unknown> = Promise.resolve();

  /** The units of a run. */
  units({ runId, version, rows }: RunMoment): Promise<RunUnits> {
    return this.#units.get(runId, version, async () => {
      await setImmediate();
      return toRunUnits(rows);
    });
  }

  /** A run by itself. */
  figures(run: RunMoment): Promise<UnitFigures> {
    return this.#figures.get(run.runId, run.version, () =>
      this.#alone(async () => figuresOf((await this.units(run)).units)),
    );
  }

  /** A run against a base. */
  compare(base: RunMoment, other: RunMoment): Promise<JudgedComparison> {
    const name = `${base.runId} ${other.runId}`;
    return this.#comparisons.get(name, `${base.version} ${other.version}`, () =>
      this.#alone(async () => {
        const left = await this.units(base);
        const right = await this.units(other);
        const comparison = await compareInTurns(left.units, right.units);
        return { ...comparison.summary, gates: judgeGates(comparison) };
      }),
    );
  }

  #alone<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(async () => {
      await setImmediate();
      return work();
    });
    this.#queue = done.catch(() => undefined);
    return done;
  }
}
