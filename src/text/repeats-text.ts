import { renderCount } from './count-text.js';
import { percentText } from './share-text.js';

interface Again {
  readonly results: number;
  readonly passed: number;
  readonly regraded?: number;
  readonly of_older_version?: boolean;
}

/** `ran again`, or `were graded again` if none of them ran. */
export function againText({ results, regraded }: Pick<Again, 'results' | 'regraded'>): string {
  return regraded === results ? 'were graded again' : 'ran again';
}

/** `24 of 29 passed when run again`, and what that means where an older version did not tell full passes apart. */
export function repeatedText(again: Again): string {
  const { results, passed, regraded = 0, of_older_version: isOlder = false } = again;
  const how = regraded === 0 ? 'run' : regraded === results ? 'graded' : 'run or graded';
  const text = `${renderCount(passed)} of ${renderCount(results)} passed when ${how} again`;
  return isOlder ? `${text}, by a version that did not tell full passes: the oldest count` : text;
}

/**
 * `95 pass now: 24 of 29 passed when run again`; `undefined` for no repeats, and where all are draws of which their
 * verification says more.
 */
export function repeatsNote({
  repeats,
  totals,
  verified: { results = 0, replaced = 0 } = {},
}: {
  readonly repeats?: Again | undefined;
  readonly totals: { readonly total_passed: number };
  readonly verified?: Partial<Record<'results' | 'replaced', number | undefined>> | undefined;
}): string | undefined {
  if (repeats === undefined || repeats.results === results - replaced) return undefined;
  return `${renderCount(totals.total_passed)} pass now: ${repeatedText(repeats)}`;
}

const mostRates = 10;

/** `pass 3 of this run; before: 71.0 %, 74.0 %`, of an imported run without the rates before; `undefined` for one pass. */
export function passesText(
  passes: number,
  before: readonly { readonly passed: number; readonly of: number }[] = [],
): string | undefined {
  if (passes < 2) return undefined;
  const rates = before.map(({ passed, of }) => (of === 0 ? '–' : `${percentText(passed / of)} %`));
  const known = rates.length === 0 ? '' : `; before: ${rates.slice(-mostRates).join(', ')}`;
  return `pass ${passes} of this run${known}`;
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
