import { type CaseFigures, caseFigures } from '../../compare/case-figures.js';
import { type ComparisonSummary, comparison } from '../../compare/compare-cases.js';
import type { EvalCase } from '../../compare/eval-case.js';
import { type Gates, judgeGates } from '../../compare/judged-gates.js';
import type { Steps } from '../../model/steps.js';
import { inTurns } from '../in-turns.js';
import { Recent } from './recent.js';
import { type RunCases, runCases } from './run-cases.js';
import type { RunMoment } from './run-moment.js';
import { serialQueue } from './serial-queue.js';

/** What two runs differ in, and what that means: plain JSON. */
export interface JudgedComparison extends ComparisonSummary {
  readonly gates: Gates;
}

/** As many runs as a comparison can have; the cases of a long run weigh about as much as its rows. */
const keptCases = 4;
/** These are small. */
const keptAnswers = 32;

/** Works out comparisons, each only once for the same moments of two runs, and one after the other. */
export class Comparisons {
  readonly #cases = new Recent<RunCases>(keptCases);
  readonly #figures = new Recent<CaseFigures>(keptAnswers);
  readonly #comparisons = new Recent<JudgedComparison>(keptAnswers);
  readonly #alone = serialQueue();

  /** The cases of a run. */
  cases({ runId, version, rows }: RunMoment): Promise<RunCases> {
    return this.#cases.get(runId, version, () => inTurns(runCases(rows)));
  }

  /** A run by itself. */
  figures(run: RunMoment): Promise<CaseFigures> {
    return this.#figures.get(run.runId, run.version, () =>
      this.#alone(async () => inTurns(caseFigures((await this.cases(run)).cases))),
    );
  }

  /** A run against a base. */
  compare(base: RunMoment, other: RunMoment): Promise<JudgedComparison> {
    const name = `${base.runId} ${other.runId}`;
    return this.#comparisons.get(name, `${base.version} ${other.version}`, () =>
      this.#alone(async () => {
        const left = await this.cases(base);
        const right = await this.cases(other);
        return inTurns(judgedComparison(left.cases, right.cases));
      }),
    );
  }
}

function* judgedComparison(
  base: readonly EvalCase[],
  other: readonly EvalCase[],
): Steps<JudgedComparison> {
  const compared = yield* comparison(base, other);
  return { ...compared.summary, gates: judgeGates(compared) };
}
