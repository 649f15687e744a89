import { useQueries } from '@tanstack/react-query';
import { listRuns } from './client.js';
import { keys } from './keys.js';
import { useRun, useSessions } from './queries.js';
import type { RunSummary } from './schema.js';

/** Sessions whose runs are read. */
const mostSessions = 20;

/** Runs to offer for one that does not exist: those of the session of the active run first, then of the newest sessions. */
export function useOfferedRuns(): {
  readonly all: readonly RunSummary[];
  /** Those of the first session that has some. */
  readonly newest: readonly RunSummary[];
  readonly session: string | undefined;
} {
  const { data: active } = useRun('latest');
  const { data: sessions = [] } = useSessions();
  const own = active?.session_name;
  const names = [...new Set(own === undefined ? [] : [own, ...sessions])].slice(0, mostSessions);
  const lists = useQueries({
    queries: names.map((session) => ({
      queryKey: keys.sessionRuns(session),
      queryFn: ({ signal }: { readonly signal: AbortSignal }) => listRuns(session, signal),
    })),
    combine: (answers) => answers.map(({ data }) => data?.runs ?? []),
  });
  const first = lists.findIndex((runs) => runs.length > 0);
  return { all: lists.flat(), newest: lists[first] ?? [], session: names[first] };
}
