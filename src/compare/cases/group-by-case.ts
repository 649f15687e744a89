import { hash } from 'node:crypto';
import { isUnused, tokensOf, type Usage, unknownTokens } from '../../model/calls/usage.js';
import {
  caseIdOf,
  countedOf,
  hasVerdict,
  isFinished,
  passes,
  type RowFacts,
} from '../../model/result.js';
import type { ScoreFacts } from '../../model/scores/score.js';
import { meanOf } from '../../statistics/sums.js';
import { CaseScores, mergeScores } from './case-scores.js';
import { type Draw, drawOf, drawOfAll } from './draws.js';
import { type CaseUsage, type EvalCase, valuesOf, verdictsOf } from './eval-case.js';

/**
 * Groups the attempts of rows that count into cases, in order of first appearance, without keeping rows. Scores, latencies and
 * usage count for finished trials only. The output hash is that of the common output, or one of all distinct hashes in
 * any order; `null` when one of them is unknown. Without a run id, nothing is known of their attempts.
 */
export function casesOf(rows: readonly RowFacts[], runId?: string): EvalCase[] {
  const fold = new CaseGroups(rows.some(hasModelCalls), runId);
  for (const row of rows) fold.add(countedOf(row));
  return fold.folded();
}

type OpenCase = { -readonly [Key in keyof EvalCase]: EvalCase[Key] } & { errors: number };

const noCalls: CaseUsage = { calls: 0, tokens: 0, cost: 0 };

class CaseGroups {
  readonly #hasCalls: boolean;
  readonly #runId: string | undefined;
  readonly #cases = new Map<string, OpenCase>();
  readonly #scores = new CaseScores();
  /** All output hashes of the cases whose trials have different outputs. */
  readonly #hashes = new Map<OpenCase, Set<string | null>>();
  /** All latencies of the cases that have several. */
  readonly #latencies = new Map<OpenCase, number[]>();
  /** The scores of each completed trial. */
  readonly #grades = new Map<OpenCase, (readonly ScoreFacts[])[]>();
  /** The draws of the cases that have several trials. */
  readonly #draws = new Map<OpenCase, Draw[]>();

  constructor(hasCalls: boolean, runId: string | undefined) {
    this.#hasCalls = hasCalls;
    this.#runId = runId;
  }

  add(row: RowFacts): void {
    if (row.pruned === true) return;
    const id = caseIdOf(row);
    let evalCase = this.#cases.get(id);
    if (evalCase === undefined) {
      evalCase = emptyCase(id, row);
      if (this.#hasCalls) evalCase.usage = noCalls;
      this.#cases.set(id, evalCase);
    }
    if (!isFinished(row)) return;
    this.#addHash(evalCase, row.outputHash ?? null);
    this.#addLatency(evalCase, row.latency);
    this.#addDraw(evalCase, row);
    if (evalCase.usage && row.usage) evalCase.usage = withUsage(evalCase.usage, row.usage);
    evalCase.trials += 1;
    if (passes(row)) evalCase.passes += 1;
    if (row.status === 'error') evalCase.errors += 1;
    if (row.status === 'error' || hasVerdict(row)) evalCase.judged += 1;
    if (row.trial_of !== undefined && row.status !== 'error') this.#addGrades(evalCase, row.scores);
    evalCase.scores = mergeScores(evalCase.scores, row.scores.map(this.#scores.of));
  }

  folded(): EvalCase[] {
    for (const [evalCase, grades] of this.#grades) {
      const judged = evalCase.scores.filter((score) => verdictsOf(score) !== undefined);
      if (grades.length > 1 && judged.length > 1) evalCase.grades = grades;
    }
    for (const evalCase of this.#cases.values()) {
      if (!this.#hashes.has(evalCase) && hasAlikeTrials(evalCase)) evalCase.alike = true;
    }
    for (const [evalCase, latencies] of this.#latencies) {
      evalCase.latency = meanOf(latencies);
      evalCase.latencies = latencies.sort((a, b) => a - b);
    }
    for (const [evalCase, draws] of this.#draws) Object.assign(evalCase, drawOfAll(draws));
    for (const [evalCase, hashes] of this.#hashes) evalCase.outputHash = hashOfAll(hashes);
    return [...this.#cases.values()];
  }

  #addGrades(evalCase: OpenCase, scores: readonly ScoreFacts[]): void {
    const known = this.#grades.get(evalCase);
    // The lists are those of the rows.
    if (known === undefined) this.#grades.set(evalCase, [scores]);
    else known.push(scores);
  }

  #addHash(evalCase: OpenCase, outputHash: string | null): void {
    if (evalCase.trials === 0) evalCase.outputHash = outputHash;
    if (outputHash === evalCase.outputHash) return;
    const hashes = this.#hashes.get(evalCase);
    if (hashes === undefined)
      this.#hashes.set(evalCase, new Set([evalCase.outputHash, outputHash]));
    else hashes.add(outputHash);
  }

  #addDraw(evalCase: OpenCase, row: RowFacts): void {
    if (this.#runId === undefined) return;
    const draw = drawOf(row, this.#runId);
    if (evalCase.trials === 0) Object.assign(evalCase, draw);
    else {
      const { draw: first, graded } = evalCase;
      const known = this.#draws.get(evalCase);
      if (known === undefined) this.#draws.set(evalCase, [{ draw: first, graded }, draw]);
      else known.push(draw);
    }
  }

  #addLatency(evalCase: OpenCase, latency: number | null): void {
    if (latency === null) return;
    const known = this.#latencies.get(evalCase);
    if (known !== undefined) known.push(latency);
    else if (evalCase.latency === null) evalCase.latency = latency;
    else this.#latencies.set(evalCase, [evalCase.latency, latency]);
  }
}

/** True for several trials with the same known output, if that is one, and the same scores. */
function hasAlikeTrials({ trials, outputHash, passes, judged, scores }: EvalCase): boolean {
  const isAlike = (of: readonly number[]) => of.every((value) => value === of[0]);
  return (
    trials > 1 &&
    outputHash !== null &&
    (passes === 0 || passes === judged) &&
    scores.every((score) => isAlike(valuesOf(score) ?? []))
  );
}

function hasModelCalls({ usage, pruned }: RowFacts): boolean {
  return usage !== undefined && !isUnused(usage) && pruned !== true;
}

function withUsage(sum: CaseUsage, used: Usage): CaseUsage {
  const { calls, unpriced = 0, cost, programs, replayed } = used;
  // Calls that failed without a word about tokens used none.
  const tokens = unknownTokens(used) > 0 ? null : (tokensOf(used) ?? 0);
  return {
    calls: sumOrNull(sum.calls, programs === undefined ? calls : null),
    tokens: sumOrNull(sum.tokens, tokens),
    // What a recording cost is not what the run spent, and nothing is not what the system costs.
    cost: sumOrNull(sum.cost, unpriced > 0 || replayed !== undefined ? null : cost),
    ...((sum.replayed || replayed !== undefined) && { replayed: true }),
  };
}

function sumOrNull(one: number | null, two: number | null): number | null {
  return one === null || two === null ? null : one + two;
}

function emptyCase(id: string, row: RowFacts): OpenCase {
  return {
    id,
    function: row.function,
    dataset: row.dataset,
    ...(row.cluster === undefined ? {} : { cluster: row.cluster }),
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
