import { renderParams } from '../../model/param-text.js';
import type { ReadableRun } from '../../model/readable-run.js';
import type { ResultEntry } from '../../model/result.js';
import type { RunSummary } from '../../model/run.js';
import { shardText } from '../../model/shard.js';
import { countsOfSummary } from '../../model/summary/counts-only.js';
import { besideRows, summarise } from '../../model/summary/summary.js';
import { locateRun, type ReferenceOptions } from '../../store/listing/resolve-reference.js';
import type { Store } from '../../store/store.js';
import type { StoredRun } from '../../store/stored-run.js';
import { countOfAll } from '../../text/count-text.js';
import { shellWord } from '../../text/shell-word.js';
import { isLatestRun, type ReportedRun, type RunReportOptions } from '../report/report-options.js';
import { renderRunReport } from '../report/run-report.js';
import { escapedParams } from '../terminal/params-text.js';
import { relativeTime } from '../terminal/relative-time.js';
import { escapeTerminal, wrapParts } from '../terminal/terminal-text.js';

/** A run that is shown, from the results directory or from a file. */
export interface ShownRun {
  readonly run: ReportedRun & Pick<StoredRun, 'attempts' | 'trace'>;
  /** The run itself; `undefined` for one from a file. */
  readonly stored: StoredRun | undefined;
  /** True for a run of the results directory: commands find it by its id. */
  readonly isSaved: boolean;
  /** True for the one that commands call `latest`. */
  readonly isLatest: boolean;
  /** Problems of its files, as sentences for the user. */
  readonly problems: readonly string[];
  /** All of it, to be written as a document. */
  readable(): ReadableRun;
  close(): Promise<void>;
}

/** Opens the run a user means, to be shown. Errors: those of `openReference`. */
export async function openShownRun(
  store: Store,
  reference: string,
  options: ReferenceOptions,
): Promise<ShownRun> {
  const found = await locateRun(store, reference, options);
  switch (found.kind) {
    case 'stored': {
      const run = await store.openRun(found.runId);
      return ofStored(run, { isSaved: true, isLatest: await isLatestRun(store, run) });
    }
    case 'folder':
      return ofStored(await store.openFolder(found.folder), { isSaved: false, isLatest: false });
    case 'exported':
      return ofExported(found.run);
  }
}

function ofStored(run: StoredRun, place: Pick<ShownRun, 'isSaved' | 'isLatest'>): ShownRun {
  return {
    run,
    stored: run,
    ...place,
    get problems() {
      return run.problems;
    },
    readable: () => run.snapshot(),
    close: () => run.close(),
  };
}

/** The file is in memory as a whole anyway. */
async function ofExported(run: ReadableRun): Promise<ShownRun> {
  const entries: ResultEntry[] = [];
  for await (const { entry } of run.entries()) entries.push(entry);
  const all = summarise(run.rows, undefined, besideRows(run.head));
  const summary = run.head.summary.counts_only === true ? countsOfSummary(all) : all;
  return {
    run: {
      rows: run.rows,
      summary: () => summary,
      head: () => run.head,
      entry: (index) => {
        const entry = entries[index];
        if (entry === undefined) throw new Error(`the exported run has no row ${index}`);
        return entry;
      },
      attempts: () => [],
      trace: (index) => run.trace(index),
    },
    stored: undefined,
    isSaved: false,
    isLatest: false,
    problems: [],
    readable: () => run,
    close: async () => undefined,
  };
}

export interface ShownRunOptions extends Pick<RunReportOptions, 'columns' | 'colours' | 'cwd'> {
  /** The flag that commands need to find the run again. */
  readonly resultsDir: string | undefined;
  /** What is shown of it; absent for all. */
  readonly part?: string | undefined;
  /** The run before it in its session; absent for the first, and for a run that is in none. */
  readonly before?: Pick<RunSummary, 'params'> | undefined;
  /** Unix milliseconds. */
  readonly now: number;
}

/** Renders a saved run as `assay run` showed it. */
export function renderShownRun(
  { run, isSaved, isLatest }: ShownRun,
  options: ShownRunOptions,
): string {
  const { columns, colours, cwd, resultsDir, now, before } = options;
  const { run_name, session_name, config_name, started_at, path, state, waited, shard, params } =
    run.head();
  const { part_of = 0, total_evaluations: count } = run.head();
  const { part = part_of > count ? countOfAll(count, part_of, 'result') : undefined } = options;
  const plain = escapeTerminal(renderParams(params ?? {}));
  const parts = [
    ...(path === '' || path === '.' ? [] : [escapeTerminal(path)]),
    `session ${escapeTerminal(session_name)}`,
    `run ${escapeTerminal(run_name)}`,
    `config ${escapeTerminal(config_name)}`,
    ...(params === undefined ? [] : [plain]),
    relativeTime(started_at * 1000, now),
    ...(shard === undefined ? [] : [shardText(shard)]),
    ...(state === 'finished' ? [] : [state.replace('_', ' ')]),
    ...(part === undefined ? [] : [escapeTerminal(part)]),
  ];
  const report = renderRunReport({
    run,
    columns,
    colours,
    cwd,
    waited: Object.entries(waited ?? {}),
    saved: isSaved,
    isLatest,
    withErrors: true,
    repeatedFlags: resultsDir === undefined ? '' : `--results-dir ${shellWord(resultsDir)}`,
  });
  // What is too long for a line was cut, and is not painted.
  const paint = (part: string) =>
    part === plain ? escapedParams({ params }, before, colours) : part;
  return `${wrapParts(parts, columns, '', paint).join('\n')}\n\n${report.trimEnd()}`;
}
