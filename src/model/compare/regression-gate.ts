import type { Estimate } from '../../statistics/bounds.js';
import type { GateVerdict } from '../gates.js';
import type { Comparison, ComparisonSummary } from './compare-units.js';
import { listOf, numberText, percentText } from './gate-text.js';
import { holm } from './holm.js';
import { chanceLevel } from './paired-difference.js';
import { testUnits, type UnitTest } from './unit-tests.js';

/** One of the tests that the gate makes over all pairs: plain JSON. */
export interface MeasureTest {
  /** The pass rate, or the score of this key. */
  readonly measure:
    | { readonly kind: 'pass_rate' }
    | { readonly kind: 'score'; readonly key: string };
  readonly type: 'ratio' | 'avg';
  readonly base: number;
  readonly other: number;
  readonly difference: Estimate;
  readonly p_value: number;
  /** By Holm, over all measures tested; 1 for what is not lower than in the base. */
  readonly adjusted_p_value: number;
  /** The adjusted p-value is below 0.05. */
  readonly worse: boolean;
}

/** What the gate against regressions says. */
export interface RegressionVerdict extends GateVerdict {
  readonly measures: readonly MeasureTest[];
  /** Units that pass less often, beyond chance, on their own; adjusted as the measures are. */
  readonly worse_units: readonly UnitTest[];
  /** How many units have trials in both runs, so that they could be tested. */
  readonly tested_units: number;
}

/**
 * Says no when something is worse beyond chance: the pass rate or a score over all pairs, or a single unit with
 * trials. Lower is worse. Two families of tests, each corrected by Holm at a two-sided 5 %. Only the worse side
 * counts, 2.5 % of it, and what is better does not lower the bar for the rest: an unchanged system is held back in at
 * most 5 % of comparisons. A score that says of every unit what the pass rate says is no test of its own. Cannot tell
 * when no verdict or score is in both runs.
 */
export function judgeRegression({ summary, pairs }: Comparison): RegressionVerdict {
  const measures = testMeasures(summary);
  const units = testUnits(pairs);
  const worseUnits = worseBeyondChance(units);
  const worse = [
    ...measures.filter((test) => test.worse).map(measureText),
    ...worseUnits.map(unitText),
  ];
  const details = { measures, worse_units: worseUnits, tested_units: units.length };
  if (measures.length === 0) {
    const text = 'no verdict or score is in both runs, so there is nothing to compare';
    return { verdict: 'cannot-tell', text, ...details };
  }
  return worse.length === 0
    ? { verdict: 'yes', text: 'nothing is worse beyond chance than in the baseline', ...details }
    : { verdict: 'no', text: `worse beyond chance: ${listOf(worse)}`, ...details };
}

type Untested = Omit<MeasureTest, 'adjusted_p_value' | 'worse'>;

function testMeasures({ pass_rate: passRate, scores }: ComparisonSummary): MeasureTest[] {
  const found: Untested[] = [];
  const add = (
    measure: MeasureTest['measure'],
    type: MeasureTest['type'],
    { base, other, difference, p_value }: ComparisonSummary['pass_rate'],
  ) => {
    if (base === null || other === null || difference === null || p_value === null) return;
    found.push({ measure, type, base, other, difference, p_value });
  };
  add({ kind: 'pass_rate' }, 'ratio', passRate);
  for (const score of scores) {
    if (score.same_as_pass_rate || score.type === 'mixed') continue;
    add({ kind: 'score', key: score.key }, score.type, score);
  }
  const adjusted = holm(found.map((test) => (test.difference.estimate < 0 ? test.p_value : 1)));
  return found.map((test, i) => {
    const p = adjusted[i] ?? 1;
    return { ...test, adjusted_p_value: p, worse: p < chanceLevel };
  });
}

function worseBeyondChance(units: readonly UnitTest[]): UnitTest[] {
  const adjusted = holm(units.map((unit) => (unit.direction === 'worse' ? unit.p_value : 1)));
  return units.flatMap((unit, i) => {
    const p = adjusted[i] ?? 1;
    return p < chanceLevel ? [{ ...unit, adjusted_p_value: p, beyond_chance: true }] : [];
  });
}

function measureText({ measure, type, base, other, adjusted_p_value: p }: MeasureTest): string {
  const name = measure.kind === 'pass_rate' ? 'pass rate' : measure.key;
  const text = type === 'ratio' ? percentText : numberText;
  return `${name} ${text(base)} → ${text(other)} (p ${numberText(p)})`;
}

function unitText({ id, base, other, adjusted_p_value: p }: UnitTest): string {
  return `${id} ${base.passes}/${base.of} → ${other.passes}/${other.of} (p ${numberText(p)})`;
}
