import { resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { AssayError } from '../../errors.js';
import { isFolder } from '../../files/regular-file.js';
import { sumOfUsage } from '../../model/calls/run-usage.js';
import { isFinished, type RowIdentity } from '../../model/result.js';
import { sumOfWaits } from '../../model/run.js';
import { hashPlan, type Shard, shardText } from '../../model/shard.js';
import { countOf } from '../../text/count-text.js';
import { nameText } from '../../text/name-text.js';
import { createWholeRun, type NewRun, newRunId } from '../create-run.js';
import { type ImportedRun, importRunDocument } from '../exported/import-run.js';
import { findRunFolder, isRunFolder, runFolders, sessionFolders } from '../folders.js';
import { type FoundRun, locateRun, type ReferenceOptions } from '../listing/resolve-reference.js';
import { type Ending, formatVersion, type LogRecord } from '../log/records.js';
import { toRanges } from '../log/row-ranges.js';
import { checkName } from '../names.js';
import type { RunOwner } from '../run-owner.js';
import type { Store } from '../store.js';
import { type NamedFolder, PartLog, type SizedRecord, type Step } from './part-log.js';
import { sortByVariant } from './parts-by-variant.js';

export interface MergeOptions {
  /** Names the run, or the group, if its parts have different names. */
  readonly makeName: () => string;
  /** Of the run; of the group where there are several, whose runs keep the names of their parts. */
  readonly name?: string | undefined;
  /** Default: that of the parts. */
  readonly sessionName?: string | undefined;
}

export interface MergedRun extends ImportedRun {
  readonly parts: number;
  readonly total_evaluations: number;
}

/** The runs that were made. */
export interface Merging {
  /** Absent for a run alone. */
  readonly group?: string;
  /** That of the base first. */
  readonly runs: readonly MergedRun[];
  /** What the user should know about the parts, in sentences. */
  readonly problems: readonly string[];
}

// Lines are written in batches, so that neither they nor the parts are in memory together.
const batchBytes = 1024 * 1024;

/**
 * Makes one run of all parts of a whole; of parts of groups, one of each variant, in a group. A run has the results, the
 * history and the order that the whole would have if it had run at once, and appears complete or not at all. Parts stay as
 * they are. Errors: those of {@link checkParts} and {@link sortByVariant}, before anything is made; `unreadable-run`,
 * `bad-request` for damaged parts and for parts of several sessions, and those of creating a run.
 */
export async function mergeParts(
  root: string,
  folders: readonly NamedFolder[],
  options: MergeOptions,
): Promise<Merging> {
  const logs: PartLog[] = [];
  try {
    for (const folder of folders) logs.push(await PartLog.open(folder));
    const wholes = sortByVariant(logs).map(checkParts);
    const group = wholes.length > 1 ? newGroup(logs, wholes.length, options) : undefined;
    const toMake = wholes.map((parts, at) => {
      const run_id = group?.group_runs[at] ?? newRunId();
      return { parts, run: { ...newRun(parts, options, group !== undefined), ...group, run_id } };
    });
    const runs: MergedRun[] = [];
    for (const { parts, run } of toMake) runs.push(await mergeWhole(root, run, parts));
    const notes = folders.flatMap(({ note }) => note ?? []);
    const problems = [...notes, ...wholes.flat().flatMap(problemsOf)];
    return { ...(group && { group: group.group }), runs, problems };
  } finally {
    for (const log of logs) await log.close();
  }
}

async function mergeWhole(
  root: string,
  run: NewRun,
  parts: readonly CheckedPart[],
): Promise<MergedRun> {
  const header = await createWholeRun(root, run, (owner) => write(owner, parts));
  const { run_id, run_name, session_name } = header;
  const total_evaluations = parts.reduce((sum, { index }) => sum + index.total, 0);
  return { run_id, run_name, session_name, parts: parts.length, total_evaluations };
}

function newGroup(parts: readonly PartLog[], runs: number, { name, makeName }: MergeOptions) {
  const group = name ?? commonName(parts.map(({ header }) => header.group)) ?? makeName();
  return { group: checkName(group, 'run'), group_runs: Array.from({ length: runs }, newRunId) };
}

/** The name that all have. */
function commonName(names: readonly (string | undefined)[]): string | undefined {
  return new Set(names).size === 1 ? names[0] : undefined;
}

function newRun(parts: readonly CheckedPart[], options: MergeOptions, isOfGroup: boolean): NewRun {
  const headers = parts.map(({ header }) => header);
  const [first] = headers;
  if (first === undefined) throw new Error('there is a part');
  const sessions = [...new Set(headers.map(({ session_name }) => session_name))];
  if (sessions.length > 1 && options.sessionName === undefined) {
    const named = sessions.map((name) => JSON.stringify(name)).join(', ');
    throw new AssayError('bad-request', `The parts are of several sessions: ${named}.`, {
      hints: ['Name the session of the merged run: --session NAME'],
    });
  }
  const { path, config_name, selection } = first;
  const name = isOfGroup ? undefined : options.name;
  return {
    session_name: options.sessionName ?? first.session_name,
    run_name: name ?? commonName(headers.map(({ run_name }) => run_name)) ?? options.makeName(),
    ...{ path, config_name, selection },
    merged: { at_ms: Date.now(), parts: headers.map(({ run_id }) => run_id) },
    created_at_ms: headers.reduce(
      (least, one) => Math.min(least, one.started_at_ms),
      first.started_at_ms,
    ),
  };
}

async function write(owner: RunOwner, parts: readonly CheckedPart[]): Promise<void> {
  const maxCost = sumOf(parts.map(({ index }) => index.facts.max_cost));
  await append(owner, planned(parts));
  const { rows } = owner.run;
  if (parts.some(({ shard }) => shard.plan !== hashPlan(idsOf(rows)))) throw damaged(parts);
  const first = parts.flatMap((part) => part.firstScheduled() ?? []);
  const scheduled = first.flatMap((one) => one.rows);
  const [at] = first.map((one) => one.at).sort();
  const [params] = first.map((one) => one.params);
  owner.schedule({
    kind: 'run',
    rows: scheduled.length === rows.length ? 'all' : scheduled,
    ...(at !== undefined && { at }),
    ...{ maxCost, params, paramsInEffect: parts[0]?.index.facts.params },
  });
  await append(owner, inOrder(parts, maxCost));
  owner.end(endingOf(parts));
}

function* idsOf(rows: readonly RowIdentity[]): Generator<string> {
  for (const { id } of rows) yield id;
}

/** Appends records in batches; other work of the process runs in between. */
async function append(owner: RunOwner, records: Iterable<SizedRecord>): Promise<void> {
  let batch: LogRecord[] = [];
  let bytes = 0;
  for (const { record, size } of records) {
    batch.push(record);
    bytes += size;
    if (bytes < batchBytes) continue;
    owner.copy(batch);
    batch = [];
    bytes = 0;
    await setImmediate();
  }
  owner.copy(batch);
}

/** The rows of the whole in order. The parts learn where theirs are. */
function* planned(parts: readonly CheckedPart[]): Generator<SizedRecord> {
  let index = 0;
  for (const { part, rows } of casesInOrder(parts)) {
    for (const { record, size } of rows) {
      part.place(record.index, index);
      yield { record: { ...record, index }, size };
      index += 1;
    }
  }
}

/** Balanced parts follow each other; of others, each has a case in turn. */
function* casesInOrder(parts: readonly CheckedPart[]) {
  const readers = parts.map((part) => ({ part, cases: part.cases() }));
  const isBalanced = parts[0]?.shard.balance !== undefined;
  for (const { part, cases } of isBalanced ? readers : []) {
    for (const rows of cases) yield { part, rows };
  }
  for (let left = isBalanced ? [] : readers; left.length > 0; ) {
    const more: typeof readers = [];
    for (const reader of left) {
      const next = reader.cases.next();
      if (next.done === true) continue;
      yield { part: reader.part, rows: next.value };
      more.push(reader);
    }
    left = more;
  }
}

/** What happened in all parts, in the order of time, so that the newest code is known as such. */
function* inOrder(
  parts: readonly CheckedPart[],
  maxCost: number | undefined,
): Generator<SizedRecord> {
  const heads = parts.flatMap((part) => {
    const steps = part.steps(maxCost);
    const { value } = steps.next();
    return value === undefined ? [] : [{ steps, step: value as Step }];
  });
  while (heads.length > 0) {
    const first = heads.reduce((least, one) => (one.step.at < least.step.at ? one : least));
    yield* first.step.records;
    const next = first.steps.next();
    if (next.done === true) heads.splice(heads.indexOf(first), 1);
    else first.step = next.value;
  }
}

function endingOf(parts: readonly CheckedPart[]): Ending {
  const facts = parts.map(({ index }) => index.facts);
  const prices = facts.findLast((one) => one.prices !== undefined)?.prices;
  const waited = facts.map((one) => one.waited).reduce(sumOfWaits, undefined);
  const refused = parts.flatMap((part) => part.placesOf(part.index.budget?.refused ?? []));
  const isOverBudget = parts.some(({ index }) => index.budget !== undefined);
  const spent = sumOf(parts.map(({ index }) => index.budget?.spent));
  const unlisted = parts.map(({ index }) => index.unlisted(false)).reduce(sumOfUsage, undefined);
  const isUnfinished = parts.some(({ index }) => index.hasPending);
  return {
    outcome: isUnfinished ? 'stopped' : 'finished',
    prices,
    unlisted,
    waited,
    ...(isOverBudget && {
      budget: { ...(spent !== undefined && { spent }), refused: toRanges(refused) },
    }),
  };
}

/** `undefined` if one of them is. */
function sumOf(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length < values.length ? undefined : known.reduce((sum, one) => sum + one, 0);
}

function damaged(parts: readonly CheckedPart[]): AssayError {
  const [problem] = parts.flatMap((part) => part.problems);
  const why = problem === undefined ? '' : ` ${problem}`;
  return new AssayError(
    'bad-request',
    `The parts do not have the cases of the whole: some results are lost.${why}`,
  );
}

function problemsOf({ name, shard, index, problems }: CheckedPart): string[] {
  let unfinished = 0;
  for (const { row } of index.rows()) if (!isFinished(row)) unfinished += 1;
  if (unfinished === 0) return [...problems];
  const results = countOf(unfinished, 'result');
  return [...problems, `${name}, ${shardText(shard)}: ${results} not finished.`];
}

/** A part with its place in the whole. */
type CheckedPart = PartLog & { readonly shard: Shard };

/**
 * The parts in order, if they make one whole. Errors: `bad-request` for parts of different wholes, for the same part
 * twice and for missing ones; `busy` for one that is being executed; `newer-format`.
 */
function checkParts(logs: readonly PartLog[]): CheckedPart[] {
  const parts = logs.map(checkPart).sort((a, b) => a.shard.part - b.shard.part);
  const [first, ...others] = parts;
  if (first === undefined) throw new AssayError('usage', 'Name the parts of a run to merge.');
  for (const other of others) refuseOtherWhole(first, other);
  parts.forEach((part, at) => {
    const twin = parts[at - 1];
    if (twin?.shard.part !== part.shard.part) return;
    const what = shardText(part.shard);
    throw new AssayError('bad-request', `${twin.name} and ${part.name} are both ${what}.`);
  });
  refuseMissing(parts, first.shard);
  return parts;
}

function checkPart(part: PartLog): CheckedPart {
  const { name, shard, index } = part;
  if (index.format > formatVersion) {
    throw new AssayError('newer-format', part.problems[0] ?? `${name} is of a newer assay.`);
  }
  if (shard === undefined) {
    throw new AssayError('bad-request', `${name} is not a part of a run.`, {
      hints: ['Parts are made by: assay run --shard I/N'],
    });
  }
  if (part.isRunning) {
    throw new AssayError(
      'busy',
      `${name}, ${shardText(shard)}, is running. Merge when it has ended.`,
    );
  }
  if (!index.started) {
    throw new AssayError('bad-request', `${name}, ${shardText(shard)}, has not started.`, {
      hints: [`Run it: assay run --resume ${part.header.run_id}`],
    });
  }
  return part as CheckedPart;
}

function refuseOtherWhole(a: CheckedPart, b: CheckedPart): void {
  const different = differences(a, b);
  if (different.length === 0) return;
  throw new AssayError(
    'bad-request',
    `${a.name} and ${b.name} are parts of different runs: ${different.join('; ')}.`,
    { hints: ['Run all parts from the same commit, with the same selection, settings and flags.'] },
  );
}

function differences(a: CheckedPart, b: CheckedPart): string[] {
  const [of, other] = [a.shard, b.shard];
  const configs = [a, b].map(({ header }) => JSON.stringify(header.config_name));
  return [
    ...(of.of === other.of ? [] : [`${shardText(of)} and ${shardText(other)}`]),
    ...(of.plan === other.plan ? [] : [planText(of, other)]),
    ...(of.config === other.config ? [] : [configText(configs)]),
    ...(of.code === other.code ? [] : ['their code differs']),
    ...(of.balance === other.balance ? [] : ['their --baseline differs']),
  ];
}

function planText({ cases }: Shard, { cases: others }: Shard): string {
  return cases === others
    ? 'their cases or trials differ'
    : `the whole has ${cases} cases and ${others} cases`;
}

function configText([a, b]: readonly string[]): string {
  return a === b ? 'their settings or params differ' : `their run configs are ${a} and ${b}`;
}

// Further parts are only counted.
const mostNamed = 20;

function refuseMissing(parts: readonly CheckedPart[], { of }: Shard): void {
  const found = new Set(parts.map(({ shard }) => shard.part));
  const missing = Array.from({ length: of }, (_, at) => at + 1).filter((part) => !found.has(part));
  const [first] = missing;
  if (first === undefined) return;
  const named = missing.slice(0, mostNamed).join(', ');
  const more = missing.length > mostNamed ? ` and ${missing.length - mostNamed} more` : '';
  const what = missing.length === 1 ? 'Part' : 'Parts';
  const are = missing.length === 1 ? 'is' : 'are';
  throw new AssayError('bad-request', `${what} ${named}${more} of ${of} ${are} missing.`, {
    hints: [`Run it as the others were: assay run --shard ${first}/${of}`],
  });
}

/**
 * The folders of the runs that a reference means: a run, as for `openReference`, or all runs in a results directory or
 * session folder. Exported runs are imported into `scratch`, a results directory. Errors: those of `openReference`;
 * `bad-request` for an export of some results.
 */
export async function findParts(
  store: Store,
  reference: string,
  { scratch, ...options }: ReferenceOptions & { readonly scratch: () => string },
): Promise<NamedFolder[]> {
  const below = runsBelow(resolve(options.cwd, reference));
  if (reference.trim() !== '' && below.length > 0) return below;
  const found = await locateRun(store, reference, options);
  switch (found.kind) {
    case 'stored': {
      const folder = findRunFolder(store.root, found.runId) ?? '';
      return [{ folder, name: reference }];
    }
    case 'folder':
      return [{ folder: found.folder, name: reference }];
    case 'exported':
      return [await imported(scratch(), found, reference)];
  }
}

async function imported(
  scratch: string,
  { run, document }: Extract<FoundRun, { kind: 'exported' }>,
  name: string,
): Promise<NamedFolder> {
  if (run.head.part_of !== undefined) {
    throw new AssayError(
      'bad-request',
      `${nameText(name)} has only some results of its run, so it cannot be merged.`,
      { hints: ['Export all of it: assay export RUN -f json --calls'] },
    );
  }
  const { run_id } = await importRunDocument(scratch, document, undefined);
  const folder = findRunFolder(scratch, run_id) ?? '';
  const hasCalls = run.rows.some((_, index) => run.trace(index).calls.length > 0);
  const isWithoutCalls = (run.head.usage?.calls ?? 0) > 0 && !hasCalls;
  const note = `${nameText(name)} was exported without the texts of its calls, so the merged run lacks them: export with --calls, or merge run folders.`;
  return { folder, name, ...(isWithoutCalls && { note }) };
}

function runsBelow(folder: string): NamedFolder[] {
  if (!isFolder(folder) || isRunFolder(folder)) return [];
  const found = [folder, ...sessionFolders(folder)].flatMap(runFolders);
  return found.map((run) => ({ folder: run.folder, name: run.folder }));
}
