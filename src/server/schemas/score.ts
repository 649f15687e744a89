import { z } from 'zod';
import { maxScoreKeyLength, type Score, type ScoreChip } from '../../model/score.js';
import { count } from './json-value.js';

/** One grade of a result. */
export const score = z
  .object({
    key: z.string().min(1).meta({ description: 'What was graded.' }),
    passed: z.boolean().exactOptional(),
    value: z.number().exactOptional(),
    notes: z.string().exactOptional(),
    source: z
      .literal('human')
      .exactOptional()
      .meta({ description: 'There when a person set or changed the score.' }),
  })
  .meta({ id: 'Score', description: 'At least one of `passed` and `value` is there.' });
score satisfies z.ZodType<Score>;

/** Summary of one score key. */
export const scoreChip = z
  .discriminatedUnion('type', [
    z.object({ key: z.string(), type: z.literal('ratio'), passed: count, total: count }),
    z.object({ key: z.string(), type: z.literal('avg'), avg: z.number(), count }),
  ])
  .meta({
    id: 'ScoreChip',
    description:
      'Summary of one score key: `ratio` when any score of the key has `passed` (counting those), else `avg` over `value`.',
  });
scoreChip satisfies z.ZodType<ScoreChip>;

/** A chip as a request sends it. */
export const sentScoreChip = z
  .discriminatedUnion('type', [
    z.object({ key: z.string(), type: z.literal('ratio'), passed: count, total: count }),
    z.object({ key: z.string(), type: z.literal('avg'), avg: z.number(), count }),
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
    passed: z.boolean().exactOptional(),
    value: z.number().exactOptional(),
    notes: z.string().exactOptional(),
  })
  .refine(({ passed, value }) => passed !== undefined || value !== undefined, {
    error: 'must have passed or value',
  })
  .meta({
    id: 'SentScore',
    description:
      'A score with `passed`, `value` or both. `source` and other keys are ignored: who set a score is found out by comparing.',
  });
