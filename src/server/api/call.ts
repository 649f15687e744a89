import { z } from 'zod';
import type { Call, CallMessage, CallRole, Span } from '../../model/calls/model-call.js';
import type { RunUsage, SpentTotals, Taken } from '../../model/calls/run-usage.js';
import type { StoredCalls } from '../../model/calls/stored-calls.js';
import type { Usage } from '../../model/calls/usage.js';
import { count, jsonObject, jsonValue } from './values.js';

const tokens = {
  input: count.exactOptional().meta({ description: 'All input tokens, cached ones included.' }),
  cache_read: count.exactOptional(),
  cache_write: count.exactOptional(),
  cache_write_1h: count.exactOptional().meta({
    description: 'The part of `cache_write` that is kept for an hour; absent for none.',
  }),
  output: count.exactOptional().meta({ description: 'All output tokens, reasoning included.' }),
  reasoning: count.exactOptional(),
  input_audio: count
    .exactOptional()
    .meta({ description: 'The part of `input` that was audio; absent for none.' }),
  output_audio: count
    .exactOptional()
    .meta({ description: 'The part of `output` that was audio; absent for none.' }),
  billed_input: count.exactOptional().meta({
    description: 'Input tokens that the provider bills, where it counts them apart.',
  }),
  billed_output: count.exactOptional(),
  searches: count.exactOptional().meta({
    description: 'Searches that rerankers bill instead of tokens.',
  }),
};

const totals = {
  calls: count.meta({
    description: 'Calls of models, also those that only look like one; retries count.',
  }),
  ...tokens,
  cost: z.number().nullable().meta({ description: 'US dollars; `null` when it is not known.' }),
  unpriced: count.exactOptional().meta({
    description: 'Calls whose cost is not known; with some, `cost` is a lower bound.',
  }),
  without_price: count.exactOptional().meta({
    description: 'Those of them with known tokens of a model whose price is not known.',
  }),
  without_tokens: count.exactOptional().meta({
    description: 'Calls that did not report their tokens; with some, tokens are lower bounds.',
  }),
  unknown_calls: count.exactOptional().meta({
    description: 'Calls that look like one of a model, but are not understood.',
  }),
  cut_off: count.exactOptional().meta({
    description:
      'How often something was cut off, such as a run that was killed, so that its last calls are not known; with some, all figures are lower bounds.',
  }),
  elsewhere: count.exactOptional().meta({
    description:
      'Of a part of a run: that calls without a result, or at import, may belong to it; with some, all figures are lower bounds.',
  }),
  unrecorded: count.exactOptional().meta({
    description:
      'Results of other tools that did not record their calls; with some, all figures are lower bounds.',
  }),
  programs: count.exactOptional().meta({
    description:
      'Started programs whose calls are not seen; with some, all figures are lower bounds.',
  }),
  failed: count.exactOptional().meta({ description: 'Calls that got an error, or no answer.' }),
  retried: count.exactOptional().meta({ description: 'Calls that repeat a failed one.' }),
  replayed: count.exactOptional().meta({
    description: 'Calls that were answered from recordings; they cost nothing.',
  }),
  replayed_cost: z
    .number()
    .exactOptional()
    .meta({ description: 'US dollars that replayed calls would have cost; not part of `cost`.' }),
  replayed_unpriced: count.exactOptional().meta({
    description: 'Replayed calls whose price is not known.',
  }),
  replayed_part: z
    .object({
      ...tokens,
      without_tokens: count.exactOptional(),
      unknown_calls: count.exactOptional(),
      failed: count.exactOptional(),
      retried: count.exactOptional(),
    })
    .exactOptional()
    .meta({
      description:
        'The part of tokens and counts that is of replayed calls; absent unless some are replayed and others are not.',
    }),
};

const names = {
  other_calls: count
    .exactOptional()
    .meta({ description: 'HTTP calls that are not calls of a model.' }),
  unpriced_models: z.array(z.string()).exactOptional().meta({
    description: 'The models whose price is not known, as they were asked for.',
  }),
  models_without_tokens: z.array(z.string()).exactOptional().meta({
    description: 'The models of the calls that did not report their tokens.',
  }),
  needs_include_usage: z.literal(true).exactOptional().meta({
    description: 'Some of these are streams that were not asked for their usage.',
  }),
  unknown_hosts: z.array(z.string()).exactOptional().meta({
    description: 'The hosts of the calls that are not understood.',
  }),
  judge_models: z.record(z.string(), z.array(z.string())).exactOptional().meta({
    description: 'The models that evaluators called, by the name of the evaluator.',
  }),
  program_names: z.array(z.string()).exactOptional().meta({
    description: 'The names of the programs whose calls are not seen.',
  }),
};

/** Usage of some calls. */
export const usageTotals = z.object(totals);

const by_role = z.record(z.string(), usageTotals).meta({
  description: 'By who made them: `target`, `body`, `evaluator:<name>`, `file`.',
});

/** Usage of the calls of a result. */
export const usage = z
  .object({ ...totals, ...names, by_role })
  .meta({ id: 'Usage', description: 'Usage of the HTTP calls; absent without calls.' });
usage satisfies z.ZodType<Usage>;

const ofResults = z.object({ results: count, ...totals });

const taken = z
  .object({
    carried: ofResults.exactOptional(),
    regraded: ofResults.exactOptional(),
    replayed: ofResults.exactOptional(),
  })
  .exactOptional()
  .meta({
    id: 'TakenUsage',
    description:
      'What calls used when they ran, of results that were `carried` over, `regraded` with an output of another run, or `replayed` from recordings. The other figures are without them, except `replayed` and `replayed_cost`.',
  });
taken satisfies z.ZodType<Taken | undefined>;

const replaced = ofResults.exactOptional().meta({
  description:
    'The part of these figures that belongs to attempts and gradings that later ones have replaced, and to pruned results; absent for none.',
});

/** What a run spent. */
export const runUsage = z
  .object({
    ...{ ...totals, ...names, by_role, taken, replaced },
    unlisted: usage.exactOptional().meta({
      description:
        'The part of these figures that no result has, such as that of attempts that were stopped; of a part of a run, what may belong to it; absent for none.',
    }),
  })
  .meta({
    id: 'RunUsage',
    description:
      'What the run spent on calls: the sum over every attempt that ever ran in it, in all its executions; absent without calls.',
  });
runUsage satisfies z.ZodType<RunUsage>;

/** What a run spent on one result, or on the trials of a case. */
export const spentTotals = z.object({ ...totals, taken, replaced }).meta({
  id: 'SpentTotals',
  description: 'What the run spent on the calls; absent without calls.',
});
spentTotals satisfies z.ZodType<SpentTotals>;

const message: z.ZodType<CallMessage> = z.any();
const role: z.ZodType<CallRole> = z.any();
const seconds = z.number().meta({ description: 'Seconds after the attempt began.' });

const exchangeFields = {
  provider: z.string(),
  operation: z.string(),
  model: z.string().exactOptional(),
  response_model: z.string().exactOptional(),
  response_id: z.string().exactOptional(),
  tool_calls: z
    .array(
      z.object({
        id: z.string().exactOptional(),
        name: z.string(),
        arguments: jsonValue,
        not_json: z.literal(true).exactOptional().meta({
          description: 'The arguments are no JSON: they are the text of the model.',
        }),
      }),
    )
    .exactOptional(),
  parameters: jsonObject.exactOptional(),
  finish_reason: z.string().exactOptional(),
  usage: z.object(tokens).exactOptional(),
  reported_cost: z.number().exactOptional().meta({
    description: 'US dollars that the provider says it charges.',
  }),
  stream: z.boolean().exactOptional(),
  cut: z.boolean().exactOptional(),
  error: z.string().exactOptional(),
};

const exchange = z.object({
  ...exchangeFields,
  messages: z.array(message).exactOptional(),
  answer: z.array(message).exactOptional(),
  tools: z.array(jsonValue).exactOptional(),
});

const places = z.array(count).exactOptional().meta({ description: 'Positions in `texts`.' });
const storedExchange = z.object({
  ...exchangeFields,
  messages: places,
  answer: places,
  tools: places,
});

const callFields = {
  number: count.meta({ description: 'Position among the calls of the attempt, from 1.' }),
  role,
  parent: z.string().exactOptional().meta({ description: 'Id of the span that it is in.' }),
  method: z.string(),
  url: z.string(),
  status: count.exactOptional(),
  start: seconds,
  first_token: seconds.exactOptional(),
  end: seconds.exactOptional(),
  request_size: count.exactOptional(),
  response_size: count.exactOptional(),
  headers: z.record(z.string(), z.string()).exactOptional(),
  error: z.string().exactOptional(),
  retry_of: count.exactOptional(),
  waited: z.number().exactOptional().meta({
    description: 'Seconds for which it was held before `start`, by `rates`; absent for none.',
  }),
  replayed: z.boolean().exactOptional().meta({
    description: 'True when it was answered from a recording; `cost` is then not spent.',
  }),
  recorded_duration: z.number().exactOptional().meta({
    description:
      'Seconds that a replayed call took when it was recorded; absent with recordings that do not say it.',
  }),
  recording: z.string().exactOptional().meta({
    description:
      'Name of its recording in the folder of the attempt; if it is `shared`, path in the folder of the eval file, or, with a leading `/`, in that of all recordings.',
  }),
  shared: z.boolean().exactOptional().meta({
    description: 'True where the recording is that of another attempt, or of several.',
  }),
  late: z.boolean().exactOptional(),
  note: z.string().exactOptional(),
  cost: z.number().nullable().exactOptional(),
  unknown_model_call: z
    .object({
      model: z.string().exactOptional(),
      counts_tokens: z
        .literal(true)
        .exactOptional()
        .meta({ description: 'The answer counts tokens: even an error may cost something.' }),
    })
    .exactOptional()
    .meta({
      description: 'Present where it looks like a call of a model, but is not understood.',
    }),
  mcp: z
    .object({ method: z.string(), name: z.string().exactOptional() })
    .exactOptional()
    .meta({ description: 'A request of the Model Context Protocol.' }),
  program: z.string().exactOptional().meta({
    description: 'Name of a program that was started: this is no call, but may make some.',
  }),
};

/** One HTTP call of an attempt. */
export const call = z.object({ ...callFields, model_call: exchange.exactOptional() }).meta({
  id: 'Call',
  description: 'One HTTP call that an attempt made, or a program that it started.',
});
call satisfies z.ZodType<Call>;

/** Tools and spans of an attempt. */
export const span = z
  .object({
    kind: z.enum(['tool', 'span']),
    id: z.string().meta({
      description: 'Of a tool: the id of the tool call that asked for it. Else the id of the span.',
    }),
    parent: z.string().exactOptional().meta({ description: 'Id of the span around it.' }),
    name: z.string(),
    role,
    start: seconds,
    end: seconds.exactOptional(),
    error: z.string().exactOptional(),
    arguments: jsonValue.exactOptional(),
    result: jsonValue.exactOptional(),
    attributes: jsonObject.exactOptional(),
  })
  .meta({ id: 'Span', description: "A tool that ran, or a span of the app's OpenTelemetry." });
span satisfies z.ZodType<Span>;

/** The calls of a result, with repeated texts stored once. */
export const storedCalls = z
  .object({
    calls: z.array(z.object({ ...callFields, model_call: storedExchange.exactOptional() })),
    texts: z.array(jsonValue),
    spans: z.array(span).exactOptional(),
    cut: z.literal(true).exactOptional().meta({
      description: 'The middle of long texts is missing, or all texts.',
    }),
    unreadable: z.literal(true).exactOptional().meta({
      description: 'Calls are missing, because their line of the log is damaged.',
    }),
  })
  .meta({ id: 'StoredCalls', description: 'The HTTP calls of a result, each text once.' });
storedCalls satisfies z.ZodType<StoredCalls>;
