import { z } from 'zod';
import { type ChangeCounts, changes } from '../../compare/cases/change.js';
import type { ComparisonSummary } from '../../compare/compare-cases.js';
import { percentiles } from './score.js';
import { clusters, count } from './values.js';

/** A number that may be absent. */
export const figure = z.number().nullable();

/** A number with its 95 % interval. */
export const figureEstimate = z.object({ estimate: z.number(), low: figure, high: figure }).meta({
  id: 'FigureEstimate',
  description: 'A number with its 95 % interval; the bounds are `null` if there is none.',
});

/** The change of a case. */
export const change = z.enum(changes).meta({
  id: 'Change',
  description:
    'The change of a case: it passed in a smaller (`regressed`) or larger (`fixed`) share of its finished trials; `changed`: it passed in the same share and has other outputs or scores, or a verdict in one run only; `only_base`, `only_other`: one of the runs does not have it; `not_paired`: no trial has finished in one of them. Says nothing about chance.',
});

/** The number of cases per change. */
export const changeCounts = z
  .object({
    regressed: count,
    fixed: count,
    changed: count,
    same: count,
    only_base: count,
    only_other: count,
    not_paired: count,
  })
  .meta({ id: 'ChangeCounts', description: 'The number of cases per change.' });
changeCounts satisfies z.ZodType<ChangeCounts>;

/** The means of two runs over pairs, and their difference. */
export const means = {
  pairs: count.meta({
    description: 'Cases with the measure in both runs, without those that were carried over.',
  }),
  clusters,
  base: figure.meta({
    description: 'Mean over these in the base; `null` without pairs, like the next fields.',
  }),
  other: figure,
  difference: figureEstimate.nullable().meta({
    description: 'Mean of other − base, with its interval over cases, or clusters of them.',
  }),
  higher: count.meta({ description: 'Cases in which the other run has more.' }),
  lower: count,
};

export const singleTest = {
  p: figure.meta({
    description:
      'Two-sided, by itself. From a permutation test within pairs, for a single case from the exact test of Fisher; `null` without a test, also if a baseline lacks the values of trials that it needs, and for `not_tested`.',
  }),
  p_lower: figure.meta({
    description: 'The probability that chance alone makes the other run as low, or lower.',
  }),
  p_higher: figure.meta({
    description: 'The probability that chance alone makes it as high, or higher.',
  }),
  p_attainable: figure.meta({
    description: 'The smallest of these two probabilities that any outcome of the same data has.',
  }),
};

export const familyTest = {
  p_adjusted: figure.meta({
    description:
      'Corrected for several tests by the method of Holm, within the `among` tests of its family that could be beyond chance (Tarone 1990). Families: all measures, all cases with trials, all groups. `null` if the test is not among them, because it has too little data or because gates do not judge it.',
  }),
  among: figure.meta({
    description: 'For how many tests `p_adjusted` is corrected; `null` like it.',
  }),
  beyond_chance: z.boolean().meta({ description: '`p_adjusted` is below 0.05.' }),
};

const pairedMeasure = {
  ...means,
  ...singleTest,
  not_tested: z.string().exactOptional().meta({
    description:
      'Why cases that share clusters are not tested: fewer than 8 clusters, or unequal numbers of trials in the two runs. Absent if they are.',
  }),
  ...familyTest,
  only_base: count.meta({
    description: 'Cases of both runs that have the measure in the base only.',
  }),
  only_other: count,
};

/** The pass rate of a group. */
export const groupMeasure = pairedMeasure;

const measure = {
  ...pairedMeasure,
  detectable: figure.meta({
    description:
      'The smallest change for the worse that such a comparison finds with 80 % power, the base itself if only the loss of all is found; `null` if not even that is, if it is unknown, as where cases share clusters, and for what gates do not judge.',
  }),
};

/** For measures without a p-value. */
const amount = { ...means, median: figure.meta({ description: 'Of the differences.' }) };

const quantiles = z.object({ base: figure, other: figure });

const used = z
  .object({
    ...amount,
    unknown: count.meta({
      description:
        'Cases of both runs without a pair, because the amount of one of their calls is not known.',
    }),
    replayed: count.exactOptional().meta({
      description: 'Those of `unknown` with replayed calls, which cost nothing; absent for none.',
    }),
  })
  .meta({
    id: 'UsedDifference',
    description: 'The mean over the finished trials of a case, over the cases of both runs.',
  });

const rubricVersions = z.array(z.string()).meta({
  description: 'The `rubric_version` of its scores, sorted; empty where none is known.',
});

/** How the judge of a score differs. */
export const judgeDrift = z
  .object({
    status: z.enum(['changed', 'may_have_changed']),
    base: rubricVersions,
    other: rubricVersions,
    models: z
      .object({ base: z.array(z.string()), other: z.array(z.string()) })
      .exactOptional()
      .meta({
        description: 'The models that it called; absent where they are the same, or not known.',
      }),
    grading: z.literal(true).exactOptional().meta({
      description: 'The code that grades is another one; absent if it is not, or not known.',
    }),
  })
  .meta({
    id: 'JudgeDrift',
    description:
      'The judge of the score is another one in the other run (`changed`: other versions of its rubric, or other models), or may be (`may_have_changed`: the versions of one run are not known, or only the code that grades is another one); absent if nothing says so. A difference may then be that of the judges.',
  });

/** Differences of two runs. */
export const comparisonSummary = z
  .object({
    changes: changeCounts,
    carried: count.meta({
      description:
        'Cases whose finished trials are the same results in both runs, because they were carried over (`assay run --changed`). They are no new draws: differences, intervals and tests leave them out, and so do `pairs`. `changes` and the figures of a run count them.',
    }),
    lost: z
      .object({
        verdicts: count.meta({
          description: 'Cases of which a smaller part of the completed trials has a verdict.',
        }),
        whole_verdicts: count.meta({ description: 'Those of them without any verdict.' }),
        scores: z.array(
          z.object({
            key: z.string(),
            cases: count.meta({
              description: 'Cases of which a smaller part of the completed trials has the score.',
            }),
            verdicts: count.meta({ description: 'Those of them that lost verdicts of it.' }),
            gone: z.boolean().meta({ description: 'No case of the run has it.' }),
          }),
        ),
        judged_alike: count.meta({
          description: 'Cases whose pass rate is compared over the scores that both runs have.',
        }),
      })
      .meta({
        id: 'LostSummary',
        description:
          'What cases of both runs had in the base and no longer have. Errors and assertions that no longer fail are not lost.',
      }),
    pass_rate: z.object(measure).meta({
      id: 'MeasureDifference',
      description: 'One measure of two runs, over the cases with it in both.',
    }),
    scores: z.array(
      z
        .object({
          key: z.string(),
          name: z.string().meta({
            description:
              'The key; `KEY (value)` or `KEY (passed)` for what stands beside the verdicts or values of a score.',
          }),
          type: z.enum(['ratio', 'avg', 'mixed']).meta({
            description:
              'By verdicts (`ratio`) or values (`avg`), each if both runs have some: a score with both has two entries, first its verdicts if an evaluator gave any, else its values. `mixed`: one run has only values and the other only verdicts, so there are no pairs.',
          }),
          gated: z.boolean().meta({
            description:
              'False for values beside verdicts that an evaluator gives: gates judge the verdicts.',
          }),
          better: z
            .enum(['higher', 'lower'])
            .meta({ description: 'The direction of an improvement.' }),
          same_as_pass_rate: z.boolean().meta({
            description:
              'True if it equals the verdict in every case, so it repeats the pass rate.',
          }),
          ...measure,
          percentiles: z.object({ base: percentiles, other: percentiles }).exactOptional().meta({
            description:
              'Percentiles of the values of the pairs; present if the values of both runs together are unbounded. Then `difference` has no interval.',
          }),
          judge_drift: judgeDrift.exactOptional(),
        })
        .meta({ id: 'ScoreDifference', description: 'One score of two runs.' }),
    ),
    latency: z.object({ ...amount, p50: quantiles, p95: quantiles }).meta({
      id: 'LatencyDifference',
      description:
        'Seconds. There is no p-value, because the results of a run share its load, so their latencies are not independent.',
    }),
    usage: z
      .object({
        cost: used.meta({ description: 'US dollars.' }),
        tokens: used.meta({ description: 'Input and output.' }),
        calls: used.meta({ description: 'Calls of models; retries count.' }),
      })
      .exactOptional()
      .meta({
        id: 'UsageDifference',
        description:
          'Usage of the calls of the cases; absent unless both runs made model calls. There is no p-value, because the results of a run share its load and the caches of its provider.',
      }),
  })
  .meta({
    id: 'ComparisonSummary',
    description:
      'The differences of two runs, always other − base. Cases are paired by id; a case with trials counts once, with its mean over finished trials. Results that were only graded again count in the pass rate and scores, but not in latency and usage.',
  });
comparisonSummary satisfies z.ZodType<ComparisonSummary>;
