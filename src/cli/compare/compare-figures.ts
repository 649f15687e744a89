import type { RateFigure, ScoreFigure } from '../../compare/cases/case-figures.js';
import { scoreMeasures } from '../../compare/cases/score-measures.js';
import type { ScoreDifference } from '../../compare/compare-cases.js';
import type { AgainstBase, ComparedRuns, FiguredRun } from '../../compare/compare-runs.js';
import { type UsedAmount, usedAmounts } from '../../compare/differences/amount-difference.js';
import type {
  MeanDifference,
  PairedDifference,
} from '../../compare/differences/paired-difference.js';
import type { FamilyTest } from '../../compare/significance/family.js';
import { hasCalls, type RunUsage } from '../../model/calls/run-usage.js';
import {
  renderMeanBounds,
  renderPercent,
  renderPercentiles,
} from '../../model/summary/figure-text.js';
import { amountText, signedAmount, type Unit } from '../../text/amount-text.js';
import { correctedTexts } from '../../text/calibration-text.js';
import { hasTooLittleData, testText, tooLittleData } from '../../text/chance-text.js';
import { renderCount } from '../../text/count-text.js';
import { renderLatency } from '../../text/duration-text.js';
import { driftMark } from '../../text/judge-drift-text.js';
import { figureText, meanOfText } from '../../text/number-text.js';
import { boundsText, noIntervalText } from '../../text/share-text.js';
import {
  amountNames,
  besideTaken,
  renderAllTokens,
  renderCalls,
  renderCost,
} from '../../text/usage-text.js';

/** A measure of one run as text: of the whole run, and against the base. Missing values are empty. */
export interface MeasureFigure {
  readonly value: string;
  /** 95 % interval. */
  readonly interval: string;
  /** Counts behind the value, `258 of 348`. */
  readonly of: string;
  /** Base and run over the cases that both have, `81.3 → 79.6 (48)`; then the difference. */
  readonly pairs: string;
  readonly difference: string;
  readonly differenceInterval: string;
  readonly p: string;
  /** Empty where a difference may be chance, and for what gates do not judge. */
  readonly verdict: '' | 'better' | 'worse' | typeof tooLittleData;
  /** `judge changed` or `judge may have changed`, or empty. */
  readonly judge: string;
}

/** A measure in all runs, the base first. */
export interface MeasureLine {
  /** `pass rate`, a score by its name, `latency`, or a measure of usage. */
  readonly name: string;
  readonly figures: readonly MeasureFigure[];
}

/** The pass rate, every score, the latency and the usage of all runs, with the differences from the base. */
export function measureLines({ base, others }: ComparedRuns): MeasureLine[] {
  const runs = [base, ...others];
  const lines: MeasureLine[] = [];
  if (runs.some(({ figures }) => figures.pass_rate.rate !== null)) {
    lines.push(
      line(
        'pass rate',
        runs,
        ({ figures }) => rateTexts(figures.pass_rate),
        ({ summary }) => summary.pass_rate,
      ),
    );
  }
  for (const { key, type, name } of scoreMeasures(runs.map(({ figures }) => figures.scores))) {
    const isIt = (score: ScoreFigure | ScoreDifference) =>
      score.key === key && (score.type === type || score.type === 'mixed');
    lines.push(
      line(
        name,
        runs,
        ({ figures }) => scoreTexts(figures.scores.find(isIt)),
        ({ summary }) => summary.scores.find(isIt),
      ),
      ...correctedLines(key, type, runs),
    );
  }
  if (runs.some(({ figures }) => figures.latency.count > 0)) {
    lines.push(line('latency', runs, latencyTexts, ({ summary }) => summary.latency));
  }
  if (runs.some(({ run }) => hasCalls(run.head.usage))) {
    for (const amount of usedAmounts) {
      const { unit, total } = usedTexts[amount];
      const texts = ({ run: { head } }: FiguredRun): Texts =>
        hasCalls(head.usage) ? { ...absent, value: total(head.usage), of: 'in all', unit } : absent;
      lines.push(line(amountNames[amount], runs, texts, ({ summary }) => summary.usage?.[amount]));
    }
  }
  return lines;
}

/** The line below a score that has labels in any run: what people would pass of it in each whole run. */
function correctedLines(
  key: string,
  type: ScoreFigure['type'],
  runs: readonly FiguredRun[],
): MeasureLine[] {
  const kind = type === 'ratio' ? 'verdicts' : 'values';
  const ofRun = ({ run }: FiguredRun) =>
    run.head.corrected?.find((one) => one.key === key && one.gives === kind);
  if (!runs.some(ofRun)) return [];
  const textsOf = (run: FiguredRun): Texts => {
    const score = ofRun(run);
    if (score === undefined) return { ...absent, of: 'no labels' };
    return { ...correctedTexts(score), unit: 'share' };
  };
  return [line('  corrected', runs, textsOf, () => undefined)];
}

/** A p-value only if there is a test, and a direction only if it can be reversed. */
type AnyDifference = MeanDifference &
  Partial<Pick<PairedDifference, 'p'> & FamilyTest> &
  Partial<Pick<ScoreDifference, 'better' | 'gated' | 'percentiles' | 'judge_drift'>>;

type Texts = Pick<MeasureFigure, 'value' | 'interval' | 'of'> & { readonly unit: Unit };

/** The amounts of a whole run, as the run itself shows them. */
const usedTexts: Readonly<
  Record<UsedAmount, { readonly unit: Unit; readonly total: (usage: RunUsage) => string }>
> = {
  cost: { unit: 'dollars', total: (usage) => besideTaken(usage, renderCost) },
  tokens: { unit: 'tokens', total: (usage) => besideTaken(usage, renderAllTokens) },
  calls: {
    unit: 'number',
    total: (usage) => besideTaken(usage, renderCalls),
  },
};

function line(
  name: string,
  runs: readonly (FiguredRun | AgainstBase)[],
  textsOf: (run: FiguredRun) => Texts,
  differenceOf: (comparison: AgainstBase['comparison']) => AnyDifference | undefined,
): MeasureLine {
  const figures = runs.map((run) => {
    const { unit, ...texts } = textsOf(run);
    const difference = 'comparison' in run ? differenceOf(run.comparison) : undefined;
    return { ...texts, ...differenceTexts(difference, unit) };
  });
  return { name, figures };
}

const absent: Texts = { value: '', interval: '', of: '', unit: 'number' };

function rateTexts({ passed, total, rate }: RateFigure): Texts {
  if (rate === null) return absent;
  return {
    value: renderPercent(rate.estimate),
    interval: boundsText(rate),
    of: `${renderCount(passed)} of ${renderCount(total)}`,
    unit: 'share',
  };
}

function scoreTexts(score: ScoreFigure | undefined): Texts {
  if (score === undefined) return absent;
  if (score.type === 'ratio') return rateTexts(score);
  return meanTexts(score);
}

/** Without an interval: a few slow answers dominate the mean, and their number is chance. */
function latencyTexts({ figures: { latency } }: FiguredRun): Texts {
  const { count, p50, p95 } = latency;
  if (p50 === null || p95 === null) return { ...absent, unit: 'seconds' };
  return {
    value: `p50 ${renderLatency(p50)}, p95 ${renderLatency(p95)}`,
    interval: '',
    of: `of ${renderCount(count)}`,
    unit: 'seconds',
  };
}

/** p50 and p95 for unbounded values; a baseline file without values has neither. */
function meanTexts(score: ScoreFigure & { readonly type: 'avg' }): Texts {
  const { mean, count, percentiles } = score;
  if (mean === null) return absent;
  const isUnbounded = percentiles !== undefined;
  const hasPercentiles = isUnbounded && percentiles.p50 !== null;
  return {
    value: hasPercentiles ? renderPercentiles(percentiles) : figureText(mean.estimate),
    interval: isUnbounded ? noIntervalText(score) : renderMeanBounds(mean),
    of: hasPercentiles ? `of ${renderCount(count)}` : meanOfText(score),
    unit: 'number',
  };
}

function differenceTexts(
  found: AnyDifference | undefined,
  unit: Unit,
): Omit<MeasureFigure, 'value' | 'interval' | 'of'> {
  const judge = found?.judge_drift === undefined ? '' : driftMark(found.judge_drift);
  const none = { pairs: '', difference: '', differenceInterval: '', p: '', verdict: '' } as const;
  if (found === undefined || found.difference === null) return { ...none, judge };
  const { difference, p = null, p_adjusted = null, among = null } = found;
  const { estimate, low, high } = difference;
  const render = (value: number) => signedAmount(value, unit);
  const isMean = found.percentiles !== undefined;
  return {
    pairs: `${bothText(found, unit)} (${renderCount(found.pairs)})`,
    difference: `${isMean ? 'mean ' : ''}${render(estimate)}${unit === 'share' ? ' pts' : ''}`,
    differenceInterval:
      low === null || high === null ? noIntervalText(found) : `${render(low)} to ${render(high)}`,
    p: testText({ p, p_adjusted, among }),
    verdict: verdictOf(found, { p, p_adjusted }),
    judge,
  };
}

/** The values of both runs: `81.3 → 79.6`, for unbounded values `p50 410 → 412`. */
function bothText({ base, other, percentiles }: AnyDifference, unit: Unit): string {
  const [before, after] = [percentiles?.base.p50 ?? null, percentiles?.other.p50 ?? null];
  const hasPercentiles = before !== null && after !== null;
  const [from, to] = hasPercentiles ? [before, after] : [base, other];
  return `${hasPercentiles ? 'p50 ' : ''}${valueText(from, unit)} → ${valueText(to, unit)}`;
}

function valueText(value: number | null, unit: Unit): string {
  return value === null ? '' : amountText(value, unit);
}

/** Nothing is said of measures that are the same in all pairs. */
function verdictOf(
  {
    difference,
    beyond_chance = false,
    better = 'higher',
    gated = true,
    higher,
    lower,
  }: AnyDifference,
  test: Parameters<typeof hasTooLittleData>[0],
): MeasureFigure['verdict'] {
  if (!gated) return '';
  if (!beyond_chance) return hasTooLittleData(test) && higher + lower > 0 ? tooLittleData : '';
  return (difference?.estimate ?? 0) > 0 === (better === 'higher') ? 'better' : 'worse';
}
