import type { Bounds } from './bounds.js';
import { normalQuantile } from './normal-quantile.js';
import { sumOf } from './sums.js';

/**
 * How often two raters gave each pair of verdicts: a row for each verdict of the first, a column for each of the second, in
 * the same order. Counts, or any amounts in proportion to them.
 */
export type RatingTable = readonly (readonly number[])[];

/** A measure of how far two raters agree. */
export interface Agreement {
  readonly estimate: number;
  /** Of so many independent results as the table counts. */
  readonly standardError: number;
  /** For each cell of the table, by how much a result in it moves the measure, times the number of results; 0 on average. */
  readonly influence: RatingTable;
}

/** Computes a measure from a table; `null` where it is not defined. */
export type AgreementOf = (table: RatingTable) => Agreement | null;

/** The share of results on which both agree; `null` without results. */
export function percentAgreement(table: RatingTable): Agreement | null {
  const { total, agreed } = sharesOf(table);
  if (total === 0) return null;
  return withError(table, agreed, (k, l) => Number(k === l) - agreed);
}

/**
 * Cohen's κ = (p₀ − pₑ) / (1 − pₑ) with pₑ = Σ pₖ₊ p₊ₖ: agreement beyond what the frequencies of both raters make likely
 * (Cohen 1960, Educational and Psychological Measurement 20, 37–46). Its standard error is that of Fleiss, Cohen and Everitt
 * (1969, Psychological Bulletin 72, 323–327). `null` where all verdicts of both are one.
 */
export function cohensKappa(table: RatingTable): Agreement | null {
  const { total, agreed, first, second } = sharesOf(table);
  const expected = sumOf(first.map((share, k) => share * at(second, k)));
  if (total === 0 || expected >= 1) return null;
  const kappa = (agreed - expected) / (1 - expected);
  return withError(table, kappa, (k, l) => {
    const moved = at(second, k) + at(first, l) - 2 * expected;
    return (Number(k === l) - agreed - (1 - kappa) * moved) / (1 - expected);
  });
}

/**
 * Gwet's AC1 = (p₀ − pₑ) / (1 − pₑ) with pₑ = Σ πₖ (1 − πₖ) / (q − 1), πₖ the mean share of verdict k, q the number of
 * verdicts: unlike κ, it does not fall when nearly all results get the same verdict. With its standard error (Gwet 2008,
 * "Computing inter-rater reliability and its variance in the presence of high agreement", British Journal of Mathematical
 * and Statistical Psychology 61, 29–48). `null` without results.
 */
export function gwetsAc1(table: RatingTable): Agreement | null {
  const { total, agreed, first, second } = sharesOf(table);
  if (total === 0) return null;
  const means = first.map((share, k) => (share + at(second, k)) / 2);
  const others = table.length - 1;
  const expected = sumOf(means.map((mean) => mean * (1 - mean))) / others;
  const ac1 = (agreed - expected) / (1 - expected);
  // That of a table in which each result has the same influence on the shares: 1 − 2 Σ πₖ².
  const usual = 1 - 2 * sumOf(means.map((mean) => mean ** 2));
  return withError(table, ac1, (k, l) => {
    const moved = (1 - at(means, k) - at(means, l) - usual) / others;
    return (Number(k === l) - agreed - (1 - ac1) * moved) / (1 - expected);
  });
}

const z = -normalQuantile(0.025);

/**
 * 95 % interval of a measure for so many independent results, `size`, in the proportions of the table: the interval of
 * Fisher's z = artanh(measure) by the delta method (as Lin 1989, Biometrics 45, 255–268, for the concordance coefficient, which
 * κ is for two verdicts). One result is added, in equal parts in all cells (Perks 1947, Journal of the Institute of Actuaries
 * 73, 285–334), since no disagreement among few results does not show that there are none.
 */
export function agreementInterval(measure: AgreementOf, table: RatingTable, size: number): Bounds {
  const factor = size / sumOf(table.flat());
  const part = 1 / table.length ** 2;
  const smoothed = measure(table.map((row) => row.map((amount) => amount * factor + part)));
  if (smoothed === null) return { low: null, high: null };
  const { estimate, standardError } = smoothed;
  const centre = Math.atanh(estimate);
  const half = (z * standardError) / (1 - estimate ** 2);
  return { low: Math.tanh(centre - half), high: Math.tanh(centre + half) };
}

/** The shares of agreement and of each verdict by the first and by the second rater. */
function sharesOf(table: RatingTable) {
  const total = sumOf(table.flat());
  const agreed = sumOf(table.map((row, k) => at(row, k))) / total;
  const first = table.map((row) => sumOf(row) / total);
  const second = table.map((_, l) => sumOf(table.map((row) => at(row, l))) / total);
  return { total, agreed, first, second };
}

function withError(
  table: RatingTable,
  estimate: number,
  influenceOf: (k: number, l: number) => number,
): Agreement {
  const influence = table.map((row, k) => row.map((_, l) => influenceOf(k, l)));
  const squares = table.flatMap((row, k) =>
    row.map((amount, l) => amount * at(influence[k] ?? [], l) ** 2),
  );
  const standardError = Math.sqrt(sumOf(squares)) / sumOf(table.flat());
  return { estimate, standardError, influence };
}

function at(list: ArrayLike<number>, position: number): number {
  return list[position] ?? 0;
}
