import { type ChangeCounts, pairedCases } from '../../compare/cases/change.js';
import { type CaseScore, type EvalCase, scoreOf, valuesOf } from '../../compare/cases/eval-case.js';
import type { CasePair } from '../../compare/cases/pair-cases.js';
import type { MeasureDifference } from '../../compare/compare-cases.js';
import type { AgainstBase, FiguredRun } from '../../compare/compare-runs.js';
import { type UsageDifference, usedAmounts } from '../../compare/differences/amount-difference.js';
import { hasCalls } from '../../model/calls/run-usage.js';
import { percentilesOf } from '../../statistics/percentile.js';
import { carriedText } from '../../text/carried-text.js';
import { renderCount } from '../../text/count-text.js';
import { renderNumber } from '../../text/number-text.js';
import { leftOutText } from '../../text/usage-text.js';
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
 * The changed measures of a case: passed trials, and up to three scores. `4/5 → 2/5 passed`, `exact ✓ → ✗`. For
 * several unbounded values, their p50.
 */
export function movedTexts({ base, other }: CasePair, { comparison }: AgainstBase): string[] {
  if (base === undefined || other === undefined) return [];
  const keys = new Set([...base.scores, ...other.scores].map(({ key }) => key));
  const unbounded = new Set(
    comparison.summary.scores.flatMap(({ key, percentiles }) => (percentiles ? [key] : [])),
  );
  const moved = [...keys].flatMap((key) => {
    const before = scoreText(scoreOf(base, key), unbounded.has(key));
    const after = scoreText(scoreOf(other, key), unbounded.has(key));
    return before === after ? [] : [`${key} ${before} → ${after}`];
  });
  return [...trialsMoved(base, other), ...moved.slice(0, mostScores)];
}

function trialsMoved(base: EvalCase, other: EvalCase): string[] {
  const hasTrials = base.judged > 1 || other.judged > 1;
  const before = `${base.passes}/${base.judged}`;
  const after = `${other.passes}/${other.judged}`;
  return hasTrials && before !== after ? [`${before} → ${after} passed`] : [];
}

function scoreText(score: CaseScore | undefined, isUnbounded: boolean): string {
  if (score === undefined) return '–';
  const { kind, sum, count } = score;
  const values = isUnbounded ? valuesOf(score) : undefined;
  if (kind === 'value') {
    const { p50 } = percentilesOf(Float64Array.from(values ?? []).sort());
    return renderNumber(p50 ?? sum / count);
  }
  if (count > 1) return `${sum}/${count}`;
  return sum > 0 ? '✓' : '✗';
}

/** What was carried over, the detectable difference, and the untested or uncompared measures, in one sentence each. */
export function limitTexts(base: FiguredRun, other: AgainstBase): string[] {
  const { changes, carried, pass_rate, scores, latency, usage } = other.comparison.summary;
  const points = (share: number) => `${(share * 100).toFixed(1)} points`;
  const measures = [
    { name: 'the pass rate', type: 'ratio', better: 'higher', ...pass_rate },
    ...scores.flatMap((one) => (one.same_as_pass_rate ? [] : [{ ...one, name: one.key }])),
  ];
  const found = measures.flatMap(({ name, type, better, detectable }) => {
    if (detectable === null) return [];
    const size = type === 'ratio' ? points(detectable) : renderNumber(detectable);
    return [`a ${better === 'lower' ? 'rise' : 'drop'} of ${size} in ${name}`];
  });
  const shown = found.slice(0, mostScores);
  const carriedOver = carriedText(carried, pairedCases(changes));
  return [
    ...(carriedOver === undefined ? [] : [carriedOver]),
    ...(shown.length === 0 ? [] : [`finds ${listed(shown, 'or')} 4 times in 5`]),
    ...(cannotFind(pass_rate) ? ['cannot find any drop in the pass rate: too few cases'] : []),
    ...untestedTexts(latency.difference !== null, usage !== undefined),
    ...unknownTexts(usage),
    ...uncomparedTexts(base, other),
  ];
}

/** True if not even a fall of the pass rate from all to none would be found. */
function cannotFind({ base, detectable }: MeasureDifference): boolean {
  return detectable === null && base !== null && base > 0;
}

/** The run without usage to compare: it made no calls, or is a baseline file of an older version. */
function uncomparedTexts(...runs: readonly Pick<FiguredRun, 'run' | 'label'>[]): string[] {
  const without = runs.filter(({ run }) => !hasCalls(run.head.usage));
  const what = listed(usedAmounts, 'and');
  return without.length === 1
    ? without.map(({ label }) => `${what} are not compared: ${label} records no calls`)
    : [];
}

function untestedTexts(hasLatency: boolean, hasUsage: boolean): string[] {
  const names = [...(hasLatency ? ['latency'] : []), ...(hasUsage ? usedAmounts : [])];
  if (names.length === 0) return [];
  const what = `${listed(names, 'and')} ${names.length > 1 ? 'are' : 'is'} not tested`;
  return [`${what}: the results of a run share its load${hasUsage ? ' and caches' : ''}`];
}

/** The cases that are left out because the amount of a call is not known. */
function unknownTexts(usage: UsageDifference | undefined): string[] {
  return usedAmounts.flatMap((amount) => {
    const unknown = usage?.[amount].unknown ?? 0;
    return unknown === 0 ? [] : [leftOutText(amount, unknown)];
  });
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
