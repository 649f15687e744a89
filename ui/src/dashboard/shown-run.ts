import { useEffect } from 'react';
import type { Run } from '../api/client.js';
import { useRun, useSessionRuns, useSessions } from '../api/queries.js';

/** The session of runs for which nobody has chosen one. */
const defaultSession = 'default';

/** The fresh run that this page has shown because nothing was saved. It stays when another run is saved. */
let keptFresh: string | undefined;

/**
 * The run of an address; `latest` is the active one. Without an address it is the active run too, but as long as that
 * has not started, the newest saved run.
 */
export function useShownRun(address: string | undefined) {
  const active = useRun('latest');
  const newest = useNewestRun(address === undefined ? active.data : undefined);
  const { data, error, refetch } = useRun(
    address ?? (newest === undefined || newest === 'reading' ? 'latest' : newest),
  );
  return { data: newest === 'reading' ? undefined : data, error, refetch };
}

/** The active run, if it has not started and another one is shown. */
export function useFreshRun(shown: Run): Run | undefined {
  const { data: active } = useRun('latest');
  return active?.state === 'not_started' && active.run_id !== shown.run_id ? active : undefined;
}

/** The newest saved run if the active one is fresh: of its session, if somebody has chosen that, else of all. */
function useNewestRun(active: Run | undefined): string | 'reading' | undefined {
  const isFresh = active?.state === 'not_started' && active.run_id !== keptFresh;
  const sessions = useSessions();
  const own = active?.session_name;
  const session = own === defaultSession ? sessions.data?.[0] : own;
  const runs = useSessionRuns(isFresh ? session : undefined);
  const isReading =
    isFresh &&
    (sessions.isPending || (session !== undefined && (runs.isPending || runs.isPlaceholderData)));
  const newest = isFresh && !isReading ? runs.data?.[0]?.run_id : undefined;
  const isNone = isFresh && !isReading && newest === undefined;
  useEffect(() => {
    if (isNone) keptFresh = active.run_id;
  }, [isNone, active]);
  return isReading ? 'reading' : newest;
}
