import { useLocation } from 'wouter';
import type { Run } from '../../api/client.js';
import { useSessionRuns } from '../../api/queries.js';

/** Where a run is compared with the one before it in its session; the one before is the base. */
export function useCompareLink(run: Run) {
  const [, navigate] = useLocation();
  const { data: runs = [] } = useSessionRuns(run.session_name);
  const at = runs.findIndex(({ run_id }) => run_id === run.run_id);
  const before = runs[at + 1];
  const ids = [...(before ? [before.run_id] : []), ...(at < 0 ? [] : [run.run_id])];
  const href = `/compare?${new URLSearchParams(ids.map((id) => ['run', id]))}`;
  return { href, open: () => navigate(href) };
}
