import { type ComparisonSummary, comparison } from '../../compare/compare-units.js';
import { type Gates, judgeGates } from '../../compare/judged-gates.js';
import type { Unit } from '../../compare/unit.js';
import { type UnitFigures, unitFigures } from '../../compare/unit-figures.js';
import type { Steps } from '../../model/steps.js';
import { inTurns } from '../in-turns.js';
import { oneByOne } from './one-by-one.js';
import { Recent } from './recent.js';
import type { RunMoment } from './run-moment.js';
import { type RunUnits, runUnits } from './run-units.js';

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
  readonly #alone = oneByOne();

  /** The units of a run. */
  units({ runId, version, rows }: RunMoment): Promise<RunUnits> {
    return this.#units.get(runId, version, () => inTurns(runUnits(rows)));
  }

  /** A run by itself. */
  figures(run: RunMoment): Promise<UnitFigures> {
    return this.#figures.get(run.runId, run.version, () =>
      this.#alone(async () => inTurns(unitFigures((await this.units(run)).units))),
    );
  }

  /** A run against a base. */
  compare(base: RunMoment, other: RunMoment): Promise<JudgedComparison> {
    const name = `${base.runId} ${other.runId}`;
    return this.#comparisons.get(name, `${base.version} ${other.version}`, () =>
      this.#alone(async () => {
        const left = await this.units(base);
        const right = await this.units(other);
        return inTurns(judgedComparison(left.units, right.units));
      }),
    );
  }
}

function* judgedComparison(base: readonly Unit[], other: readonly Unit[]): Steps<JudgedComparison> {
  const compared = yield* comparison(base, other);
  return { ...compared.summary, gates: judgeGates(compared) };
}
