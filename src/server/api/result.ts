import { z } from 'zod';
import {
  type Correction,
  type CountedAttempt,
  type EarlierAttempt,
  originKinds,
  type Result,
  type ResultEntry,
  resultStatuses,
} from '../../model/result.js';
import { verdicts } from '../../model/scores/verdict.js';
import { call, span, usage } from './call.js';
import { score } from './score.js';
import { count, jsonObject, jsonValue } from './values.js';

const correction = z
  .object({
    field: z.enum(['annotation', 'scores']),
    before: jsonValue,
    after: jsonValue,
    timestamp: z.iso.datetime({ precision: 3 }),
  })
  .meta({
    id: 'Correction',
    description: 'One change by a person, or one set of scores replaced by a regrade.',
  });
correction satisfies z.ZodType<Correction>;

/** The status of a result, or the verdict on a completed one. */
export const resultStanding = z.enum([
  ...verdicts,
  'error',
  'not_started',
  'pending',
  'running',
  'cancelled',
  'pruned',
] as const);

/** The run that the output of a result comes from. */
export const origin = z
  .object({
    run_id: z.string(),
    run_name: z.string(),
    kind: z.enum(originKinds),
  })
  .meta({
    id: 'Origin',
    description:
      'The run that its output comes from, if it was not run again: `carried` over as it was, or `regraded`.',
  });

/** Why a result was made. */
export const reason = z.string().meta({
  description:
    'What had changed when it ran, or was graded again, if that was known: `prompts/refund.md`.',
});

const outcome = {
  input: jsonValue,
  output: jsonValue,
  reference: jsonValue,
  scores: z.array(score),
  error: z.string().nullable(),
  latency: z.number().nullable().meta({ description: 'Seconds; `null` until it is known.' }),
  started_at: z.iso.datetime({ precision: 3 }).exactOptional().meta({
    description: 'Start time; absent if unknown.',
  }),
  metadata: jsonObject,
  trace_data: jsonObject,
  status: z.enum(resultStatuses),
  code: z.string().exactOptional().meta({
    description:
      'Hash of the project modules that ran it, or graded it last, and of what the run config gave them; absent if unknown.',
  }),
  origin: origin.exactOptional(),
  reason: reason.exactOptional(),
  usage: usage.exactOptional(),
};

const result = z
  .object({
    ...outcome,
    annotation: z.string(),
    correction_history: z.array(correction),
    replaced_usage: usage.exactOptional().meta({
      description:
        'What its earlier attempts and gradings spent in this run, which `usage` is without; absent for nothing.',
    }),
    verifies: z.literal(true).exactOptional().meta({
      description: 'It ran to verify the result that counts, which was carried over.',
    }),
    waited: z.number().exactOptional().meta({
      description:
        'Seconds in which `rates` held its calls and none was under way: `latency` leaves them out. Only with its calls, and absent for none.',
    }),
    calls: z.array(call).exactOptional().meta({
      description: 'Its HTTP calls; only when one result is read, and absent without calls.',
    }),
    spans: z.array(span).exactOptional().meta({
      description: 'The tools that ran in it, with its calls; absent for none.',
    }),
  })
  .meta({ id: 'Result', description: 'The result of a case, or of one of its trials.' });
result satisfies z.ZodType<Result>;

const base64 = z.string().exactOptional();

const storedAs = {
  inexact: z.literal(true).exactOptional().meta({
    description:
      'Its values are not stored as the target returned them, so that a regrade leaves it as it is.',
  }),
  inexact_because: z.string().exactOptional().meta({
    description: 'Why it is `inexact`, and where.',
    example: 'getters: .text',
  }),
  lost_scores: z.array(z.string()).exactOptional().meta({
    description:
      'Keys of scores that it had before its stored form was graded again, and has no more, or without a verdict; absent for none. Gates cannot judge the run then.',
  }),
  other_code: z.literal(true).exactOptional().meta({
    description:
      'It completed a pass with other code, params or files than it began with. Gates cannot judge the run then.',
  }),
  kept: z
    .object({
      node: count,
      input: base64,
      output: base64,
      reference: base64,
      metadata: base64,
      trace_data: base64,
    })
    .exactOptional()
    .meta({
      description:
        'Only in exports: values that JSON does not keep, as `v8.serialize` of the Node with this major version writes them, in Base64; or `undefined`.',
    }),
};

const { status, output, scores, error, latency, started_at, code } = outcome;
const ofAttempt = { status, output, scores, error, latency, started_at, code, ...storedAs };
const counted = z
  .object({
    ...{ ...ofAttempt, regradable: z.boolean().exactOptional() },
    correction_history: z.array(correction).exactOptional().meta({
      description: 'Changes of its scores; absent for none.',
    }),
  })
  .meta({
    id: 'CountedAttempt',
    description:
      'Only if the result is a repeat: the attempt of the last pass, which pass rates, intervals, gates and comparisons are over.',
  });
counted satisfies z.ZodType<CountedAttempt>;

/** What a case shares with others. */
export const cluster = z.string().exactOptional().meta({
  description:
    'Key and value of the metadata by which the option `cluster` of the evaluation groups cases: those with the same are one unit for intervals and gates.',
  example: 'document=handbook',
});

/** One row of a run. */
export const resultEntry = z
  .object({
    id: z.string().meta({
      description: '`<file>::<function>`, with `~<trial>` for a trial. Compare whole ids.',
      example: 'evals/support.eval.ts::refund[polite]',
    }),
    function: z.string(),
    dataset: z.string(),
    labels: z.array(z.string()),
    trial: z.int().positive().exactOptional(),
    trial_of: z
      .string()
      .exactOptional()
      .meta({ description: 'Id without the trial; present with `trial`.' }),
    cluster,
    regradable: z
      .literal(true)
      .exactOptional()
      .meta({ description: 'The stored output can be graded again.' }),
    ...storedAs,
    former_grade: z.literal(true).exactOptional().meta({
      description: 'A regrade left it with its former grade, because it is `inexact`.',
    }),
    pruned: z.literal(true).exactOptional().meta({
      description: 'Its evaluation no longer exists, so it is not counted.',
    }),
    gone: z.literal(true).exactOptional().meta({
      description:
        'Its evaluation was gone when others of the run were to run again. Gates cannot judge the run then.',
    }),
    counted: counted.exactOptional(),
    result,
  })
  .meta({ id: 'ResultEntry' });
resultEntry satisfies z.ZodType<ResultEntry>;

/** An earlier attempt. */
export const attempt = z
  .object({ ...outcome, finished_at: z.iso.datetime({ precision: 3 }) })
  .meta({ id: 'Attempt', description: 'An earlier attempt, replaced by a rerun.' });
attempt satisfies z.ZodType<EarlierAttempt>;
