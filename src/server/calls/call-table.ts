import { setImmediate } from 'node:timers/promises';
import {
  type CallFigures,
  callFigures,
  highMarks,
  isDear,
  isSlow,
} from '../../model/calls/call-figures.js';
import {
  type CallSort,
  type ListedCall,
  listedCalls,
  sortCalls,
} from '../../model/calls/listed-call.js';
import { readCallFacts } from '../../store/log/entry-reading.js';
import type { Row } from '../../store/replay/run-index.js';
import type { StoredRun } from '../../store/stored-run.js';
import { AnswerCache, LruMap } from '../cache.js';
import { FacetCounts } from '../rows/facets.js';
import type { Choice } from '../rows/filters.js';

/** The runs whose calls are kept in memory, a few hundred bytes for each call. */
const keptRuns = 3;

/** Cached answers of a run. */
const keptQueries = 4;

/** Milliseconds of reading after which other requests have their turn. */
const turn = 20;

/** The states of calls that filters know. */
export const callStates = [
  'failed',
  'at_limit',
  'tool_failed',
  'replayed',
  'carried',
  'not_priced',
  'slow',
  'dear',
] as const;
type CallState = (typeof callStates)[number];

/** Which calls are asked for. */
interface CallFilter {
  readonly role: Choice<string>;
  readonly model: Choice<string>;
  readonly provider: Choice<string>;
  readonly tool: Choice<string>;
  readonly state: Choice<CallState>;
  readonly search: string;
}

const choices = ['role', 'model', 'provider', 'tool', 'state'] as const;
const searchBit = 1 << choices.length;

/** The calls that match a filter. */
interface MatchingCalls {
  /** In the order of the run. */
  readonly calls: readonly ListedCall[];
  /** The results that they belong to. */
  readonly results: number;
  /** How many calls each value would match, given the filters of all other kinds. */
  readonly facets: ReturnType<typeof countFacets>;
  /** Computed on first use. */
  figures(): CallFigures;
}

/** The calls of runs, each read once and kept until the run changes. */
export class CallTables {
  readonly #answers = new AnswerCache<CallTable>(keptRuns);
  readonly #last = new LruMap<CallTable>(keptRuns);

  /** The calls of a run as of now. */
  of(run: StoredRun): Promise<CallTable> {
    return this.#answers.get(run.runId, run.version, async () => {
      const table = await readTable(run, this.#last.get(run.runId));
      this.#last.set(run.runId, table);
      return table;
    });
  }
}

/** Reads the calls of a run; those of rows that have not changed since `before` are taken from there. */
async function readTable(run: StoredRun, before: CallTable | undefined): Promise<CallTable> {
  const { version } = run;
  const rows = run.rows.slice();
  const file = run.log.file.retain();
  try {
    const byRow: RowCalls[] = [];
    let began = performance.now();
    for (const [index, row] of rows.entries()) {
      const isSame = before?.rows[index] === row;
      byRow.push((isSame ? before?.byRow[index] : undefined) ?? readRow(file, index, row));
      if (performance.now() - began < turn) continue;
      await setImmediate();
      began = performance.now();
    }
    return new CallTable(version, rows, byRow);
  } finally {
    file.release();
  }
}

/** The calls of a row. */
interface RowCalls {
  readonly calls: readonly ListedCall[];
  readonly unreadable: boolean;
}

/** A pruned row counts for nothing. */
function readRow(file: StoredRun['log']['file'], index: number, row: Row): RowCalls {
  if (row.pruned === true) return { calls: [], unreadable: false };
  const light = readCallFacts(file, { index, row });
  return { calls: listedCalls(light, index, row.origin), unreadable: light.unreadable === true };
}

/** The calls of models of a run at one moment: those of the newest attempt of each result. */
export class CallTable {
  readonly version: string;
  readonly rows: readonly Row[];
  readonly byRow: readonly RowCalls[];
  readonly calls: readonly ListedCall[];
  /** Calls are missing, because lines of the log are damaged. */
  readonly unreadable: boolean;
  readonly marks: ReturnType<typeof highMarks>;
  readonly #matching = new LruMap<MatchingCalls>(keptQueries);
  readonly #sorted = new LruMap<readonly ListedCall[]>(keptQueries);

  constructor(version: string, rows: readonly Row[], byRow: readonly RowCalls[]) {
    this.version = version;
    this.rows = rows;
    this.byRow = byRow;
    this.calls = byRow.flatMap(({ calls }) => calls);
    this.unreadable = byRow.some(({ unreadable }) => unreadable);
    this.marks = highMarks(this.calls);
  }

  /** The matching calls; cached. */
  matching(filter: CallFilter): MatchingCalls {
    const name = JSON.stringify(filter);
    const found = this.#matching.get(name) ?? this.#find(filter);
    this.#matching.set(name, found);
    return found;
  }

  /** The same, sorted; cached. */
  sorted(filter: CallFilter, by: CallSort, descending: boolean): readonly ListedCall[] {
    const name = JSON.stringify([filter, by, descending]);
    const known = this.#sorted.get(name);
    const { calls } = this.matching(filter);
    const sorted = known ?? sortCalls(calls, { by, descending }, this.rows);
    this.#sorted.set(name, sorted);
    return sorted;
  }

  #find(filter: CallFilter): MatchingCalls {
    const misses = this.#misses(filter);
    const calls = this.calls.filter((_, at) => misses[at] === 0);
    let figures: CallFigures | undefined;
    return {
      calls,
      results: new Set(calls.map(({ index }) => index)).size,
      facets: countFacets(this, misses),
      figures: () => {
        figures ??= callFigures(calls);
        return figures;
      },
    };
  }

  /** For each call, the kinds of the filter that exclude it. */
  #misses(filter: CallFilter): Uint8Array {
    const misses = new Uint8Array(this.calls.length);
    for (const [bit, name] of choices.entries()) {
      const choice = filter[name] as Choice<string>;
      if (choice.include.length + choice.exclude.length === 0) continue;
      for (const [at, call] of this.calls.entries()) {
        if (!isChosen(this.valuesOf(call, name), choice))
          misses[at] = (misses[at] ?? 0) | (1 << bit);
      }
    }
    const words = filter.search.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length === 0) return misses;
    for (const [at, call] of this.calls.entries()) {
      const text = this.#textOf(call);
      if (!words.every((word) => text.includes(word))) misses[at] = (misses[at] ?? 0) | searchBit;
    }
    return misses;
  }

  /** The values of a call that a filter chooses by. */
  valuesOf(call: ListedCall, name: (typeof choices)[number]): readonly string[] {
    switch (name) {
      case 'role':
      case 'model':
        return [call[name]];
      case 'provider':
        return call.provider === undefined ? [] : [call.provider];
      case 'tool':
        return call.tools.map((tool) => tool.name);
      case 'state':
        return statesOf(call, this.marks);
    }
  }

  #textOf({ index, model, role, tools, finish }: ListedCall): string {
    const id = this.rows[index]?.id ?? '';
    return [id, model, role, finish, ...tools.map(({ name }) => name)].join(' ').toLowerCase();
  }
}

function isChosen(values: readonly string[], { include, exclude }: Choice<string>): boolean {
  if (exclude.some((value) => values.includes(value))) return false;
  return include.length === 0 || include.some((value) => values.includes(value));
}

function statesOf(call: ListedCall, marks: CallTable['marks']): CallState[] {
  const is: Record<CallState, boolean> = {
    failed: call.failed,
    at_limit: call.atLimit,
    tool_failed: call.tools.some(({ failed }) => failed === true),
    replayed: call.taken === 'replayed',
    carried: call.taken === 'carried' || call.taken === 'regraded',
    not_priced: call.cost === null,
    slow: isSlow(call, marks.latency),
    dear: isDear(call, marks.cost),
  };
  return callStates.filter((state) => is[state]);
}

function countFacets(table: CallTable, misses: Uint8Array) {
  const counted = choices.map((name, bit) => {
    const counts = new FacetCounts<string>(name === 'state' ? callStates : []);
    for (const [at, call] of table.calls.entries()) {
      const isMatching = ((misses[at] ?? 0) & ~(1 << bit)) === 0;
      for (const value of table.valuesOf(call, name)) {
        counts.add(value, isMatching ? at : undefined);
      }
    }
    return [name, counts.values()] as const;
  });
  // One entry for each name.
  return Object.fromEntries(counted) as Record<
    (typeof choices)[number],
    { readonly value: string; readonly count: number }[]
  >;
}
