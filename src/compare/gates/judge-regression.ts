import type { GateVerdict } from '../../model/gates/gate-verdict.js';
import type { Estimate } from '../../statistics/bounds.js';
import { testText } from '../../text/chance-text.js';
import { countOf, renderCount } from '../../text/count-text.js';
import { driftTexts } from '../../text/judge-drift-text.js';
import { figureText } from '../../text/number-text.js';
import { percentText } from '../../text/share-text.js';
import type { EvalCase } from '../cases/eval-case.js';
import { lostTexts } from '../cases/lost-text.js';
import { type CasePair, isFullPair } from '../cases/pair-cases.js';
import type { Comparison, ComparisonSummary, MeasureDifference } from '../compare-cases.js';
import { type CaseTest, countClustered, testCases } from '../significance/case-tests.js';
import type { FamilyTest } from '../significance/family.js';

/** One of the gate's tests over all pairs, with the p-values of the comparison; plain JSON. */
interface MeasureTest extends Pick<FamilyTest, 'p_adjusted' | 'among'> {
  /** The pass rate, or the verdicts or values of this score; `name` as in the comparison. */
  readonly measure:
    | { readonly kind: 'pass_rate' }
    | { readonly kind: 'score'; readonly key: string; readonly name: string };
  readonly type: 'ratio' | 'avg';
  /** The direction of an improvement. */
  readonly better: 'higher' | 'lower';
  readonly base: number;
  readonly other: number;
  readonly difference: Estimate;
  /** Two-sided. */
  readonly p: number;
  /** Beyond chance, and in the direction of worse. */
  readonly worse: boolean;
}

/** The number of trials of the compared cases that are errors; `null` when the baseline does not record them. */
interface ErrorCounts {
  readonly base: number | null;
  readonly other: number | null;
}

/** Verdict of the gate against regressions. */
export interface RegressionVerdict extends GateVerdict {
  readonly measures: readonly MeasureTest[];
  /** Cases that pass less often beyond chance on their own. */
  readonly worse_units: readonly CaseTest[];
  /** The number of tested cases: those with trials in both runs. */
  readonly tested_units: number;
  /** Cases with trials that have no test of their own, because they share clusters; absent for none. */
  readonly clustered_units?: number;
  /** Errors count as trials that did not pass, unless the comparison excludes errors. */
  readonly errors: ErrorCounts;
}

/**
 * Fails when something is worse beyond chance: the pass rate or a score over all pairs, or a single case with
 * trials. Both are families of tests of their own (`judgeFamily`), each at 2.5 % per direction, so the gate fails in at
 * most 5 % of comparisons of an unchanged system. A score with the same values as the pass rate in every case is not
 * tested separately, and values beside verdicts of an evaluator are not judged. Pairs that were carried over are not
 * tested; if nothing else has a verdict or score, nothing is worse. The verdict is unknown when no verdict or score is in
 * both runs, when a baseline lacks the values that a test needs, when there are fewer than 8 clusters of cases or unequal
 * numbers of trials in them, and when nothing is worse but cases have lost verdicts
 * or scores, or are errors that count in no measure. The text says of which scores the judge changed; they are judged nevertheless.
 */
export function judgeRegression(comparison: Comparison): RegressionVerdict {
  const { text, ...verdict } = regressionOf(comparison);
  const drifts = driftTexts(comparison.summary.scores.filter(({ gated }) => gated));
  return { ...verdict, text: drifts.length === 0 ? text : `${text}; ${listOf(drifts)}` };
}

function regressionOf({ summary, pairs }: Comparison): RegressionVerdict {
  const { found, untestable } = comparedMeasures(summary);
  const cases = testCases(pairs);
  const worseCases = cases.filter((one) => one.beyond_chance && one.direction === 'worse');
  const errors = countErrors(pairs);
  const clustered = countClustered(pairs);
  const details = {
    measures: found,
    worse_units: worseCases,
    tested_units: cases.length,
    ...(clustered > 0 && { clustered_units: clustered }),
    errors,
  };
  if (found.length === 0 && untestable.length === 0 && !pairs.some(isJudgedAndCarried)) {
    const text = 'no verdict or score is in both runs, so there is nothing to compare';
    return { verdict: 'cannot-tell', text, ...details };
  }
  if (untestable.length > 0) {
    return { verdict: 'cannot-tell', text: untestableText(untestable), ...details };
  }
  const worse = [
    ...found.filter((test) => test.worse).map(measureText),
    ...worseCases.map(caseText),
  ];
  const lost = lostTexts(summary.lost);
  if (worse.length === 0 && lost.length > 0) {
    const text = `regressions cannot be judged: ${lost.join(', ')}${lostHint}`;
    return { verdict: 'cannot-tell', text, ...details };
  }
  const uncounted = pairs.filter(isUncountedError).length;
  if (worse.length === 0 && uncounted > 0) {
    return { verdict: 'cannot-tell', text: uncountedText(uncounted), ...details };
  }
  const also = lost.length === 0 ? '' : `; ${lost.join(', ')}`;
  return worse.length === 0
    ? {
        verdict: 'yes',
        text: `nothing is worse beyond chance than in the baseline${clusteredText(clustered)}${errorText(errors)}`,
        ...details,
      }
    : {
        verdict: 'no',
        text: `worse beyond chance, unless provider or judge changed between the runs: ${listOf(worse)}${errorText(errors)}${also}`,
        ...details,
      };
}

const lostHint = ' (if that is intended, bless the run: assay sessions bless RUN FILE)';

/** An error counts as not passed, but there is no pass to compare it with where the base has no verdict. */
function isUncountedError(pair: CasePair): boolean {
  if (!isFullPair(pair) || pair.shared === 'result') return false;
  const { base, other } = pair;
  return base.judged === (base.errors ?? 0) && errorShare(other) > errorShare(base);
}

function errorShare({ errors = 0, trials }: EvalCase): number {
  return errors / trials;
}

function uncountedText(cases: number): string {
  const what =
    cases === 1
      ? '1 case without a verdict in the baseline is an error'
      : `${renderCount(cases)} cases without a verdict in the baseline are errors`;
  return `regressions cannot be judged: ${what} now (--ignore-errors leaves them out)`;
}

function comparedMeasures({ pass_rate: passRate, scores }: ComparisonSummary): {
  readonly found: readonly MeasureTest[];
  /** Measures that both runs have, but without a p-value. */
  readonly untestable: readonly Untestable[];
} {
  const found: MeasureTest[] = [];
  const untestable: Untestable[] = [];
  const add = (
    measure: MeasureTest['measure'],
    { type, better }: Pick<MeasureTest, 'type' | 'better'>,
    { base, other, difference, p, p_lower, p_higher, not_tested, ...judged }: MeasureDifference,
  ) => {
    if (base === null || other === null || difference === null) return;
    if (p === null || p_lower === null || p_higher === null) {
      untestable.push({ name: nameOf(measure), why: not_tested ?? valuesLost });
      return;
    }
    const { p_adjusted, among, beyond_chance } = judged;
    const worse = beyond_chance && p_lower < p_higher === (better === 'higher');
    found.push({
      ...{ measure, type, better, base, other, difference },
      ...{ p, p_adjusted, among, worse },
    });
  };
  add({ kind: 'pass_rate' }, { type: 'ratio', better: 'higher' }, passRate);
  for (const { type, better, ...score } of scores) {
    if (score.same_as_pass_rate || type === 'mixed' || !score.gated) continue;
    add({ kind: 'score', key: score.key, name: score.name }, { type, better }, score);
  }
  return { found, untestable };
}

function countErrors(pairs: readonly CasePair[]): ErrorCounts {
  let base: number | null = 0;
  let other: number | null = 0;
  for (const pair of pairs.filter(isFullPair)) {
    base = base === null || pair.base.errors === undefined ? null : base + pair.base.errors;
    other = other === null || pair.other.errors === undefined ? null : other + pair.other.errors;
  }
  return { base, other };
}

function errorText({ base, other }: ErrorCounts): string {
  if (base === null || other === null || base + other === 0) return '';
  return `; errors ${base} → ${other}`;
}

function isJudgedAndCarried({ shared, base }: CasePair): boolean {
  return shared === 'result' && base !== undefined && (base.judged > 0 || base.scores.length > 0);
}

interface Untestable {
  readonly name: string;
  readonly why: string;
}

const valuesLost =
  'the runs have unequal numbers of trials, and the baseline file does not keep the values of trials; bless it again';

function untestableText(measures: readonly Untestable[]): string {
  const reasons = [...new Set(measures.map(({ why }) => why))];
  return reasons
    .map(
      (why) => `${listOf(measures.flatMap((one) => (one.why === why ? [one.name] : [])))}: ${why}`,
    )
    .join('; ');
}

function clusteredText(cases: number): string {
  if (cases === 0) return '';
  return `; ${countOf(cases, 'case')} not tested one by one, because they share clusters`;
}

function nameOf(measure: MeasureTest['measure']): string {
  return measure.kind === 'pass_rate' ? 'pass rate' : measure.name;
}

function measureText({ measure, type, base, other, ...test }: MeasureTest): string {
  const text = type === 'ratio' ? (share: number) => `${percentText(share)} %` : figureText;
  const what = type === 'ratio' ? '' : ' on average';
  return `${nameOf(measure)} ${text(base)} → ${text(other)}${what} (p ${testText(test)})`;
}

function caseText({ id, base, other, ...test }: CaseTest): string {
  return `${id} ${base.passes}/${base.of} → ${other.passes}/${other.of} (p ${testText(test)})`;
}

const mostNamed = 5;

/** The verdict for runs without anything in common. */
export const cannotCompare: GateVerdict = {
  verdict: 'cannot-tell',
  text: 'no finished case is in both runs, so there is nothing to compare',
};

/** The first few texts, and the number of others. */
export function listOf(texts: readonly string[]): string {
  const named = texts.slice(0, mostNamed).join(', ');
  return texts.length > mostNamed ? `${named} and ${texts.length - mostNamed} more` : named;
}
