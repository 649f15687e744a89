import { tableLine } from '../../exporters/markdown-cells.js';
import { escapeCell, escapeMarkdown } from '../../exporters/markdown-text.js';
import { withSecondFigures } from '../../exporters/second-figures.js';
import { hasCalls } from '../../model/calls/run-usage.js';
import type { IntervalChip } from '../../model/scores/score.js';
import { shardText } from '../../model/shard.js';
import { codeVersionsText } from '../../model/summary/code-versions.js';
import {
  renderInterval,
  renderPercent,
  renderPercentiles,
} from '../../model/summary/figure-text.js';
import { countOf, inClustersText, renderCount } from '../../text/count-text.js';
import { figureText } from '../../text/number-text.js';
import { scoreName } from '../../text/score-name.js';
import { boundsText } from '../../text/share-text.js';
import { renderUsage } from '../../text/usage-text.js';
import { passNotes } from '../report/report-summary.js';
import { failedEvaluations } from './failed-evaluations.js';
import type { ReportedOutcome } from './reporter.js';
import { reasonOf } from './result-reason.js';

const mostFailed = 20;
const marks = { yes: '✅', no: '❌', 'cannot-tell': '❔' } as const;

/**
 * Renders a run as Markdown for a job summary: gates, scores, then the comparison, or the failures if there is
 * none.
 */
export function renderJobSummary(outcome: ReportedOutcome): string {
  const { run, verdicts, comparison, isUpToDate = false } = outcome;
  const { totals, code_versions, usage, clusters } = run.summary();
  const counts = [
    `${countOf(totals.total_evaluations, 'result')}${inClustersText(clusters)}`,
    `${renderCount(totals.total_passed)} passed`,
    countOf(totals.total_errors, 'error'),
    ...(run.header.shard === undefined ? [] : [shardText(run.header.shard)]),
    ...(totals.total_pruned === undefined ? [] : [`${renderCount(totals.total_pruned)} pruned`]),
  ];
  const gates = verdicts.map(
    ({ verdict, text }) => `- ${marks[verdict]} ${escapeMarkdown(text)}\n`,
  );
  return [
    `## ${escapeMarkdown(run.header.run_name)}\n`,
    `${counts.join(' · ')}\n`,
    ...passNotes(run).map((text) => `${escapeMarkdown(text)}\n`),
    ...(hasCalls(usage) ? [`${escapeMarkdown(renderUsage(usage))}\n`] : []),
    ...(code_versions === undefined || isUpToDate
      ? []
      : [`⚠️ ${codeVersionsText(code_versions)}\n`]),
    ...(gates.length === 0 ? [] : [gates.join('')]),
    ...(comparison === undefined
      ? [scoreTable(outcome), failedTable(outcome)]
      : [comparison.markdown]),
  ]
    .filter((part) => part !== '')
    .join('\n')
    .concat('\n');
}

function scoreTable({ run }: ReportedOutcome): string {
  const { pass_rate, scores } = run.countedFigures();
  const first =
    pass_rate === null
      ? []
      : [
          [
            'pass rate',
            renderPercent(pass_rate.passed / pass_rate.of),
            boundsText(pass_rate),
            ofText(pass_rate.passed, pass_rate.of),
          ],
        ];
  const chips = withSecondFigures(scores, (key, what) => `${key} ${what}`);
  const rows = [...first, ...chips.map(chipCells)];
  if (rows.length === 0) return '';
  const head = [
    ['score', '', '95 %', 'of'],
    ['---', '--:', '---', '---'],
  ];
  return [...head, ...rows].map(tableLine).join('');
}

function chipCells(chip: IntervalChip): string[] {
  return [escapeMarkdown(scoreName(chip.key)), chipValue(chip), renderInterval(chip), chipOf(chip)];
}

function chipOf(chip: IntervalChip): string {
  if (chip.type === 'ratio') return ofText(chip.passed, chip.total);
  return `${chip.percentiles === undefined ? 'mean ' : ''}of ${renderCount(chip.count)}`;
}

function ofText(passed: number, of: number): string {
  return `${renderCount(passed)} of ${renderCount(of)}`;
}

function chipValue(chip: IntervalChip): string {
  if (chip.type === 'ratio') return renderPercent(chip.passed / chip.total);
  const { avg, percentiles } = chip;
  return percentiles === undefined ? figureText(avg) : renderPercentiles(percentiles);
}

function failedTable(outcome: ReportedOutcome): string {
  const failed = failedEvaluations(outcome);
  if (failed.length === 0) return '';
  const rows = failed.slice(0, mostFailed).map(({ name, index, trials, passed }) => {
    const counts = trials > 1 ? ` (${passed} of ${trials} passed)` : '';
    return [escapeCell(`${name}${counts}`), escapeCell(reasonOf(outcome.run.entry(index)))];
  });
  const more = failed.length - rows.length;
  const table = [['failed', ''], ['---', '---'], ...rows].map(tableLine).join('');
  return more > 0 ? `${table}\n… ${renderCount(more)} more\n` : table;
}
