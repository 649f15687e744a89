import { setTimeout } from 'node:timers/promises';
import { type CaseFigures, figuresOf } from '../../compare/cases/case-figures.js';
import type { EvalCase } from '../../compare/cases/eval-case.js';
import { casesOf } from '../../compare/cases/group-by-case.js';
import { type ComparisonSummary, compareCases } from '../../compare/compare-cases.js';
import { type GateVerdicts, judgeGates } from '../../compare/gates/judge-gates.js';
import {
  casesByKey,
  type GroupDifference,
  groupDifferences,
} from '../../compare/group-differences.js';
import type { RunUsage } from '../../model/calls/run-usage.js';
import { caseIdOf, type RowFacts } from '../../model/result.js';
import type { CodeVersion, Mixed, Repeats, RunState } from '../../model/run.js';
import type { KeysOf } from '../../model/summary/row-groups.js';
import type { StoredRun } from '../../store/stored-run.js';
import { AnswerCache, serialQueue } from '../cache.js';
import type { CurrentTable, RowTableCache } from '../rows/row-table.js';

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

/** The identity of a compared run, as JSON. */
export interface RunAsCompared {
  readonly run_id: string;
  readonly run_name: string;
  readonly session_name: string;
  readonly config_name: string;
  /** Unix seconds; when the run last started. */
  readonly timestamp: number;
  readonly state: RunState;
  /** See `RunHead` of the model; absent unless there are several. */
  readonly code_versions?: readonly CodeVersion[];
  /** See `RunHead` of the model; absent for none. */
  readonly repeats?: Repeats;
  /** See `RunHead` of the model; absent for none. */
  readonly mixed?: Mixed;
}

/** A compared run with its figures, as JSON. */
interface ComparedRun extends RunAsCompared, CaseFigures {
  /** See `RunHead` of the model; absent without calls. */
  readonly usage?: RunUsage;
}

/** A run compared with the base, as JSON. */
interface AgainstBase extends JudgedComparison {
  readonly run_id: string;
  readonly run_name: string;
}

/** The comparison of two to four runs, the first of which is the base, as JSON. */
export interface RunComparison {
  readonly runs: readonly ComparedRun[];
  /** One for each run except the base. */
  readonly comparisons: readonly AgainstBase[];
}

/** The current identity of a run. */
export function toHead(run: StoredRun): RunAsCompared {
  const { header, state } = run;
  const { code_versions, repeats, mixed } = run.summary();
  return {
    run_id: header.run_id,
    run_name: header.run_name,
    session_name: header.session_name,
    config_name: header.config_name,
    timestamp: Math.floor(header.created_at_ms / 1000),
    state,
    ...(code_versions && { code_versions }),
    ...(repeats && { repeats }),
    ...(mixed && { mixed }),
  };
}

/** Compares runs with the first one. */
export async function compareRuns(
  comparisons: Comparisons,
  runs: readonly RunAtMoment[],
): Promise<RunComparison> {
  // Taken first, because the runs may change during the comparison.
  const compared = runs.map((one) => {
    const { usage } = one.run.summary();
    return { head: toHead(one.run), moment: toMoment(one), ...(usage && { usage }) };
  });
  const [base] = compared;
  const figured = compared.map(async ({ head, moment, ...used }) => ({
    ...head,
    ...(await comparisons.figures(moment)),
    ...used,
  }));
  const against = compared.slice(1).map(async ({ head: { run_id, run_name }, moment }) => ({
    run_id,
    run_name,
    ...(await comparisons.compare(base?.moment ?? moment, moment)),
  }));
  return { runs: await Promise.all(figured), comparisons: await Promise.all(against) };
}

/** The rows of a run at one moment, for comparing. */
export interface RunMoment {
  readonly runId: string;
  /** Unique per moment. */
  readonly version: string;
  readonly rows: readonly RowFacts[];
}

/** A run and its rows at one moment, with access to their values. */
export interface RunAtMoment extends CurrentTable {
  readonly run: StoredRun;
}

/** The current state of a run, with the attempts that count. */
export function atThisMoment(run: StoredRun, tables: RowTableCache): RunAtMoment {
  return { run, ...tables.counted(run) };
}

/** The part of a run that is compared. */
export function toMoment({ run, table, version }: RunAtMoment): RunMoment {
  return { runId: run.runId, version, rows: table.rows };
}

/** The cases of a run at one moment, and their rows. */
export interface RunCases {
  /** In order of first appearance. */
  readonly cases: readonly EvalCase[];
  /** Numbers of cases by id. */
  readonly numbers: ReadonlyMap<string, number>;
  /** Indices of the rows of a case, ascending. */
  rowsOf(number: number): Uint32Array;
  /** For each row the number of its case. */
  readonly caseOfRow: Uint32Array;
}

/** Groups the rows of a run by case; outputs are compared by hash. */
export function runCases({ runId, rows }: Pick<RunMoment, 'runId' | 'rows'>): RunCases {
  const cases = casesOf(rows, runId);
  const numbers = new Map<string, number>();
  for (const [number, { id }] of cases.entries()) {
    numbers.set(id, number);
  }
  const caseOfRow = new Uint32Array(rows.length);
  for (const [index, row] of rows.entries()) {
    // Pruned rows belong to no case and come last.
    const number = row.pruned === true ? undefined : numbers.get(caseIdOf(row));
    caseOfRow[index] = number ?? cases.length;
  }
  const { starts, members } = groupRows(caseOfRow, cases.length);
  return {
    cases,
    numbers,
    rowsOf: (number) => members.subarray(starts[number], starts[number + 1]),
    caseOfRow,
  };
}

/** The rows of case n are the members from starts[n] to starts[n + 1], exclusive. */
function groupRows(caseOfRow: Uint32Array, cases: number) {
  const starts = new Uint32Array(cases + 1);
  for (const evalCase of caseOfRow) starts[evalCase + 1] = (starts[evalCase + 1] ?? 0) + 1;
  for (let evalCase = 0; evalCase < cases; evalCase += 1) {
    starts[evalCase + 1] = (starts[evalCase + 1] ?? 0) + (starts[evalCase] ?? 0);
  }
  const next = starts.slice();
  const members = new Uint32Array(caseOfRow.length);
  caseOfRow.forEach((evalCase, index) => {
    const place = next[evalCase] ?? 0;
    members[place] = index;
    next[evalCase] = place + 1;
  });
  return { starts, members };
}
