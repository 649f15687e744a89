import { type Change, changeOf } from './change.js';
import type { EvalCase } from './eval-case.js';
import { sharedOf } from './group-by-case.js';
import { judgedAlike, type LostOfCase, lostOf } from './lost-scores.js';

/** A case in two runs; `undefined` in a run that lacks it. At least one is defined. */
interface Paired {
  readonly id: string;
  readonly base: EvalCase | undefined;
  readonly other: EvalCase | undefined;
  /** What of it is the same attempt in both runs; absent for two attempts. */
  readonly shared?: 'result' | 'output' | undefined;
  /** What the other run has lost of it; absent for nothing. */
  readonly lost?: LostOfCase | undefined;
  /** The case in both runs, judged by the scores that both have; absent unless it has lost some. */
  readonly alike?: { readonly base: EvalCase; readonly other: EvalCase } | undefined;
}

/** A case in two runs, and how it changed. */
export interface CasePair extends Paired {
  readonly change: Change;
}

/** A case with a finished trial in both runs. */
export interface FullPair extends Paired {
  readonly base: EvalCase;
  readonly other: EvalCase;
}

/** The cluster of a pair: of the other run, else of the base, which may have been made before there was one. */
export function clusterOf({ base, other }: FullPair): string | undefined {
  return other.cluster ?? base.cluster;
}

/** The values of the trials of one case in two runs: at least one on each side. */
export interface TrialPair {
  readonly base: ArrayLike<number>;
  readonly other: ArrayLike<number>;
}

/** Pairs cases by id, never by position: in the order of the base, then those that only the other run has. */
export function pairCases(base: readonly EvalCase[], other: readonly EvalCase[]): CasePair[] {
  const pairs: CasePair[] = [];
  for (const [before, after] of matches(base, other)) {
    const change = changeOf(before, after);
    pairs.push(
      before === undefined
        ? { id: after.id, base: before, other: after, change }
        : { ...paired(before, after), change },
    );
  }
  return pairs;
}

/** The pairs with a finished trial in both runs, in the order of the base; quicker than all of `pairCases`. */
export function fullPairs(base: readonly EvalCase[], other: readonly EvalCase[]): FullPair[] {
  const pairs: FullPair[] = [];
  for (const [before, after] of matches(base, other)) {
    if (before === undefined || after === undefined) continue;
    const pair = paired(before, after);
    if (isFullPair(pair)) pairs.push(pair);
  }
  return pairs;
}

type Match = readonly [EvalCase, EvalCase | undefined] | readonly [undefined, EvalCase];

function* matches(base: readonly EvalCase[], other: readonly EvalCase[]): Generator<Match> {
  // Most cases have the same position in both runs; only the others need a lookup.
  const left = new Map<string, EvalCase>();
  for (const [at, evalCase] of other.entries()) {
    if (evalCase.id !== base[at]?.id) left.set(evalCase.id, evalCase);
  }
  for (const [at, evalCase] of base.entries()) {
    const same = other[at];
    const match = same?.id === evalCase.id ? same : left.get(evalCase.id);
    left.delete(evalCase.id);
    yield [evalCase, match];
  }
  for (const evalCase of left.values()) yield [undefined, evalCase];
}

function paired(base: EvalCase, other: EvalCase | undefined): Paired {
  const { id } = base;
  return { id, base, other, shared: other && sharedOf(base, other), ...lossOf(base, other) };
}

function lossOf(base: EvalCase, other: EvalCase | undefined): Pick<Paired, 'lost' | 'alike'> {
  if (other === undefined) return {};
  const lost = lostOf(base, other);
  return lost === undefined ? {} : { lost, alike: judgedAlike(base, other) };
}

/** The pairs for comparisons of what passed: judged by the scores that both runs have. */
export function alikePairs<Pair extends FullPair>(pairs: readonly Pair[]): readonly Pair[] {
  if (pairs.every(({ alike }) => alike === undefined)) return pairs;
  return pairs.map((pair) => (pair.alike === undefined ? pair : { ...pair, ...pair.alike }));
}

/** True when the case has a finished trial in both runs, so that it can count in differences. */
export function isFullPair<Pair extends Paired>(pair: Pair): pair is Pair & FullPair {
  const { base, other } = pair;
  return base !== undefined && other !== undefined && base.trials > 0 && other.trials > 0;
}

/**
 * The pairs that tests and intervals are about. A result that was carried over is the same in both runs, so it says
 * nothing about chance.
 */
export function testedPairs(pairs: readonly FullPair[]): readonly FullPair[] {
  return pairs.filter(({ shared }) => shared !== 'result');
}
