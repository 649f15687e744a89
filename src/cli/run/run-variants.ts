import { ofStoredRun } from '../../compare/compared-run.js';
import { compareGroup } from '../../compare/variants/compare-variants.js';
import { AssayError } from '../../errors.js';
import { exitCode } from '../../model/exit-code.js';
import type { GateVerdict } from '../../model/gates/gate-verdict.js';
import { type EvaluationList, listEvaluations } from '../../runner/list-evaluations.js';
import type { RunnerDependencies } from '../../runner/runner-dependencies.js';
import { startGroup } from '../../runner/start-group.js';
import { type NamedVariant, nameVariants } from '../../runner/variants/grid.js';
import { GroupRunner } from '../../runner/variants/group-runner.js';
import { resolveRunConfig } from '../../settings/resolve-run-config.js';
import type { Store } from '../../store/store.js';
import type { StoredRun } from '../../store/stored-run.js';
import { countOf } from '../../text/count-text.js';
import { renderDollars } from '../../text/usage-text.js';
import type { RedisExecutors } from '../../workers/open-redis-executors.js';
import type { ReportedOutcome } from '../reporters/reporter.js';
import { EarlyInterrupt, type Interrupt } from '../signals.js';
import { type Begun, beginSavedRun } from './begin-saved-run.js';
import { type ParsedGates, parseGates } from './gate-flags.js';
import { checkGroupOutputs, reportGroup, withRuns, writeGroupData } from './group-data.js';
import { type BegunGroup, GroupOutput } from './group-output.js';
import { judgeRun, limitVerdicts, rubricsNow } from './judge-run.js';
import type { BaselineComparison } from './run-baseline.js';
import {
  changedSince,
  checkVerified,
  executionFlags,
  hasGates,
  laterText,
  offlineVerdict,
  openCommandRunner,
  openExecutors,
  openOutput,
  plannedRuns,
  startOptions,
  untilDone,
} from './run-command.js';
import { executionSettings, type RunCommandOptions } from './run-command-options.js';
import { type FollowUp, openFollowUp } from './run-follow-up.js';
import type { VariantList } from './run-output.js';
import { makeTemporaryResults } from './temporary-results.js';
import type { AskedVariants } from './variant-flags.js';

/** Runs several variants in one `assay run`, and returns its exit code. */
export async function runVariants(
  options: RunCommandOptions & { readonly variants: AskedVariants },
): Promise<number> {
  const { flags, variants, settings } = options;
  refuseFlags(options);
  for (const name of variants.runConfigs) resolveRunConfig(settings, name);
  if (flags.list) return listVariants(options);
  const temporary = flags['no-save'] ? makeTemporaryResults() : undefined;
  const output = new GroupOutput({ verbose: settings.effective('verbose').value }, variants.count);
  return runGroup(options, output, temporary, async (runner, follow, signal) => {
    const bases = await changedSince(runner, options);
    const base = await startGroup(runner, {
      ...startOptions(options, follow),
      ...bases,
      signal,
      runs: variants.count,
      readVariants: variants.read,
      configOf: (name) => executionSettings(options, resolveRunConfig(settings, name)).config,
      base: flags.base,
      onEvent: (event, place) => output.onEventOf(event, place),
    });
    const started = [base, ...(base.others ?? [])];
    const runs = started.map(({ owner }) => owner.run);
    return { name: base.owner.run.header.group ?? '', runs, started };
  });
}

/**
 * Prints what would run: the id of each row of the base, and how many rows there are. With `--changed`, the rows of each
 * variant and why they run.
 */
async function listVariants(
  options: RunCommandOptions & { readonly variants: AskedVariants },
): Promise<number> {
  const { variants, flags } = options;
  const output = openOutput(options);
  const runner = await openCommandRunner(options, (event) => output.onEvent(event), undefined);
  let named: readonly NamedVariant[] = [];
  const bases = await changedSince(runner, options);
  const lists: VariantList[] = [];
  // What its params are is known later.
  const configs = variants
    .read({ defaults: new Map(), hasOpen: true })
    .map(({ runConfig }) => runConfig);
  const sizes = new Map<string | undefined, number>();
  for (const [at, runConfig] of configs.entries()) {
    if (bases.changedSince === undefined && sizes.has(runConfig)) continue;
    const { config } = executionSettings(options, resolveRunConfig(options.settings, runConfig));
    const list = await listEvaluations(runner, {
      ...startOptions(options, { latencies: undefined }),
      ...bases,
      ...(runConfig !== undefined && { config }),
      readParams: (declared) => {
        named = nameVariants(variants.read(declared), runner.redact);
        return named[at]?.params ?? {};
      },
    });
    lists.push({ name: named[at]?.name ?? '', list });
    sizes.set(runConfig, list.rows.length);
  }
  if (bases.changedSince === undefined) await output.list(lists[0]?.list as EvaluationList);
  else await output.listByVariant(lists);
  const rows = configs.reduce((sum, runConfig) => sum + (sizes.get(runConfig) ?? 0), 0);
  const cost = await costOf(runner.store, rows, flags.session);
  const names = named.map(({ name }) => (/[,"]/.test(name) ? JSON.stringify(name) : name));
  output.note(
    `${countOf(names.length, 'variant')}, so ${countOf(rows, 'result')}${cost}: ${names.join(', ')}`,
  );
  return 0;
}

/** ` for about $4.31, as in tidy-maple`; nothing where the last run has no known cost. */
async function costOf(store: Store, rows: number, session = 'default'): Promise<string> {
  const [last] = await store.listRuns(session);
  if (last === undefined) return '';
  return withRuns(store, [last.run_id], async ([run]) => {
    const { usage } = run?.summary() ?? {};
    const spent = usage?.cost ?? 0;
    if (run === undefined || spent === 0 || (usage?.unpriced ?? 0) > 0) return '';
    const cost = (spent / run.rows.length) * rows;
    return ` for about ${renderDollars(cost)}, as in ${run.header.run_name}`;
  });
}

/** Reruns, resumes or regrades the runs of a group together, and returns the exit code. */
export async function runSavedGroup(
  options: RunCommandOptions,
  ids: readonly string[],
): Promise<number> {
  refuseFlags(options);
  const { flags, settings } = options;
  if (flags['run-config'] !== undefined) {
    throw new AssayError(
      'usage',
      '--run-config cannot be used with a group: each of its runs has its own.',
    );
  }
  const output = new GroupOutput({ verbose: settings.effective('verbose').value }, ids.length);
  return runGroup(options, output, undefined, async (runner) => {
    const group = await readGroup(runner, ids);
    const runners = new GroupRunner(runner, {
      ...executionSettings(options, resolveRunConfig(settings)),
      purpose: flags.resume === undefined ? 'execute' : 'resume',
      runs: ids.length,
      ...(flags.resume !== undefined && { spentBefore: group.spent }),
      onEvent: (event, place) => output.onEventOf(event, place),
    });
    const begun: Begun[] = [];
    try {
      for (const [place, id] of ids.entries()) {
        const one = await beginSavedRun(runners.ofRun(place), id, options);
        if (one.started === undefined) runners.leave(place);
        for (const remark of one.remarks) output.note(remark);
        begun.push(one);
      }
    } catch (error) {
      await runners.abandon(begun.flatMap(({ started }) => started ?? []));
      throw error;
    }
    const started = begun.map((one) => one.started);
    return { name: group.name, runs: begun.map(({ run }) => run), started };
  });
}

/** The name of a group, and what its runs have spent. Error: `busy` when one of them is executed, before any begins. */
async function readGroup({ store }: RunnerDependencies, ids: readonly string[]) {
  let name = '';
  let spent = 0;
  for (const id of ids) {
    const owner = await store.ownRun(id);
    name = owner.run.header.group ?? name;
    spent += owner.run.spentOfBudget.cost;
    await owner.release();
  }
  return { name, spent };
}

type BeginGroup = (
  runner: RunnerDependencies,
  follow: Pick<FollowUp, 'latencies'>,
  signal: AbortSignal,
) => Promise<BegunGroup>;

/** Begins runs, waits for them, judges and reports them; returns the exit code. */
async function runGroup(
  options: RunCommandOptions,
  output: GroupOutput,
  temporary: ReturnType<typeof makeTemporaryResults> | undefined,
  beginGroup: BeginGroup,
): Promise<number> {
  const { flags } = options;
  const gates = groupGates(options);
  checkVerified(flags);
  await checkGroupOutputs(flags.output);
  const follow = await openFollowUp({ ...options, planned: plannedRuns(options) });
  for (const problem of follow.problems) output.note(problem);
  const early = new EarlyInterrupt();
  let executors: RedisExecutors | undefined;
  try {
    executors = await openExecutors(options, output);
    const runner = await openCommandRunner(
      options,
      (event) => output.onEvent(event),
      temporary?.folder,
      executors,
    );
    output.redact = runner.redact;
    const group = await beginGroup(runner, follow, early.signal);
    output.runs.push(...group.runs);
    const started = group.started.flatMap((one) => one ?? []);
    output.calls = started[0]?.execution.calls;
    const done = untilDone(started, output);
    temporary?.leaveSignals();
    early.leave();
    const { signal, outcome } = await done;
    const outcomes =
      outcome === 'stopped'
        ? group.runs.map((run) => ({ run, verdicts: [], comparison: undefined }))
        : await judgeGroup(options, gates, follow, group);
    const limits = outcome === 'stopped' ? [] : groupLimits(options, group);
    const comparison = compareGroup(group.runs);
    const [{ shard } = {}] = group.runs.map(({ header }) => header);
    if (shard !== undefined && hasGates(gates)) output.note(laterText(shard));
    output.end();
    const { resume: resumeFlags } = executionFlags(flags);
    reportGroup(output, group, comparison, { outcomes, limits, resumeFlags }, options);
    const reported = { name: group.name, outcomes: withLimits(outcomes, limits) };
    await follow.reportGroup(reported, comparison);
    await writeGroupData(options, group, comparison);
    const verdicts = [...outcomes.flatMap((one) => one.verdicts), ...limits];
    return exitCode({ ...(signal === undefined ? {} : { signal }), gates: verdicts });
  } catch (error) {
    if (early.caught === undefined) throw error;
    return exitCode({ signal: early.caught as Interrupt, gates: [] });
  } finally {
    early.leave();
    output.end();
    await follow.close();
    await executors?.close();
    temporary?.remove();
  }
}

/** Errors: `usage` for flags that are for one run. */
function refuseFlags({ flags }: RunCommandOptions): void {
  const reasons = {
    bless: 'a baseline is made of one run',
    'run-name': 'runs of variants are named after them',
    explain: 'it explains the results of one run',
  } as const;
  for (const [name, reason] of Object.entries(reasons)) {
    if (flags[name as keyof typeof reasons] === undefined) continue;
    throw new AssayError('usage', `--${name} cannot be used with several variants: ${reason}.`);
  }
}

/** Without `--baseline`, the runs are compared with that of the base. */
function groupGates({ flags, settings }: RunCommandOptions): ParsedGates {
  const { baseline = 'the base' } = flags;
  return parseGates({ ...flags, baseline }, settings.effective('capture').value);
}

/** Verdicts on what is limited for all runs together. */
function groupLimits({ flags }: RunCommandOptions, { name, runs, started }: BegunGroup) {
  const [calls] = started.flatMap((one) => one?.execution.calls ?? []);
  return limitVerdicts(runs, calls, name, executionFlags(flags).resume);
}

/** Reports know verdicts of runs: those on all of them stand beside those on the base. */
function withLimits(
  [base, ...others]: readonly ReportedOutcome[],
  limits: readonly GateVerdict[],
): readonly ReportedOutcome[] {
  if (base === undefined) return [];
  return [{ ...base, verdicts: [...base.verdicts, ...limits] }, ...others];
}

/** The verdicts on each run. */
async function judgeGroup(
  options: RunCommandOptions,
  gates: ParsedGates,
  follow: FollowUp,
  { runs, started }: BegunGroup,
): Promise<ReportedOutcome[]> {
  const ofBase = await baseComparisons(options, gates, runs);
  const outcomes: ReportedOutcome[] = [];
  for (const [place, run] of runs.entries()) {
    const comparison = (await follow.compare(run)) ?? ofBase[place];
    const { execution } = started[place] ?? {};
    const judged = comparison === undefined ? { ...gates, baseline: [] } : gates;
    const verdicts: GateVerdict[] = [
      ...(run.header.shard === undefined
        ? judgeRun(judged, run, comparison, rubricsNow(run, options.settings))
        : []),
      ...offlineVerdict(options.settings, execution?.notRecorded),
    ];
    outcomes.push({ run, verdicts, comparison });
  }
  return outcomes;
}

/** The comparisons of the others with the base, where a gate asks for them and `--baseline` names no other. */
async function baseComparisons(
  { flags }: RunCommandOptions,
  { baseline }: ParsedGates,
  [base, ...others]: readonly StoredRun[],
): Promise<readonly (BaselineComparison | undefined)[]> {
  if (baseline.length === 0 || flags.baseline !== undefined || base === undefined) return [];
  const { RunBaseline } = await import('./run-baseline.js');
  const of = RunBaseline.ofRun(ofStoredRun(base), flags['ignore-errors']);
  const comparisons: (BaselineComparison | undefined)[] = [undefined];
  for (const run of others) {
    comparisons.push(await of.compare(ofStoredRun(run), { withVerdict: false, columns: 100 }));
  }
  return comparisons;
}
