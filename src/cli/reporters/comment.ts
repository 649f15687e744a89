import type { AgainstBase, ComparedRuns } from '../../compare/compare-runs.js';
import { escapeMarkdown } from '../../exporters/markdown-text.js';
import type { GateVerdict } from '../../model/gates/gate-verdict.js';
import { cutText } from '../../model/preview.js';
import { countOf, renderCount } from '../../text/count-text.js';
import { shortHash } from '../../text/short-hash.js';
import { checkOutputFile, removeFile, writeToFile } from '../output-file.js';
import { caseLinks } from './case-links.js';
import { renderGroup, renderOutcome } from './github.js';
import {
  judgedTogether,
  type ReportedGroup,
  type ReportedOutcome,
  type Reporter,
  type ReporterTools,
  resultsText,
  verdictOf,
} from './reporter.js';

/** UTF-8 bytes. GitHub takes 65,536 characters; CI may add a line of its own. */
const mostBytes = 60_000;

/** UTF-8 bytes of a line that is shown; longer ones are left out whole, because a part of one may be broken Markdown. */
const longestLine = 8000;

const longestName = 200;

type Env = ReporterTools['env'];

/**
 * Writes a Markdown comment for a pull request to a file: verdict first. `planned`: the session and the run configs of what
 * is going to run; absent for a saved run.
 */
export function commentReporter(
  file: string,
  { cwd, env }: ReporterTools,
  planned?: PlannedRuns,
): Reporter {
  return {
    check: () => checkOutputFile(file),
    begin: async () => {
      if (planned === undefined) await removeFile(file);
      else await writeToFile(file, only(renderNoOutcome(planned, env)));
    },
    report: async (outcome) => {
      await writeToFile(file, only(renderComment(outcome, { cwd, env })));
    },
    reportGroup: async (group) => {
      await writeToFile(file, only(renderGroupComment(group, env)));
    },
  };
}

/** What is going to run. */
export interface PlannedRuns {
  readonly session: string;
  readonly configs: readonly string[];
  /** True for several variants. */
  readonly isGroup: boolean;
}

/** What the file says while there is no outcome, and after a command that has none. */
function renderNoOutcome({ session, configs, isGroup }: PlannedRuns, env: Env): string {
  const parts = isGroup ? groupParts(session, configs) : [session, configs[0]];
  const text = 'The command has ended before there was an outcome: its output says why.';
  return fitted(markOf(env, parts), '### ❔ assay: no outcome', text);
}

/** Of the mark of a group. */
function groupParts(session: string, configs: readonly string[]): string[] {
  return [session, 'variants', ...new Set(configs)];
}

async function* only(text: string): AsyncGenerator<string> {
  yield text;
}

/**
 * Renders a run as a comment: a hidden mark, the verdict, then what a job summary has. At most 60,000 bytes, whatever
 * the run has.
 */
export function renderComment(
  outcome: ReportedOutcome,
  { cwd, env }: Pick<ReporterTools, 'cwd' | 'env'>,
): string {
  const { run, verdicts, part } = outcome;
  const { run_name, session_name, config_name } = run.header;
  const of = part === undefined ? '' : `, ${resultsText(outcome)}`;
  const title = titleOf(run_name, verdicts, { unfinished: run.summary().unfinished, of });
  const links = caseLinks([run], { cwd, env });
  // A part must not replace the comment of the whole run, nor that of another part.
  const mark = markOf(env, [session_name, config_name, ...(part ? [part.chosenBy] : [])]);
  return fitted(mark, title, renderOutcome(outcome, links));
}

/** Renders runs of one command as a comment; see {@link renderComment}. */
export function renderGroupComment(group: ReportedGroup, env: Env): string {
  const { name, outcomes } = group;
  const { verdicts, unfinished } = judgedTogether(group);
  const comparisons = outcomes.flatMap(({ comparison }) => comparison?.markdown ?? []);
  const [base] = outcomes;
  const configs = outcomes.map(({ run }) => run.header.config_name);
  return fitted(
    markOf(env, [
      ...groupParts(base?.run.header.session_name ?? '', configs),
      ...(base?.part ? [base.part.chosenBy] : []),
    ]),
    titleOf(name, verdicts, { unfinished, of: base?.part && `, ${resultsText(base)} of each` }),
    [renderGroup(group), ...comparisons].join('\n'),
  );
}

/** Renders a comparison as a comment; `markdown` are its tables. See {@link renderComment}. */
export function renderComparisonComment(
  { base, others }: ComparedRuns,
  markdown: readonly string[],
  env: Env,
): string {
  const heads = [base, ...others].map(({ run }) => run.head);
  const names = others.map(({ label }) => label).join(', ');
  const isWorse = others.some(({ regression }) => regression.verdict === 'no');
  const found = isWorse ? 'worse beyond chance' : 'not worse beyond chance';
  return fitted(
    markOf(env, [
      'compare',
      ...heads.flatMap(({ session_name, config_name }) => [session_name, config_name]),
    ]),
    // Nobody has asked for a gate that could have passed.
    `### ${isWorse ? '❌ ' : ''}${shownName(names)}: ${others.some(isUnknown) ? 'cannot be judged' : found}`,
    markdown.join('\n'),
  );
}

/**
 * The hidden first line: the same for each run of one job of a workflow with one session and run config, and another one
 * for any other, so that each has a comment of its own.
 */
function markOf(env: Env, parts: readonly (string | null | undefined)[]): string {
  const { GITHUB_WORKFLOW, GITHUB_JOB, CI_JOB_NAME } = env;
  const key = [GITHUB_WORKFLOW ?? null, GITHUB_JOB ?? CI_JOB_NAME ?? null, ...parts];
  return `<!-- assay comment ${shortHash(JSON.stringify(key))} -->`;
}

function isUnknown({ run, regression }: AgainstBase): boolean {
  return regression.verdict === 'cannot-tell' || run.unfinished > 0;
}

function shownName(name: string): string {
  return escapeMarkdown(name.length > longestName ? `${cutText(name, longestName)}…` : name);
}

/** `❌ brisk-otter, 4 of 8 results: 1 of 3 gates failed`; `of` is what stands behind the name. */
function titleOf(
  name: string,
  verdicts: readonly Pick<GateVerdict, 'verdict'>[],
  { unfinished, of: part = '' }: { readonly unfinished: number; readonly of?: string | undefined },
): string {
  const shown = `${shownName(name)}${part}`;
  const having = (verdict: GateVerdict['verdict']) =>
    verdicts.filter((one) => one.verdict === verdict).length;
  const of = `${renderCount(verdicts.length)} ${verdicts.length === 1 ? 'gate' : 'gates'}`;
  switch (verdictOf(verdicts, unfinished)) {
    case 'failed':
      return `### ❌ ${shown}: ${renderCount(having('no'))} of ${of} failed`;
    case 'passed':
      return `### ✅ ${shown}: ${of} passed`;
    case 'none':
      return `### ${shown}: no gate`;
    case 'unknown':
      return having('cannot-tell') > 0
        ? `### ❔ ${shown}: ${renderCount(having('cannot-tell'))} of ${of} cannot be judged`
        : `### ❔ ${shown}: ${countOf(unfinished, 'result')} not finished`;
  }
}

/** Whole lines from the start, as many as fit; a block that is open at the cut is closed. */
function fitted(mark: string, title: string, text: string): string {
  const lines = text.trimEnd().split('\n');
  const kept: string[] = [];
  // Of the mark, the title, and what says that lines are missing.
  let bytes = Buffer.byteLength(`${mark}\n${title}\n`) + 300;
  let isOpen = false;
  for (const line of lines) {
    const size = Buffer.byteLength(line) + 1;
    if (bytes + size > mostBytes) break;
    const isLong = size > longestLine;
    kept.push(isLong ? '… a long line' : line);
    bytes += isLong ? 20 : size;
    if (line.startsWith('<details>')) isOpen = true;
    if (line === '</details>') isOpen = false;
  }
  const left = lines.length - kept.length;
  const end = left === 0 ? [] : ['', `… ${countOf(left, 'more line')} without room here`];
  return [mark, title, '', ...kept, ...(isOpen ? ['', '</details>'] : []), ...end, ''].join('\n');
}
