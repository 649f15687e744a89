import { compareGroup } from '../../compare/variants/compare-variants.js';
import { AssayError } from '../../errors.js';
import { jsonExporter } from '../../exporters/json.js';
import { exitCode } from '../../model/exit-code.js';
import type { GateVerdict } from '../../model/gates/gate-verdict.js';
import { mergeFirst, shardText } from '../../model/shard.js';
import { savedRunRows } from '../../runner/planning/saved-run-rows.js';
import type { Settings } from '../../settings/settings.js';
import { countsGroupsOnce } from '../../store/listing/find-run.js';
import { locateRun } from '../../store/listing/resolve-reference.js';
import type { Store } from '../../store/store.js';
import type { StoredRun } from '../../store/stored-run.js';
import { countOf, renderCount } from '../../text/count-text.js';
import { nameText } from '../../text/name-text.js';
import { shellWord } from '../../text/shell-word.js';
import { refuseOutcome } from '../outcome-conditions.js';
import { passNotes } from '../report/report-summary.js';
import { type ReportedOutcome, resultsText } from '../reporters/reporter.js';
import { type GateFlags, type ParsedGates, parseGates } from '../run/gate-flags.js';
import {
  judgeRun,
  printVerdicts,
  rubricsNow,
  savedBudgetVerdict,
  unfinishedVerdict,
} from '../run/judge-run.js';
import type { BaselineComparison } from '../run/run-baseline.js';
import { type FollowUp, openFollowUp } from '../run/run-follow-up.js';
import { openScratch, parsed } from '../run/temporary-results.js';
import { askedOf, type SelectionFlags } from '../selection-flags.js';
import { escapeTerminal } from '../terminal/terminal-text.js';

export interface GateRunOptions {
  /** The run, as the user named it. */
  readonly reference: string;
  /** Files, folders, or `file::name`; only their results are judged. Empty: all. */
  readonly paths: readonly string[];
  readonly flags: GateFlags & SelectionFlags & { readonly session?: string | undefined };
  readonly settings: Settings;
  readonly store: Store;
  /** Absolute folder to which paths are relative. */
  readonly cwd: string;
  readonly json: boolean;
  readonly note: (text: string) => void;
}

/** The verdicts on a saved run. */
export interface GatedRunJson {
  readonly run_id: string;
  readonly run_name: string;
  /** Where some of the results are judged: how many the run has. */
  readonly part_of?: number;
  /** That the baseline is old, in words; absent if it is not. */
  readonly baseline_stale?: string;
  readonly verdicts: readonly GateVerdict[];
  readonly exit_code: number;
}

/**
 * Judges a saved run, or some of its results, as `assay run` judges the one that it has run, and reports the verdicts. Errors: `usage` if nothing
 * is asked for, `nothing-selected` if no result
 * matches the filters, those of opening the run and of the gates.
 */
export async function gateRun(options: GateRunOptions): Promise<GatedRunJson> {
  return judgeSavedRun(options, async (judged, follow) => {
    printJudged(judged);
    await follow.report(judged, 'finished');
  });
}

function printJudged(judged: SavedJudgement): void {
  process.stderr.write(`${headOf(judged)}\n`);
  printVerdicts(judged.verdicts, judged.comparison);
}

interface SavedJudgement extends ReportedOutcome {
  readonly comparison: BaselineComparison | undefined;
}

/** The same without a report; `onJudged` may make one. */
export async function judgeSavedRun(
  options: GateRunOptions,
  onJudged?: (judged: SavedJudgement, follow: FollowUp) => Promise<void>,
): Promise<GatedRunJson> {
  return withFollowUp(options, (asked) => judgeWith(asked, options, onJudged));
}

interface Asked {
  readonly gates: ParsedGates;
  readonly follow: FollowUp;
}

async function withFollowUp<T>(
  options: Omit<GateRunOptions, 'reference'>,
  act: (asked: Asked) => Promise<T>,
): Promise<T> {
  const gates = parseGates(options.flags);
  refuseNothing(options.flags);
  const follow = await openFollowUp(options);
  try {
    for (const problem of follow.problems) options.note(problem);
    return await act({ gates, follow });
  } finally {
    await follow.close();
  }
}

async function judgeWith(
  { gates, follow }: Asked,
  options: GateRunOptions,
  onJudged?: (judged: SavedJudgement, follow: FollowUp) => Promise<void>,
): Promise<GatedRunJson> {
  const whole = await openSavedRun(options);
  for (const problem of whole.run.problems) options.note(problem);
  const { shard, group, run_name: name } = whole.run.header;
  if (group !== undefined && countsGroupsOnce(options.reference)) {
    const all = `assay sessions gate ${shellWord(group)}`;
    options.note(
      `Only ${nameText(name)} of the group ${nameText(group)} is judged. All of it: ${all} …`,
    );
  }
  // A part of the results has none.
  const rubricOf = rubricsNow(whole.run, options.settings);
  const { run, close, budget } = await openPart(whole, options);
  try {
    const comparison = shard === undefined ? await follow.compare(run) : undefined;
    const judged: GateVerdict[] =
      shard === undefined
        ? judgeRun(gates, run, comparison, rubricOf)
        : [{ verdict: 'cannot-tell', text: mergeFirst(shard) }];
    const verdicts = [...(judged.length > 0 ? judged : unfinishedVerdict(run)), ...budget];
    const { run_id, run_name, part_of } = run.header;
    const part = part_of === undefined ? undefined : partOf(options, part_of);
    await onJudged?.({ run, part, verdicts, comparison }, follow);
    const { stale } = comparison ?? {};
    return {
      ...{ run_id, run_name, ...(part_of !== undefined && { part_of }) },
      ...{ verdicts, exit_code: exitCode({ gates: verdicts }) },
      ...(stale !== undefined && { baseline_stale: stale }),
    };
  } finally {
    await close();
  }
}

function partOf({ paths, flags }: GateRunOptions, of: number) {
  return { of, chosenBy: JSON.stringify([paths, askedOf(flags)]) };
}

/** The verdicts on the runs of a group. */
export interface GatedGroupJson {
  readonly group: string;
  readonly runs: readonly GatedRunJson[];
  /** That some of its runs are missing; absent for none. */
  readonly verdicts?: readonly GateVerdict[];
  readonly exit_code: number;
}

/** Judges each run of a group, and reports all of them together. Errors: those of {@link gateRun}, `usage` for `bless`. */
export async function gateGroup(
  ids: readonly string[],
  group: string,
  options: Omit<GateRunOptions, 'reference'>,
): Promise<GatedGroupJson> {
  if (options.flags.bless !== undefined) {
    throw new AssayError('usage', `--bless is for one run, and ${group} is a group of runs.`);
  }
  const lack = await options.store.lackOfGroup(ids);
  const verdicts: GateVerdict[] =
    lack === undefined ? [] : [{ verdict: 'cannot-tell', text: lack }];
  const outcomes: SavedJudgement[] = [];
  const gateFrom = async (at: number, asked: Asked): Promise<GatedRunJson[]> => {
    const reference = ids[at];
    if (reference === undefined) {
      printVerdicts(verdicts, undefined);
      const comparison = compareGroup(outcomes.map(({ run }) => run));
      await asked.follow.reportGroup({ name: group, outcomes, verdicts }, comparison);
      return [];
    }
    const others: GatedRunJson[] = [];
    const gated = await judgeWith(asked, { ...options, reference }, async (judged) => {
      printJudged(judged);
      outcomes.push(judged);
      // All are open when they are reported.
      others.push(...(await gateFrom(at + 1, asked)));
    });
    return [gated, ...others];
  };
  const runs = await withFollowUp(options, (asked) => gateFrom(0, asked));
  const gates = [...runs.flatMap((run) => run.verdicts), ...verdicts];
  return {
    group,
    runs,
    ...(lack !== undefined && { verdicts }),
    exit_code: exitCode({ gates }),
  };
}

function refuseNothing(flags: GateFlags): void {
  const { bless, comment, reporter, baseline } = flags;
  const gates = [flags['fail-under'], flags['fail-over'], flags['fail-on'], reporter];
  const given = [bless, comment, baseline].some((one) => one !== undefined);
  if (given || gates.some((one) => one?.length)) return;
  throw new AssayError('usage', 'No gate is given.', {
    hints: ['Such as --fail-under 0.9, --fail-on errors or --fail-over cost=2.'],
  });
}

interface OpenedRun {
  readonly run: StoredRun;
  close(): Promise<void>;
}

/** Opens a run of the results directory, of a folder, or of an exported run JSON, which is imported into a temporary folder. */
export async function openSavedRun({
  store,
  reference,
  cwd,
  flags: { session },
}: Pick<GateRunOptions, 'store' | 'reference' | 'cwd'> & {
  readonly flags: { readonly session?: string | undefined };
}): Promise<OpenedRun> {
  const found = await locateRun(store, reference, { cwd, session });
  if (found.kind !== 'exported') {
    const opening =
      found.kind === 'stored' ? store.openRun(found.runId) : store.openFolder(found.folder);
    const run = await opening;
    return { run, close: () => run.close() };
  }
  return openDocument(found.document);
}

/** The results that match the filters, as a run of their own. */
async function openPart(
  { run, close }: OpenedRun,
  { paths, flags, cwd }: GateRunOptions,
): Promise<OpenedRun & { readonly budget: readonly GateVerdict[] }> {
  try {
    const asked = askedOf(flags);
    await refuseOutcome(asked.where, run, 'no gate can judge them');
    const indices = await savedRunRows(run.snapshot(), {
      ...{ runName: run.header.run_name, cwd, only: [], paths },
      ...asked,
    });
    // Of the whole run: a part has spent no budget.
    const budget = savedBudgetVerdict(run, indices);
    if (indices === 'all') return { run, close, budget };
    const pieces = jsonExporter.render(run.snapshot(), { indices, calls: true });
    const part = await openDocument(await parsed(pieces));
    await close();
    return { ...part, budget };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openDocument(document: unknown): Promise<OpenedRun> {
  const scratch = await openScratch();
  try {
    return { run: await scratch.add(document), close: () => scratch.close() };
  } catch (error) {
    await scratch.close();
    throw error;
  }
}

function headOf(judged: SavedJudgement): string {
  const { run } = judged;
  const { totals } = run.summary();
  const counts = [
    escapeTerminal(run.header.run_name),
    resultsText(judged),
    ...(run.header.shard === undefined ? [] : [shardText(run.header.shard)]),
    `${renderCount(totals.total_passed)} passed`,
    countOf(totals.total_errors, 'error'),
  ];
  const passes = passNotes(run);
  return [counts.join(' · '), ...passes.map((text) => `  ${escapeTerminal(text)}`)].join('\n');
}
