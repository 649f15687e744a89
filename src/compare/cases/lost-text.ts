import { countOf } from '../../text/count-text.js';
import type { LostSummary } from './lost-scores.js';

/** What is lost: `24 cases lost their verdict`, `score hard is gone`, `3 cases lost score tone`; empty for nothing. */
export function lostTexts({
  verdicts,
  whole_verdicts,
  scores,
}: Pick<LostSummary, 'verdicts' | 'whole_verdicts' | 'scores'>): string[] {
  const whose = verdicts === 1 ? 'its verdict' : 'their verdict';
  const what = whole_verdicts === verdicts ? whose : 'verdicts of trials';
  return [
    ...(verdicts === 0 ? [] : [`${countOf(verdicts, 'case')} lost ${what}`]),
    ...scores.map(({ key, cases, gone }) =>
      gone ? `score ${key} is gone` : `${countOf(cases, 'case')} lost score ${key}`,
    ),
  ];
}

/** `the pass rate of 24 cases is over the scores that both runs have`; `undefined` if that is all of them. */
export function judgedAlikeText({ judged_alike: cases }: LostSummary): string | undefined {
  if (cases === 0) return undefined;
  return `the pass rate of ${countOf(cases, 'case')} is compared over the scores that both runs have`;
}
