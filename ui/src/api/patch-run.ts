import type { QueryClient } from '@tanstack/react-query';
import type { Run } from './client.js';
import { keys } from './keys.js';
import type { RunChange } from './schema.js';

/** Puts the summary of a run as it is now where it is kept. */
export function patchRun(cache: QueryClient, change: RunChange): void {
  const { timestamp, untold_results: _, pass_rate: __, ...now } = change;
  const patch = (run: Run | undefined): Run | undefined => {
    if (run === undefined) return undefined;
    // Absent again when nothing is pruned any more, and all results are of one version.
    const { total_pruned: _, code_versions: __, ...before } = run;
    return { ...before, ...now, created_at: timestamp };
  };
  cache.setQueryData<Run>(keys.run(change.run_id), patch);
  askAgain(cache, keys.run(change.run_id));
  const latest = cache.getQueryData<Run>(keys.run('latest'));
  askAgain(cache, keys.run('latest'));
  if (latest === undefined) return;
  if (latest.run_id === change.run_id) cache.setQueryData<Run>(keys.run('latest'), patch);
  // Which run is active has changed, here or elsewhere.
  if (change.active !== (latest.run_id === change.run_id)) {
    void cache.invalidateQueries({ queryKey: keys.run('latest') });
  }
}

/** What was asked for before a change may come after it and would undo it, so it is asked for again. */
function askAgain(cache: QueryClient, queryKey: readonly unknown[]): void {
  const query = cache.getQueryCache().find({ queryKey, exact: true });
  if (query?.state.fetchStatus !== 'fetching') return;
  const ask = () => cache.refetchQueries({ queryKey, exact: true });
  // Wait for the first answer: frequent changes must not cancel it again and again.
  if (query.state.data === undefined) void query.promise?.then(ask, () => {});
  else void ask();
}
