import { z } from 'zod';
import { resultStatuses } from '../../model/result.js';
import { longestFieldText } from '../../model/result-field.js';
import { verdicts } from '../../model/scores/verdict.js';
import { mostKnownFields } from '../rows/known-fields.js';
import { cutFields, type LightRow, lightRowLimits, rowFlags } from '../rows/light-row.js';
import type { Fold } from '../rows/trial-groups.js';
import { count, seconds } from './basic-values.js';
import { spentTotals } from './call.js';
import { checkProblem } from './changes.js';
import { cluster, origin, reason } from './result.js';
import { rowSummary } from './row-summary.js';
import { score, scoreChip } from './score.js';

const preview = z.string().nullable();
const flag = z.enum(rowFlags);

const fields = {
  index: count.meta({ description: 'Position of the result in the run, from 0.' }),
  id: z.string(),
  function: z.string(),
  dataset: z.string(),
  labels: z.array(z.string()),
  trial: z.int().positive().exactOptional(),
  trial_of: z.string().exactOptional(),
  cluster,
  regradable: z.literal(true).exactOptional(),
  inexact: z.literal(true).exactOptional().meta({
    description: 'Its values are not stored as they were, so that a regrade leaves it as it is.',
  }),
  pruned: z.literal(true).exactOptional(),
  status: z.enum(resultStatuses),
  passed: z.boolean().nullable().meta({ description: 'The verdict; `null` if there is none.' }),
  latency: seconds,
  origin: origin.exactOptional(),
  reason: reason.exactOptional(),
  replayed: z.literal(true).exactOptional().meta({
    description: 'The latency comes from recordings, and counts in no figure.',
  }),
  usage: spentTotals.exactOptional(),
  scores: z.array(score).meta({
    description: `At most ${lightRowLimits.scores}, with notes of at most ${lightRowLimits.notes} characters.`,
  }),
  input: preview,
  output: preview,
  reference: preview,
  error: preview,
  annotation: z.string(),
  has: z.array(flag),
  cut: z.array(z.enum(cutFields)).meta({
    description: 'Names of the shortened fields.',
  }),
};

/** A row for a table. */
const lightRow = z.object(fields).meta({
  id: 'LightRow',
  description: `A result with its long values as text on one line, of at most ${lightRowLimits.preview} characters: strings unchanged, anything else as compact JSON.`,
});
lightRow satisfies z.ZodType<LightRow>;

const foldSchema = z
  .object({
    id: z.string().meta({ description: 'Id of the case, without the trial.' }),
    indices: z.array(count).meta({ description: 'Indices of all its trials, matching or not.' }),
    trials: count,
    finished: count,
    passed: count,
    flaky: z.boolean().meta({ description: 'Some trials passed and some did not.' }),
    standings: z
      .array(
        z.enum([
          ...verdicts,
          'error',
          'not_started',
          'pending',
          'running',
          'cancelled',
          'pruned',
        ] as const),
      )
      .meta({ description: 'The state of each trial, in the order of `indices`.' }),
    distinct_outputs: count.meta({
      description: 'The number of distinct outputs of the completed trials; 0 if one is unknown.',
    }),
    chips: z.array(scoreChip),
    average_latency: seconds,
    usage: spentTotals.exactOptional(),
  })
  .meta({ id: 'Fold', description: 'The trials behind a row that represents all of them.' });
foldSchema satisfies z.ZodType<Fold>;

/** A page of the rows of a run. */
export const rowPage = z
  .object({
    total: count.meta({ description: 'Results of the run.' }),
    filtered: count.meta({ description: 'Results that match.' }),
    count: count.meta({
      description: 'Rows of the list: less than `filtered` if trials are folded.',
    }),
    offset: count,
    rows: z.array(
      z
        .object({
          ...fields,
          fields: z
            .array(preview)
            .exactOptional()
            .meta({
              description: `The values of each \`field\` asked for, as text of at most ${longestFieldText} characters; \`null\` where there is none. Of one result, also where trials are folded.`,
            }),
          fold: foldSchema.exactOptional(),
        })
        .meta({ id: 'TableRow' }),
    ),
    summary: rowSummary.exactOptional(),
    problem: checkProblem,
  })
  .meta({ id: 'RowPage' });

/** Indices of the rows that match. */
export const rowIndices = z
  .object({
    indices: z.array(count),
    total: count,
    filtered: count,
    groups: z.array(z.array(count)).exactOptional().meta({
      description: 'The indices of each group; present with `by`.',
    }),
    problem: checkProblem,
  })
  .meta({ id: 'RowIndices' });

/** The fields that the results of a run have. */
export const knownFields = z
  .object({
    fields: z
      .array(
        z
          .object({
            field: z
              .string()
              .meta({ description: 'Such as `metadata.tier` or `output.order.id`.' }),
            results: count.meta({ description: 'Sampled results with a value.' }),
            values: count.meta({ description: 'Different values among them.' }),
          })
          .meta({ id: 'KnownField' }),
      )
      .max(mostKnownFields),
  })
  .meta({ id: 'KnownFields' });
