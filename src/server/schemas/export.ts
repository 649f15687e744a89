import { z } from 'zod';
import { fixedColumnNames } from '../../exporters/columns.js';
import { count } from './basic-values.js';
import { optional, withoutNulls } from './optional.js';
import { flagParameter } from './parameters.js';
import { sentScoreChip } from './score.js';

const columnName = z.string().meta({
  override: {
    anyOf: [
      { enum: ['eval', ...fixedColumnNames] },
      { pattern: '^(score:|(metadata|input|output|reference)[.[])' },
    ],
  },
});

/** `?raw=true` writes a CSV for programs. */
export const csvQuery = z.object({
  raw: flagParameter(
    'Do not escape text that a spreadsheet would treat as a formula, like `assay export --raw`. Default: false.',
  ),
});

/** `?calls=true` also writes messages. */
export const callsQuery = z.object({
  calls: flagParameter(
    'With the texts of HTTP calls, as `assay export --calls` writes them. Default: false.',
  ),
});

const visibleIndices = z.array(z.int());
const visibleColumns = z.array(columnName);

const withRates = {
  with_rates: optional(z.boolean()).meta({
    description:
      'With rates and intervals: only what was planned decided which results these are (their dataset, label, evaluation, file, input, reference or authored metadata), and not what came of them. Default: only if they are all results.',
  }),
};

const chosen = {
  visible_indices: visibleIndices.meta({
    description: 'Results, in this order. Positions the run does not have are ignored.',
  }),
};

/** Some results as JSON. */
export const jsonPartBody = z
  .object({
    ...chosen,
    ...withRates,
    calls: optional(z.boolean()).meta({
      description: 'With the texts of HTTP calls. Default: false.',
    }),
  })
  .meta({ id: 'JsonPartRequest', description: 'Other keys are ignored.' })
  .transform(withoutNulls);

/** Some results and columns as CSV. */
export const csvPartBody = z
  .object({
    ...chosen,
    visible_columns: optional(visibleColumns).meta({
      description:
        'Columns, in this order; `eval` and `function` are the same one. Also values in the results, such as `metadata.tier`. Default: all.',
    }),
    raw: optional(z.boolean()).meta({
      description:
        'Do not escape text that a spreadsheet would treat as a formula. Default: false.',
    }),
  })
  .meta({ id: 'CsvPartRequest', description: 'Other keys are ignored.' })
  .transform(withoutNulls);

/** Contents of a Markdown report. */
export const markdownBody = z
  .object({
    visible_indices: visibleIndices.meta({
      description: 'Rows of the table, in this order. Positions the run does not have are ignored.',
    }),
    visible_columns: visibleColumns.meta({
      description:
        'Columns of the table, in this order; `eval` and `function` are the same one. Also values in the results, such as `metadata.tier`.',
      example: ['eval', 'input', 'output', 'scores'],
    }),
    ...withRates,
    stats: z
      .object({
        total: count.meta({ description: 'Results of the run.' }),
        filtered: count.meta({ description: 'Shown results.' }),
        avgLatency: z.number().meta({ description: 'Seconds, over the shown results.' }),
        chips: z.array(sentScoreChip),
      })
      .meta({ description: 'Figures of the report, as the reader sees them.' }),
    run_name: optional(z.string()).meta({ description: 'Title. Default: the name of the run.' }),
    session_name: optional(z.string()).meta({ description: 'Default: the session of the run.' }),
  })
  .meta({ id: 'MarkdownRequest', description: 'Other keys are ignored.' })
  .transform(withoutNulls);
