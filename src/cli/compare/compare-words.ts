import { type ChangeCounts, movedScores, pairedCases } from '../../compare/cases/change.js';
import {
  type CaseScore,
  type EvalCase,
  meanValueOf,
  scoreOf,
  valuesOf,
  verdictsOf,
} from '../../compare/cases/eval-case.js';
import { judgedAlikeText, lostTexts } from '../../compare/cases/lost-text.js';
import type { CasePair } from '../../compare/cases/pair-cases.js';
import {
  measureNameOf,
  mixedVerdictsText,
  notJudgedText,
} from '../../compare/cases/score-measures.js';
import type { AgainstBase, FiguredRun } from '../../compare/compare-runs.js';
import { type UsageDifference, usedAmounts } from '../../compare/differences/amount-difference.js';
import { hasCalls } from '../../model/calls/run-usage.js';
import { percentilesOf } from '../../statistics/percentile.js';
import { carriedText } from '../../text/carried-text.js';
import { unknownDropText } from '../../text/chance-text.js';
import { renderCount } from '../../text/count-text.js';
import { findsAtMostAll, findsNothing } from '../../text/detectable-text.js';
import { figureText } from '../../text/number-text.js';
import { amountNames, leftOutTexts } from '../../text/usage-text.js';
import type { ShownPairs } from './compare-shown.js';

const mostScores = 3;

/** The number of cases per change: `19 regressed`, `36 fixed`, … */
export function changeTexts(changes: ChangeCounts, base: FiguredRun, other: FiguredRun): string[] {
  const some = (count: number, what: string) =>
    count === 0 ? [] : [`${renderCount(count)} ${what}`];
  return [
    `${renderCount(changes.regressed)} regressed`,
    `${renderCount(changes.fixed)} fixed`,
    ...some(changes.changed, 'changed'),
    `${renderCount(changes.same)} same`,
    ...some(changes.only_base, `only in ${base.label}`),
    ...some(changes.only_other, `only in ${other.label}`),
    ...some(changes.not_paired, 'not finished in one'),
  ];
}

/** A shown case in words: its change, and the measures that changed with it. */
export function pairTexts(pair: CasePair, base: FiguredRun, other: AgainstBase): string[] {
  const isWorse = other.regression.worse_units.some(({ id }) => id === pair.id);
  const beyond = isWorse ? ', worse beyond chance' : '';
  return [`${changeText(pair, base, other)}${beyond}`, ...movedTexts(pair, other)];
}

/** The cases that are not shown: `12 more regressed, 3 more fixed`; empty if there are none. */
export function leftText({ left }: ShownPairs): string {
  return [...left].map(([kind, count]) => `${renderCount(count)} more ${kind}`).join(', ');
}

function changeText({ change }: CasePair, base: FiguredRun, other: FiguredRun): string {
  if (change === 'only_base') return `only in ${base.label}`;
  if (change === 'only_other') return `only in ${other.label}`;
  return change === 'not_paired' ? 'not finished in one' : change;
}

/**
 * The changed measures of a case: passed trials, and up to three scores. `4/5 → 2/5 passed`, `exact ✓ → ✗`,
 * `rating (value) 4.5 → 4.2`. For several unbounded values, their p50.
 */
export function movedTexts({ base, other }: CasePair, { comparison }: AgainstBase): string[] {
  if (base === undefined || other === undefined) return [];
  const unbounded = new Set(
    comparison.summary.scores.flatMap(({ key, percentiles }) => (percentiles ? [key] : [])),
  );
  const moved = movedScores(base, other).flatMap((key) => {
    const texts = scoreMoved(key, scoreOf(base, key), scoreOf(other, key), unbounded.has(key));
    // What differs is said, also where it reads alike.
    return texts.length > 0 ? texts : [`${key} has other values`];
  });
  const more = moved.length - mostScores;
  return [
    ...trialsMoved(base, other),
    ...moved.slice(0, mostScores),
    ...(more > 0 ? [`${renderCount(more)} more of scores`] : []),
  ];
}

function trialsMoved(base: EvalCase, other: EvalCase): string[] {
  const hasTrials = base.judged > 1 || other.judged > 1;
  const before = `${base.passes}/${base.judged}`;
  const after = `${other.passes}/${other.judged}`;
  return hasTrials && before !== after ? [`${before} → ${after} passed`] : [];
}

/** What moved of a score: its verdicts, its values, or that a run does not have it. */
function scoreMoved(
  key: string,
  before: CaseScore | undefined,
  after: CaseScore | undefined,
  isUnbounded: boolean,
): string[] {
  const hasGiven = before?.kind === 'ratio' || after?.kind === 'ratio';
  const verdicts = [before, after].map((score) => score && verdictText(score));
  const values = [before, after].map((score) => score && valuesText(score, isUnbounded));
  const moved = (type: 'ratio' | 'avg', [was = '–', is = '–']: (string | undefined)[]) =>
    was === is ? [] : [`${measureNameOf(key, type, hasGiven)} ${was} → ${is}`];
  const [ofVerdicts, ofValues] = [moved('ratio', verdicts), moved('avg', values)];
  return hasGiven ? [...ofVerdicts, ...ofValues] : [...ofValues, ...ofVerdicts];
}

function verdictText(score: CaseScore): string | undefined {
  const verdicts = verdictsOf(score);
  if (verdicts === undefined) return undefined;
  const { passes, of } = verdicts;
  if (of > 1) return `${passes}/${of}`;
  return passes > 0 ? '✓' : '✗';
}

function valuesText(score: CaseScore, isUnbounded: boolean): string | undefined {
  const mean = meanValueOf(score);
  if (mean === null) return undefined;
  const values = isUnbounded ? valuesOf(score) : undefined;
  const { p50 } = percentilesOf(Float64Array.from(values ?? []).sort());
  return figureText(p50 ?? mean);
}

/** What was carried over, the detectable difference, and the untested or uncompared measures, in one sentence each. */
export function limitTexts(base: FiguredRun, other: AgainstBase): string[] {
  const { changes, carried, pass_rate, scores, latency, usage } = other.comparison.summary;
  const points = (share: number) => `${(share * 100).toFixed(1)} points`;
  const measures = [
    { name: 'the pass rate', type: 'ratio', better: 'higher', ...pass_rate },
    ...scores.flatMap((one) => (one.same_as_pass_rate ? [] : [one])),
  ];
  const atMostAll = measures.filter((one) => one.type === 'ratio' && findsAtMostAll(one));
  const found = measures.flatMap((one) => {
    const { name, type, better, detectable } = one;
    if (detectable === null || atMostAll.includes(one)) return [];
    const size = type === 'ratio' ? points(detectable) : figureText(detectable);
    return [`a ${better === 'lower' ? 'rise' : 'drop'} of ${size} in ${name}`];
  });
  const shown = found.slice(0, mostScores);
  const carriedOver = carriedText(carried, pairedCases(changes));
  return [
    ...(carriedOver === undefined ? [] : [carriedOver]),
    ...(shown.length === 0 ? [] : [`finds ${listed(shown, 'or')} 4 times in 5`]),
    ...(pass_rate.clusters === undefined ? [] : [unknownDropText]),
    ...(atMostAll.length === 0 ? [] : [atMostAllText(atMostAll)]),
    ...(findsNothing(pass_rate) ? ['cannot find any drop in the pass rate: too few cases'] : []),
    ...runNotes(base, other),
    ...untestedTexts(latency.difference !== null, usage !== undefined),
    ...unknownTexts(usage),
    ...uncomparedTexts(base, other),
  ];
}

function atMostAllText(measures: readonly { readonly name: string }[]): string {
  const names = measures.slice(0, mostScores).map(({ name }) => name);
  return `finds at most a fall of ${listed(names, 'or')} to none: too few cases`;
}

/** What the scores of the runs do not say by themselves. */
function runNotes(base: FiguredRun, other: AgainstBase): string[] {
  const mixed = [base, other].flatMap(({ label, figures }) =>
    mixedVerdictsText(figures.scores).map((text) => `${label}: ${text}`),
  );
  const { lost, scores } = other.comparison.summary;
  const texts = [judgedAlikeText(lost), notJudgedText(scores)];
  return [...lostTexts(lost), ...texts.flatMap((text) => text ?? []), ...mixed];
}

/** The run without usage to compare: it made no calls, or is a baseline file of an older version. */
function uncomparedTexts(...runs: readonly Pick<FiguredRun, 'run' | 'label'>[]): string[] {
  const without = runs.filter(({ run }) => !hasCalls(run.head.usage));
  const what = listed(Object.values(amountNames), 'and');
  return without.length === 1
    ? without.map(({ label }) => `${what} are not compared: ${label} records no calls`)
    : [];
}

function untestedTexts(hasLatency: boolean, hasUsage: boolean): string[] {
  const names = [
    ...(hasLatency ? ['latency'] : []),
    ...(hasUsage ? Object.values(amountNames) : []),
  ];
  if (names.length === 0) return [];
  const what = `${listed(names, 'and')} ${names.length > 1 ? 'are' : 'is'} not tested`;
  return [`${what}: the results of a run share its load${hasUsage ? ' and caches' : ''}`];
}

/** The cases that are left out because the amount of a call is not known. */
function unknownTexts(usage: UsageDifference | undefined): string[] {
  return usedAmounts.flatMap((amount) => leftOutTexts(amount, usage?.[amount]));
}

function listed(texts: readonly string[], last: 'and' | 'or'): string {
  if (texts.length === 1) return texts.join();
  return `${texts.slice(0, -1).join(', ')} ${last} ${texts.at(-1)}`;
}

/** The name of a case; its id if only a baseline file has it. */
export function nameOf({ base, other, id }: CasePair): string {
  const names = [other?.function, base?.function];
  return names.find((name) => name !== undefined && name !== id) ?? id;
}
