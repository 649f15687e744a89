import { renderCount } from './count-text.js';

interface Again {
  readonly results: number;
  readonly passed: number;
  readonly regraded?: number;
}

/** `ran again`, or `were graded again` if none of them ran. */
export function againText({ results, regraded }: Pick<Again, 'results' | 'regraded'>): string {
  return regraded === results ? 'were graded again' : 'ran again';
}

/** `95 pass now: 24 of 29 passed when run again`. */
export function repeatsText(
  { results, passed, regraded = 0 }: Again,
  { total_passed }: { readonly total_passed: number },
): string {
  const how = regraded === 0 ? 'run' : regraded === results ? 'graded' : 'run or graded';
  return `${renderCount(total_passed)} pass now: ${renderCount(passed)} of ${renderCount(results)} passed when ${how} again`;
}

/** `12 of 60 verdicts of judge differ from its grading before`. */
export function gradingNoiseText({
  key,
  differ,
  of,
}: {
  readonly key: string;
  readonly differ: number;
  readonly of: number;
}): string {
  const verdicts = of === 1 ? 'verdict' : 'verdicts';
  const differs = differ === 1 ? 'differs' : 'differ';
  return `${renderCount(differ)} of ${renderCount(of)} ${verdicts} of ${key} ${differs} from its grading before`;
}
