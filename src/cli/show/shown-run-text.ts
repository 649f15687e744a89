import { shardText } from '../../model/shard.js';
import { shellWord } from '../../text/shell-word.js';
import type { RunReportOptions } from '../report/report-options.js';
import { renderRunReport } from '../report/run-report.js';
import { relativeTime } from '../terminal/relative-time.js';
import { escapeTerminal } from '../terminal/terminal-text.js';
import { wrapParts } from '../terminal/wrap-parts.js';
import type { ShownRun } from './shown-run.js';

export interface ShownRunOptions extends Pick<RunReportOptions, 'columns' | 'colours' | 'cwd'> {
  /** The flag that commands need to find the run again. */
  readonly resultsDir: string | undefined;
  /** What is shown of it; absent for all. */
  readonly part?: string | undefined;
  /** Unix milliseconds. */
  readonly now: number;
}

/** Renders a saved run as `assay run` showed it. */
export function renderShownRun({ run, isSaved }: ShownRun, options: ShownRunOptions): string {
  const { columns, colours, cwd, resultsDir, part, now } = options;
  const { run_name, session_name, config_name, started_at, path, state, waited, shard } =
    run.head();
  const parts = [
    ...(path === '' || path === '.' ? [] : [escapeTerminal(path)]),
    `session ${escapeTerminal(session_name)}`,
    `run ${escapeTerminal(run_name)}`,
    `config ${escapeTerminal(config_name)}`,
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
    withErrors: true,
    repeatedFlags: resultsDir === undefined ? '' : `--results-dir ${shellWord(resultsDir)}`,
  });
  return `${wrapParts(parts, columns, '').join('\n')}\n\n${report.trimEnd()}`;
}
