import { judgedAlikeText, lostTexts } from '../../../../src/compare/cases/lost-text.js';
import { mixedVerdictsText, notJudgedText } from '../../../../src/compare/cases/score-measures.js';
import { carriedText } from '../../../../src/text/carried-text.js';
import { testText, unknownDropText } from '../../../../src/text/chance-text.js';
import { inClustersText } from '../../../../src/text/count-text.js';
import { findsAtMostAll, findsNothing } from '../../../../src/text/detectable-text.js';
import { driftMark, driftNotes } from '../../../../src/text/judge-drift-text.js';
import { scaleHint } from '../../../../src/text/scale-hint.js';
import { pointsText } from '../../../../src/text/share-text.js';
import { amountNames, leftOutTexts as leftOutOf } from '../../../../src/text/usage-text.js';
import type { AgainstBase, ComparedRun, JudgeDrift } from '../../api/schema.js';
import {
  bothText,
  chanceText,
  type DifferenceOfMeans,
  differenceText,
  intervalText,
  sideText,
  type TestedDifference,
  verdictOf,
} from '../../components/figures/difference-text.js';
import { counted, type MeasureType, signed } from '../../components/figures/figures.js';
import { letterOf } from '../letters.js';

/** A measure over the pairs: its value in both runs, and the difference; without a test if none is valid. */
export interface MeasureInWords extends DifferenceOfMeans {
  readonly name: string;
  /** Of a score. */
  readonly key?: string;
  readonly type: MeasureType;
  readonly test?: TestedDifference & { readonly detectable: number | null };
  /** Of a score whose judge is another one in the other run, or may be. */
  readonly judge_drift?: JudgeDrift;
}

/** Latency and usage. */
const amounts = [
  { name: 'latency', type: 'seconds', of: ({ latency }: Amounts) => latency },
  { name: amountNames.cost, type: 'dollars', of: ({ usage }: Amounts) => usage?.cost },
  { name: amountNames.tokens, type: 'tokens', of: ({ usage }: Amounts) => usage?.tokens },
  { name: amountNames.calls, type: 'calls', of: ({ usage }: Amounts) => usage?.calls },
] as const;

type Amounts = Pick<AgainstBase, 'latency' | 'usage'>;

/** The measures of a comparison: pass rate, scores, latency and usage. */
export function measureLines(against: AgainstBase): readonly MeasureInWords[] {
  const { pass_rate, scores } = against;
  return [
    { ...pass_rate, name: 'pass rate', type: 'ratio', test: pass_rate },
    ...scores.map((score) => ({ ...score, test: score })),
    ...amounts.flatMap(({ name, type, of }): MeasureInWords[] => {
      const difference = of(against);
      return difference === undefined ? [] : [{ ...difference, name, type }];
    }),
  ];
}

/** The texts of a measure in a table of differences. */
export function cellsOf(measure: MeasureInWords) {
  const { type, test, judge_drift: drift } = measure;
  const chance = test === undefined ? 'no verdict' : test.p === null ? '' : chanceText(test);
  return {
    base: sideText(measure, 'base', type),
    other: sideText(measure, 'other', type),
    difference: differenceText(measure, type),
    interval: intervalText(measure, type),
    p: test === undefined ? '' : testText(test),
    chance: [chance, drift === undefined ? '' : driftMark(drift)].filter(Boolean).join(', '),
  };
}

/** The change of the pass rate: `Passes 3.2 points more often: 77.5 → 80.7 % over 331 pairs (−1.0 to +7.4)`. */
export function passRateText(against: AgainstBase): string {
  const { pass_rate } = against;
  const { difference, pairs, clusters } = pass_rate;
  if (difference === null) {
    return carriedNote(against) ?? 'Shares no case with a verdict';
  }
  const rates = `${bothText(pass_rate, 'ratio')} % over ${counted(pairs, 'pair')}${inClustersText(clusters)}`;
  const details = `${rates} (${intervalText(pass_rate, 'ratio')})`;
  const text = pointsText(difference.estimate);
  if (text === '0.0') return `Passes as often: ${details}`;
  const way = difference.estimate > 0 ? 'more' : 'less';
  return `Passes ${text.slice(1)} points ${way} often: ${details}`;
}

/** The pairs that are left out because they were carried over: `219 of 261 pairs carried, left out of the tests`. */
export function carriedNote({ carried, changes }: AgainstBase): string | undefined {
  const { regressed, fixed, changed, same } = changes;
  const text = carriedText(carried, regressed + fixed + changed + same);
  return text && capitalised(text);
}

/** The detectable difference: `Finds a drop of 6.1 points 4 times in 5`. */
export function detectableText({ pass_rate }: AgainstBase): string | undefined {
  const { base, detectable, clusters } = pass_rate;
  if (clusters !== undefined && base !== null && base > 0) return capitalised(unknownDropText);
  if (findsNothing(pass_rate)) return 'Cannot find any drop: too few cases';
  if (base === null || base === 0 || detectable === null) return undefined;
  if (findsAtMostAll(pass_rate)) return 'Finds at most a fall to none: too few cases';
  return `Finds a drop of ${pointsText(detectable).replace(/^\+/, '')} points 4 times in 5`;
}

/** Whether any pair has more, or less, than in the base. */
export function hasMoved({ higher = 0, lower = 0 }: DifferenceOfMeans): boolean {
  return higher + lower > 0;
}

/** Judged scores that differ beyond chance, except one with the same values as the pass rate. */
export function clearScores({ scores }: AgainstBase) {
  return scores.filter(
    ({ beyond_chance, same_as_pass_rate, gated }) => beyond_chance && gated && !same_as_pass_rate,
  );
}

/** `7 scores moved beyond chance, 6 of them for the worse`. */
export function manyMovedText(clear: readonly TestedDifference[]): string {
  const worse = clear.filter((score) => verdictOf(score) === 'worse').length;
  const which = worse === clear.length ? 'all of them' : `${worse} of them`;
  return `${clear.length} scores moved beyond chance, ${which} for the worse`;
}

/** The average changes of latency and usage, without a verdict: `Latency +0.58 s, cost −$0.0018`. */
export function amountsText(against: Amounts): string | undefined {
  const changes = amounts.flatMap(({ name, type, of }) => {
    const change = of(against)?.difference?.estimate ?? 0;
    const text = signed(change, type);
    return /[1-9]/.test(text) ? [`${name} ${text}`] : [];
  });
  return changes.length === 0 ? undefined : capitalised(changes.join(', '));
}

/** The cases that are left out because the amount of a call is not known. */
export function leftOutTexts({ usage }: Amounts): string[] {
  return (['cost', 'tokens', 'calls'] as const).flatMap((name) =>
    leftOutOf(name, usage?.[name]).map(capitalised),
  );
}

/** What the scores of the runs, the base first, do not say by themselves, in sentences without a full stop. */
export function scoreNotes(
  runs: readonly Pick<ComparedRun, 'run_id' | 'run_name' | 'scores'>[],
  against: Pick<AgainstBase, 'lost' | 'scores'>,
): string[] {
  const notJudged = notJudgedText(against.scores);
  return [
    ...driftNotes(against.scores, runs[0]?.run_id ?? ''),
    ...lostNotes(against),
    ...(notJudged === undefined ? [] : [capitalised(notJudged)]),
    ...runs.flatMap((run) =>
      mixedVerdictsText(run.scores).map((text) => `${run.run_name}: ${text}`),
    ),
  ];
}

/** What a run has lost: `24 cases lost their verdict`, `Score hard is gone`; empty for nothing. */
export function lostNotes({ lost }: Pick<AgainstBase, 'lost'>): string[] {
  return [...lostTexts(lost), judgedAlikeText(lost) ?? []].flat().map(capitalised);
}

function capitalised(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** The reason why latency and usage get no verdict. */
export function noVerdictText(comparisons: readonly Amounts[]): string {
  const hasUsage = comparisons.some(({ usage }) => usage !== undefined);
  const [what, why] = hasUsage
    ? [`Latency, cost, ${amountNames.tokens} and calls`, 'load and caches']
    : ['Latencies', 'load'];
  return `${what} get no verdict: the results of one run share its ${why}, so pairs are not independent.`;
}

/** Explains percentiles, if a comparison has unbounded values, and how to get intervals. */
export function unboundedNote(comparisons: readonly AgainstBase[]): string | undefined {
  const scores = comparisons.flatMap((one) => one.scores);
  const hint = scaleHint(scores.map(({ pairs, ...score }) => ({ ...score, count: pairs })));
  const how = hint === undefined ? '' : ` ${capitalised(hint)}.`;
  return scores.some((one) => one.percentiles)
    ? `Unbounded values (seconds, tokens, money) show p50 and p95: a few far ones make their mean, and no interval of it is honest. Their p-value is that of the difference of means.${how}`
    : undefined;
}

/** The reason why nothing can be compared, if so. */
export function noPairsText({ changes }: AgainstBase, position: number): string | undefined {
  const { regressed, fixed, changed, same, not_paired, only_base, only_other } = changes;
  if (regressed + fixed + changed + same > 0) return undefined;
  const letter = letterOf(position);
  if (not_paired > 0) return `Nothing has finished in both A and ${letter} yet.`;
  if (only_base + only_other === 0) return undefined;
  return `No case of ${letter} is in A: their ids have nothing in common.`;
}
