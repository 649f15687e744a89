import { type Change, changes } from '../../compare/cases/change.js';
import { partings } from '../../compare/prompts/compare-prompts.js';
import {
  type PartedCase,
  type PromptDiff,
  promptDiff,
  type RowPair,
  type RunRequests,
  readRequests,
  stepOf,
} from '../../compare/prompts/prompt-diff.js';
import { traceSide } from '../../compare/prompts/trace-step.js';
import { standingOf } from '../../model/scores/verdict.js';
import { readCalls } from '../../store/log/entry-reading.js';
import { AnswerCache } from '../cache.js';
import { FacetCounts } from '../rows/facets.js';
import type { Choice } from '../rows/filters.js';
import type { RowTable } from '../rows/row-table.js';
import { toHead } from './comparisons.js';
import type { PairTable } from './pair-table.js';
import type { PageRange, PairFinder } from './pairs.js';

/** Runs whose requests are kept, by hashes, and pairs of runs whose difference is kept. */
const keptRuns = 4;
const keptDiffs = 2;

/** Which cases are asked for. */
interface TraceFilter {
  readonly parts: Choice<(typeof partings)[number]>;
  readonly change: Choice<Change>;
  /** The id of the only one; empty for all. */
  readonly case: string;
}

interface KnownDiff extends PromptDiff {
  readonly table: PairTable;
}

/** The order of changes in a list of traces. */
const changeOrder: readonly Change[] = ['regressed', 'fixed', 'changed'];

/** What of the requests of two runs differs; kept until one of them changes. */
export class PromptDiffs {
  readonly #finder: PairFinder;
  readonly #requests = new AnswerCache<RunRequests>(keptRuns);
  readonly #diffs = new AnswerCache<KnownDiff>(keptDiffs);

  constructor(finder: PairFinder) {
    this.#finder = finder;
  }

  /** What is common to the requests of each run, as JSON. */
  async figures(runs: readonly RowTable[]) {
    const { table, parts, varying, counts, without, cases } = await this.#of(runs);
    return {
      runs: runs.map(toHead),
      total: table.length,
      compared: cases.length,
      without,
      parts: parts.map(({ isSame, a, b, ...part }) => ({
        ...part,
        same: isSame,
        // Of the same only where it is short: nobody reads all of it to see that nothing differs.
        ...((!isSame || part.part === 'parameters' || part.part === 'tools') && {
          ...(a !== undefined && { a }),
          ...(b !== undefined && { b }),
        }),
      })),
      varying,
      partings: partings.map((value) => ({ value, count: counts[value] })),
    };
  }

  /** A page of the cases by where their traces part, as JSON. */
  async page(runs: readonly RowTable[], filter: TraceFilter, { offset, limit }: PageRange) {
    const diff = await this.#of(runs);
    const { table } = diff;
    const found = diff.cases.filter((one) => isWanted(one, table, filter));
    const shown = sorted(found, table).slice(offset, offset + limit);
    return {
      total: diff.cases.length,
      filtered: found.length,
      offset,
      facets: facetsOf(diff, filter),
      cases: shown.map((one) => caseOf(one, table, runs)),
    };
  }

  #of(runs: readonly RowTable[]): Promise<KnownDiff> {
    const name = runs.map(({ run }) => run.runId).join(' ');
    const version = runs.map((run) => run.version).join(' ');
    return this.#diffs.get(name, version, async () => {
      const [base, other] = runs;
      if (base === undefined || other === undefined) throw new RangeError('there are no two runs');
      const { table } = await this.#finder.find(runs, { rows: {} });
      const [a, b] = await Promise.all([this.#read(base), this.#read(other)]);
      return { table, ...promptDiff(pairsOf(table), { a, b }) };
    });
  }

  #read({ run, version, rows, file }: RowTable): Promise<RunRequests> {
    return this.#requests.get(run.runId, version, () => readRequests(file, rows));
  }
}

function* pairsOf(table: PairTable): Generator<RowPair> {
  for (let pair = 0; pair < table.length; pair += 1) {
    const [a, b] = [table.rowsOf(pair, 0), table.rowsOf(pair, 1)];
    if (a.length === 0 || b.length === 0) continue;
    const { function: evaluation } = table.anyCase(pair);
    yield { pair, evaluation: evaluation.replace(/\[.*$/s, ''), a, b };
  }
}

function isWanted(
  { pair, parting }: PartedCase,
  table: PairTable,
  { parts, change, case: only }: TraceFilter,
): boolean {
  if (only !== '' && table.anyCase(pair).id !== only) return false;
  return matches(parts, parting.kind) && matches(change, table.change(pair, 1));
}

function matches<T>({ include, exclude }: Choice<T>, value: T | null): boolean {
  if (value === null) return include.length === 0;
  return !exclude.includes(value) && (include.length === 0 || include.includes(value));
}

/** Regressed first, then fixed and changed; among these the earliest step first. */
function sorted(cases: readonly PartedCase[], table: PairTable): PartedCase[] {
  const rank = ({ pair }: PartedCase) => {
    const at = changeOrder.indexOf(table.change(pair, 1) ?? 'same');
    return at === -1 ? changeOrder.length : at;
  };
  return [...cases].sort((x, y) => rank(x) - rank(y) || stepOf(x) - stepOf(y) || x.pair - y.pair);
}

function facetsOf({ cases, table }: KnownDiff, filter: TraceFilter) {
  const byPart = new FacetCounts<string>(partings);
  const byChange = new FacetCounts<string>(changes);
  for (const { pair, parting } of cases) {
    const change = table.change(pair, 1);
    byPart.add(parting.kind, matches(filter.change, change) ? pair : undefined);
    if (change === null) continue;
    byChange.add(change, matches(filter.parts, parting.kind) ? pair : undefined);
  }
  return { parts: byPart.values(), change: byChange.values() };
}

function caseOf({ pair, parting, a, b }: PartedCase, table: PairTable, runs: readonly RowTable[]) {
  const { id, function: name, dataset } = table.anyCase(pair);
  const sides = [a, b].flatMap((index, at) => {
    const run = runs[at];
    const row = run?.rows[index];
    if (run === undefined || row === undefined) return [];
    return [
      {
        index,
        standing: standingOf(row),
        ...(row.trial !== undefined && { trial: row.trial }),
        scores: row.scores.flatMap(({ key, passed }) =>
          passed === undefined ? [] : [{ key, passed }],
        ),
        ...traceSide(readCalls(run.file, { index, row }), parting),
      },
    ];
  });
  const { kind: parts, ...place } = parting;
  return { id, function: name, dataset, change: table.change(pair, 1), parts, ...place, sides };
}
