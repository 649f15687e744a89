import { hash } from 'node:crypto';
import { hasVerdict, isFinished, passes, type RowFacts } from '../model/result.js';
import { eachInSteps, finish, type Steps } from '../model/steps.js';
import { meanOf } from '../statistics/sums.js';
import type { Unit } from './unit.js';
import { mergeScores, UnitScores } from './unit-score.js';

/**
 * Folds the rows of a run into units, in order of first appearance; rows are not kept. Scores and latencies count
 * for finished trials only. Trials with one and the same output have its hash, others one made of all distinct
 * hashes, in whatever order they come; `null` when that of one is not known.
 */
export function unitsOf(rows: readonly RowFacts[]): Unit[] {
  return finish(foldUnits(rows));
}

/** The same in steps. */
export function* foldUnits(rows: readonly RowFacts[]): Steps<Unit[]> {
  const fold = new UnitFold();
  yield* eachInSteps(rows, (row) => fold.add(row));
  return fold.finish();
}

type OpenUnit = { -readonly [Key in keyof Unit]: Unit[Key] } & { errors: number };

class UnitFold {
  readonly #units = new Map<string, OpenUnit>();
  readonly #scores = new UnitScores();
  /** All hashes of the units whose trials differ in their output. */
  readonly #hashes = new Map<OpenUnit, Set<string | null>>();
  /** All latencies of the units that have several. */
  readonly #latencies = new Map<OpenUnit, number[]>();

  add(row: RowFacts): void {
    if (row.pruned === true) return;
    const id = row.trial_of ?? row.id;
    let unit = this.#units.get(id);
    if (unit === undefined) {
      unit = emptyUnit(id, row);
      this.#units.set(id, unit);
    }
    if (!isFinished(row)) return;
    this.#addHash(unit, row.outputHash ?? null);
    this.#addLatency(unit, row.latency);
    unit.trials += 1;
    if (passes(row)) unit.passes += 1;
    if (row.status === 'error') unit.errors += 1;
    if (row.status === 'error' || hasVerdict(row)) unit.judged += 1;
    unit.scores = mergeScores(unit.scores, row.scores.map(this.#scores.of));
  }

  finish(): Unit[] {
    for (const [unit, latencies] of this.#latencies) {
      unit.latency = meanOf(latencies);
      unit.latencies = latencies.sort((a, b) => a - b);
    }
    for (const [unit, hashes] of this.#hashes) unit.outputHash = hashOfAll(hashes);
    return [...this.#units.values()];
  }

  #addHash(unit: OpenUnit, outputHash: string | null): void {
    if (unit.trials === 0) unit.outputHash = outputHash;
    if (outputHash === unit.outputHash) return;
    const hashes = this.#hashes.get(unit);
    if (hashes === undefined) this.#hashes.set(unit, new Set([unit.outputHash, outputHash]));
    else hashes.add(outputHash);
  }

  #addLatency(unit: OpenUnit, latency: number | null): void {
    if (latency === null) return;
    const known = this.#latencies.get(unit);
    if (known !== undefined) known.push(latency);
    else if (unit.latency === null) unit.latency = latency;
    else this.#latencies.set(unit, [unit.latency, latency]);
  }
}

function emptyUnit(id: string, row: RowFacts): OpenUnit {
  return {
    id,
    function: row.function,
    dataset: row.dataset,
    trials: 0,
    passes: 0,
    judged: 0,
    errors: 0,
    scores: [],
    outputHash: null,
    latency: null,
  };
}

function hashOfAll(hashes: ReadonlySet<string | null>): string | null {
  const distinct: string[] = [];
  for (const one of hashes) {
    if (one === null) return null;
    distinct.push(one);
  }
  return hash('sha256', JSON.stringify(distinct.sort())).slice(0, 16);
}
