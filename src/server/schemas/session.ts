import { z } from 'zod';
import { ok } from './basic-values.js';
import { flagParameter } from './parameters.js';
import { runSummary } from './run.js';

/** Names of all sessions. */
export const sessionList = z
  .object({
    sessions: z.array(z.string()).meta({ description: 'The one with the newest run first.' }),
  })
  .meta({ id: 'SessionList' });

/** With `?wait=true`, a listing answers when its runs are compared. */
export const sessionRunsQuery = z.object({
  wait: flagParameter(
    'Wait until the newest runs are compared with those before them. Default: false.',
  ),
});

/** The runs of a session. */
export const sessionRuns = z
  .object({
    session_name: z.string(),
    runs: z.array(runSummary).meta({ description: 'Newest first, by `started_at`.' }),
  })
  .meta({ id: 'SessionRuns' });

/** Answer without further data. */
export const done = z.object({ ok }).meta({ id: 'Done' });

/** Answer of making a run the active one. */
export const activatedRun = z
  .object({ ok, run_id: z.string(), run_name: z.string() })
  .meta({ id: 'ActivatedRun' });
