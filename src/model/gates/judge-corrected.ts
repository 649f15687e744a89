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
import type { ScoreFacts } from '../scores/score.js';
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

/**
 * Judges that people would pass at least a share of the results, by the judge's verdicts and how often it was right: see
 * `correctedRate`. There is no verdict without a calibration of this judge, and for one that is no better than chance.
 */
export function judgeCorrected(
  { key, limit, errors, ownRate }: CorrectedGate,
  run: GatedRun,
  { judges, run_name }: CalibrationFile,
): GateVerdict {
  const what = `${scoreName(key)}, corrected,`;
  const judge = Object.hasOwn(judges, key) ? judges[key] : undefined;
  if (judge === undefined) {
    const known = Object.keys(judges).join(', ') || 'none';
    return cannotJudge(what, `the calibration has no judge ${key}; it has: ${known}`);
  }
  const scores = run.rows.flatMap((row) => {
    const { scores: own } = row.counted ?? row;
    const score = row.pruned === true ? undefined : own.find((one) => one.key === key);
    return score?.passed === undefined ? [] : [{ row, score }];
  });
  if (scores.length === 0) return cannotJudge(what, `no result has a verdict of ${key}`);
  const changed = changedText(
    judge,
    scores.map(({ score }) => score),
  );
  if (changed !== undefined) return cannotJudge(what, `${changed}; calibrate it again`);
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

/** That the judge is another one than was calibrated. */
function changedText({ judge }: CountedJudge, scores: readonly ScoreFacts[]): string | undefined {
  if (judge === undefined) return undefined;
  const others = scores.filter(
    ({ rubric_version, source }) => source !== 'human' && rubric_version !== judge,
  );
  const [other] = others;
  if (other === undefined) return undefined;
  const now = other.rubric_version ?? 'none';
  return `its judge has changed: rubric_version ${judge} was calibrated, and ${now} judged ${countOf(others.length, 'result')}`;
}
