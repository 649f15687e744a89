import { countedOf, type RowFacts } from '../../model/result.js';
import { longestFieldText, type ResultField } from '../../model/result-field.js';
import {
  type CallFact,
  type Condition,
  isCallFact,
  testOfValues,
} from '../../model/selection/condition.js';
import { type TextPlace, textPlaces } from '../../model/selection/result-texts.js';
import { rowsMeeting } from '../../model/selection/rows-meeting.js';
import { codeVersions, olderCodes } from '../../model/summary/code-versions.js';
import { type GroupBy, groupByText, type KeysOf, keysBy } from '../../model/summary/row-groups.js';
import { type ScoreScales, scoreScales } from '../../model/summary/score-values.js';
import type { Row } from '../../store/replay/run-index.js';
import type { StoredRun } from '../../store/stored-run.js';
import { LruMap } from '../cache.js';
import { facetsOf, type RowFacets } from './facets.js';
import { FieldTexts } from './fields.js';
import {
  filterKinds,
  filterNames,
  isSet,
  type Misses,
  missesOf,
  type RowFilter,
  type RowTraits,
} from './filters.js';
import { type GroupedRows, groupRows, isPlanned, isPlannedCondition } from './groups.js';
import { type RowSource, sourceEntries } from './light-row.js';
import {
  numberTexts,
  type RankedText,
  type RowOrder,
  rankFieldTexts,
  rankTexts,
  sortIndices,
} from './row-order.js';
import { RowReasons } from './row-reasons.js';
import { summariseRows } from './row-summary.js';
import { type Found, placesOf, RowTexts, TextMemory } from './row-texts.js';
import { foldTrials, type TrialGroup, trialGroups } from './trials.js';

/** Bytes of text kept in memory for searches, over all open runs. */
const defaultMemory = 128 * 1024 * 1024;

/** The tables of all open runs: each is made again when a row has changed. */
export class RowTables {
  readonly #current = new WeakMap<StoredRun, RowTable>();
  readonly #counted = new WeakMap<StoredRun, RowTable>();
  readonly #memory: TextMemory;

  /** `bytes`: the most that is kept in memory for searches. */
  constructor(bytes: number = defaultMemory) {
    this.#memory = new TextMemory(bytes);
  }

  /** The table of a run as of now. */
  current(run: StoredRun): RowTable {
    return this.#table(this.#current, run, (rows) => rows.slice());
  }

  /** The same with the attempts that count in place of repeats. */
  counted(run: StoredRun): RowTable {
    if (run.rows.every(({ counted }) => counted === undefined)) return this.current(run);
    return this.#table(this.#counted, run, (rows) => rows.map(countedOf));
  }

  #table(
    tables: WeakMap<StoredRun, RowTable>,
    run: StoredRun,
    copy: (rows: readonly Row[]) => readonly Row[],
  ): RowTable {
    const known = tables.get(run);
    if (known?.version === run.version) return known;
    const reads = known?.reads ?? {
      texts: new RowTexts(this.#memory),
      fields: new FieldTexts(),
      reasons: new RowReasons(),
    };
    const table = new RowTable(run, copy(run.rows), reads, known);
    tables.set(run, table);
    return table;
  }
}

/** A filter and a sort order. */
export interface RowQuery {
  readonly filter: RowFilter;
  readonly order: RowOrder;
}

/** The rows that match, sorted. */
interface MatchingRows {
  readonly indices: Uint32Array;
  /** What came of results decided which match: no rate of them says anything. */
  readonly countsOnly: boolean;
  /** The same with only the first trial of each case. */
  folded(): Uint32Array;
  /** Computed on first use. */
  summary(): RowSummary;
}

/** The figures of rows, and how many rows each filter value would match. */
type RowSummary = ReturnType<typeof summariseRows> & {
  readonly facets: RowFacets;
  /** In how many of the rows a search found a word, by where it stands; absent without a search. */
  readonly found?: readonly { readonly in: TextPlace; readonly results: number }[];
};

/** The number of cached answers. */
const keptQueries = 4;

/** The rows of a run at one moment, with access to their values and cached answers to queries. */
export class RowTable implements RowSource, RowTraits {
  readonly run: StoredRun;
  /** Changes whenever a row changes. */
  readonly version: string;
  readonly rows: readonly Row[];
  readonly unlisted: RowSource['unlisted'];
  readonly file: RowSource['file'];
  /** What is read of the log, and kept for later tables. */
  readonly reads: {
    readonly texts: RowTexts;
    readonly fields: FieldTexts;
    readonly reasons: RowReasons;
  };
  readonly #answers = new LruMap<MatchingRows>(keptQueries);
  readonly #grouped = new LruMap<GroupedRows>(keptQueries);
  readonly #meetings = new LruMap<ReadonlySet<number>>(keptQueries);
  readonly #found = new LruMap<Found>(keptQueries);
  readonly #planned = new LruMap<Promise<boolean>>(keptQueries);
  #groups: ReadonlyMap<string, TrialGroup> | undefined;
  #scales: ScoreScales | undefined;
  #olderCodes: ReadonlySet<string> | undefined;
  #names: Partial<Record<'function' | 'dataset' | 'evaluation', Uint32Array>> = {};

  /** `before`: the table of an earlier moment, whose unchanged parts are reused. */
  constructor(
    run: StoredRun,
    rows: readonly Row[],
    reads: RowTable['reads'],
    before: RowTable | undefined,
  ) {
    this.run = run;
    this.version = run.version;
    this.rows = rows;
    this.unlisted = run.unlisted;
    this.file = run.log.file;
    this.reads = reads;
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
  async query({ filter, order }: RowQuery, signal?: AbortSignal): Promise<MatchingRows> {
    const name = JSON.stringify([filter, order]);
    const answer = this.#answers.get(name) ?? (await this.#answer(filter, order, signal));
    this.#answers.set(name, answer);
    return answer;
  }

  /** The matching rows in groups; cached. */
  async grouped(query: RowQuery, by: GroupBy, signal?: AbortSignal): Promise<GroupedRows> {
    const name = JSON.stringify([query.filter, query.order, by]);
    const known = this.#grouped.get(name);
    if (known !== undefined) return known;
    const { indices, countsOnly } = await this.query(query, signal);
    const keysOf = await this.keysBy(by, signal);
    const { order } = query;
    const hidesRates = countsOnly || !(await this.isPlanned(by));
    const grouped = groupRows(this, indices, { keysOf, order, countsOnly: hidesRates });
    this.#grouped.set(name, grouped);
    return grouped;
  }

  /** For each row, the kinds of a filter that exclude it. */
  misses(filter: RowFilter, signal?: AbortSignal): Promise<Misses> {
    const { isFlaky, isOlder } = this;
    return missesOf(this.rows, filter, {
      ...{ isFlaky, isOlder, outdated: filter.outdated?.indices },
      keysBy: (by) => this.keysBy(by, signal),
      causes: () => this.reads.reasons.read(this, signal),
      hasFlags: () => this.reads.texts.flags(this),
      meeting: (condition) => this.#meeting(condition, signal),
      search: (text) => this.#search(text, signal),
    });
  }

  readonly isOlder = ({ code }: RowFacts): boolean => {
    this.#olderCodes ??= olderCodes(codeVersions(this.rows));
    return code !== undefined && this.#olderCodes.has(code);
  };

  readonly isFlaky = ({ trial_of }: RowFacts): boolean =>
    trial_of !== undefined && this.groups.get(trial_of)?.flaky === true;

  /** True when the value that rows are chosen or grouped by is authored; cached. */
  isPlanned(by: GroupBy): Promise<boolean> {
    const name = groupByText(by);
    const known = this.#planned.get(name) ?? isPlanned(this, by);
    this.#planned.set(name, known);
    return known;
  }

  /** The values of a field with the number of matching rows, the most frequent first; conditions about it are left out. */
  async values(field: CallFact | ResultField, filter: RowFilter, signal?: AbortSignal) {
    const isAbout = JSON.stringify(field);
    const others = (list: readonly Condition[] = []) =>
      list.filter((one) => JSON.stringify(one.field) !== isAbout);
    const { where, ...kinds } = filter;
    const choice = { include: others(where?.include), exclude: others(where?.exclude) };
    const rest = { ...kinds, ...(isSet(choice) && { where: choice }) };
    const order = { by: 'index', descending: false } as const;
    const { indices } = await this.query({ filter: rest, order }, signal);
    const valuesOf = await this.#valuesOf(field, signal);
    const counts = new Map<string, number>();
    for (const index of indices) {
      for (const value of valuesOf(index)) counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    return [...counts]
      .map(([value, results]) => ({ value, results }))
      .sort((a, b) => b.results - a.results);
  }

  async #valuesOf(field: CallFact | ResultField, signal?: AbortSignal) {
    if (isCallFact(field)) {
      const called = await this.reads.texts.called(this, signal);
      return (index: number) => called(index)[field];
    }
    const texts = await this.#fieldTexts(field, signal);
    return (index: number) => {
      const text = texts[index] ?? null;
      // A longer one is cut, so that no result has the value.
      return text === null || text.length >= longestFieldText ? [] : [text];
    };
  }

  /** Finds the groups of rows. */
  async keysBy(by: GroupBy, signal?: AbortSignal): Promise<KeysOf> {
    if (typeof by === 'string') return keysBy(by, () => null);
    const texts = await this.#fieldTexts(by, signal);
    return keysBy(by, (index) => texts[index] ?? null);
  }

  async #answer(filter: RowFilter, order: RowOrder, signal?: AbortSignal): Promise<MatchingRows> {
    const misses = await this.misses(filter, signal);
    const matching = indicesOf(misses);
    const { by } = order;
    const texts =
      typeof by === 'object' && 'field' in by ? await this.#fieldTexts(by.field, signal) : [];
    const rankOf = (ranked: RankedText) =>
      typeof ranked === 'string' ? this.#rank(ranked) : rankFieldTexts(texts);
    const indices = sortIndices(this.rows, matching, order, rankOf);
    const countsOnly = await this.isByOutcome(filter);
    const [text] = filter.search?.include ?? [];
    const found = text === undefined ? undefined : await this.#search(text, signal);
    let folded: Uint32Array | undefined;
    let summary: RowSummary | undefined;
    return {
      indices,
      countsOnly,
      summary: () => {
        summary ??= {
          ...summariseRows(this, matching, countsOnly),
          facets: facetsOf(this.rows, misses, this),
          ...(found && { found: countPlaces(found, matching) }),
        };
        return summary;
      },
      folded: () => {
        folded ??= foldTrials(this.rows, indices);
        return folded;
      },
    };
  }

  /** True for a filter that selects by what came of results: rates of what it selects say nothing. */
  async isByOutcome(filter: RowFilter): Promise<boolean> {
    // Whether a group or a condition is planned depends on its field.
    const { group, where, ...others } = filter;
    const kinds = filterNames.filter((name) => (others as RowFilter)[name] !== undefined);
    if (kinds.some((name) => filterKinds[name].isPlanned !== true)) return true;
    for (const { by } of [...(group?.include ?? []), ...(group?.exclude ?? [])]) {
      if (!(await this.isPlanned(by))) return true;
    }
    for (const condition of [...(where?.include ?? []), ...(where?.exclude ?? [])]) {
      if (!(await isPlannedCondition(condition, this))) return true;
    }
    return false;
  }

  /** The rows that meet a condition; cached. */
  async #meeting(condition: Condition, signal?: AbortSignal): Promise<ReadonlySet<number>> {
    const known = this.#meetings.get(condition.text);
    const found = known ?? (await this.#meet(condition, signal));
    this.#meetings.set(condition.text, found);
    return found;
  }

  async #meet(condition: Condition, signal?: AbortSignal): Promise<ReadonlySet<number>> {
    const { field } = condition;
    if (!isCallFact(field)) {
      const entries = (indices: readonly number[]) => sourceEntries(this, indices);
      return rowsMeeting({ rows: this.rows, entries }, [condition], signal);
    }
    const called = await this.reads.texts.called(this, signal);
    const meets = testOfValues(condition);
    return new Set([...this.rows.keys()].filter((index) => meets(called(index)[field])));
  }

  /** What a search finds; cached. */
  async #search(text: string, signal?: AbortSignal): Promise<Found> {
    const found = this.#found.get(text) ?? (await this.reads.texts.search(this, text, signal));
    this.#found.set(text, found);
    return found;
  }

  /** The text of a field of each row. */
  #fieldTexts(field: ResultField, signal?: AbortSignal): Promise<readonly (string | null)[]> {
    return this.reads.fields.read(this, field, signal);
  }

  #rank(field: 'function' | 'dataset'): Uint32Array {
    const ranks = this.#names[field] ?? rankTexts(this.rows.map((row) => row[field]));
    this.#names[field] = ranks;
    return ranks;
  }
}

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

/** The number of rows with a hit in each place. */
function countPlaces(found: Found, indices: Uint32Array) {
  const counts = new Map<TextPlace, number>();
  for (const index of indices) {
    for (const place of placesOf(found[index] ?? 0)) {
      counts.set(place, (counts.get(place) ?? 0) + 1);
    }
  }
  return textPlaces.flatMap((place) => {
    const results = counts.get(place);
    return results === undefined ? [] : [{ in: place, results }];
  });
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
