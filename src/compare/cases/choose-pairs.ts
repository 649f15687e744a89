import type { AgainstBase } from '../compare-runs.js';
import type { Change } from './change.js';
import { type EvalCase, meanValueOf, passShare, scoreOf, verdictsOf } from './eval-case.js';
import type { CasePair } from './pair-cases.js';

/** The kinds of cases that a comparison can show, most important first. */
export const comparedKinds = ['regressed', 'fixed', 'changed', 'unpaired'] as const;
export type ComparedKind = (typeof comparedKinds)[number];

const kinds: { readonly [change in Change]: ComparedKind | undefined } = {
  regressed: 'regressed',
  fixed: 'fixed',
  changed: 'changed',
  same: undefined,
  only_base: 'unpaired',
  only_other: 'unpaired',
  not_paired: 'unpaired',
};

/** The cases that a comparison shows individually. */
export interface ChosenPairs {
  readonly shown: readonly CasePair[];
  /** The number of requested cases that are not shown, by kind. */
  readonly left: ReadonlyMap<ComparedKind, number>;
}

/**
 * Chooses the most important cases, at most `limit`, of the requested kinds: regressed, fixed, changed, unpaired.
 * Within a kind, cases that are worse beyond chance come first, then those whose pass rate moved or whose score
 * fell most.
 */
export function choosePairs(
  { comparison, regression }: Pick<AgainstBase, 'comparison' | 'regression'>,
  { only = comparedKinds, limit }: { only?: readonly ComparedKind[] | undefined; limit: number },
): ChosenPairs {
  const worse = new Set(regression.worse_units.map(({ id }) => id));
  const shown: CasePair[] = [];
  const left = new Map<ComparedKind, number>();
  for (const kind of comparedKinds.filter((one) => only.includes(one))) {
    const pairs = comparison.pairs.filter(({ change }) => kinds[change] === kind);
    const room = Math.min(pairs.length, limit - shown.length);
    if (room > 0) shown.push(...mostMoved(pairs, worse).slice(0, room));
    if (pairs.length > room) left.set(kind, pairs.length - room);
  }
  return { shown, left };
}

function mostMoved(pairs: readonly CasePair[], worse: ReadonlySet<string>): CasePair[] {
  return pairs
    .map((pair) => ({ pair, weight: worse.has(pair.id) ? Number.POSITIVE_INFINITY : moved(pair) }))
    .sort((a, b) => (a.weight === b.weight ? 0 : b.weight - a.weight))
    .map(({ pair }) => pair);
}

function moved({ base, other }: CasePair): number {
  if (base === undefined || other === undefined) return 0;
  const passed = Math.abs((passShare(other) ?? 0) - (passShare(base) ?? 0));
  return passed > 0 ? passed : largestFall(base, other);
}

/** The largest change for the worse of any score: of its verdicts, and of its values. */
function largestFall(base: EvalCase, other: EvalCase): number {
  let largest = 0;
  for (const score of base.scores) {
    const now = scoreOf(other, score.key);
    if (now === undefined) continue;
    const better = now.better ?? score.better;
    const [was, is] = [meanValueOf(score), meanValueOf(now)];
    if (was !== null && is !== null)
      largest = Math.max(largest, better === 'lower' ? is - was : was - is);
    const [passed, passes] = [verdictsOf(score), verdictsOf(now)];
    if (passed && passes)
      largest = Math.max(largest, passed.passes / passed.of - passes.passes / passes.of);
  }
  return largest;
}
