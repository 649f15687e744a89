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
import {
  compareVariants,
  type VariantComparison,
  type VariantRun,
} from '../../compare/variants/compare-variants.js';
import { caseIdOf, isUnfinished, type RowFacts } from '../../model/result.js';
import { type GroupBy, groupByText, type KeysOf } from '../../model/summary/row-groups.js';
import { AnswerCache, serialQueue } from '../cache.js';
import type { RowTable } from '../rows/row-table.js';

/** The comparison of two runs with its gates, as JSON. */
interface JudgedComparison extends ComparisonSummary {
  readonly gates: GateVerdicts;
}

type GroupDifferences = ReadonlyMap<string | null, GroupDifference>;

/** The number of runs whose cases are cached: the maximum of a comparison. Cases need about as much memory as rows. */
const keptCases = 12;
/** The number of cached figures and comparisons, which are small. */
const keptAnswers = 32;

/** Answers wait for comparisons of at most this number of results of both runs. */
export const promptResults = 5000;
/** Milliseconds before the comparison of longer runs begins: answers that do not wait for it are sent before. */
const pause = 50;

/**
 * Computes comparisons of runs at one moment, with the attempts that count; one at a time, and cached until one of the
 * runs changes.
 */
export class Comparisons {
  readonly #cases = new AnswerCache<RunCases>(keptCases);
  readonly #figures = new AnswerCache<CaseFigures>(keptAnswers);
  readonly #comparisons = new AnswerCache<JudgedComparison>(keptAnswers);
  readonly #groups = new AnswerCache<GroupDifferences>(keptAnswers);
  readonly #variants = new AnswerCache<VariantComparison>(keptAnswers);
  readonly #alone = serialQueue();

  /** The cases of a run. */
  cases({ run, version, rows }: RowTable): Promise<RunCases> {
    return this.#cases.get(run.runId, version, async () => runCases(rows, run));
  }

  /** The figures of one run. */
  figures(table: RowTable): Promise<CaseFigures> {
    return this.#figures.get(table.run.runId, table.version, () =>
      this.#alone(async () => figuresOf((await this.cases(table)).cases)),
    );
  }

  /** Compares a run with a base. */
  compare(base: RowTable, other: RowTable): Promise<JudgedComparison> {
    return this.#comparisons.get(idsOf(base, other), versionsOf(base, other), () =>
      this.#alone(async () => {
        if (base.rows.length + other.rows.length > promptResults) await setTimeout(pause);
        const left = await this.cases(base);
        const right = await this.cases(other);
        const compared = compareCases(left.cases, right.cases);
        return { ...compared.summary, gates: judgeGates(compared) };
      }),
    );
  }

  /** Compares up to twelve runs with the first one: see `compareVariants`. */
  variants(tables: readonly RowTable[]): Promise<VariantComparison> {
    return this.#variants.get(idsOf(...tables), versionsOf(...tables), () =>
      this.#alone(async () => {
        const [base, ...others] = await Promise.all(tables.map((table) => this.#variant(table)));
        if (base === undefined) throw new RangeError('there is no run');
        return compareVariants(base, others);
      }),
    );
  }

  async #variant(table: RowTable): Promise<VariantRun> {
    const { cases } = await this.cases(table);
    const unfinished = table.rows.filter((row) => isUnfinished(row) && row.pruned !== true).length;
    return { head: toHead(table), cases, unfinished };
  }

  /** Compares the groups of a run with a base: see `groupDifferences`. */
  groups(base: RowTable, other: RowTable, by: GroupBy, keysOf: KeysOf): Promise<GroupDifferences> {
    const name = `${idsOf(base, other)} ${groupByText(by)}`;
    return this.#groups.get(name, versionsOf(base, other), () =>
      this.#alone(async () => {
        const left = await this.cases(base);
        const right = await this.cases(other);
        return groupDifferences(left.cases, right.cases, casesByKey(other.rows, keysOf));
      }),
    );
  }
}

function idsOf(...tables: readonly RowTable[]): string {
  return tables.map(({ run }) => run.runId).join(' ');
}

function versionsOf(...tables: readonly RowTable[]): string {
  return tables.map(({ version }) => version).join(' ');
}

/** The cases of a run at one moment, and their rows. */
export interface RunCases {
  /** In order of first appearance. */
  readonly cases: readonly EvalCase[];
  /** Indices of the rows of each case, ascending. */
  readonly rows: readonly (readonly number[])[];
}

/** Groups the rows of a run by case; outputs are compared by hash. */
function runCases(rows: readonly RowFacts[], run: RowTable['run']): RunCases {
  const cases = casesOf(rows, run.runId, (row) => run.gradingOf(row));
  const indices: number[][] = cases.map(() => []);
  let places: ReadonlyMap<string, number> | undefined;
  let place = -1;
  for (const [index, row] of rows.entries()) {
    // Pruned rows belong to no case.
    if (row.pruned === true) continue;
    const id = caseIdOf(row);
    // Rows are mostly in the order of their cases, which needs no lookup.
    if (cases[place + 1]?.id === id) place += 1;
    else if (cases[place]?.id !== id) {
      places ??= new Map(cases.map((one, at) => [one.id, at]));
      place = places.get(id) ?? -1;
    }
    indices[place]?.push(index);
  }
  return { cases, rows: indices };
}

/** The current identity of a run, as JSON. */
export function toHead({ run }: RowTable) {
  const { header, state } = run;
  const { code_versions, repeats, mixed } = run.summary();
  const { params } = run.log.index.facts;
  return {
    run_id: header.run_id,
    run_name: header.run_name,
    session_name: header.session_name,
    config_name: header.config_name,
    timestamp: Math.floor(header.created_at_ms / 1000),
    state,
    ...(params && { params }),
    ...(code_versions && { code_versions }),
    ...(repeats && { repeats }),
    ...(mixed && { mixed }),
  };
}

/** Compares runs with the first one; the answer is JSON. */
export async function compareRuns(comparisons: Comparisons, tables: readonly RowTable[]) {
  // Taken first, because the runs may change during the comparison.
  const compared = tables.map((table) => {
    const { usage } = table.run.summary();
    const corrected = table.run.corrected();
    const own = { ...(usage && { usage }), ...(corrected.length > 0 && { corrected }) };
    return { table, head: toHead(table), ...own };
  });
  const figured = compared.map(async ({ table, head, ...used }) => ({
    ...head,
    ...(await comparisons.figures(table)),
    ...used,
  }));
  const [base] = tables;
  const against = compared.slice(1).map(async ({ table, head: { run_id, run_name } }) => ({
    run_id,
    run_name,
    ...(await comparisons.compare(base ?? table, table)),
  }));
  return { runs: await Promise.all(figured), comparisons: await Promise.all(against) };
}
