import { shellWord } from '../model/shell-word.js';
import { relativeTime } from './relative-time.js';
import { renderRunReport } from './run-report.js';
import type { RunReportOptions } from './run-report-options.js';
import { wrapParts } from './run-report-parts.js';
import type { ShownRun } from './shown-run.js';
import { escapeTerminal } from './terminal-text.js';

export interface ShownRunOptions extends Pick<RunReportOptions, 'columns' | 'colours' | 'cwd'> {
  /** What commands need to find the run again. */
  readonly resultsDir: string | undefined;
  /** Unix milliseconds. */
  readonly now: number;
}

/** A saved run as `assay run` has shown it. */
export function renderShownRun({ run, isSaved }: ShownRun, options: ShownRunOptions): string {
  const { columns, colours, cwd, resultsDir, now } = options;
  const { run_name, session_name, config_name, started_at, path, state } = run.head();
  const parts = [
    ...(path === '' || path === '.' ? [] : [escapeTerminal(path)]),
    `session ${escapeTerminal(session_name)}`,
    `run ${escapeTerminal(run_name)}`,
    `config ${escapeTerminal(config_name)}`,
    relativeTime(started_at * 1000, now),
    ...(state === 'finished' ? [] : [state.replace('_', ' ')]),
  ];
  const report = renderRunReport({
    run,
    columns,
    colours,
    cwd,
    saved: isSaved,
    withErrors: true,
    repeatedFlags: resultsDir === undefined ? '' : `--results-dir ${shellWord(resultsDir)}`,
  });
  return `${wrapParts(parts, columns, '').join('\n')}\n\n${report.trimEnd()}`;
}
