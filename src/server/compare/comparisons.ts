import { setTimeout } from 'node:timers/promises';
import { type CaseFigures, figuresOf } from '../../compare/cases/case-figures.js';
import type { EvalCase } from '../../compare/cases/eval-case.js';
import { type ComparisonSummary, compareCases } from '../../compare/compare-cases.js';
import { type GateVerdicts, judgeGates } from '../../compare/gates/judge-gates.js';
import {
  casesByKey,
  type GroupDifference,
  groupDifferences,
} from '../../compare/group-differences.js';
import type { KeysOf } from '../../model/summary/row-groups.js';
import { AnswerCache } from './answer-cache.js';
import { type RunCases, runCases } from './run-cases.js';
import type { RunMoment } from './run-moment.js';
import { serialQueue } from './serial-queue.js';

/** The comparison of two runs with its gates, as JSON. */
export interface JudgedComparison extends ComparisonSummary {
  readonly gates: GateVerdicts;
}

/** A run whose rows are grouped. */
interface GroupedRun {
  readonly moment: RunMoment;
  /** Identifies `keysOf`. */
  readonly by: string;
  readonly keysOf: KeysOf;
}

type GroupDifferences = ReadonlyMap<string | null, GroupDifference>;

/** The number of runs whose cases are cached: the maximum of a comparison. Cases need about as much memory as rows. */
const keptCases = 4;
/** The number of cached figures and comparisons, which are small. */
const keptAnswers = 32;

/** Answers wait for comparisons of at most this number of results of both runs. */
export const promptResults = 5000;
/** Milliseconds before the comparison of longer runs begins: answers that do not wait for it are sent before. */
const pause = 50;

/** Computes comparisons, one at a time, and caches them by the moments of their runs. */
export class Comparisons {
  readonly #cases = new AnswerCache<RunCases>(keptCases);
  readonly #figures = new AnswerCache<CaseFigures>(keptAnswers);
  readonly #comparisons = new AnswerCache<JudgedComparison>(keptAnswers);
  readonly #groups = new AnswerCache<GroupDifferences>(keptAnswers);
  readonly #alone = serialQueue();

  /** The cases of a run. */
  cases(run: RunMoment): Promise<RunCases> {
    return this.#cases.get(run.runId, run.version, async () => runCases(run));
  }

  /** The figures of one run. */
  figures(run: RunMoment): Promise<CaseFigures> {
    return this.#figures.get(run.runId, run.version, () =>
      this.#alone(async () => figuresOf((await this.cases(run)).cases)),
    );
  }

  /** Compares a run with a base. */
  compare(base: RunMoment, other: RunMoment): Promise<JudgedComparison> {
    const name = `${base.runId} ${other.runId}`;
    return this.#comparisons.get(name, `${base.version} ${other.version}`, () =>
      this.#alone(async () => {
        if (base.rows.length + other.rows.length > promptResults) await setTimeout(pause);
        const left = await this.cases(base);
        const right = await this.cases(other);
        return judgedComparison(left.cases, right.cases);
      }),
    );
  }

  /** Compares the groups of a run with a base: see `groupDifferences`. */
  groups(base: RunMoment, { moment: other, by, keysOf }: GroupedRun): Promise<GroupDifferences> {
    const name = `${base.runId} ${other.runId} ${by}`;
    return this.#groups.get(name, `${base.version} ${other.version}`, () =>
      this.#alone(async () => {
        const left = await this.cases(base);
        const right = await this.cases(other);
        const groups = casesByKey(other.rows, keysOf);
        return groupDifferences(left.cases, right.cases, groups);
      }),
    );
  }
}

function judgedComparison(base: readonly EvalCase[], other: readonly EvalCase[]): JudgedComparison {
  const compared = compareCases(base, other);
  return { ...compared.summary, gates: judgeGates(compared) };
}
