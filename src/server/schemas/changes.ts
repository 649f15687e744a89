import { z } from 'zod';
import { count } from './basic-values.js';

/** Why it is not known of some results whether they are out of date. */
export const checkProblem = z.string().exactOptional().meta({
  description:
    'Eval files that could not be imported, whose results are not checked; or the reason why nothing is known.',
});

/** What of a run is out of date. */
export const runChanges = z
  .object({
    run_id: z.string(),
    version: z.string().meta({ description: 'Changes with every new check of the run.' }),
    changes: z.array(
      z
        .object({
          action: z.enum(['run', 'regrade']).meta({
            description: '`regrade`: only the grade is out of date; the target need not be called.',
          }),
          reason: z.string().meta({ description: 'Such as `prompts/refund.md` or `its case`.' }),
          indices: z.array(count),
        })
        .meta({
          id: 'ChangedResults',
          description: 'Results that are out of date for one reason.',
        }),
    ),
    added: count.meta({
      description: 'The number of results that a rerun of everything would add.',
    }),
    gone: count.meta({
      description: 'The number of results whose evaluation no longer exists.',
    }),
    problem: checkProblem,
  })
  .meta({ id: 'RunChanges' });
