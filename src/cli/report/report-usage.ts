import { hasCalls, type RunUsage } from '../../model/calls/run-usage.js';
import { countOf } from '../../text/count-text.js';
import { renderUsage } from '../../text/usage-text.js';
import { escapeTerminal } from '../terminal/terminal-text.js';
import { wrapParts } from '../terminal/wrap-parts.js';
import type { RunReportOptions } from './report-options.js';

/** Lines with the usage of the calls of a run; none without calls. */
export function renderRunUsage({ run, columns }: RunReportOptions): string[] {
  const { usage } = run.summary();
  return usage === undefined ? [] : wrapParts(usageParts(usage), columns, '  ');
}

function usageParts(usage: RunUsage): string[] {
  const { other_calls = 0 } = usage;
  return [
    ...(hasCalls(usage) ? escapeTerminal(renderUsage(usage)).split(' · ') : []),
    ...(other_calls > 0 ? [countOf(other_calls, 'other HTTP call')] : []),
  ];
}
