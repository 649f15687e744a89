import type { VariantComparison } from '../../compare/variants/compare-variants.js';
import { mergeFirst } from '../../model/shard.js';
import type { ExecutionOutcome } from '../../runner/execution/execution.js';
import type { Settings } from '../../settings/settings.js';
import type { StoredRun } from '../../store/stored-run.js';
import { checkOutputFile } from '../output-file.js';
import { caseLinks } from '../reporters/case-links.js';
import type { PlannedRuns } from '../reporters/comment.js';
import { createReporters, parseReporters } from '../reporters/parse-reporters.js';
import type { ReportedGroup, ReportedOutcome, Reporter } from '../reporters/reporter.js';
import { streamWidth } from '../terminal/stream-width.js';
import { escapeTerminal } from '../terminal/terminal-text.js';
import type { GateFlags } from './gate-flags.js';
import type { BaselineComparison, RunBaseline } from './run-baseline.js';
import type { RunFlags } from './run-flags.js';

/** What the steps after a run depend on. */
interface FollowUpOptions {
  readonly flags: GateFlags & Partial<Pick<RunFlags, 'session' | 'output' | 'list' | 'shard'>>;
  readonly settings: Settings;
  /** Absolute folder to which paths are relative. Default: the working directory. */
  readonly cwd?: string;
  readonly json: boolean;
  /** What is going to run; absent for a saved run. */
  readonly planned?: PlannedRuns | undefined;
}

/** The steps after a run: comparison with the baseline, reporters, the baseline file. */
export interface FollowUp {
  /** Problems of the baseline's files that the user should know, in sentences. */
  readonly problems: readonly string[];
  /** Seconds that a trial of a case takes, by case id, if the baseline is a file that says so. */
  readonly latencies: ReadonlyMap<string, number> | undefined;
  /** Compares with the baseline; `undefined` without one. */
  compare(run: StoredRun): Promise<BaselineComparison | undefined>;
  /** Reports, and blesses the run unless it was stopped or a gate did not pass. */
  report(outcome: ReportedOutcome, ended: ExecutionOutcome): Promise<void>;
  /** Reports runs of one command. */
  reportGroup(group: Omit<ReportedGroup, 'markdown'>, comparison: VariantComparison): Promise<void>;
  close(): Promise<void>;
}

/**
 * Checks before anything runs that all steps will be possible. Errors: `usage` for an unknown reporter, those of
 * opening the baseline, `storage-unusable` for files that cannot be written.
 */
export async function openFollowUp(options: FollowUpOptions): Promise<FollowUp> {
  const { flags } = options;
  const reporters = await openReporters(options);
  const { bless } = flags;
  if (bless !== undefined) await checkOutputFile(bless);
  const baseline = await findBaseline(options);
  const withVerdict = flags['fail-on']?.includes('regression') !== true;
  return {
    problems: baseline?.problems ?? [],
    latencies: flags.shard && baseline?.latencies,
    compare: async (run) =>
      baseline?.compare(await asCompared(run), {
        withVerdict,
        columns: streamWidth(process.stderr),
        linkOf: caseLinks([run], { cwd: process.cwd(), env: process.env }),
      }),
    report: async (outcome, ended) => {
      if (bless !== undefined) await blessUnless(notBlessed(outcome, ended), outcome.run, bless);
      for (const reporter of reporters) await reporter.report(outcome);
    },
    reportGroup: async (group, comparison) => {
      if (reporters.length === 0) return;
      const { renderVariantsMarkdown } = await import('../compare/variants-table.js');
      const markdown = renderVariantsMarkdown(comparison);
      for (const reporter of reporters) await reporter.reportGroup({ ...group, markdown });
    },
    close: async () => baseline?.close(),
  };
}

async function openReporters({ flags, json, planned }: FollowUpOptions): Promise<Reporter[]> {
  const isStdoutTaken = json || flags.output === '-';
  const choices = parseReporters(flags.reporter ?? [], { isStdoutTaken });
  const tools = {
    cwd: process.cwd(),
    env: process.env,
    print: (text: string) => process.stderr.write(text),
  };
  const reporters = await createReporters(choices, tools);
  if (flags.comment !== undefined) {
    const { commentReporter } = await import('../reporters/comment.js');
    reporters.push(commentReporter(flags.comment, tools, planned));
  }
  for (const reporter of reporters) await reporter.check();
  for (const reporter of reporters) await reporter.begin?.();
  return reporters;
}

async function findBaseline({
  flags,
  settings,
  cwd = process.cwd(),
}: FollowUpOptions): Promise<RunBaseline | undefined> {
  if (flags.baseline === undefined || (flags.list && flags.shard === undefined)) return undefined;
  // Loads the modules for comparison, which most runs do not need.
  const { RunBaseline } = await import('./run-baseline.js');
  // Also with `--no-save`: the baseline is in the regular results directory.
  return RunBaseline.open(settings.effective('results_dir').value, flags.baseline, {
    cwd,
    session: flags.session,
    ignoreErrors: flags['ignore-errors'] === true,
    maxAgeDays: settings.effective('baseline_max_age_days').value,
  });
}

async function asCompared(run: StoredRun) {
  const { ofStoredRun } = await import('../../compare/compared-run.js');
  return ofStoredRun(run);
}

/** The reason why a run is not blessed; `undefined` if it is. */
function notBlessed(
  { run, verdicts }: ReportedOutcome,
  ended: ExecutionOutcome,
): string | undefined {
  if (ended === 'stopped') return 'the run was stopped';
  const { shard } = run.header;
  if (shard !== undefined) return mergeFirst(shard);
  return verdicts.every(({ verdict }) => verdict === 'yes') ? undefined : 'a gate did not pass';
}

async function blessUnless(
  reason: string | undefined,
  run: StoredRun,
  file: string,
): Promise<void> {
  const name = escapeTerminal(file);
  if (reason !== undefined) {
    const { existsSync } = await import('node:fs');
    const what = existsSync(file) ? 'stays as it is' : 'is not written';
    process.stderr.write(`${name} ${what}: ${reason}.\n`);
    return;
  }
  const { blessRun } = await import('../compare/bless-run.js');
  await blessRun(await asCompared(run), file);
  process.stderr.write(`baseline written to ${name}\n`);
}
