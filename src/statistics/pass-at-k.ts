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

function checkCounts(n: number, c: number, k: number): void {
  const whole = Number.isInteger(n) && Number.isInteger(c) && Number.isInteger(k);
  if (!whole || c < 0 || c > n || k < 1 || k > n) {
    throw new RangeError(
      `Trials need whole numbers 0 ≤ c ≤ n and 1 ≤ k ≤ n, got n = ${n}, c = ${c}, k = ${k}`,
    );
  }
}
