import type { Run } from '../api/client.js';

/**
 * What can be done with a run from here. `free`: start it; `here`: steer it, it is in progress; `elsewhere`: another process
 * has it; `busy`: this server runs another one first; `viewOnly`: its evals cannot be run.
 */
export type RunAccess = 'free' | 'here' | 'elsewhere' | 'busy' | 'viewOnly';

/** What can be done with a run. */
export function accessOf(run: Run): RunAccess {
  if (run.process !== null) return 'elsewhere';
  if (run.state === 'running' || run.state === 'paused') return 'here';
  if (run.view_only !== null) return 'viewOnly';
  return run.executing_run_id === null ? 'free' : 'busy';
}
