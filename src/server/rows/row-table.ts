import { countedOf, type RowFacts } from '../../model/result.js';
import type { ResultField } from '../../model/result-field.js';
import { codeVersions, olderCodes } from '../../model/summary/code-versions.js';
import { type GroupBy, groupByText, type KeysOf, keysBy } from '../../model/summary/row-groups.js';
import { type ScoreScales, scoreScales } from '../../model/summary/score-values.js';
import type { Row } from '../../store/replay/run-index.js';
import type { StoredRun } from '../../store/stored-run.js';
import { LruMap } from '../cache.js';
import { FieldTexts } from './fields.js';
import { type GroupedRows, groupRows, isPlanned } from './groups.js';
import { type RowSource, rowSource } from './light-row.js';
import { facetsOf } from './row-facets.js';
import {
  isByOutcome,
  type Misses,
  missesOf,
  type RowFilter,
  type RowKnowledge,
} from './row-filter.js';
import {
  numberTexts,
  type RankedText,
  type RowOrder,
  rankFieldTexts,
  rankTexts,
  sortIndices,
} from './row-order.js';
import { countsOfRows, type RowSummary, summariseRows } from './row-summary.js';
import { RowTexts, TextMemory } from './row-texts.js';
import { foldTrials, type TrialGroup, trialGroups } from './trials.js';

/** A filter and a sort order. */
export interface RowQuery {
  readonly filter: RowFilter;
  readonly order: RowOrder;
}

/** The rows that match, sorted. */
export interface MatchingRows {
  readonly indices: Uint32Array;
  /** What came of results decided which match: no rate of them says anything. */
  readonly countsOnly: boolean;
  /** The same with only the first trial of each case. */
  folded(): Uint32Array;
  /** Computed on first use. */
  summary(): RowSummary;
}

/** What is read of a run from its log, and kept. */
export interface RowReads {
  readonly texts: RowTexts;
  readonly fields: FieldTexts;
}

/** The number of cached answers. */
const keptQueries = 4;

/** The rows of a run at one moment, with cached answers to queries. */
export class RowTable {
  readonly rows: readonly Row[];
  readonly unlisted: RowSource['unlisted'];
  readonly #reads: RowReads;
  readonly #answers = new LruMap<MatchingRows>(keptQueries);
  readonly #grouped = new LruMap<GroupedRows>(keptQueries);
  #groups: ReadonlyMap<string, TrialGroup> | undefined;
  #scales: ScoreScales | undefined;
  readonly #planned = new LruMap<Promise<boolean>>(keptQueries);
  #olderCodes: ReadonlySet<string> | undefined;
  #names: Partial<Record<'function' | 'dataset' | 'evaluation', Uint32Array>> = {};

  /** `before`: the table of an earlier moment, whose unchanged parts are reused. */
  constructor(
    { rows, unlisted }: Pick<RowSource, 'rows' | 'unlisted'>,
    reads: RowReads,
    before?: RowTable,
  ) {
    this.rows = rows;
    this.unlisted = unlisted;
    this.#reads = reads;
    if (before !== undefined && hasSameNames(rows, before.rows)) this.#names = before.#names;
  }

  get groups(): ReadonlyMap<string, TrialGroup> {
    this.#groups ??= trialGroups(this.rows);
    return this.#groups;
  }

  /** The scales of the scores, over all rows of the run. */
  get scales(): ScoreScales {
    this.#scales ??= scoreScales(this.rows);
    return this.#scales;
  }

  /** The number of the evaluation of each row. */
  get evaluations(): Uint32Array {
    this.#names.evaluation ??= numberTexts(this.rows.map(({ evaluation }) => evaluation));
    return this.#names.evaluation;
  }

  /** The matching rows; cached. */
  async query(
    source: RowSource,
    { filter, order }: RowQuery,
    signal?: AbortSignal,
  ): Promise<MatchingRows> {
    const name = JSON.stringify([filter, order]);
    const answer = this.#answers.get(name) ?? (await this.#answer(source, filter, order, signal));
    this.#answers.set(name, answer);
    return answer;
  }

  /** The matching rows in groups; cached. */
  async grouped(
    source: RowSource,
    query: RowQuery,
    by: GroupBy,
    signal?: AbortSignal,
  ): Promise<GroupedRows> {
    const name = JSON.stringify([query.filter, query.order, by]);
    const known = this.#grouped.get(name);
    if (known !== undefined) return known;
    const { indices, countsOnly } = await this.query(source, query, signal);
    const keysOf = await this.keysBy(source, by, signal);
    const { order } = query;
    const hidesRates = countsOnly || !(await this.isPlanned(source, by));
    const grouped = groupRows(this, indices, { keysOf, order, countsOnly: hidesRates });
    this.#grouped.set(name, grouped);
    return grouped;
  }

  /** For each row, the kinds of a filter that exclude it. */
  async misses(source: RowSource, filter: RowFilter, signal?: AbortSignal): Promise<Misses> {
    return missesOf(this.rows, filter, await this.#know(source, filter, signal));
  }

  /** True for a row graded by older code than other rows of its eval file. */
  readonly isOlder = ({ code }: RowFacts): boolean => {
    this.#olderCodes ??= olderCodes(codeVersions(this.rows));
    return code !== undefined && this.#olderCodes.has(code);
  };

  /** True for a trial of a flaky case. */
  readonly isFlaky = ({ trial_of }: RowFacts): boolean =>
    trial_of !== undefined && this.groups.get(trial_of)?.flaky === true;

  async #answer(
    source: RowSource,
    filter: RowFilter,
    order: RowOrder,
    signal?: AbortSignal,
  ): Promise<MatchingRows> {
    const misses = await this.misses(source, filter, signal);
    const matching = indicesOf(misses);
    const { by } = order;
    const texts =
      typeof by === 'object' && 'field' in by
        ? await this.fieldTexts(source, by.field, signal)
        : [];
    const rankOf = (ranked: RankedText) =>
      typeof ranked === 'string' ? this.#rank(ranked) : rankFieldTexts(texts);
    const indices = sortIndices(this.rows, matching, order, rankOf);
    const countsOnly = await this.#isByOutcome(source, filter);
    let folded: Uint32Array | undefined;
    let summary: RowSummary | undefined;
    return {
      indices,
      countsOnly,
      summary: () => {
        summary ??= this.#summarise(matching, misses, countsOnly);
        return summary;
      },
      folded: () => {
        folded ??= foldTrials(this.rows, indices);
        return folded;
      },
    };
  }

  #summarise(matching: Uint32Array, misses: Misses, countsOnly: boolean): RowSummary {
    const facets = facetsOf(this.rows, misses, this.isFlaky);
    const summary = summariseRows(this, matching, countsOnly);
    return { ...(countsOnly ? countsOfRows(summary) : summary), facets };
  }

  async #isByOutcome(source: RowSource, filter: RowFilter): Promise<boolean> {
    if (isByOutcome(filter, () => true)) return true;
    for (const { by } of [...filter.group.include, ...filter.group.exclude]) {
      if (!(await this.isPlanned(source, by))) return true;
    }
    return false;
  }

  /** True when the value that rows are chosen or grouped by is authored; cached. */
  isPlanned(source: RowSource, by: GroupBy): Promise<boolean> {
    const name = groupByText(by);
    const known = this.#planned.get(name) ?? isPlanned(source, by);
    this.#planned.set(name, known);
    return known;
  }

  /** The text of a field of each row. */
  fieldTexts(
    source: RowSource,
    field: ResultField,
    signal?: AbortSignal,
  ): Promise<readonly (string | null)[]> {
    return this.#reads.fields.read(source, field, signal);
  }

  /** Finds the groups of rows. */
  async keysBy(source: RowSource, by: GroupBy, signal?: AbortSignal): Promise<KeysOf> {
    if (typeof by === 'string') return keysBy(by, () => null);
    const texts = await this.fieldTexts(source, by, signal);
    return keysBy(by, (index) => texts[index] ?? null);
  }

  async #know(
    source: RowSource,
    filter: RowFilter,
    signal: AbortSignal | undefined,
  ): Promise<RowKnowledge> {
    const groups = new Map<string, KeysOf>();
    for (const { by } of [...filter.group.include, ...filter.group.exclude]) {
      const name = groupByText(by);
      if (!groups.has(name)) groups.set(name, await this.keysBy(source, by, signal));
    }
    const asksFlags = filter.has.include.length + filter.has.exclude.length > 0;
    const hasFlag = asksFlags ? await this.#reads.texts.flags(source) : undefined;
    const found =
      filter.search === ''
        ? undefined
        : await this.#reads.texts.search(source, filter.search, signal);
    return {
      isFlaky: this.isFlaky,
      isOlder: this.isOlder,
      keysBy: (by) => groups.get(groupByText(by)) ?? noGroup,
      ...(hasFlag === undefined ? {} : { hasFlag }),
      ...(found && { isFound: (index: number) => found.has(index) }),
    };
  }

  #rank(field: 'function' | 'dataset'): Uint32Array {
    const ranks = this.#names[field] ?? rankTexts(this.rows.map((row) => row[field]));
    this.#names[field] = ranks;
    return ranks;
  }
}

const noGroup: KeysOf = () => [];

function indicesOf(misses: Misses): Uint32Array {
  const indices = new Uint32Array(misses.length);
  let count = 0;
  for (let index = 0; index < misses.length; index += 1) {
    if (misses[index] !== 0) continue;
    indices[count] = index;
    count += 1;
  }
  return indices.slice(0, count);
}

function hasSameNames(rows: readonly RowFacts[], before: readonly RowFacts[]): boolean {
  return (
    rows.length === before.length &&
    rows.every((row, index) => {
      const other = before[index];
      return (
        row === other ||
        (row.function === other?.function &&
          row.dataset === other.dataset &&
          row.evaluation === other.evaluation)
      );
    })
  );
}

/** Characters of text kept in memory for searches, over all open runs. */
const defaultMemory = 128 * 1024 * 1024;

/** The current table of a run. */
export interface CurrentTable {
  readonly table: RowTable;
  /** Access to the values of the same moment. */
  readonly source: RowSource;
  /** Changes whenever a row changes. */
  readonly version: string;
}

interface KnownRun {
  readonly reads: RowReads;
  version: string;
  table: RowTable;
}

/** Caches the tables of all open runs. */
export class RowTableCache {
  readonly #runs = new WeakMap<StoredRun, KnownRun>();
  readonly #countedRuns = new WeakMap<StoredRun, KnownRun>();
  readonly #memory: TextMemory;

  /** `characters`: the most that is kept in memory for searches. */
  constructor(characters: number = defaultMemory) {
    this.#memory = new TextMemory(characters);
  }

  /** The table of a run as of now. */
  current(run: StoredRun): CurrentTable {
    return this.#table(run, rowSource(run), this.#runs);
  }

  /** The same with the attempts that count in place of repeats. */
  counted(run: StoredRun): CurrentTable {
    const source = rowSource(run);
    if (source.rows.every(({ counted }) => counted === undefined)) return this.current(run);
    return this.#table(run, { ...source, rows: source.rows.map(countedOf) }, this.#countedRuns);
  }

  #table(run: StoredRun, source: RowSource, runs: WeakMap<StoredRun, KnownRun>): CurrentTable {
    const { version } = run;
    const known = this.#known(run, runs);
    if (known.version !== version) {
      known.table = new RowTable(source, known.reads, known.table);
      known.version = version;
    }
    return { table: known.table, source, version };
  }

  #known(run: StoredRun, runs = this.#runs): KnownRun {
    let known = runs.get(run);
    if (known === undefined) {
      const reads = { texts: new RowTexts(this.#memory), fields: new FieldTexts() };
      known = { reads, version: '', table: new RowTable({ rows: [] }, reads) };
      runs.set(run, known);
    }
    return known;
  }
}
