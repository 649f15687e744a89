import type { Random } from './random.js';

/** Expected count from which rejection is faster than inversion; BTRS needs at least 10. */
const rejectionFrom = 10;

/**
 * Draws the number of successes in n independent trials (a whole number, 0 or more), each with the given
 * probability (0…1). Exact for every n; the time does not grow with n.
 */
export function drawBinomial(random: Random, n: number, probability: number): number {
  if (n === 0 || probability <= 0) return 0;
  if (probability >= 1) return n;
  if (probability > 0.5) return n - drawBinomial(random, n, 1 - probability);
  return n * probability < rejectionFrom
    ? drawByInversion(random, n, probability)
    : drawByRejection(random, n, probability);
}

/** Sums the distribution from 0 upward (BINV of Kachitvichyanukul and Schmeiser 1988, CACM 31, 216–222). */
function drawByInversion(random: Random, n: number, p: number): number {
  const odds = p / (1 - p);
  const none = Math.exp(n * Math.log1p(-p));
  for (;;) {
    let rest = random();
    let mass = none;
    for (let k = 0; k <= n; k += 1) {
      if (rest < mass) return k;
      rest -= mass;
      mass *= (odds * (n - k)) / (k + 1);
    }
    // Reached only through rounding, because the masses add up to 1: draw again.
  }
}

/** Transformed rejection with squeeze (BTRS of Hörmann 1993, J. Stat. Comput. Simul. 46, 101–110). */
function drawByRejection(random: Random, n: number, p: number): number {
  const deviation = Math.sqrt(n * p * (1 - p));
  const b = 1.15 + 2.53 * deviation;
  const a = -0.0873 + 0.0248 * b + 0.01 * p;
  const centre = n * p + 0.5;
  const squeeze = 0.92 - 4.2 / b;
  const alpha = (2.83 + 5.1 / b) * deviation;
  const mode = Math.floor((n + 1) * p);
  for (;;) {
    const u = random() - 0.5;
    const v = random();
    const edge = 0.5 - Math.abs(u);
    const k = Math.floor(((2 * a) / edge + b) * u + centre);
    if (edge >= 0.07 && v <= squeeze) return k;
    if (k < 0 || k > n) continue;
    const height = Math.log((v * alpha) / (a / (edge * edge) + b));
    if (height <= logMassOverMode(n, p, mode, k)) return k;
  }
}

/** Logarithm of P(k) / P(mode), by Stirling's formula with its remainder. */
function logMassOverMode(n: number, p: number, mode: number, k: number): number {
  const odds = p / (1 - p);
  return (
    (mode + 0.5) * Math.log((mode + 1) / (odds * (n - mode + 1))) +
    (n + 1) * Math.log((n - mode + 1) / (n - k + 1)) +
    (k + 0.5) * Math.log((odds * (n - k + 1)) / (k + 1)) +
    stirlingRemainder(mode) +
    stirlingRemainder(n - mode) -
    stirlingRemainder(k) -
    stirlingRemainder(n - k)
  );
}

/** ln k! − [ln √(2π) + (k + ½) ln(k + 1) − (k + 1)]. */
function stirlingRemainder(k: number): number {
  const known = smallRemainders[k];
  if (known !== undefined) return known;
  const square = (k + 1) * (k + 1);
  return (1 / 12 - (1 / 360 - 1 / 1260 / square) / square) / (k + 1);
}

/** For k = 0…9, where the series is too inaccurate. */
const smallRemainders: readonly number[] = Array.from({ length: 10 }, (_, k) => {
  let logFactorial = 0;
  for (let i = 2; i <= k; i += 1) logFactorial += Math.log(i);
  return logFactorial - (0.5 * Math.log(2 * Math.PI) + (k + 0.5) * Math.log(k + 1) - (k + 1));
});
