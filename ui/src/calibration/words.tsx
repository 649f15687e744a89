import type { ReactNode } from 'react';
import { missingText, type NextLabels, versionText } from '../../../src/text/calibration-text.js';
import { boundsText, percentText } from '../../../src/text/share-text.js';
import { count, counted } from '../components/figures/figures.js';
import { visibleText } from '../result/values/visible-text.js';
import type { JudgeAnswer } from './calibration.js';

/** A rate whose whole interval is below this is marked. */
const weakBelow = 0.8;

/** True for a rate that is surely low. */
export const isWeak = (rate: { readonly high: number | null }): boolean =>
  rate.high !== null && rate.high < weakBelow;

/** `80.7 (66.2–92.2)` apart: the rate and its interval in percent. */
export const rateTexts = (rate: {
  readonly estimate: number;
  readonly low?: number | null;
  readonly high?: number | null;
}) =>
  [
    percentText(rate.estimate),
    boundsText({ low: rate.low ?? null, high: rate.high ?? null }),
  ] as const;

/** What to label next, as a link says it. */
export function nextText(next: NextLabels): string {
  switch (next.kind) {
    case 'newest':
      return 'Label the drawn results by the newest rubric first';
    case 'drawn':
      return `Label ${counted(next.count, 'drawn result')} first`;
    case 'more':
      return `Review about ${count(next.count)} more`;
    default:
      return 'No results are left to draw';
  }
}

/** True for what is by the rubric of a score that was labelled last. */
export function isNewest(
  { key, rubric_version }: Pick<JudgeAnswer, 'key' | 'rubric_version'>,
  judges: readonly JudgeAnswer[],
): boolean {
  return judges.find((one) => one.key === key)?.rubric_version === rubric_version;
}

/** A sentence on a judge, by its worst figure. */
export function leadOf(judge: JudgeAnswer, all: readonly JudgeAnswer[]): ReactNode {
  const { figures, confusion, corrected, judged, gives, missing } = judge;
  const version = versionText(judge, all);
  const name = (
    <>
      <b>{visibleText(judge.key)}</b>
      {version !== undefined && ` (${version})`}
    </>
  );
  if (missing !== undefined) {
    return (
      <>
        {name} cannot be told yet: it {missingText(missing)}.
      </>
    );
  }
  const rate = corrected && gives === 'verdicts' && (
    <>
      Corrected for that, its pass rate is <b>{percentText(corrected.estimate)} %</b>, not{' '}
      {percentText(judged.estimate)} %.
    </>
  );
  if (figures === undefined || confusion === undefined) {
    return (
      <>
        {name} gives values without a verdict: people pass{' '}
        <b>{corrected ? `${percentText(corrected.estimate)} %` : 'an unknown share'}</b>.
      </>
    );
  }
  const { pass_pass, pass_fail, fail_pass, fail_fail } = confusion;
  const isLax = figures.tnr.estimate <= figures.tpr.estimate;
  const [wrong, of] = isLax
    ? [fail_pass, fail_pass + fail_fail]
    : [pass_fail, pass_pass + pass_fail];
  if (wrong === 0) return <>{name} agrees with people everywhere.</>;
  const isWeakRate = isWeak(isLax ? figures.tnr : figures.tpr);
  return (
    <>
      {name} {isWeakRate ? (isLax ? 'passes too much' : 'fails too much') : 'agrees mostly'}: of{' '}
      <b>{of}</b> results that people {isLax ? 'failed' : 'passed'} it {isLax ? 'passed' : 'failed'}{' '}
      <b>{wrong}</b>. {rate}
    </>
  );
}
