/**
 * What the rates of k ≥ 4 variants over the same units are expected to be when they run again. The best of several looks
 * better than it is, because it was also lucky; so all are pulled towards their mean, by as much as chance alone sets them
 * apart: θ̄ + max(0, 1 − c (k − 3) / D)(θ − θ̄) with c = (n − 1) / (n − k + 3). θ are the logits of (x + ½) / (n + 1) for x passes
 * in n units; D is the squared Mahalanobis distance of θ from its mean under chance, whose covariance is that of the paired unit
 * rates. That is the positive-part estimator of James and Stein (Efron and Morris 1973, "Stein's estimation rule and its
 * competitors", section 1) in the k − 1 dimensions in which variants can differ: what all share, such as hard cases, costs
 * nothing. c is for the covariance, which is estimated from n units (James and Stein 1961, "Estimation with quadratic loss",
 * section 3).
 *
 * `rates`: for each variant the rates of the same units (cases or clusters), 0 to 1, in the same order. `undefined` for fewer
 * than four variants or two units, where nothing can be said.
 */
export function ratesExpectedAgain(rates: readonly (readonly number[])[]): number[] | undefined {
  const units = rates[0]?.length ?? 0;
  if (rates.length < 4 || units < 2) return undefined;
  const shares = rates.map((of) => (sum(of) + 0.5) / (units + 1));
  const logits = shares.map((share) => Math.log(share / (1 - share)));
  const mean = sum(logits) / logits.length;
  const { distance, dimensions } = distanceByChance(
    contrasts(logits),
    contrastCovariance(rates, shares),
  );
  const estimated = (units - 1) / (units + 2 - dimensions);
  const kept = distance > 0 ? Math.max(0, 1 - (estimated * (dimensions - 2)) / distance) : 0;
  // A dimension without chance leaves fewer than three to shrink in.
  const factor = dimensions > 2 ? kept : 1;
  return logits.map((logit) => 1 / (1 + Math.exp(-(mean + factor * (logit - mean)))));
}

/** Orthonormal contrasts (Helmert's): what is left of values when their mean is taken away, in one dimension fewer. */
function contrasts(values: readonly number[]): number[] {
  return values.slice(1).map((value, n) => {
    const before = values.slice(0, n + 1);
    return (sum(before) - (n + 1) * value) / Math.sqrt((n + 1) * (n + 2));
  });
}

/** The covariance of the contrasts of logits, by chance. The derivative of a logit is 1 / (p (1 − p)). */
function contrastCovariance(
  rates: readonly (readonly number[])[],
  shares: readonly number[],
): number[][] {
  const units = rates[0]?.length ?? 0;
  const slopes = shares.map((share) => 1 / (share * (1 - share)));
  const byUnit = Array.from({ length: units }, (_, unit) =>
    contrasts(rates.map((of, variant) => (of[unit] as number) * (slopes[variant] as number))),
  );
  const dimensions = rates.length - 1;
  const means = Array.from(
    { length: dimensions },
    (_, at) => sum(byUnit.map((of) => of[at] as number)) / units,
  );
  return means.map((meanOfRow, row) =>
    means.map((meanOfColumn, column) => {
      const products = byUnit.map(
        (of) => ((of[row] as number) - meanOfRow) * ((of[column] as number) - meanOfColumn),
      );
      return sum(products) / (units - 1) / units;
    }),
  );
}

/**
 * The squared Mahalanobis distance of a vector from 0, and the number of dimensions that vary: variants that agree in every
 * unit differ in fewer. By elimination with the largest pivot first (Golub and Van Loan 2013, "Matrix Computations", section
 * 4.2.8).
 */
function distanceByChance(vector: readonly number[], covariance: readonly (readonly number[])[]) {
  const matrix = covariance.map((row) => [...row]);
  const rest = [...vector];
  const largest = Math.max(...matrix.map((row, at) => row[at] as number));
  const open = new Set(rest.keys());
  let distance = 0;
  let dimensions = 0;
  while (open.size > 0) {
    const pivot = [...open].reduce((a, b) =>
      (matrix[b]?.[b] as number) > (matrix[a]?.[a] as number) ? b : a,
    );
    const variance = matrix[pivot]?.[pivot] as number;
    if (!(variance > largest * 1e-10)) break;
    open.delete(pivot);
    dimensions += 1;
    const value = rest[pivot] as number;
    distance += value ** 2 / variance;
    for (const row of open) {
      const factor = (matrix[row]?.[pivot] as number) / variance;
      rest[row] = (rest[row] as number) - factor * value;
      for (const column of open) {
        (matrix[row] as number[])[column] =
          (matrix[row]?.[column] as number) - factor * (matrix[pivot]?.[column] as number);
      }
    }
  }
  return { distance, dimensions };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
