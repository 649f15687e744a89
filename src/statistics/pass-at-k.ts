/**
 * pass@k: the probability that at least one of k trials passes, estimated without bias from n finished
 * trials of which c passed, 1 − C(n−c, k) / C(n, k) (Chen et al. 2021, "Evaluating Large Language Models
 * Trained on Code", arXiv:2107.03374, equation 1). Throws a `RangeError` unless 0 ≤ c ≤ n and 1 ≤ k ≤ n
 * in whole numbers: fewer than k trials say nothing about k.
 */
export function passAtK(n: number, c: number, k: number): number {
  checkCounts(n, c, k);
  return 1 - (drawnWithoutMiss(n, n - c)[k - 1] ?? 0);
}

/**
 * pass^k: the probability that all of k trials pass, estimated without bias from n finished trials of
 * which c passed, C(c, k) / C(n, k) (Yao et al. 2024, "τ-bench", arXiv:2406.12045). Throws as
 * `passAtK` does.
 */
export function passAllK(n: number, c: number, k: number): number {
  checkCounts(n, c, k);
  return drawnWithoutMiss(n, c)[k - 1] ?? 0;
}

/**
 * C(m, k) / C(n, k) at position k − 1, for k = 1…m (for larger k it is 0): the probability that k drawn
 * from n without replacement all belong to a part of size m. As a product of factors from 0 to 1 it
 * cannot overflow, however large the binomials.
 */
export function drawnWithoutMiss(n: number, m: number): Float64Array {
  const byK = new Float64Array(m);
  let product = 1;
  for (let k = 1; k <= m; k += 1) {
    product *= (m - k + 1) / (n - k + 1);
    byK[k - 1] = product;
  }
  return byK;
}

/**
 * The variance of C(c, k) / C(n, k) with c the passes among n independent trials, of which k all pass with the probability
 * `all` (between 0 and 1): Σ h(j) · all^((2k − j) / k) − all², with h(j) the hypergeometric chance that two choices of k
 * trials share j of them (Hoeffding 1948, Annals of Mathematical Statistics 19, 293–325).
 */
export function independentVariance(n: number, k: number, all: number): number {
  const logOfOne = Math.log(all) / k;
  // In units of the most likely number of shared trials, outward until terms are negligible.
  const likeliest = Math.floor((k + 1) ** 2 / (n + 2));
  let weights = 0;
  let sum = 0;
  const add = (shared: number, weight: number) => {
    weights += weight;
    sum -= weight * Math.exp((k - shared) * logOfOne) * Math.expm1(shared * logOfOne);
  };
  add(likeliest, 1);
  for (let j = likeliest, weight = 1; j < k && weight > 1e-17; j += 1) {
    weight *= (k - j) ** 2 / ((j + 1) * (n - 2 * k + j + 1));
    add(j + 1, weight);
  }
  for (let j = likeliest, weight = 1; j > Math.max(0, 2 * k - n) && weight > 1e-17; j -= 1) {
    weight *= (j * (n - 2 * k + j)) / (k - j + 1) ** 2;
    add(j - 1, weight);
  }
  return (all * sum) / weights;
}

function checkCounts(n: number, c: number, k: number): void {
  const whole = Number.isInteger(n) && Number.isInteger(c) && Number.isInteger(k);
  if (!whole || c < 0 || c > n || k < 1 || k > n) {
    throw new RangeError(
      `Trials need whole numbers 0 ≤ c ≤ n and 1 ≤ k ≤ n, got n = ${n}, c = ${c}, k = ${k}`,
    );
  }
}
