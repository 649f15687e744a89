import type { Estimate } from '../../statistics/bounds.js';
import { clusteredSize } from '../../statistics/clustered-share.js';
import { correctedRate } from '../../statistics/corrected-rate.js';
import { sumOf } from '../../statistics/sums.js';
import { countOf } from '../../text/count-text.js';
import { scoreName } from '../../text/score-name.js';
import { boundsText, percentText } from '../../text/share-text.js';
import {
  type CalibrationFile,
  type CountedJudge,
  ratesOf,
} from '../calibration/calibration-file.js';
import { judgeModelsOf } from '../calls/known-usage.js';
import type { Score } from '../scores/score.js';
import { ClusterNumbers, ClusterTotals } from '../summary/cluster-totals.js';
import { compare, percent } from './compare-limit.js';
import { cannotJudge, type GatedRun, type GateVerdict } from './gate-verdict.js';

interface CorrectedGate {
  readonly key: string;
  readonly limit: number;
  /** Errors of the evaluations that give the score, which have not passed. */
  readonly errors: number;
  /** The rate by the labels of this very run, if the calibration was made of it. */
  readonly ownRate?: Estimate | undefined;
}

/** A result with what its judge gave. */
interface JudgedResult {
  readonly row: GatedRun['rows'][number];
  readonly score: Pick<Score, 'passed' | 'rubric_version'>;
}

/**
 * Judges that people would pass at least a share of the results, by the judge's own verdicts, also where a person has corrected them
 * since, and how often it was right: see `correctedRate`. There is no verdict without a calibration of this judge, for results that
 * people label by another rubric, and for a judge that is no better than chance.
 */
export function judgeCorrected(
  { key, limit, errors, ownRate }: CorrectedGate,
  run: GatedRun,
  { judges, run_name }: CalibrationFile,
): GateVerdict {
  const what = `${scoreName(key)}, corrected,`;
  const judge = Object.hasOwn(judges, key) ? judges[key] : undefined;
  if (judge === undefined) {
    const calibrated = Object.keys(judges).join(', ') || 'none';
    return cannotJudge(what, `the calibration has no judge ${key}; it has: ${calibrated}`);
  }
  const { judges: known } = run;
  if (known === undefined) return cannotJudge(what, 'its rubrics are not known');
  const scores = run.rows.flatMap((row, index): JudgedResult[] => {
    const { scores: own } = row.counted ?? row;
    const given = row.pruned === true ? undefined : own.find((one) => one.key === key);
    const score = given?.source === 'human' ? known.judgeOf(index, key) : given;
    return score?.passed === undefined ? [] : [{ row, score }];
  });
  if (scores.length === 0) return cannotJudge(what, `no result has a verdict of ${key}`);
  const changed =
    otherRubricText(judge, scores, (evaluation) => known.rubricOf(evaluation, key)) ??
    changedText(judge, scores, { isOwn: ownRate !== undefined, run_name }) ??
    otherModelText(key, judge, scores);
  if (changed !== undefined) return cannotJudge(what, `${changed} calibrate it again`);
  const totals = new ClusterTotals();
  const clusters = new ClusterNumbers();
  for (const { row, score } of scores) totals.add(clusters.of(row), Number(score.passed));
  const rate = sumOf(totals.sums) / scores.length;
  const judged = { rate, size: clusteredSize(totals.sums, totals.counts) };
  const corrected = ownRate ?? correctedRate({ judged, ...ratesOf(judge) });
  // An interval of all rates says as little as no rate.
  if (corrected === null || (corrected.low === 0 && corrected.high === 1)) {
    const rates = `it passed ${percentText(judge.q1)} % of what people passed and failed ${percentText(judge.q0)} % of what they failed`;
    const better = corrected === null ? 'no' : 'hardly';
    return cannotJudge(what, `the judge is ${better} better than chance: ${rates} in ${run_name}`);
  }
  const of = scores.length / (scores.length + errors);
  const { low, high } = corrected;
  const bounds = { low: (low ?? 0) * of, high: (high ?? 0) * of };
  if (![corrected.estimate * of, bounds.low, bounds.high].every(Number.isFinite)) {
    return cannotJudge(what, `the calibration of ${run_name} gives no rate`);
  }
  const notes = [
    `95 %: ${boundsText(bounds)}`,
    `${percentText(rate)} % as judged`,
    ...(errors === 0 ? [] : [countOf(errors, 'error')]),
    ...(judge.judge === undefined && ownRate === undefined
      ? [`the calibration does not say which judge ${run_name} had`]
      : []),
  ];
  const name = `${scoreName(key)} corrected`;
  return compare(name, corrected.estimate * of, limit, percent, `(${notes.join('; ')})`);
}

/** That people label some of the results by another rubric than the one that the judge was calibrated by, or that it is not known. */
function otherRubricText(
  { rubric_version: version }: CountedJudge,
  results: readonly JudgedResult[],
  rubricOf: (evaluation: string) => string | undefined,
): string | undefined {
  const found = new Map<string, string | undefined>();
  const others = results.filter(({ row: { evaluation } }) => {
    if (!found.has(evaluation)) found.set(evaluation, rubricOf(evaluation));
    return found.get(evaluation) !== (version ?? undefined);
  });
  if (others.length === 0) return undefined;
  const known = others.flatMap(({ row }) => found.get(row.evaluation) ?? []);
  const [now] = known;
  if (now !== undefined) {
    return `people label ${countOf(known.length, 'result')} by another rubric, ${now}, than the calibrated one, ${version ?? 'none'};`;
  }
  // Exports of some results, or without notes, have no rubrics.
  const say =
    others.length === 1
      ? 'does not say by which rubric people label it'
      : 'do not say by which rubric people label them';
  return `${countOf(others.length, 'result')} ${say}, and the calibration is of ${version}: judge the run itself, or a JSON export of all of it, or`;
}

/** That the judge is another one than was calibrated, or may be. `isOwn`: the rate is that of labels of the same run. */
function changedText(
  { judge }: CountedJudge,
  results: readonly JudgedResult[],
  { isOwn, run_name }: { readonly isOwn: boolean; readonly run_name: string },
): string | undefined {
  const others = results.filter(({ score }) => score.rubric_version !== judge);
  const [other] = others;
  if (other === undefined || (isOwn && judge === undefined)) return undefined;
  const now = other.score.rubric_version ?? 'none';
  const judged = `${now} judged ${countOf(others.length, 'result')}`;
  return judge === undefined
    ? `the calibration does not say which judge ${run_name} had, and rubric_version ${judged};`
    : `its judge has changed: rubric_version ${judge} was calibrated, and ${judged};`;
}

/** That the judge asked another model than the calibrated one, where both are known. */
function otherModelText(
  key: string,
  { models }: CountedJudge,
  results: readonly JudgedResult[],
): string | undefined {
  const others = results.flatMap(({ row }) => {
    const other = judgeModelsOf(row.counted ?? row, key)?.find(
      (one) => models?.includes(one) === false,
    );
    return other === undefined ? [] : [other];
  });
  const [now] = others;
  if (models === undefined || now === undefined) return undefined;
  return `its judge has changed: model ${models.join(', ')} was calibrated, and ${now} judged ${countOf(others.length, 'result')};`;
}
