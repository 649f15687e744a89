import type { TrialsOfCases } from './planned-power.js';

/** Numbers of cases and trials that find a drop; `null` where none does. */
export interface EnoughSizes {
  /** As many trials as now, of more or fewer cases. */
  readonly cases: readonly TrialsOfCases[] | null;
  /** As many cases as now, with more or fewer trials. */
  readonly trials: readonly TrialsOfCases[] | null;
}

/** No run is larger. */
const mostCases = 1_000_000;
/** More trials of a case are not looked at. */
export const mostTrials = 100;

/** The smallest numbers of cases, and of trials, that are enough. Cases of several numbers of trials keep their proportions. */
export function enoughSizes(
  groups: readonly TrialsOfCases[],
  isEnough: (groups: readonly TrialsOfCases[]) => boolean,
): EnoughSizes {
  const [first, ...others] = groups;
  if (first === undefined) return { cases: null, trials: null };
  const unit = others.length === 0 ? [{ ...first, trials: 1 }] : groups;
  const mostTimes = Math.floor(mostTrials / Math.max(...unit.map(({ trials }) => trials)));
  const cases = fewest(mostCases, (count) => isEnough(withCases(groups, count)));
  const times = fewest(mostTimes, (count) => isEnough(withTrials(unit, count)));
  return {
    cases: cases === null ? null : withCases(groups, cases),
    trials: times === null ? null : withTrials(unit, times),
  };
}

function withTrials(groups: readonly TrialsOfCases[], times: number): TrialsOfCases[] {
  return groups.map(({ trials, cases }) => ({ trials: trials * times, cases }));
}

/** Of so many cases in all, each group has the same share as now, to whole cases. */
function withCases(groups: readonly TrialsOfCases[], count: number): TrialsOfCases[] {
  const now = casesIn(groups);
  let [before, given] = [0, 0];
  return groups.flatMap(({ trials, cases }) => {
    before += cases;
    const own = Math.round((before / now) * count) - given;
    given += own;
    return own === 0 ? [] : [{ trials, cases: own }];
  });
}

/** The number of cases of all groups. */
export function casesIn(groups: readonly TrialsOfCases[]): number {
  return groups.reduce((sum, { cases }) => sum + cases, 0);
}

/** The smallest whole number from 1 that is enough, if numbers above it are, too; `null` if not even `most` is. */
function fewest(most: number, isEnough: (count: number) => boolean): number | null {
  let [low, high] = [0, Math.min(1, most)];
  while (high < 1 || !isEnough(high)) {
    if (high >= most) return null;
    low = high;
    high = Math.min(most, high * 2);
  }
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (isEnough(middle)) high = middle;
    else low = middle;
  }
  return high;
}
