import { appendFile } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import { tableLine } from '../../exporters/markdown-cells.js';
import {
  escapeCell,
  escapeMarkdown,
  type LinkOfCase,
  linked,
} from '../../exporters/markdown-text.js';
import { withSecondFigures } from '../../exporters/second-figures.js';
import { hasCalls } from '../../model/calls/run-usage.js';
import { caseIdOf, isFinished, passes, type ResultEntry } from '../../model/result.js';
import type { IntervalChip } from '../../model/scores/score.js';
import { standingOf } from '../../model/scores/verdict.js';
import { shardText } from '../../model/shard.js';
import { codeVersionsText } from '../../model/summary/code-versions.js';
import {
  renderInterval,
  renderPercent,
  renderPercentiles,
} from '../../model/summary/figure-text.js';
import type { Row } from '../../store/replay/run-index.js';
import { countOf, inClustersText, renderCount } from '../../text/count-text.js';
import { relativePath } from '../../text/file-path.js';
import { escapeHiddenInLines } from '../../text/hidden-characters.js';
import { figureText } from '../../text/number-text.js';
import { scoreName } from '../../text/score-name.js';
import { boundsText } from '../../text/share-text.js';
import { renderUsage } from '../../text/usage-text.js';
import { toOutputError } from '../output.js';
import { checkOutputFile } from '../output-file.js';
import { placeOfError } from '../report/evaluation-error.js';
import { passNotes } from '../report/report-summary.js';
import { caseLinks, placeOf } from './case-links.js';
import {
  judgedTogether,
  type ReportedGroup,
  type ReportedOutcome,
  type Reporter,
  type ReporterTools,
  reasonOf,
  resultsText,
  valueText,
  verdictOf,
} from './reporter.js';

const mostFailed = 20;

const marks = { yes: '✅', no: '❌', 'cannot-tell': '❔' } as const;

/** GitHub shows at most this many per kind and step. */
const mostAnnotations = 10;

const longestValue = 500;

/**
 * Reports to GitHub Actions: workflow commands with an annotation at the line of each failed case, a Markdown job
 * summary, appended to the file in `GITHUB_STEP_SUMMARY`, and outputs of the step, appended to that in `GITHUB_OUTPUT`.
 */
export function githubReporter({ cwd, env, print }: ReporterTools): Reporter {
  const linksOf = ({ run }: ReportedOutcome) => caseLinks([run], { cwd, env });
  const {
    GITHUB_STEP_SUMMARY: summary = '',
    GITHUB_OUTPUT: output = '',
    GITHUB_WORKSPACE: workspace,
  } = env;
  async function report(annotated: ReportedOutcome, text: string, outputs: string): Promise<void> {
    const folders = { cwd, root: workspace === undefined || workspace === '' ? cwd : workspace };
    print(annotate(annotated, folders).map(renderAnnotation).join(''));
    if (output !== '') await append(output, outputs);
    if (summary === '') print('No job summary: GITHUB_STEP_SUMMARY is not set.\n');
    else await append(summary, text);
  }
  return {
    check: async () => {
      for (const file of [summary, output]) if (file !== '') await checkOutputFile(file);
    },
    report: (outcome) =>
      report(
        outcome,
        renderJobSummary(outcome, linksOf(outcome)),
        renderOutputs(outcome.run.header.run_id, { outcomes: [outcome] }),
      ),
    reportGroup: async (group) => {
      const [base] = group.outcomes;
      if (base === undefined) return;
      // Failed cases are those of the base: variants are tried, and most of them go.
      await report(base, renderGroupSummary(group), renderOutputs(group.name, group));
    },
  };
}

async function append(file: string, text: string): Promise<void> {
  try {
    await appendFile(file, text);
  } catch (error) {
    throw toOutputError(error, file);
  }
}

/** Outputs of a step, a line each: of several runs the name of their group, and the pass rate of the base. */
function renderOutputs(id: string, group: Pick<ReportedGroup, 'outcomes' | 'verdicts'>): string {
  const { verdicts, unfinished } = judgedTogether(group);
  const run = group.outcomes[0]?.run;
  const rate = run?.countedFigures().pass_rate ?? null;
  const outputs = {
    run_id: id,
    verdict: verdictOf(verdicts, unfinished),
    // Unknown is empty.
    pass_rate: rate === null ? '' : rate.passed / rate.of,
  };
  return Object.entries(outputs)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}

/** Base folders of paths. */
interface Folders {
  /** The working directory of the run. */
  readonly cwd: string;
  /** The root of the repository. */
  readonly root: string;
}

/** Annotations for failed cases, at most ten, and a notice that counts the others. */
function annotate(outcome: ReportedOutcome, folders: Folders): Annotation[] {
  const failed = failedEvaluations(outcome);
  const shown = failed.slice(0, mostAnnotations).map((one) => toAnnotation(one, outcome, folders));
  const left = failed.length - shown.length;
  if (left <= 0) return shown;
  const message = `${countOf(left, 'more case')} failed.`;
  return [...shown, { level: 'notice', title: outcome.run.header.run_name, message }];
}

function toAnnotation(
  { index, name, trials, passed, hasRegressed }: FailedEvaluation,
  { run }: ReportedOutcome,
  { cwd, root }: Folders,
): Annotation {
  const entry = run.entry(index);
  const thrown = placeOfError(entry.result.error ?? '', cwd) ?? placeOfAssertion(entry);
  const place = thrown ?? placeOf(run, index);
  const counts = trials > 1 ? `: ${passed} of ${trials} trials passed` : '';
  return {
    // A flaky case may have failed by chance.
    level: passed > 0 && !hasRegressed ? 'warning' : 'error',
    title: `${name}${hasRegressed ? ' regressed' : ''}${counts}`,
    message: [reasonOf(entry) || 'failed', ...valueTexts(entry)].join('\n'),
    file: relativePath(root, resolve(cwd, place.file)),
    line: place.line,
  };
}

/** The actual and the expected output. */
function valueTexts({ result: { status, output, reference } }: ResultEntry): string[] {
  const hasOutput = status !== 'error' || output !== null;
  return [
    ...(hasOutput ? [`output: ${valueText(output, longestValue)}`] : []),
    ...(reference === null ? [] : [`expected: ${valueText(reference, longestValue)}`]),
  ];
}

/** The location of the first failed assertion of a result: its file, as in ids, and line. */
function placeOfAssertion({
  result,
}: ResultEntry): { readonly file: string; readonly line: number } | undefined {
  const failed = result.scores.find(({ passed, location }) => passed === false && location);
  const [, file, line] = /^(.+):(\d+):\d+$/.exec(failed?.location ?? '') ?? [];
  return file === undefined || isAbsolute(file) ? undefined : { file, line: Number(line) };
}

/**
 * Renders a run as Markdown for a job summary: gates, scores, then the comparison, or the failures if there is
 * none.
 */
export function renderJobSummary(outcome: ReportedOutcome, linkOf?: LinkOfCase): string {
  return `## ${escapeMarkdown(outcome.run.header.run_name)}\n\n${renderOutcome(outcome, linkOf)}`;
}

/** What {@link renderJobSummary} has below its title. */
export function renderOutcome(outcome: ReportedOutcome, linkOf?: LinkOfCase): string {
  const { run, verdicts, comparison, isUpToDate = false } = outcome;
  const { totals, code_versions, usage, clusters } = run.summary();
  const counts = [
    `${resultsText(outcome)}${inClustersText(clusters)}`,
    `${renderCount(totals.total_passed)} passed`,
    countOf(totals.total_errors, 'error'),
    ...(run.header.shard === undefined ? [] : [shardText(run.header.shard)]),
    ...(totals.total_pruned === undefined ? [] : [`${renderCount(totals.total_pruned)} pruned`]),
  ];
  const gates = verdicts.map(
    ({ verdict, text }) => `- ${marks[verdict]} ${escapeMarkdown(text)}\n`,
  );
  return [
    `${counts.join(' · ')}\n`,
    ...passNotes(run).map((text) => `${escapeMarkdown(text)}\n`),
    ...(hasCalls(usage) ? [`${escapeMarkdown(renderUsage(usage))}\n`] : []),
    ...(code_versions === undefined || isUpToDate
      ? []
      : [`⚠️ ${codeVersionsText(code_versions)}\n`]),
    ...(gates.length === 0 ? [] : [gates.join('')]),
    ...(comparison === undefined
      ? [scoreTable(outcome), failedTable(outcome, linkOf)]
      : [comparison.markdown]),
  ]
    .filter((part) => part !== '')
    .join('\n')
    .concat('\n');
}

/** Renders runs of one command as Markdown for a job summary: the table of variants, then the gates of each. */
function renderGroupSummary(group: ReportedGroup): string {
  return `## ${escapeMarkdown(group.name)}\n\n${renderGroup(group)}`;
}

/** The table of variants, then the gates of each. */
export function renderGroup({
  outcomes,
  verdicts: ofGroup = [],
  markdown,
}: Omit<ReportedGroup, 'name'>): string {
  const ofRuns = outcomes.flatMap(({ run, verdicts }) =>
    verdicts.map(({ verdict, text }) => ({ verdict, text: `${run.header.run_name}: ${text}` })),
  );
  const gates = [...ofRuns, ...ofGroup].map(
    ({ verdict, text }) => `- ${marks[verdict]} ${escapeMarkdown(text)}\n`,
  );
  return [markdown, gates.join('')]
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

function failedTable(outcome: ReportedOutcome, linkOf?: LinkOfCase): string {
  const failed = failedEvaluations(outcome);
  if (failed.length === 0) return '';
  const rows = failed.slice(0, mostFailed).map(({ id, name, index, trials, passed }) => {
    const counts = trials > 1 ? ` (${passed} of ${trials} passed)` : '';
    const title = linked(escapeCell(`${name}${counts}`), linkOf?.(id));
    return [title, escapeCell(reasonOf(outcome.run.entry(index)))];
  });
  const more = failed.length - rows.length;
  const table = [['failed', ''], ['---', '---'], ...rows].map(tableLine).join('');
  return more > 0 ? `${table}\n… ${renderCount(more)} more\n` : table;
}

/** An annotation that GitHub shows beside the code. */
interface Annotation {
  readonly level: 'error' | 'warning' | 'notice';
  readonly title: string;
  readonly message: string;
  /** Relative to the root of the repository, with `/`. */
  readonly file?: string | undefined;
  /** From 1. */
  readonly line?: number | undefined;
}

/** Renders an annotation as a workflow command on one line, with any text escaped. Ends with a newline. */
export function renderAnnotation({ level, message, file, line, title }: Annotation): string {
  const properties = [
    ...(file === undefined ? [] : [`file=${escapeProperty(file)}`]),
    ...(line === undefined ? [] : [`line=${line}`]),
    `title=${escapeProperty(title)}`,
  ];
  return `::${level} ${properties.join(',')}::${escapeData(message)}\n`;
}

/** Escapes `%` and line breaks for the runner's parser, and what is hidden: logs are also read on terminals. */
function escapeData(text: string): string {
  return escapeHiddenInLines(text)
    .replaceAll('%', '%25')
    .replaceAll('\r', '%0D')
    .replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/** A case with failed trials. */
interface FailedEvaluation {
  readonly id: string;
  readonly name: string;
  /** Row of the first trial that failed. */
  readonly index: number;
  /** Finished trials, and those that passed. */
  readonly trials: number;
  readonly passed: number;
  readonly hasRegressed: boolean;
}

/** Failed evaluations: regressed ones first, then in the order of the run. */
function failedEvaluations({ run, comparison }: ReportedOutcome): FailedEvaluation[] {
  const found = new Map<string, { name: string; index?: number; trials: number; passed: number }>();
  run.rows.forEach((row, index) => {
    if (!isFinished(row) || row.pruned === true) return;
    const id = caseIdOf(row);
    const known = found.get(id) ?? { name: row.function, trials: 0, passed: 0 };
    known.trials += 1;
    if (passes(row)) known.passed += 1;
    if (hasFailed(row)) known.index ??= index;
    found.set(id, known);
  });
  const rank = new Map((comparison?.regressed ?? []).map((id, at) => [id, at]));
  return [...found]
    .flatMap(([id, { name, index, trials, passed }]) =>
      index === undefined ? [] : [{ id, name, index, trials, passed, hasRegressed: rank.has(id) }],
    )
    .sort((a, b) => (rank.get(a.id) ?? rank.size) - (rank.get(b.id) ?? rank.size));
}

function hasFailed(row: Row): boolean {
  const standing = standingOf(row);
  return standing === 'failed' || standing === 'error';
}
