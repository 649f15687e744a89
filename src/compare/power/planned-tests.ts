import { familyLevel } from '../../statistics/tarone.js';
import type { EvalCase } from '../cases/eval-case.js';
import type { ComparisonSummary } from '../compare-cases.js';
import {
  type Measure,
  passMeasure,
  valueMeasure,
  verdictMeasure,
} from '../differences/measure-columns.js';
import { likelyTests, lowestSimulated, smallest } from './detectable.js';
import { type DropForm, findsPlanned, stepChances, type TrialsOfCases } from './planned-power.js';
import {
  type CasePasses,
  leastAlike,
  meanRate,
  mostAlike,
  type PassRates,
  smoothedRates,
} from './trial-power.js';

/** What two runs of a size find. */
export interface PlannedTests {
  /** True if they find such a drop of the pass rate, 0 to 1, 4 times in 5. */
  readonly isFound: (groups: readonly TrialsOfCases[], form: DropForm, drop: number) => boolean;
  /** The smallest drop that they find; `null` if they find none. */
  readonly smallestDrop: (groups: readonly TrialsOfCases[], form: DropForm) => number | null;
}

/**
 * The tests of runs like one with these cases, all of which have a verdict; `summary` has the scores that are tested beside
 * the pass rate. Each of them costs power if so many of its cases differ by chance that it could be beyond chance itself.
 */
export function plannedTests(
  cases: readonly EvalCase[],
  { scores }: Pick<ComparisonSummary, 'scores'>,
): PlannedTests {
  const others = scores
    .filter(({ gated, same_as_pass_rate }) => gated && !same_as_pass_rate)
    .map(({ type, key }) =>
      type === 'avg' ? valuesDiffer(cases, key) : verdictsDiffer(cases, verdictMeasure(key)),
    );
  const systems = possibleRates(passesOf(cases, passMeasure));
  const most = Math.min(...systems.map(meanRate));
  const testOf = (groups: readonly TrialsOfCases[], form: DropForm) => {
    const attainable = others.map((differ) => 2 ** -differ(groups));
    const level = familyLevel / likelyTests(attainable, 1);
    const tests = systems.map((rates) =>
      findsPlanned(groups, rates, { form, level, least: lowestSimulated }),
    );
    return (drop: number) => tests.every((finds) => finds(drop));
  };
  return {
    isFound: (groups, form, drop) => testOf(groups, form)(drop),
    smallestDrop: (groups, form) => {
      const finds = testOf(groups, form);
      return finds(most) ? smallest(most, 0.005, finds) : null;
    },
  };
}

/** Single trials fit cases that are all as sure as each other, and cases that always pass or never do. */
function possibleRates(passes: readonly CasePasses[]): PassRates[] {
  if (passes.some(({ inBase }) => inBase > 1)) return [smoothedRates(passes, true)];
  return [leastAlike, mostAlike].map((alike) => smoothedRates(passes, true, alike));
}

/** The trials of one run alone. */
function passesOf(cases: readonly EvalCase[], { count, mean }: Measure): CasePasses[] {
  return cases.flatMap((one) => {
    const inBase = count(one);
    const base = Math.round((mean(one) ?? 0) * inBase);
    return inBase === 0 ? [] : [{ base, inBase, other: 0, inOther: 0 }];
  });
}

/** How many cases of a measure differ by chance between two runs of a size. */
type Differing = (groups: readonly TrialsOfCases[]) => number;

function verdictsDiffer(cases: readonly EvalCase[], measure: Measure): Differing {
  const passes = passesOf(cases, measure);
  const [rates] = possibleRates(passes);
  return (groups) =>
    groups.reduce((sum, { trials, cases: count }) => {
      const alike = rates === undefined ? 1 : (stepChances(trials, rates, 1)[trials] ?? 1);
      return sum + count * (1 - alike) * (passes.length / cases.length);
    }, 0);
}

function valuesDiffer(cases: readonly EvalCase[], key: string): Differing {
  const { values } = valueMeasure(key, undefined);
  const known = cases.map((one) => Array.from(values(one) ?? [])).filter((of) => of.length > 1);
  const varying = known.filter((of) => of.some((value) => value !== of[0])).length;
  const share = known.length === 0 ? 1 : varying / known.length;
  return (groups) => groups.reduce((sum, { cases: count }) => sum + count * share, 0);
}
