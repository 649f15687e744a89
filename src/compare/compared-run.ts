import { AssayError } from '../errors.js';
import type { CorrectedScore } from '../model/calibration/calibration.js';
import type { RunUsage } from '../model/calls/run-usage.js';
import type { JsonObject } from '../model/json.js';
import type { ReadableRun } from '../model/readable-run.js';
import {
  asCounted,
  caseIdOf,
  countedOf,
  isUnfinished,
  type ResultEntry,
  type RowFacts,
} from '../model/result.js';
import type { CodeVersion, Mixed, Repeats, RunPlace, RunState } from '../model/run.js';
import { codeVersions } from '../model/summary/code-versions.js';
import { type LostScores, lostScoresOf } from '../model/summary/lost-scores.js';
import { readEntry } from '../store/log/entry-reading.js';
import type { StoredRun } from '../store/stored-run.js';
import { countOf, countOfAll } from '../text/count-text.js';
import { type MixedText, mixedTexts } from '../text/mixed-text.js';
import { type EvalCase, withoutErrors } from './cases/eval-case.js';
import { casesOf } from './cases/group-by-case.js';

/** Identifies a run in a comparison. */
export interface ComparedHead {
  readonly run_id: string;
  readonly run_name: string;
  /** `null` for a baseline file, like the next two fields. */
  readonly session_name: string | null;
  readonly config_name: string | null;
  readonly state: RunState | null;
  /** See `RunHead`; absent unless there are several. */
  readonly code_versions?: readonly CodeVersion[];
  /** See `RunHead`; absent for none. */
  readonly repeats?: Repeats;
  /** See `RunHead`; absent for none. */
  readonly mixed?: Mixed;
  /** The params in effect; absent if they are not known. */
  readonly params?: JsonObject;
  /** When the run started, in whole Unix seconds. */
  readonly timestamp: number;
  /** See `RunHead`; absent without calls. */
  readonly usage?: RunUsage;
  /** That it is older than the setting allows, in words; see {@link withAge}. */
  readonly stale?: string;
  /** See `StoredRun.corrected`; absent for none. */
  readonly corrected?: readonly CorrectedScore[];
}

/** A row of a compared run, and its index. */
export interface ComparedRow {
  readonly index: number;
  readonly row: RowFacts;
}

/** A stored run, an exported run or a baseline file, ready to be compared. */
export interface ComparedRun {
  readonly head: ComparedHead;
  readonly cases: readonly EvalCase[];
  /** The number of unfinished results. */
  readonly unfinished: number;
  /** Why its figures are not those of one system; absent for a baseline file. */
  readonly doubts?: readonly MixedText[] | undefined;
  /** Of some of its cases or results: `4 of 8 cases`; absent for all. */
  readonly part?: string | undefined;
  /** Errors that are not judged; absent for none. */
  readonly ignoredErrors?: number | undefined;
  /** Absent for none. */
  readonly lostScores?: LostScores | undefined;
  /** Rows by case id, trials in order; empty for a baseline file. */
  rowsOf(ids: ReadonlySet<string>): ReadonlyMap<string, readonly ComparedRow[]>;
  /** Reads one result of a row that `rowsOf` returned. */
  read(index: number): Promise<ResultEntry>;
}

/** A snapshot of a stored run; later changes do not affect it. */
export function ofStoredRun(run: StoredRun): ComparedRun {
  // Not `snapshot`, which counts everything again. Rows are replaced, never mutated.
  const rows = run.rows.slice();
  const { file } = run.log;
  const { run_id, run_name, session_name, config_name, created_at_ms } = run.header;
  const timestamp = Math.floor(created_at_ms / 1000);
  const versions = codeVersions(rows);
  const { usage, repeats, mixed, totals } = run.summary();
  const { params } = run.log.index.facts;
  const corrected = run.corrected();
  const head = {
    ...{ run_id, run_name, session_name, config_name, state: run.state, timestamp },
    ...(params && { params }),
    ...(usage && { usage }),
    ...(repeats && { repeats }),
    ...(versions && { code_versions: versions }),
    ...(mixed && { mixed }),
    ...(corrected.length > 0 && { corrected }),
  };
  const doubts = mixedTexts({ repeats, mixed, totals }, run_id);
  const part = partText(rows.length, run.header);
  const cases = casesOf(rows, run_id, (row) => run.gradingOf(row));
  return ofRows({ head, doubts, cases, part }, rows, async (index) => {
    const row = rows[index];
    return row && readEntry(file, { index, row: countedOf(row) });
  });
}

/** An export of all results has their number, too. */
function partText(count: number, { part_of: of }: RunPlace): string | undefined {
  if (of === undefined || of <= count) return undefined;
  return countOfAll(count, of, 'result');
}

/** An exported run JSON. */
export function ofExportedRun(run: ReadableRun): ComparedRun {
  const { run_id, run_name, session_name, config_name, state, created_at, code_versions } =
    run.head;
  const { usage, repeats, mixed, params } = run.head;
  const head = {
    ...(params && { params }),
    ...(mixed && { mixed }),
    ...(repeats && { repeats }),
    ...(usage && { usage }),
    ...{ run_id, run_name, session_name, config_name, state, timestamp: created_at },
    ...(code_versions && { code_versions }),
  };
  const doubts = mixedTexts({ repeats, mixed, totals: run.head }, run_id);
  const part = partText(run.rows.length, run.head);
  const cases = casesOf(run.rows, run_id);
  return ofRows({ head, doubts, cases, part }, run.rows, async (index) => {
    for await (const { entry } of run.entries([index])) {
      return asCounted(entry);
    }
    return undefined;
  });
}

function ofRows(
  { head, ...of }: Pick<ComparedRun, 'head' | 'doubts' | 'cases' | 'part'>,
  rows: readonly RowFacts[],
  read: (index: number) => Promise<ResultEntry | undefined>,
): ComparedRun {
  return {
    ...{ head, ...of },
    unfinished: rows.reduce(
      (count, row) => (isUnfinished(row) && row.pruned !== true ? count + 1 : count),
      0,
    ),
    lostScores: lostScoresOf(rows),
    rowsOf: (ids) => groupRows(rows, ids),
    read: async (index) => {
      const entry = await read(index);
      if (entry === undefined) throw new Error(`row ${index} of ${head.run_id} is not there`);
      return entry;
    },
  };
}

/**
 * The run with its errors not judged: they count neither as passed nor as failed. Errors: `usage` for a baseline
 * file that does not record which results are errors.
 */
export function ignoreErrorsOf<T extends ComparedRun>(run: T): T {
  if (run.cases.some(({ errors }) => errors === undefined)) {
    throw new AssayError(
      'usage',
      `The baseline file of ${run.head.run_name} does not say which results are errors, so --ignore-errors cannot leave them out.`,
      { hints: ['Bless the run again: assay sessions bless RUN FILE'] },
    );
  }
  const ignored = run.cases.reduce((sum, { errors = 0 }) => sum + errors, 0);
  const cases = run.cases.map(withoutErrors);
  return { ...run, cases, ...(ignored > 0 && { ignoredErrors: ignored }) };
}

const dayOfSeconds = 86_400;

/** The run, saying that it is old if it started more than `maxDays` days before `now` (Unix milliseconds). */
export function withAge<T extends ComparedRun>(
  run: T,
  maxDays: number | null,
  now = Date.now(),
): T {
  const { timestamp } = run.head;
  const days = Math.floor((now / 1000 - timestamp) / dayOfSeconds);
  // The time is 0 where a file has none.
  if (maxDays === null || timestamp === 0 || days <= maxDays) return run;
  const stale = `is ${countOf(days, 'day')} old, more than baseline_max_age_days (${maxDays}): bless a newer run`;
  return { ...run, head: { ...run.head, stale } };
}

function groupRows(rows: readonly RowFacts[], ids: ReadonlySet<string>) {
  const groups = new Map<string, ComparedRow[]>();
  rows.forEach((newest, index) => {
    const row = countedOf(newest);
    const id = caseIdOf(row);
    if (!ids.has(id) || row.pruned === true) return;
    const group = groups.get(id);
    if (group === undefined) groups.set(id, [{ index, row }]);
    else group.push({ index, row });
  });
  return groups;
}
