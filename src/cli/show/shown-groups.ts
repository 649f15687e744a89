import type { EvalCase } from '../../compare/cases/eval-case.js';
import { casesOf } from '../../compare/cases/group-by-case.js';
import {
  type ComparedGroup,
  casesByKey,
  type GroupsBase,
  groupDifferences,
  whyNotCompared,
} from '../../compare/group-differences.js';
import { AssayError } from '../../errors.js';
import { besideParts } from '../../model/calls/run-usage.js';
import type { ReadableRun } from '../../model/readable-run.js';
import {
  fieldText,
  type ResultField,
  resultFieldText,
  valueOfField,
} from '../../model/result-field.js';
import type { RunHead } from '../../model/run.js';
import { renderPercent } from '../../model/summary/figure-text.js';
import {
  type GroupBy,
  type GroupOrder,
  groupByText,
  groupForms,
  groupSorts,
  isPlannedValue,
  keysBy,
  parseGroupBy,
  type RowGroup,
  rowGroup,
  rowsByKey,
  sortGroups,
} from '../../model/summary/row-groups.js';
import { scoreScales } from '../../model/summary/score-values.js';
import { isPlanned } from '../../server/rows/groups.js';
import { previousOf } from '../../store/listing/previous-of.js';
import type { Store } from '../../store/store.js';
import type { StoredRun } from '../../store/stored-run.js';
import { renderCount } from '../../text/count-text.js';
import { renderLatency } from '../../text/duration-text.js';
import { didYouMean } from '../../text/near-names.js';
import { boundsText, pointsText } from '../../text/share-text.js';
import { besideTaken, renderCost } from '../../text/usage-text.js';
import { type FittedColumn, renderFittedColumns } from '../terminal/fitted-columns.js';
import { escapeTerminal } from '../terminal/terminal-text.js';
import type { ChosenResults } from './chosen-results.js';

/** The groups of a run, as `assay show --by --json` prints them. */
export interface ShownGroups {
  readonly run_id: string;
  readonly run_name: string;
  /** `dataset`, `label`, `evaluation`, `file` or a field such as `metadata.tier`. */
  readonly by: string;
  /** With `--view`: its name. With it and with filters: the results of the run, and those that are shown. */
  readonly view?: string;
  readonly total?: number;
  readonly filtered?: number;
  /** The run before, which groups are compared with; `null` if there is none. */
  readonly previous: GroupsBase | null;
  /** Why there is none: `no earlier run of config nano`. */
  readonly no_previous?: string;
  readonly groups: readonly ComparedGroup[];
}

/** Parses `--by`. */
export function groupByOf(text: string): GroupBy {
  const by = parseGroupBy(text);
  if (by !== undefined) return by;
  throw new AssayError('usage', `--by must be one of ${groupForms}, not "${text}".`);
}

/** Parses `--sort`. */
export function groupOrderOf(text: string): GroupOrder {
  if (text.startsWith('score:')) return { by: { score: text.slice(6) }, descending: false };
  const by = groupSorts.find((field) => field === text);
  if (by !== undefined) return { by, descending: by !== 'passed' && by !== 'key' };
  throw new AssayError(
    'usage',
    `--sort must be ${groupSorts.join(', ')} or score:KEY, not "${text}".`,
  );
}

/** Groups the results of a run; by default the group with the worst pass rate comes first. */
export async function groupRun(
  run: ReadableRun,
  {
    by,
    order = { by: 'passed', descending: false },
    previous: before,
    chosen,
    countsOnly,
  }: {
    readonly by: GroupBy;
    readonly order?: GroupOrder | undefined;
    /** The run before, or why there is none; absent where nothing is to be compared. */
    readonly previous?: PreviousCases | string | undefined;
    /** The results to group; the difference from the previous run is over all. Default: all. */
    readonly chosen?: Pick<ChosenResults, 'name' | 'indices' | 'total'> | undefined;
    /** What came of results decides which are in a group: no rate of it says anything. */
    readonly countsOnly: boolean;
  },
): Promise<ShownGroups> {
  const keys = typeof by === 'object' ? await fieldTexts(run, by) : [];
  const keysOf = keysBy(by, (index) => keys[index] ?? null);
  const scales = scoreScales(run.rows);
  const beside = besideParts(run.rows, run.head.usage?.unlisted);
  const previous = typeof before === 'string' ? undefined : before;
  const base = previous && groupsBase(previous, by);
  const differences =
    previous?.cases === undefined || base?.not_compared !== undefined
      ? undefined
      : groupDifferences(
          previous.cases,
          casesOf(run.rows, run.head.run_id),
          casesByKey(run.rows, keysOf),
        );
  const groups = [...rowsByKey(run.rows, chosen?.indices ?? run.rows.keys(), keysOf)].map(
    ([key, rows]) => {
      const difference = differences?.get(key);
      return {
        ...rowGroup(key, rows, { scales, countsOnly, beside }),
        ...(difference && { difference }),
      };
    },
  );
  const { run_id, run_name } = run.head;
  return {
    run_id,
    run_name,
    by: groupByText(by),
    ...(chosen && {
      ...(chosen.name !== undefined && { view: chosen.name }),
      ...{ total: chosen.total, filtered: chosen.indices.length },
    }),
    previous: base ?? null,
    ...(typeof before === 'string' && { no_previous: before }),
    groups: sortGroups(groups, order),
  };
}

function groupsBase({ run_id, run_name, cases }: PreviousCases, by: GroupBy): GroupsBase {
  const why = cases === undefined ? `${run_name} cannot be read` : whyNotCompared(by);
  return { run_id, run_name, ...(why !== undefined && { not_compared: why }) };
}

/** The text of a field of each result, by index. Error: `usage` if no result has it. */
async function fieldTexts(run: ReadableRun, field: ResultField): Promise<(string | null)[]> {
  const texts: (string | null)[] = [];
  const others = new Set<string>();
  for await (const { index, entry } of run.entries()) {
    texts[index] = fieldText(entry.result, field);
    const parent = valueOfField(entry.result, { ...field, path: field.path.slice(0, -1) });
    if (typeof parent === 'object') for (const name in parent) others.add(name);
  }
  if (texts.some((text) => text !== null)) return texts;
  const hint = didYouMean(String(field.path.at(-1)), others) ?? knownText([...others]);
  throw new AssayError(
    'usage',
    `No result of ${run.head.run_name} has ${resultFieldText(field)}.`,
    { hints: hint === undefined ? [] : [hint] },
  );
}

const mostNamed = 10;

function knownText(names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  const more = names.length - mostNamed;
  const shown = names.slice(0, mostNamed).join(', ');
  return `There are ${shown}${more > 0 ? ` and ${more} more` : ''}.`;
}

/** Renders groups as a table with a line each. */
export function renderGroups(
  { by, previous, no_previous: whyNone, groups }: ShownGroups,
  page: { readonly columns: number | undefined },
): string {
  const has = (read: (group: RowGroup) => number | undefined) =>
    groups.some((group) => (read(group) ?? 0) > 0);
  const figures = (
    title: string,
    rank: number,
    read: (group: RowGroup) => string,
  ): FittedColumn => ({
    title,
    align: 'right',
    rank,
    cells: groups.map(read),
  });
  const isCompared = previous !== null && previous.not_compared === undefined;
  const columns: FittedColumn[] = [
    { title: by, cells: groups.map((group) => keyText(group, by)), shrinkTo: 20 },
    figures('results', 9, ({ results }) => renderCount(results)),
    ...(groups.some((group) => group.results !== judgedOf(group))
      ? [figures('judged', 5, (group) => renderCount(judgedOf(group)))]
      : []),
    figures('passed', 10, passedText),
    ...(has(({ pass_rate }) => pass_rate?.total)
      ? [figures('95 %', 8, ({ pass_rate }) => (pass_rate ? boundsText(pass_rate) : ''))]
      : []),
    ...(has(({ errors }) => errors)
      ? [figures('errors', 4, ({ errors }) => renderCount(errors))]
      : []),
    ...(has(({ flaky }) => flaky)
      ? [figures('flaky', 3, ({ flaky }) => (flaky === undefined ? '' : renderCount(flaky)))]
      : []),
    ...(has(({ unfinished }) => unfinished)
      ? [figures('unfinished', 2, ({ unfinished }) => renderCount(unfinished))]
      : []),
    ...(groups.some(({ usage }) => usage !== undefined)
      ? [figures('cost', 7, ({ usage }) => (usage ? besideTaken(usage, renderCost) : ''))]
      : []),
    figures('p50', 6, ({ latency: { p50 } }) => (p50 === null ? '' : renderLatency(p50))),
    ...(isCompared
      ? [figures(`since ${escapeTerminal(previous.run_name)}`, 7.5, (group) => sinceText(group))]
      : []),
  ];
  const notes = [...(whyNone ? [whyNone] : []), ...sinceNotes(previous, groups)].map(
    (note) => `\n  ${escapeTerminal(note)}`,
  );
  return [renderFittedColumns(columns, page.columns), ...notes].join('\n');
}

/** The pass rate, or the number that passed where a rate says nothing. */
function passedText({ pass_rate, counts_only, passed }: RowGroup): string {
  if (counts_only === true) return renderCount(passed);
  return pass_rate ? renderPercent(pass_rate.estimate) : '–';
}

function judgedOf({ passed, failed, errors }: RowGroup): number {
  return passed + failed + errors;
}

/** The reason why groups, or some of them, are not compared. */
function sinceNotes(previous: GroupsBase | null, groups: readonly ComparedGroup[]): string[] {
  if (previous === null) return [];
  const { run_name, not_compared: why } = previous;
  if (why !== undefined) return [`Not compared with ${run_name}: ${why}.`];
  return groups.some(({ difference }) => (difference?.difference ?? null) === null)
    ? [`–: no case of the group has a verdict in both runs.`]
    : [];
}

/** `▼ −9.6`; without an arrow if it may be chance. A dash if the group has no case in both runs. */
function sinceText({ difference: found }: ComparedGroup): string {
  if (found === undefined || found.difference === null) return '–';
  const { estimate } = found.difference;
  const arrow = found.beyond_chance ? (estimate < 0 ? '▼ ' : '▲ ') : '';
  return arrow + pointsText(estimate);
}

/** `(no label)` for the results that do not have it. */
function keyText({ key }: RowGroup, by: string): string {
  return key === null ? `(no ${by})` : escapeTerminal(key);
}

/** The run before a saved run. */
interface PreviousCases {
  readonly run_id: string;
  readonly run_name: string;
  /** `undefined` when it cannot be read. */
  readonly cases: readonly EvalCase[] | undefined;
}

/** Reads the run that the figures of a saved run are compared with, or says why there is none. */
export async function readPreviousCases(
  store: Store,
  { run_id, session_name }: Pick<RunHead, 'run_id' | 'session_name'>,
): Promise<PreviousCases | string> {
  const previous = previousOf(await store.listRuns(session_name), run_id);
  if (previous.run === undefined) return previous.why;
  const { run_id: id, run_name } = previous.run;
  return { run_id: id, run_name, cases: await readCases(store, id) };
}

async function readCases(store: Store, runId: string): Promise<EvalCase[] | undefined> {
  try {
    const run = await store.openRun(runId);
    try {
      return casesOf(run.rows, runId);
    } finally {
      await run.close();
    }
  } catch (error) {
    if (error instanceof AssayError) return undefined;
    throw error;
  }
}

/** True when the value that results are grouped by is authored; of a run from a file, no metadata is known to be set later. */
export async function isPlannedIn(run: StoredRun | undefined, by: GroupBy): Promise<boolean> {
  return run === undefined
    ? isPlannedValue(by)
    : isPlanned({ rows: run.rows, file: run.log.file }, by);
}
