import type { Estimate } from './bounds.js';
import type { LabelledSample } from './labelled-sample.js';
import { normalQuantile } from './normal-quantile.js';
import { meanOf, sumOf } from './sums.js';
import { wilsonBounds } from './wilson-interval.js';

const z = -normalQuantile(0.025);

/** A rate, from 0 to 1, and of how many independent results it is; that need not be a whole number. */
interface SizedRate {
  readonly rate: number;
  readonly size: number;
}

/** What a judge that says yes or no gave, and how often it was right where people had said yes or no. */
export interface JudgedRate {
  /** The share that the judge passed, of results without labels. */
  readonly judged: SizedRate;
  /** Of those that people failed, the share that the judge failed: q₀. */
  readonly specificity: SizedRate;
  /** Of those that people passed, the share that the judge passed: q₁. */
  readonly sensitivity: SizedRate;
}

/**
 * The rate that people would pass, from the verdicts of a judge, its mistakes having been counted in *other* results:
 * θ = (p + q₀ − 1) / (q₀ + q₁ − 1), within 0 to 1 (Rogan and Gladen 1978, American Journal of Epidemiology 107, 71–76), with
 * the adjusted 95 % interval of Lee and others 2025, "How to Correctly Report LLM-as-a-Judge Evaluations",
 * arXiv:2511.21140, section 3 (after Lang and Reiczigel 2014, Preventive Veterinary Medicine 113, 13–22): p is moved towards
 * ½ by z² results, q₀ and q₁ by one of each kind. `null` for a judge that is no better than chance, q₀ + q₁ ≤ 1.
 */
export function correctedRate({ judged, specificity, sensitivity }: JudgedRate): Estimate | null {
  const gain = specificity.rate + sensitivity.rate - 1;
  if (!(gain > 0)) return null;
  const estimate = within((judged.rate + specificity.rate - 1) / gain);
  const p = movedTo(judged, z ** 2);
  const q0 = movedTo(specificity, 2);
  const q1 = movedTo(sensitivity, 2);
  const adjusted = q0.rate + q1.rate - 1;
  const centre = (p.rate + q0.rate - 1) / adjusted;
  const [v0, v1] = [varianceOf(q0), varianceOf(q1)];
  const shift = 2 * z ** 2 * (centre * v1 - (1 - centre) * v0);
  const variance = varianceOf(p) + (1 - centre) ** 2 * v0 + centre ** 2 * v1;
  const half = (z * Math.sqrt(variance)) / adjusted;
  return {
    estimate,
    low: within(centre + shift - half),
    high: within(centre + shift + half),
  };
}

function movedTo({ rate, size }: SizedRate, added: number): SizedRate {
  return { rate: (rate * size + added / 2) / (size + added), size: size + added };
}

function varianceOf({ rate, size }: SizedRate): number {
  return (rate * (1 - rate)) / size;
}

function within(rate: number): number {
  return Math.min(1, Math.max(0, rate));
}

/** A mean by prediction-powered inference. */
export interface PredictionPowered extends Estimate {
  /** How much the predictions count: 0, not at all, to 1. */
  readonly lambda: number;
  readonly standardError: number;
}

/**
 * The rate that people would pass, from the labels of some rows and a judge's predictions of all: PPI++,
 * θ = Ȳ − λ (f̄ of labelled rows − f̄ of all others) with λ = Cov(Y, f) / (Var f · (1 + n / N)) within 0 to 1, where n rows
 * are labelled and N are not (Angelopoulos, Duchi and Zrnic 2023, "PPI++: Efficient Prediction-Powered Inference",
 * arXiv:2311.01453, section 6.1; estimate, λ and standard error are those of its `ppi_py`). With strata, means are weighted
 * and λ is for all of them (Fisch and others 2024, "Stratified Prediction-Powered Inference", arXiv:2406.04291).
 *
 * The 95 % interval is Wilson's for as many results as have this standard error, because the normal one is too
 * narrow near 0 and 1. For it, one label more is spread over passed and failed at the lowest and highest prediction (Perks
 * 1947), since a judge without a mistake among few labels may make some.
 */
export function predictionPowered(
  sample: LabelledSample,
  labels: Float64Array,
  predicted: Float64Array,
): PredictionPowered {
  const n = labels.length;
  const share = 1 - n / sample.size;
  const lambda = share > 0 ? within(sample.slope(labels, predicted) * share) : 0;
  const slope = share > 0 ? lambda / share : 0;
  const guesses = sample.of(predicted);
  const distance = sample.mean(guesses) - meanOf(predicted);
  const estimate = within(sample.mean(labels) - slope * distance);
  const variance = sample.variance(labels, slope, predicted);
  const drawn = { labels, guesses, weights: sample.weights, count: n };
  const others = sample.ofOthers(predicted);
  const plain = plainVariance(drawn, others, lambda);
  const effect = plain > 0 ? variance / plain : n / sample.clusters;
  const smoothed = effect * plainVariance(withOneMore(drawn, predicted), others, lambda);
  const isInside = estimate > 0 && estimate < 1;
  const size = isInside ? (estimate * (1 - estimate)) / smoothed : n;
  const bounds = wilsonBounds(estimate * size, size);
  return { estimate, lambda, standardError: Math.sqrt(variance), ...bounds };
}

interface DrawnRows {
  readonly labels: Float64Array;
  readonly guesses: Float64Array;
  /** They add up to 1. */
  readonly weights: Float64Array;
  readonly count: number;
}

/** The variance of the estimate if all results were independent, and labels drawn from all of them alike. */
function plainVariance(
  { labels, guesses, weights, count }: DrawnRows,
  others: Float64Array,
  lambda: number,
): number {
  const rectified = labels.map((label, i) => label - lambda * (guesses[i] ?? 0));
  const imputed = spreadOf(
    others,
    others.map(() => 1 / others.length),
  );
  const ofOthers = others.length === 0 ? 0 : (lambda ** 2 * imputed) / others.length;
  return spreadOf(rectified, weights) / count + ofOthers;
}

/** The drawn rows and one more, in equal parts passed and failed with the lowest and the highest prediction. */
function withOneMore(
  { labels, guesses, weights, count }: DrawnRows,
  predicted: Float64Array,
): DrawnRows {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const one of predicted) {
    low = Math.min(low, one);
    high = Math.max(high, one);
  }
  const all = count + 1;
  const added = new Array<number>(4).fill(0.25 / all);
  return {
    labels: joined(labels, [0, 0, 1, 1]),
    guesses: joined(guesses, [low, high, low, high]),
    weights: joined(
      weights.map((weight) => (weight * count) / all),
      added,
    ),
    count: all,
  };
}

function joined(values: Float64Array, others: readonly number[]): Float64Array {
  const both = new Float64Array(values.length + others.length);
  both.set(values);
  both.set(others, values.length);
  return both;
}

function spreadOf(values: ArrayLike<number>, weights: Float64Array): number {
  const mean = sumOf(weights.map((weight, i) => weight * (values[i] ?? 0)));
  return sumOf(weights.map((weight, i) => weight * ((values[i] ?? 0) - mean) ** 2));
}
