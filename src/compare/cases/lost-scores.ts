import { passes } from '../../model/result.js';
import type { Passes } from '../../statistics/fisher-exact.js';
import { type CaseScore, completedOf, type EvalCase, scoreOf, verdictsOf } from './eval-case.js';

/** What a case had in the base, and no longer has in the other run although it completed there. */
export interface LostOfCase {
  /** Of its completed trials, a smaller part has a verdict; `all`: none has. */
  readonly verdict: 'all' | 'some' | undefined;
  /** Scores that a smaller part of its completed trials have, with whether a verdict is among what is lost. */
  readonly scores: readonly { readonly key: string; readonly verdict: boolean }[];
}

/**
 * What a case has lost; `undefined` for nothing. An error is no loss, and neither is a failed assertion that does not
 * fail any more, or a score that a body did not reach because an assertion failed before.
 */
export function lostOf(base: EvalCase, other: EvalCase): LostOfCase | undefined {
  if (completedOf(base) === 0 || completedOf(other) === 0) return undefined;
  const [had, has] = [base, other].map((one) => shareOf(verdictsIn(one), one)) as [number, number];
  const verdict = has >= had ? undefined : has === 0 ? 'all' : 'some';
  const scores = other.scores.some(({ asserted }) => asserted)
    ? []
    : base.scores.flatMap((score) => lostScore(score, base, other));
  return verdict === undefined && scores.length === 0 ? undefined : { verdict, scores };
}

function lostScore(score: CaseScore, base: EvalCase, other: EvalCase): LostOfCase['scores'] {
  const { key } = score;
  if (score.asserted) return [];
  const now = scoreOf(other, key);
  const isLess = (count: (one: CaseScore) => number) =>
    (now === undefined ? 0 : shareOf(count(now), other)) < shareOf(count(score), base);
  const verdict = isLess((one) => verdictsOf(one)?.of ?? 0);
  return verdict || isLess(valueCount) ? [{ key, verdict }] : [];
}

function valueCount({ kind, count, values }: CaseScore): number {
  return values?.length ?? (kind === 'value' ? count : 0);
}

/** Trials with a verdict: those that are judged and no errors. */
function verdictsIn({ judged, errors = 0 }: EvalCase): number {
  return judged - errors;
}

/** An error can have scores, too. */
function shareOf(count: number, evalCase: EvalCase): number {
  return Math.min(1, count / Math.max(1, completedOf(evalCase)));
}

/**
 * A case in two runs, judged by the scores that both have, where it has lost some; `undefined` where nothing is lost, or
 * nothing is common. A side that does not tell what passed under these scores is not judged.
 */
export function judgedAlike(
  base: EvalCase,
  other: EvalCase,
): { readonly base: EvalCase; readonly other: EvalCase } | undefined {
  const lost = lostOf(base, other);
  if (lost === undefined) return undefined;
  const [before, after] = [base, other].map(judgedKeys) as [Set<string>, Set<string>];
  if ([...before].every((key) => after.has(key))) return undefined;
  const common = new Set([...before].filter((key) => after.has(key)));
  if (common.size === 0) return undefined;
  return { base: judgedBy(base, common), other: judgedBy(other, common) };
}

function judgedKeys({ scores }: EvalCase): Set<string> {
  return new Set(scores.filter((score) => verdictsOf(score)).map(({ key }) => key));
}

function judgedBy(evalCase: EvalCase, keys: ReadonlySet<string>): EvalCase {
  const { errors = 0 } = evalCase;
  const found = passesUnder(evalCase, keys);
  if (found === undefined) return { ...evalCase, passes: 0, judged: 0, errors: 0 };
  return { ...evalCase, passes: found.passes, judged: found.of + errors };
}

/** The completed trials with a verdict under these keys, and how many of them passed; `undefined` if unknown. */
function passesUnder({ grades, scores }: EvalCase, keys: ReadonlySet<string>): Passes | undefined {
  if (grades !== undefined) {
    const own = grades.map((trial) => trial.filter(({ key }) => keys.has(key)));
    const judged = own.filter((trial) => trial.some(({ passed }) => passed !== undefined));
    const passed = judged.filter((trial) => passes({ status: 'completed', scores: trial }));
    return { passes: passed.length, of: judged.length };
  }
  const found = scores.flatMap((score) => (keys.has(score.key) ? (verdictsOf(score) ?? []) : []));
  const [first, ...others] = found;
  if (first === undefined || others.length === 0) return first;
  const of = Math.max(...found.map((one) => one.of));
  const isClear = found.every((one) => one.of === of && [0, of].includes(one.passes));
  return isClear ? { passes: Math.min(...found.map((one) => one.passes)), of } : undefined;
}

/** What cases have lost from the base to the other run; plain JSON. */
export interface LostSummary {
  /** Cases of which fewer trials have a verdict, and those of them of which none has. */
  readonly verdicts: number;
  readonly whole_verdicts: number;
  readonly scores: readonly LostScore[];
  /** Pairs whose pass rate is over the scores that both runs have. */
  readonly judged_alike: number;
}

interface LostScore {
  readonly key: string;
  /** Cases that had it in more of their completed trials, and those of them that had verdicts in more. */
  readonly cases: number;
  readonly verdicts: number;
  /** No case of the other run has it. */
  readonly gone: boolean;
}

/** Adds up what cases have lost. `keys` are those of the other run. */
export function lostSummary(
  pairs: readonly {
    readonly lost?: LostOfCase | undefined;
    readonly alike?: object | undefined;
  }[],
  keys: { has(key: string): boolean },
): LostSummary {
  const scores = new Map<string, { cases: number; verdicts: number }>();
  let verdicts = 0;
  let whole = 0;
  for (const { lost } of pairs) {
    if (lost?.verdict !== undefined) verdicts += 1;
    if (lost?.verdict === 'all') whole += 1;
    for (const { key, verdict } of lost?.scores ?? []) {
      const known = scores.get(key) ?? { cases: 0, verdicts: 0 };
      scores.set(key, {
        cases: known.cases + 1,
        verdicts: known.verdicts + (verdict ? 1 : 0),
      });
    }
  }
  return {
    verdicts,
    whole_verdicts: whole,
    scores: [...scores].map(([key, counts]) => ({ key, ...counts, gone: !keys.has(key) })),
    judged_alike: pairs.filter(({ alike }) => alike !== undefined).length,
  };
}
