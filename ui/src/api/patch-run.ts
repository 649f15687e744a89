import type { QueryClient } from '@tanstack/react-query';
import type { Run } from './client.js';
import { keys } from './keys.js';
import type { RunChange } from './schema.js';

/** Updates the summary of a run in the cache. */
export function patchRun(cache: QueryClient, change: RunChange): void {
  const { timestamp, unlisted_results: _, pass_rate: __, ...now } = change;
  const patch = (run: Run | undefined): Run | undefined => {
    if (run === undefined) return undefined;
    // Absent when nothing is pruned, all results are of one version, and none ran again alone.
    const { total_pruned: _, code_versions: __, repeats: ___, ...more } = run;
    const { grading_noise: ____, ...before } = more;
    return { ...before, ...now, created_at: timestamp };
  };
  cache.setQueryData<Run>(keys.run(change.run_id), patch);
  askAgain(cache, keys.run(change.run_id));
  const latest = cache.getQueryData<Run>(keys.run('latest'));
  askAgain(cache, keys.run('latest'));
  if (latest === undefined) return;
  if (latest.run_id === change.run_id) cache.setQueryData<Run>(keys.run('latest'), patch);
  // The active run has changed, here or elsewhere.
  if (change.active !== (latest.run_id === change.run_id)) {
    void cache.invalidateQueries({ queryKey: keys.run('latest') });
  }
}

/** Repeats a request in flight, whose answer may be older than the change and would undo it. */
function askAgain(cache: QueryClient, queryKey: readonly unknown[]): void {
  const query = cache.getQueryCache().find({ queryKey, exact: true });
  if (query?.state.fetchStatus !== 'fetching') return;
  const ask = () => cache.refetchQueries({ queryKey, exact: true });
  // Wait for the first answer: frequent changes must not cancel it again and again.
  if (query.state.data === undefined) void query.promise?.then(ask, () => {});
  else void ask();
}
