import { drawBinomial } from './binomial-sampler.js';
import { type Estimate, noBounds } from './bounds.js';
import { percentile } from './percentile.js';
import { type Random, seededRandom } from './random.js';
import { sumOf } from './sums.js';

/** What several raters gave to one result: a value each, in any order; who gave none is left out. */
export type Ratings = readonly number[];

/** Options for Krippendorff's α. */
export interface AlphaOptions {
  /** Whether two values differ or not (`nominal`), or by the square of their difference (`interval`). */
  readonly level: 'nominal' | 'interval';
  /** A name for each result; those of one cluster are drawn together. Default: each is one by itself. */
  readonly clusters?: readonly (number | string)[] | undefined;
  /** Number of samples of the interval; default 1,000. */
  readonly draws?: number;
  /** Default 1. */
  readonly seed?: number;
}

/** With fewer results that two raters have rated, the interval is not told. */
const fewestForInterval = 20;

/**
 * Krippendorff's α = 1 − Dₒ / Dₑ: agreement of any number of raters beyond chance, with any ratings missing; 1 is perfect,
 * 0 is chance. Dₒ is the mean squared difference within results, each with weight m / (m − 1) for m ratings; Dₑ that among
 * all ratings of results that have two or more (Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability",
 * https://repository.upenn.edu/asc_papers/43). `null` where no result has two ratings or all of them are equal.
 *
 * The 95 % interval is between percentiles of α of samples of results (of clusters), drawn with a seed (Zapf and others
 * 2016, "Measuring inter-rater reliability for nominal data", BMC Medical Research Methodology 16:93). Samples are drawn
 * from the results and one more whose two ratings are any pair of values, all pairs equally likely (Perks 1947), because
 * without any disagreement all samples would agree. `null` bounds below 20 results with two ratings.
 */
export function krippendorffAlpha(
  units: readonly Ratings[],
  { level, clusters, draws = 1000, seed = 1 }: AlphaOptions,
): Estimate | null {
  const amountsOf = amountsBy(units, level);
  const byCluster = new Map<number | string, Amounts>();
  let rated = 0;
  for (const [i, ratings] of units.entries()) {
    if (ratings.length < 2) continue;
    rated += 1;
    const cluster = clusters?.[i] ?? i;
    byCluster.set(cluster, addAmounts(byCluster.get(cluster), amountsOf(ratings)));
  }
  const groups = [...byCluster.values()];
  const whole = groups.reduce<Amounts | undefined>(addAmounts, undefined);
  const estimate = whole === undefined ? null : alphaOf(whole, level);
  if (estimate === null) return null;
  if (rated < fewestForInterval) return { estimate, ...noBounds };
  const values = [...new Set(units.filter((one) => one.length > 1).flat())];
  const pairs = values.flatMap((one) => values.map((other) => amountsOf([one, other])));
  const kinds = kindsOf([
    ...groups.map((amounts) => ({ amounts, share: 1 })),
    ...pairs.map((amounts) => ({ amounts, share: 1 / pairs.length })),
  ]);
  const random = seededRandom(seed);
  const sample = Float64Array.from({ length: draws }, () =>
    drawAlpha(random, kinds, { level, clusters: byCluster.size }),
  ).sort();
  return { estimate, low: percentile(sample, 0.025), high: percentile(sample, 0.975) };
}

/** Sums over ratings: the disagreement within results, the ratings, then what the disagreement among all of them needs. */
type Amounts = readonly number[];

/** Computes the amounts of ratings, once for those that are alike. */
function amountsBy(units: readonly Ratings[], level: AlphaOptions['level']) {
  const values = [...new Set(units.flat())].sort((a, b) => a - b);
  const known = new Map<string, Amounts>();
  return (ratings: Ratings): Amounts => {
    const key = ratings.join();
    const amounts = known.get(key) ?? amountsOf(ratings, values, level);
    known.set(key, amounts);
    return amounts;
  };
}

/** After the first two, the ratings of each value; for intervals, the sum of the values and of their squares. */
function amountsOf(
  ratings: Ratings,
  values: readonly number[],
  level: AlphaOptions['level'],
): Amounts {
  const sums =
    level === 'nominal'
      ? values.map((value) => ratings.filter((one) => one === value).length)
      : [sumOf(ratings), sumOf(ratings.map((one) => one ** 2))];
  const among = level === 'nominal' ? sums : [ratings.length, ...sums];
  const within = pairsApart(among, level) / (ratings.length - 1);
  return [within, ratings.length, ...sums];
}

/** The squared differences of all ordered pairs of ratings. */
function pairsApart(amounts: Amounts, level: AlphaOptions['level']): number {
  if (level === 'nominal') return sumOf(amounts) ** 2 - sumOf(amounts.map((count) => count ** 2));
  const [count = 0, sum = 0, squares = 0] = amounts;
  return 2 * (count * squares - sum ** 2);
}

function alphaOf(amounts: Amounts, level: AlphaOptions['level']): number | null {
  const [apart = 0, count = 0] = amounts;
  const among = pairsApart(amounts.slice(level === 'nominal' ? 2 : 1), level);
  return among > 0 ? 1 - (apart * (count - 1)) / among : null;
}

function addAmounts(some: Amounts | undefined, others: Amounts): Amounts {
  return some === undefined ? others : some.map((amount, n) => amount + (others[n] ?? 0));
}

interface Kind {
  readonly amounts: Amounts;
  /** How often it is among the results. */
  readonly share: number;
}

/** Clusters with the same amounts, which are drawn by their number. */
function kindsOf(clusters: readonly Kind[]): Kind[] {
  const kinds = new Map<string, Kind>();
  for (const { amounts, share } of clusters) {
    const key = amounts.join(' ');
    kinds.set(key, { amounts, share: share + (kinds.get(key)?.share ?? 0) });
  }
  return [...kinds.values()];
}

/** α of as many clusters as there are; 1 where all ratings are equal. */
function drawAlpha(
  random: Random,
  kinds: readonly Kind[],
  { level, clusters }: { readonly level: AlphaOptions['level']; readonly clusters: number },
): number {
  let left = clusters;
  let share = sumOf(kinds.map((kind) => kind.share));
  const sums = new Array<number>(kinds[0]?.amounts.length ?? 0).fill(0);
  for (const kind of kinds) {
    if (left === 0) break;
    const drawn = drawBinomial(random, left, Math.min(1, kind.share / share));
    left -= drawn;
    share -= kind.share;
    for (const [n, amount] of kind.amounts.entries()) sums[n] = (sums[n] ?? 0) + drawn * amount;
  }
  return alphaOf(sums, level) ?? 1;
}
