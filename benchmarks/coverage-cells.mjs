import { betaOf } from './draw.mjs';

/**
 * The kinds of intervals, each with its cells. A sample has the truth, the bounds of the interval, and how many rare
 * results are to be expected in it, where there are any: evaluations of the rarer outcome, or pairs that differ in one
 * of the two directions.
 */
export async function kindsOf(from, units) {
  const { clusteredRate } = await from('statistics/clustered-share.js');
  const { clusteredMean } = await from('statistics/clustered-mean.js');
  const { trialFields } = await from('model/trial-statistics.js');
  const { bonettPrice } = await from('statistics/bonett-price.js');
  const few = units.filter((count) => count <= 200);
  const manyBroke = few.filter((count) => count >= 30);
  const fewBroke = few.filter((count) => count < 30);
  return {
    rate: {
      text: 'rate, single trials (Wilson)',
      isJudged: false,
      cells: rateCells(clusteredRate, units, [1], [0]),
    },
    trials: {
      text: 'rate, several trials',
      isJudged: true,
      cells: rateCells(clusteredRate, units, [2, 3, 5, 10], [0, 0.1, 0.3, 0.5]),
    },
    pass: { text: 'pass@k, pass^k', isJudged: true, cells: passCells(trialFields, few) },
    mean: { text: 'average', isJudged: true, cells: meanCells(clusteredMean, units, spreads) },
    outliers: {
      text: 'average, rare far outliers',
      isJudged: false,
      cells: meanCells(clusteredMean, units, outliers),
    },
    pairs: {
      text: 'difference, single trials (Bonett–Price)',
      isJudged: true,
      cells: pairCells(bonettPrice, units),
    },
    differences: {
      text: 'difference, several trials, unchanged',
      isJudged: true,
      cells: differenceCells(bonettPrice, few, 0),
    },
    broken: {
      text: 'difference, several trials, a tenth broke: 3 or more',
      isJudged: true,
      cells: differenceCells(bonettPrice, manyBroke, 0.1),
    },
    brokenFew: {
      text: 'difference, several trials, a tenth broke: fewer',
      isJudged: false,
      cells: differenceCells(bonettPrice, fewBroke, 0.1),
    },
  };
}

/** Every choice of one of each list. */
function combinations(...lists) {
  return lists.reduce(
    (all, list) => all.flatMap((chosen) => list.map((one) => [...chosen, one])),
    [[]],
  );
}

/** Pass rates: trials of an evaluation share its pass probability, which is spread by the intraclass correlation. */
function rateCells(clusteredRate, units, trials, iccs) {
  const rates = [0.5, 0.8, 0.9, 0.95, 0.98];
  return combinations(units, trials, rates, iccs).map(([n, t, p, icc]) => ({
    name: `n ${n}, ${t === 1 ? '' : `${t} trials, `}p ${p}${t === 1 ? '' : `, ICC ${icc}`}`,
    sample: (draw) => {
      const passed = Array.from({ length: n }, () => draw.passes(t, p, icc));
      return { truth: p, rare: n * (1 - p), ...clusteredRate(passed, Array(n).fill(t)) };
    },
  }));
}

const draws = [
  [3, 2],
  [5, 2],
  [5, 3],
  [5, 5],
  [10, 3],
  [10, 8],
];

function passCells(trialFields, units) {
  const rates = [0.5, 0.8, 0.95];
  const cells = combinations(units, draws, rates, [0, 0.1, 0.5], ['pass_at', 'pass_all']);
  return cells.map(([n, [t, k], p, icc, which]) => {
    const truth = passTruth(which, k, p, icc);
    const sign = which === 'pass_at' ? '@' : '^';
    return {
      name: `pass${sign}${k}, n ${n}, ${t} trials, p ${p}, ICC ${icc}`,
      sample: (draw) => {
        const rows = evaluations.slice(0, n).flatMap((trials) => {
          const passes = draw.passes(t, p, icc);
          return trials
            .slice(0, t)
            .map(({ passed, failed }, at) => (at < passes ? passed : failed));
        });
        const { by_k } = trialFields(rows).trial_statistics;
        return { truth, rare: n * Math.min(truth, 1 - truth), ...by_k[k - 1][which] };
      },
    };
  });
}

function passTruth(which, k, p, icc) {
  if (icc === 0) return which === 'pass_at' ? 1 - (1 - p) ** k : p ** k;
  const [a, b] = betaOf(p, icc);
  let none = 1;
  let all = 1;
  for (let i = 0; i < k; i += 1) {
    none *= (b + i) / (a + b + i);
    all *= (a + i) / (a + b + i);
  }
  return which === 'pass_at' ? 1 - none : all;
}

/** Results that passed or failed, by evaluation and trial. */
const evaluations = Array.from({ length: 200 }, (_, unit) =>
  Array.from({ length: 10 }, (__, trial) => {
    const result = (passed) => ({
      id: `${unit}~${trial}`,
      trial: trial + 1,
      trial_of: String(unit),
      status: 'completed',
      scores: [{ key: 'k', passed }],
    });
    return { passed: result(true), failed: result(false) };
  }),
);

/** A share of the values is far from the others. */
function mixture(share, usual, far, drawUsual) {
  return {
    mean: (1 - share) * usual + share * far,
    rare: share,
    draw: (draw) => (draw.random() < share ? far : drawUsual(draw)),
  };
}

const aroundOne = (draw) => 1 + draw.normal() / 4;

const spreads = {
  normal: { mean: 0, draw: (draw) => draw.normal() },
  exponential: { mean: 1, draw: (draw) => draw.gamma(1) },
  'lognormal, σ 0.5': { mean: Math.exp(0.125), draw: (draw) => Math.exp(draw.normal() / 2) },
  'lognormal, σ 1': { mean: Math.exp(0.5), draw: (draw) => Math.exp(draw.normal()) },
  'gamma, shape 0.5': { mean: 0.5, draw: (draw) => draw.gamma(0.5) },
  'beta(2, 1)': { mean: 2 / 3, draw: (draw) => draw.beta(2, 1) },
  'beta(1.8, 0.2)': { mean: 0.9, draw: (draw) => draw.beta(1.8, 0.2) },
  'beta(9.5, 0.5)': { mean: 0.95, draw: (draw) => draw.beta(9.5, 0.5) },
  'ratings 1 to 5': {
    mean: 3.7,
    draw: (draw) => [1, 2, 3, 4, 5][draw.of([0.05, 0.1, 0.2, 0.4, 0.25])],
  },
  'ratings, 80 % are 5': {
    mean: 4.67,
    rare: 0.2,
    draw: (draw) => [1, 2, 3, 4, 5][draw.of([0.02, 0.02, 0.03, 0.13, 0.8])],
  },
};

const outliers = Object.fromEntries([
  ...[0.01, 0.03, 0.05].map((share) => [
    `${share * 100} % are 60, others near 1`,
    mixture(share, 1, 60, aroundOne),
  ]),
  ['3 % are 0, others 0.8 to 0.9', mixture(0.03, 0.85, 0, (draw) => 0.8 + draw.random() / 10)],
]);

/** Averages of scores; with trials each evaluation has a level of its own. */
function meanCells(clusteredMean, units, values) {
  return combinations(units, [1, 5], Object.entries(values)).map(
    ([n, t, [name, { mean, rare = Number.POSITIVE_INFINITY, draw: one }]]) => ({
      name: `${name}, n ${n}, ${t === 1 ? '1 trial' : `${t} trials`}`,
      sample: (draw) => {
        const sums = Array.from({ length: n }, () => {
          const level = one(draw);
          let sum = 0;
          for (let trial = 0; trial < t; trial += 1)
            sum += t === 1 ? level : level + draw.normal() / 4;
          return sum;
        });
        return { truth: mean, rare: n * rare, ...clusteredMean(sums, Array(n).fill(t)) };
      },
    }),
  );
}

const pairShares = [
  [0.02, 0.02],
  [0.05, 0.05],
  [0.1, 0.1],
  [0.25, 0.25],
  [0.1, 0.02],
  [0.3, 0.05],
];

/** The difference of two runs of single trials: some evaluations pass in one of them only. */
function pairCells(bonettPrice, units) {
  return combinations(units, pairShares).map(([n, [onlyBase, onlyOther]]) => ({
    name: `n ${n}, ${onlyBase} only in the base, ${onlyOther} only in the other`,
    sample: (draw) => {
      const chances = [onlyBase, onlyOther, 1 - onlyBase - onlyOther];
      const differences = Array.from({ length: n }, () => [-1, 1, 0][draw.of(chances)]);
      const rare = (n * (onlyBase + onlyOther)) / 2;
      return { truth: onlyOther - onlyBase, rare, ...bonettPrice(differences, 1) };
    },
  }));
}

const trialCounts = [
  [2, 2],
  [3, 3],
  [10, 10],
  [1, 5],
  [10, 3],
];

/** The difference of two runs with trials, of a system in which a share of the evaluations broke. */
function differenceCells(bonettPrice, units, broken) {
  const rates = [0.5, 0.8, 0.95];
  return combinations(units, trialCounts, rates, [0, 0.1, 0.5]).map(
    ([n, [inBase, inOther], p, icc]) => ({
      name: `n ${n}, ${inBase} and ${inOther} trials, p ${p}, ICC ${icc}`,
      sample: (draw) => {
        const differences = Array.from({ length: n }, () => {
          const chance = draw.chance(p, icc);
          const after = draw.random() < broken ? chance / 10 : chance;
          return draw.binomial(inOther, after) / inOther - draw.binomial(inBase, chance) / inBase;
        });
        const step = 1 / Math.min(inBase, inOther);
        const truth = -0.9 * p * broken;
        return { truth, rare: carriersOf(differences) / 2, ...bonettPrice(differences, step) };
      },
    }),
  );
}

/** How many pairs differ, those that differ by less counted for less: (Σ d²)² / Σ d⁴. */
function carriersOf(differences) {
  const sum = (power) => differences.reduce((total, one) => total + one ** power, 0);
  return sum(2) === 0 ? 0 : sum(2) ** 2 / sum(4);
}
