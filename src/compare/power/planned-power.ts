import { binomial } from './single-trial-power.js';
import {
  flipped,
  isFoundOften,
  meanRate,
  type OutcomeGroup,
  type PairOutcome,
  type PassRates,
} from './trial-power.js';

/** Cases that each have so many trials, in both runs. */
export interface TrialsOfCases {
  readonly trials: number;
  readonly cases: number;
}

/**
 * How a system gets worse: `alike` lowers the pass probabilities of all cases by one factor; `broken` leaves most cases as
 * they were, and the others pass no more.
 */
export type DropForm = 'alike' | 'broken';

/** A power is then good to 1.2 points. */
const simulations = 1000;

/**
 * True for drops of the pass rate (0 to 1) that the paired test finds, at a one-sided level, in at least such a share of
 * simulated comparisons of two runs of this size, seeded. Each case draws its pass probability from `rates`.
 */
export function findsPlanned(
  groups: readonly TrialsOfCases[],
  rates: PassRates,
  { form, level, least }: PlannedTest,
): (drop: number) => boolean {
  const mean = meanRate(rates);
  const outcomes = groups.map(outcomesOf);
  const [first = 1, ...others] = groups.map(({ trials }) => trials);
  const trials = others.length === 0 ? first : undefined;
  const test = { level, trials, halfStep: 1 / first };
  const chancesAfter = (factor: number) =>
    groups.map((group) => stepChances(group.trials, rates, factor));
  const [stay, none] = form === 'broken' ? [chancesAfter(1), chancesAfter(0)] : [];
  return (drop) => {
    const lost = Math.min(1, drop / mean);
    const mixed = stay?.map((chances, group) =>
      chances.map((chance, at) => (1 - lost) * chance + lost * (none?.[group]?.[at] ?? 0)),
    );
    const chances = mixed ?? chancesAfter(1 - lost);
    return isFoundOften(outcomes, chances, test, { least, simulations });
  };
}

interface PlannedTest {
  readonly form: DropForm;
  readonly level: number;
  readonly least: number;
}

/** By how many trials more, or fewer, pass. */
function outcomesOf({ trials, cases }: TrialsOfCases): OutcomeGroup {
  const outcomes: PairOutcome[] = [];
  for (let step = -trials; step <= trials; step += 1) {
    const difference = step / trials;
    const [base, other] = [Math.max(0, -step), Math.max(0, step)];
    outcomes.push({ base, other, difference, ...flipped(difference) });
  }
  return { cases, outcomes };
}

/**
 * The probabilities that −n to n trials of a case pass more in the other run, of n in each; there, all pass probabilities
 * are multiplied by `factor`.
 */
export function stepChances(
  trials: number,
  { rates, shares }: PassRates,
  factor: number,
): Float64Array {
  const chances = new Float64Array(2 * trials + 1);
  rates.forEach((rate, i) => {
    const share = shares[i] ?? 0;
    if (share < 1e-9) return;
    const before = binomial(trials, rate);
    const after = binomial(trials, rate * factor);
    before.forEach((chance, base) => {
      if (chance < 1e-12) return;
      after.forEach((other, passes) => {
        const at = passes - base + trials;
        chances[at] = (chances[at] ?? 0) + share * chance * other;
      });
    });
  });
  return chances;
}
