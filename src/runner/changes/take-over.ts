import type { FileReads } from '../../model/code/file-code.js';
import type { ReviewLabel } from '../../model/labels.js';
import type { ResultEntry } from '../../model/result.js';
import { drawSome } from '../../statistics/random.js';
import type { ImportedRow, RegradedRow, RunOwner } from '../../store/run-owner.js';
import type { RunnerDependencies } from '../runner-dependencies.js';
import type { Changes } from './decide-all.js';
import type { OpenBase } from './open-base.js';
import { storedReads } from './stored-code.js';

/** A stored result that a row takes over. */
export interface Source {
  readonly base: OpenBase;
  readonly index: number;
}

// Rows are written in batches, so that a large run is not one huge string.
const batchSize = 500;

/** What is to be done with the rows of a run. */
export interface Plan {
  readonly run: readonly number[];
  readonly regrade: ReadonlyMap<number, Source>;
  readonly carry: ReadonlyMap<number, Source>;
  /** Those of `run` that take over a result first, which goes on counting: an error, or what is verified. */
  readonly repeat: ReadonlyMap<number, Source>;
  /** Those of `repeat` that run to verify what would be carried over. */
  readonly verified: ReadonlySet<number>;
}

/** How many carried results are to be verified: a number of them, or a share from 0 to 1. */
export type Sample = { readonly count: number } | { readonly share: number };

export function planOf({ decisions, baseOf }: Changes, verify?: Sample): Plan {
  const run: number[] = [];
  const regrade = new Map<number, Source>();
  const carry = new Map<number, Source>();
  const repeat = new Map<number, Source>();
  const maps = { regrade, carry, repeat };
  for (const [index, decision] of decisions.entries()) {
    const base = baseOf(decision);
    if (decision.action === 'run' || decision.action === 'repeat') run.push(index);
    if (decision.action !== 'run' && base !== undefined)
      maps[decision.action].set(index, { base, index: decision.index });
  }
  const verified = verify === undefined ? [] : sampleOf([...carry.keys()], verify);
  for (const index of verified) {
    const source = carry.get(index);
    if (source !== undefined) repeat.set(index, source);
    carry.delete(index);
    run.push(index);
  }
  return { run, ...maps, verified: new Set(verified) };
}

/** Takes a random part, at least one of some. */
function sampleOf(indices: readonly number[], sample: Sample): number[] {
  const wanted = 'count' in sample ? sample.count : Math.ceil(sample.share * indices.length);
  return drawSome(indices, wanted, Math.random);
}

/** Copies results of other runs into a run, with what their eval files looked at. */
export async function carryRows(
  runner: RunnerDependencies,
  owner: RunOwner,
  { carry, regrade, repeat }: Plan,
): Promise<void> {
  const sources = [carry, regrade, repeat].flatMap((map) => [...map.values()]);
  owner.addReads(readsOf(sources, runner, owner.run.runId));
  for (const [base, rows] of byBase(new Map([...carry, ...repeat]))) {
    const targets = [...rows.keys()];
    let batch: ImportedRow[] = [];
    const labels: ReviewLabel[] = [];
    let at = 0;
    for await (const { index, entry } of base.counted.entries([...rows.values()])) {
      const target = targets[at] ?? 0;
      const row = takenRow(base, index, entry, target);
      batch.push(repeat.has(target) ? { ...row, runs_again: true } : row);
      labels.push(...labelsFor(base, index, target));
      at += 1;
      if (batch.length < batchSize) continue;
      owner.restore(batch);
      batch = [];
    }
    if (batch.length > 0) owner.restore(batch);
    owner.copyLabels(labels);
  }
}

/** The labels of a result for the run that takes it over: there, it was not drawn at random. */
function labelsFor({ run }: Pick<OpenBase, 'run'>, from: number, index: number): ReviewLabel[] {
  return run.labelsOf(from).map(({ sample: _, ...label }) => ({ ...label, index }));
}

/** Stores a new grade of a result of another run, with that result. */
export function storeRegraded(owner: RunOwner, { base, index }: Source, graded: RegradedRow): void {
  const row = takenRow(base, index, base.counted.entry(index), graded.index);
  // Pending until it has its grade, in case the second line is lost.
  owner.take({ ...row, status: 'pending' }, graded);
  owner.copyLabels(labelsFor({ run: base.run }, index, graded.index));
}

/** The reads of the eval files of results, as the run stores them that takes them over. */
function readsOf(
  sources: readonly Source[],
  runner: RunnerDependencies,
  runId: string,
): FileReads[] {
  // Rows of an eval file share the lists.
  const lists = new Set(sources.flatMap(({ base, index }) => base.readsOf(index)));
  const byFile = new Map<string, Map<string, FileReads['reads'][number]>>();
  for (const { file, reads } of lists) {
    const known = byFile.get(file) ?? new Map();
    byFile.set(file, known);
    for (const read of reads) known.set(`${read.kind}\0${read.name}`, read);
  }
  return [...byFile].flatMap(([file, reads]) =>
    storedReads({ file, reads: [...reads.values()] }, runId, runner),
  );
}

function takenRow(
  { counted, originOf, isExact }: OpenBase,
  from: number,
  { regradable, kept, inexact_because: inexact, former_grade, lost_scores, result }: ResultEntry,
  index: number,
): ImportedRow {
  const { run_id, run_name } = originOf(from);
  const { status, output, scores, error, latency, started_at, metadata, trace_data } = result;
  const { annotation, correction_history, code, usage } = result;
  return {
    index,
    status: status === 'running' ? 'pending' : status,
    output,
    scores,
    error,
    latency,
    started_at,
    metadata,
    trace_data,
    regradable,
    kept,
    inexact,
    former_grade,
    lost_scores,
    exact: isExact(from) ? true : undefined,
    code,
    usage,
    origin: { run_id, run_name, kind: 'carried' },
    annotation,
    correction_history,
    calls: counted.storedCalls(from),
  };
}

function byBase(sources: ReadonlyMap<number, Source>): Map<OpenBase, Map<number, number>> {
  const found = new Map<OpenBase, Map<number, number>>();
  for (const [index, { base, index: from }] of sources) {
    const rows = found.get(base) ?? new Map<number, number>();
    found.set(base, rows.set(index, from));
  }
  return found;
}
