import { z } from 'zod';
import type { Score, ScoreChip } from '../../model/scores/score.js';
import { maxScoreKeyLength } from '../../model/scores/score-limits.js';
import { count, optional, withoutNulls } from './values.js';

const lowerIsBetter = z
  .literal('lower')
  .exactOptional()
  .meta({ description: 'Present if smaller values are better.' });

/** The scale of values, as it was declared. */
export const scale = z.tuple([z.number(), z.number()]).readonly().exactOptional().meta({
  description: 'The least and the greatest value, if they are declared.',
});

/** One grade of a result. */
export const score = z
  .object({
    key: z.string().min(1).meta({ description: 'What was graded.' }),
    passed: z.boolean().exactOptional(),
    value: z.number().exactOptional(),
    threshold: z.number().exactOptional().meta({
      description:
        'The limit for `value`; absent if there was none, and beside a `passed` of the evaluator.',
    }),
    better: lowerIsBetter,
    scale,
    notes: z.string().exactOptional(),
    location: z.string().exactOptional().meta({
      description:
        '`file:line:column` of the assertion that failed, the file as in ids; absent for other scores.',
      example: 'evals/support.eval.ts:12:3',
    }),
    rubric_version: z.string().exactOptional().meta({
      description:
        'Version of the rubric of its judge, which changes with its text and options; absent for other scores.',
    }),
    source: z
      .literal('human')
      .exactOptional()
      .meta({ description: 'Present if a person set or changed the score.' }),
    inexact: z.literal(true).exactOptional().meta({
      description:
        'Present if the grader saw the stored form of an output that is not stored as the target returned it.',
    }),
  })
  .meta({ id: 'Score', description: 'At least one of `passed` and `value` is present.' });
score satisfies z.ZodType<Score>;

/** The percentiles of unbounded values. */
export const percentiles = z
  .object({ p50: z.number().nullable(), p95: z.number().nullable() })
  .meta({
    id: 'Percentiles',
    description:
      'The values that half, and 95 %, of the values are below; `null` if a baseline lacks them.',
  });

/** Verdicts that are no evaluator's. */
export const derived = count.exactOptional().meta({
  description: 'The verdicts that a threshold derived from values; absent for none.',
});

const values = {
  avg: z.number(),
  count,
  percentiles: percentiles.exactOptional().meta({
    description:
      'Percentiles of the values, if those of the run are unbounded (no scale is declared, and they are neither all within 0 to 1 nor all whole numbers from 0 to 10). They are shown instead of `avg`, which then has no interval.',
  }),
  scale,
  better: lowerIsBetter,
};

/** The two shapes of a chip. */
const ratioChip = z.object({
  key: z.string(),
  type: z.literal('ratio'),
  passed: count,
  total: count,
  derived,
  values: z
    .object(values)
    .exactOptional()
    .meta({ description: 'The values beside the verdicts; absent without values.' }),
});
const avgChip = z.object({
  key: z.string(),
  type: z.literal('avg'),
  ...values,
  passed: count.exactOptional().meta({
    description: 'The number that passed; present if scores of the key have a threshold.',
  }),
  judged: count
    .exactOptional()
    .meta({ description: 'The number that passed or failed; absent if it equals `count`.' }),
  threshold: z.number().exactOptional().meta({
    description: 'Absent if there is none, or if the scores have different ones.',
  }),
});

/** Summary of one score key. */
export const scoreChip = z.discriminatedUnion('type', [ratioChip, avgChip]).meta({
  id: 'ScoreChip',
  description:
    'Summary of one score key. `ratio` when any score of the key has a `passed` that was given (counting all that have `passed`), with the values beside it; else `avg` over `value`, with `passed` beside it when a threshold judged values.',
});
scoreChip satisfies z.ZodType<ScoreChip>;

/** The bounds of a 95 % interval; `null` if there is none. */
export const bounds = { low: z.number().nullable(), high: z.number().nullable() };

/** A chip with its interval. */
export const intervalChip = z
  .discriminatedUnion('type', [
    ratioChip.extend({
      interval: z.object(bounds),
      values_interval: z
        .object(bounds)
        .exactOptional()
        .meta({ description: 'The interval of `values.avg`; present with `values`.' }),
    }),
    avgChip.extend({
      interval: z.object(bounds),
      passed_interval: z
        .object(bounds)
        .exactOptional()
        .meta({ description: 'The interval of the share that passed; present with `passed`.' }),
    }),
  ])
  .meta({
    id: 'IntervalChip',
    description:
      'A Score chip with the 95 % interval of its share or mean, over cases, because trials of one case are not independent. The bounds are `null` if there is no interval: for a mean of fewer than 20 cases, if all values are (nearly) equal, and for unbounded values.',
  });

/** A chip as a request sends it. */
export const sentScoreChip = z
  .discriminatedUnion('type', [
    ratioChip.omit({ derived: true, values: true }),
    avgChip
      .extend({
        percentiles: optional(percentiles),
        passed: optional(count),
        judged: optional(count),
        threshold: optional(z.number()),
        better: optional(z.literal('lower')),
        scale: optional(z.tuple([z.number(), z.number()])),
      })
      .transform(withoutNulls),
  ])
  .meta({ id: 'SentScoreChip', description: 'A Score chip; other keys are ignored.' });

/** A score as a request sends it. */
export const sentScore = z
  .object({
    key: z
      .string()
      .min(1, { error: 'must not be empty' })
      .refine((key) => key.length <= maxScoreKeyLength || [...key].length <= maxScoreKeyLength, {
        error: `must have at most ${maxScoreKeyLength} characters`,
      })
      .meta({ override: { maxLength: maxScoreKeyLength } }),
    passed: optional(z.boolean()),
    value: optional(z.number()),
    notes: optional(z.string()),
  })
  .refine(({ passed = null, value = null }) => passed !== null || value !== null, {
    error: 'must have passed or value',
  })
  .meta({
    id: 'SentScore',
    description:
      'A score with `passed`, `value` or both. A `value` alone gets the verdict of the threshold of its key. `source`, `threshold` and other keys are ignored: the server determines the source by comparing.',
    override: {
      anyOf: [
        { required: ['passed'], properties: { passed: { type: 'boolean' } } },
        { required: ['value'], properties: { value: { type: 'number' } } },
      ],
    },
  })
  .transform(withoutNulls);
