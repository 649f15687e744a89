import { z } from 'zod';
import { count } from './json-value.js';
import { sentScoreChip } from './score.js';

/** What a Markdown report shall show. */
export const markdownBody = z
  .object({
    visible_indices: z.array(z.int()).meta({
      description: 'Rows of the table, in this order. Positions the run does not have are ignored.',
    }),
    visible_columns: z.array(z.string()).meta({
      description:
        'Columns of the table, in this order: `eval` (or `function`), `id`, `dataset`, `labels`, `trial`, `status`, `input`, `output`, `reference`, `scores`, `score:<key>`, `error`, `latency`, `metadata`, `trace_data`, `annotation`, `correction_history`.',
      example: ['eval', 'input', 'output', 'scores'],
    }),
    stats: z
      .object({
        total: count.meta({ description: 'Results of the run.' }),
        filtered: count.meta({ description: 'Results that are shown.' }),
        avgLatency: z.number().meta({ description: 'Seconds, over the results that are shown.' }),
        chips: z.array(sentScoreChip),
      })
      .meta({ description: 'Figures of the report, as the reader sees them.' }),
    run_name: z
      .string()
      .exactOptional()
      .meta({ description: 'Title. Default: the name of the run.' }),
    session_name: z
      .string()
      .exactOptional()
      .meta({ description: 'Default: the session of the run.' }),
  })
  .meta({ id: 'MarkdownRequest', description: 'Other keys are ignored.' });
