import { betaOf } from './draw.mjs';

/**
 * The kinds of intervals, each with its cells; of some no cell may be shown. A sample has the truth, the bounds of the interval, and how many rare
 * results are to be expected in it, where there are any: evaluations of the rarer outcome, or pairs that differ in one
 * of the two directions.
 */
export async function kindsOf(from, units) {
  const { clusteredRate } = await from('statistics/clustered-share.js');
  const { clusteredMean } = await from('statistics/clustered-mean.js');
  const { differenceInterval } = await from('statistics/mean-interval.js');
  const { differenceScale, ScaleFinder } = await from('statistics/value-scale.js');
  const { trialFields } = await from('model/summary/trial-statistics.js');
  const { bonettPrice } = await from('statistics/bonett-price.js');
  const scaleOf = (values) => {
    const finder = new ScaleFinder();
    for (const value of values) finder.add(value);
    return finder.scale;
  };
  const meanOf = (values, trials) => {
    const sums = values.map((own) => own.reduce((sum, value) => sum + value, 0));
    const all = values.flat();
    const squares = all.reduce((sum, value) => sum + value ** 2, 0);
    return clusteredMean(sums, Array(values.length).fill(trials), scaleOf(all), squares);
  };
  const differenceOf = (base, other) => {
    const differences = other.map((value, i) => value - base[i]);
    return differenceInterval(differences, differenceScale(scaleOf([...base, ...other])));
  };
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
    mean: {
      text: 'average, grades and ratings',
      isJudged: true,
      cells: meanCells(meanOf, units, bounded),
    },
    outliers: {
      text: 'average, grades and ratings, rare far ones',
      isJudged: true,
      cells: meanCells(meanOf, units, rareFar),
    },
    unbounded: {
      text: 'average, unbounded values',
      isJudged: true,
      isNeverShown: true,
      cells: meanCells(meanOf, units, unbounded),
    },
    moved: {
      text: 'difference of averages, grades and ratings',
      isJudged: true,
      cells: movedCells(differenceOf, units),
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

const within = (low, high) => (draw) => low + draw.random() * (high - low);
const aroundOne = (draw) => 1 + draw.normal() / 4;

/** Values with so much chance each. */
function discrete(values, chances, rare) {
  const mean = values.reduce((sum, value, i) => sum + value * chances[i], 0);
  return { mean, rare, draw: (draw) => values[draw.of(chances)] };
}

const bounded = {
  'beta(2, 1)': { mean: 2 / 3, draw: (draw) => draw.beta(2, 1) },
  'beta(5, 5)': { mean: 0.5, draw: (draw) => draw.beta(5, 5) },
  'beta(8, 2)': { mean: 0.8, draw: (draw) => draw.beta(8, 2) },
  'beta(1.8, 0.2)': { mean: 0.9, draw: (draw) => draw.beta(1.8, 0.2) },
  'beta(9.5, 0.5)': { mean: 0.95, draw: (draw) => draw.beta(9.5, 0.5) },
  'beta(0.5, 0.5)': { mean: 0.5, draw: (draw) => draw.beta(0.5, 0.5) },
  '0.8 to 0.9': { mean: 0.85, draw: within(0.8, 0.9) },
  thirds: discrete([0, 1 / 3, 2 / 3, 1], [0.1, 0.2, 0.3, 0.4]),
  'ratings 1 to 5': discrete([1, 2, 3, 4, 5], [0.05, 0.1, 0.2, 0.4, 0.25]),
  'ratings, 80 % are 5': discrete([1, 2, 3, 4, 5], [0.02, 0.02, 0.03, 0.13, 0.8], 0.2),
  'ratings 0 to 10': discrete([0, 4, 6, 7, 8, 9, 10], [0.02, 0.05, 0.1, 0.25, 0.35, 0.15, 0.08]),
};

const rareFar = Object.fromEntries(
  [0.01, 0.03, 0.05, 0.1].flatMap((share) => [
    [`${share * 100} % are 1, others 0.02`, mixture(share, 0.02, 1, () => 0.02)],
    [`${share * 100} % are 1, others 0 to 0.04`, mixture(share, 0.02, 1, within(0, 0.04))],
    [`${share * 100} % are 0, others 0.8 to 0.9`, mixture(share, 0.85, 0, within(0.8, 0.9))],
    [`${share * 100} % are 0, others 0.6 to 1`, mixture(share, 0.8, 0, within(0.6, 1))],
    [`${share * 100} % are 0, others 0.3 to 0.7`, mixture(share, 0.5, 0, within(0.3, 0.7))],
    [`${share * 100} % are 0.5, others 0.9 to 1`, mixture(share, 0.95, 0.5, within(0.9, 1))],
    [
      `${share * 100} % are 1, others 4 or 5`,
      mixture(share, 4.5, 1, (draw) => (draw.random() < 0.5 ? 4 : 5)),
    ],
  ]),
);

const unbounded = {
  normal: { mean: 0, draw: (draw) => draw.normal() },
  exponential: { mean: 1, draw: (draw) => draw.gamma(1) },
  'lognormal, σ 1': { mean: Math.exp(0.5), draw: (draw) => Math.exp(draw.normal()) },
  'gamma, shape 0.5': { mean: 0.5, draw: (draw) => draw.gamma(0.5) },
  '3 % are 60, others near 1': mixture(0.03, 1, 60, aroundOne),
  '3 % are 0, others near 400': mixture(0.03, 400, 0, (draw) =>
    Math.round(400 + 50 * draw.normal()),
  ),
};

/** Averages of scores. Half of the trials of an evaluation repeat its value, the others are drawn anew. */
function meanCells(meanOf, units, values) {
  return combinations(units, [1, 3, 10], Object.entries(values)).map(
    ([n, t, [name, { mean, rare = Number.POSITIVE_INFINITY, draw: one }]]) => ({
      name: `${name}, n ${n}, ${t === 1 ? '1 trial' : `${t} trials`}`,
      sample: (draw) => {
        const sample = Array.from({ length: n }, () => {
          const level = one(draw);
          return Array.from({ length: t }, (_, i) =>
            i === 0 || draw.random() < 0.5 ? level : one(draw),
          );
        });
        return { truth: mean, rare: n * rare, ...meanOf(sample, t) };
      },
    }),
  );
}

/** The difference of two runs of single trials: a share of the evaluations is drawn anew, another fell to 0. */
function movedCells(differenceOf, units) {
  const names = ['beta(2, 1)', 'beta(8, 2)', 'thirds', 'ratings 1 to 5'];
  return combinations(units, names, [0.05, 0.1, 0.2, 0.5, 1], [0, 0.03, 0.1, 0.3]).map(
    ([n, name, anew, fell]) => ({
      name: `${name}, n ${n}, ${anew * 100} % drawn anew, ${fell * 100} % fell to 0`,
      sample: (draw) => {
        const { mean, draw: one } = bounded[name];
        const base = Array.from({ length: n }, () => one(draw));
        const other = base.map((value) => {
          if (draw.random() < fell) return 0;
          return draw.random() < anew ? one(draw) : value;
        });
        const rare = Math.min(n * (anew + fell), fell === 0 ? Number.POSITIVE_INFINITY : n * fell);
        return { truth: -fell * mean, rare, ...differenceOf(base, other) };
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
