import {
  type AgreementOf,
  agreementInterval,
  cohensKappa,
  gwetsAc1,
  percentAgreement,
  type RatingTable,
} from '../../statistics/agreement.js';
import type { Estimate } from '../../statistics/bounds.js';
import { clusteredRate, clusteredSize } from '../../statistics/clustered-share.js';
import { predictionPowered } from '../../statistics/corrected-rate.js';
import { krippendorffAlpha } from '../../statistics/krippendorff-alpha.js';
import { LabelledSample, numbers } from '../../statistics/labelled-sample.js';
import { meanOf } from '../../statistics/sums.js';
import { wilsonBounds } from '../../statistics/wilson-interval.js';
import { fewestOfEither } from '../../text/calibration-text.js';
import { ClusterTotals } from '../summary/cluster-totals.js';
import {
  type Judgement,
  type Judgements,
  judgementsOf,
  type ReviewedCounts,
  type ReviewedRun,
} from './judgements.js';

/** A share with its 95 % interval. */
export interface LabelShare extends Estimate {
  /** Of how many results it is. */
  readonly n: number;
  /** Of how many independent results it would be: fewer where trials of a case are alike. */
  readonly size: number;
}

/** A measure of agreement with its 95 % interval. */
export interface LabelAgreement extends Estimate {
  readonly standard_error: number;
}

/** What is missing before anything can be told of a judge. */
interface MissingLabels {
  readonly passes: number;
  readonly fails: number;
  /** About how many more labels it takes, by the share that people pass. */
  readonly more: number;
}

/** Results by what people said and what the judge said: `pass_fail` were passed by people and failed by the judge. */
interface Confusion {
  readonly pass_pass: number;
  readonly pass_fail: number;
  readonly fail_pass: number;
  readonly fail_fail: number;
}

/** How far a judge agrees with people. */
interface JudgeFigures {
  /** Of what people passed, the share that the judge passed. */
  readonly tpr: LabelShare;
  /** Of what people failed, the share that the judge failed. */
  readonly tnr: LabelShare;
  readonly agreement: LabelAgreement;
  /** Cohen's; `null` where all verdicts are one. */
  readonly kappa: LabelAgreement | null;
  /** Gwet's. */
  readonly ac1: LabelAgreement;
}

/** How far a judge can be trusted, by the labels of one version of a rubric; plain JSON. */
export interface Calibration {
  readonly key: string;
  /** The version of the rubric by which people labelled; `null` without one. */
  readonly rubric_version: string | null;
  /** What the judge gives. */
  readonly gives: 'verdicts' | 'values';
  /** The number of results that people passed or failed, which were drawn at random and judged. */
  readonly n: number;
  readonly labels: ReviewedCounts;
  /** The share that people pass; `null` without labels. */
  readonly prevalence: LabelShare | null;
  /** Absent for a judge that gives values. */
  readonly confusion?: Confusion;
  /** Absent if there is enough. */
  readonly missing?: MissingLabels;
  /** Absent where labels are missing, and for a judge that gives values. */
  readonly figures?: JudgeFigures;
  /** Krippendorff's alpha among reviewers, over `n` results; absent if no result has labels of two. */
  readonly alpha?: Estimate & { readonly n: number };
  /** The pass rate by the judge, or the mean of its values, over all results that could be drawn. */
  readonly judged: Partial<Estimate> & { readonly estimate: number; readonly n: number };
  /** The rate that people would pass; absent where labels are missing. */
  readonly corrected?: Estimate & { readonly lambda: number };
}

/** How far the judge of each score that has labels can be trusted: one for each version of its rubric, the newest first. */
export function calibrationsOf(judgements: readonly Judgements[]): Calibration[] {
  return judgements.map(calibrate);
}

/** A score of a run as its judge gave it, and as people would; plain JSON. */
export interface CorrectedScore
  extends Pick<
    Calibration,
    'key' | 'rubric_version' | 'gives' | 'n' | 'judged' | 'missing' | 'corrected'
  > {}

/** Each score with a label of a result that was drawn at random, by the newest rubric. */
export function correctedScoresOf(run: ReviewedRun): CorrectedScore[] {
  const newest = calibrationsOf(judgementsOf(run)).filter(
    (one, at, all) => one.n > 0 && all.findIndex(({ key }) => key === one.key) === at,
  );
  return newest.map(({ key, rubric_version, gives, n, judged, missing, corrected }) => ({
    ...{ key, rubric_version, gives, n, judged },
    ...(missing && { missing }),
    ...(corrected && { corrected }),
  }));
}

function calibrate(of: Judgements): Calibration {
  const { key, rubric_version = null, areVerdicts, judged, counts } = of;
  const passes = judged.filter(({ passed }) => passed).length;
  const fails = judged.length - passes;
  const missing = missingLabels(passes, fails);
  const base = {
    ...({ key, rubric_version, gives: areVerdicts ? 'verdicts' : 'values' } as const),
    ...{ n: judged.length, labels: counts, judged: judgedShare(of), ...alphaOf(of) },
    ...(areVerdicts && { confusion: confusionOf(of) }),
    ...(missing && { missing }),
  };
  if (judged.length === 0) return { ...base, prevalence: null };
  const sample = new LabelledSample({ ...of, labelled: judged.map(({ place }) => place) });
  const labels = numbers(judged.length, (n) => Number(judged[n]?.passed));
  const ones = labels.map(() => 1);
  const withPeople = { ...base, prevalence: shareOf(of, sample, labels, ones) };
  if (missing !== undefined) return withPeople;
  const { estimate, low, high, lambda } = predictionPowered(sample, labels, of.predicted);
  const corrected = { estimate, low, high, lambda };
  if (!areVerdicts) return { ...withPeople, corrected };
  return { ...withPeople, corrected, figures: figuresOf(of, sample, labels) };
}

function missingLabels(passes: number, fails: number): MissingLabels | undefined {
  if (passes >= fewestOfEither && fails >= fewestOfEither) return undefined;
  // Half a result more of each kind, because none so far does not mean none.
  const all = passes + fails + 1;
  const more = Math.max(
    ...[passes, fails].map((has) => (Math.max(0, fewestOfEither - has) * all) / (has + 0.5)),
  );
  return { passes, fails, more: Math.ceil(more / 10) * 10 };
}

function figuresOf(of: Judgements, sample: LabelledSample, labels: Float64Array): JudgeFigures {
  const verdicts = sample.of(of.predicted);
  const negative = (values: Float64Array) => values.map((value) => 1 - value);
  const tpr = shareOf(of, sample, verdicts, labels);
  const tnr = shareOf(of, sample, negative(verdicts), negative(labels));
  const table = [
    [0, 0],
    [0, 0],
  ];
  for (const [n, weight] of sample.weights.entries()) {
    const row = table[1 - (labels[n] ?? 0)];
    const column = 1 - (verdicts[n] ?? 0);
    if (row) row[column] = (row[column] ?? 0) + weight * labels.length;
  }
  const agreementBy = (measure: AgreementOf) =>
    agreementOf(measure, table, { sample, labels, verdicts });
  const [agreement, ac1] = [agreementBy(percentAgreement), agreementBy(gwetsAc1)];
  if (agreement === null || ac1 === null) throw new RangeError('No labels to agree with');
  const right = labels.map((label, n) => Number(label === verdicts[n]));
  const { low, high } = shareOf(
    of,
    sample,
    right,
    labels.map(() => 1),
  );
  return { tpr, tnr, agreement: { ...agreement, low, high }, kappa: agreementBy(cohensKappa), ac1 };
}

function agreementOf(
  measure: AgreementOf,
  table: RatingTable,
  {
    sample,
    labels,
    verdicts,
  }: { sample: LabelledSample; labels: Float64Array; verdicts: Float64Array },
): LabelAgreement | null {
  const found = measure(table);
  if (found === null) return null;
  const { estimate, influence } = found;
  const own = labels.map((label, n) => influence[1 - label]?.[1 - (verdicts[n] ?? 0)] ?? 0);
  const interval = agreementInterval(measure, table, sample.effectiveSize(own));
  return { estimate, standard_error: Math.sqrt(sample.variance(own)), ...interval };
}

/** The share of `passed` among `counted`, both 1 or 0 for each labelled row, over clusters and strata. */
function shareOf(
  { clusters, judged }: Pick<Judgements, 'clusters' | 'judged'>,
  sample: LabelledSample,
  passed: Float64Array,
  counted: Float64Array,
): LabelShare {
  const totals = new ClusterTotals();
  let n = 0;
  for (const [at, { place }] of judged.entries()) {
    if (counted[at] !== 1) continue;
    totals.add(clusters[place] ?? 0, passed[at] ?? 0);
    n += 1;
  }
  const size = clusteredSize(totals.sums, totals.counts);
  const estimate = clusteredRate(totals.sums, totals.counts);
  if (sample.isSimple && estimate !== null) return { ...estimate, n, size };
  const weight = sample.mean(counted);
  const share = sample.mean(passed.map((one, at) => one * (counted[at] ?? 0))) / weight;
  const moved = passed.map((one, at) => ((one - share) * (counted[at] ?? 0)) / weight);
  const variance = sample.variance(moved);
  const weighted = variance > 0 ? (share * (1 - share)) / variance : size;
  return { estimate: share, ...wilsonBounds(share * weighted, weighted), n, size: weighted };
}

function confusionOf({ judged, predicted }: Judgements): Confusion {
  const count = (people: boolean, judge: number) =>
    judged.filter(({ passed, place }) => passed === people && predicted[place] === judge).length;
  return {
    ...{ pass_pass: count(true, 1), pass_fail: count(true, 0) },
    ...{ fail_pass: count(false, 1), fail_fail: count(false, 0) },
  };
}

function judgedShare({
  predicted,
  clusters,
  areVerdicts,
  isLower,
  population,
}: Judgements): Calibration['judged'] {
  const n = population.length;
  if (!areVerdicts) return { estimate: n === 0 ? 0 : (isLower ? -1 : 1) * meanOf(predicted), n };
  const totals = new ClusterTotals();
  for (const [place, passed] of predicted.entries()) totals.add(clusters[place] ?? 0, passed);
  const { estimate = 0, low = null, high = null } = clusteredRate(totals.sums, totals.counts) ?? {};
  return { estimate, low, high, n };
}

function alphaOf({ several }: Judgements): Pick<Calibration, 'alpha'> {
  const alpha = krippendorffAlpha(
    several.map(({ ratings }) => ratings),
    { level: 'nominal', clusters: several.map(({ cluster }) => cluster) },
  );
  return alpha === null ? {} : { alpha: { ...alpha, n: several.length } };
}

/** A result of which people and the judge say the opposite. */
export interface Disagreement {
  readonly index: number;
  readonly key: string;
  readonly rubric_version: string | null;
  readonly judgement: Judgement;
  readonly judged: boolean;
}

/** The results on which people and judges with verdicts disagree, in the order of the calibrations, then of the run. */
export function disagreementsOf(judgements: readonly Judgements[]): Disagreement[] {
  return judgements.flatMap(({ key, rubric_version = null, areVerdicts, ...of }) =>
    of.judged.flatMap((judgement): Disagreement[] => {
      const judged = of.predicted[judgement.place] === 1;
      const index = of.population[judgement.place];
      if (!areVerdicts || index === undefined || judged === judgement.passed) return [];
      return [{ index, key, rubric_version, judgement, judged }];
    }),
  );
}
