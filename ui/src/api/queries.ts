import { keepPreviousData, QueryClient, useQueries, useQuery } from '@tanstack/react-query';
import { isReport } from '../app/report-mode.js';
import { getCalls, getResult, getRun, getSettings, listRuns, type Run } from './client.js';
import { keys } from './keys.js';
import { ApiProblem } from './problem.js';
import { call } from './request.js';
import type { RunSummary } from './schema.js';

/** The cache of server data. Events keep it fresh (see events.ts), so queries do not refetch by themselves. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: Number.POSITIVE_INFINITY,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        networkMode: 'always',
        // The server would refuse the request again; the event stream notices a lost server.
        retry: (count, error) => !(error instanceof ApiProblem) && count < 1,
      },
      mutations: { networkMode: 'always' },
    },
  });
}

/** A run without its results; `latest` is the active one. */
export const useRun = (run: string) =>
  useQuery({ queryKey: keys.run(run), queryFn: ({ signal }) => getRun(run, signal) });

/** One result with all its values. While another one is read, the one before is kept as a placeholder. */
export const useResult = (run: string, index: number) =>
  useQuery({
    queryKey: keys.result(run, index),
    queryFn: ({ signal }) => getResult(run, index, signal),
    placeholderData: (previous) => (previous?.run_id === run ? previous : undefined),
  });

/** A result that may have been loaded ahead; does not load it. */
export const useKeptResult = (run: string, index: number) =>
  useQuery({
    queryKey: keys.result(run, index),
    queryFn: ({ signal }) => getResult(run, index, signal),
    enabled: false,
  });

/** What of a saved run is out of date; not requested while the run is in progress. */
export const useChanges = ({ run_id, state, created_at, process }: Run) =>
  useQuery({
    queryKey: keys.changes(run_id, created_at),
    queryFn: ({ signal }) =>
      call('get', '/api/runs/{run_id}/changes', { path: { run_id }, signal }),
    enabled: !isReport && (state === 'finished' || state === 'interrupted') && process === null,
  });

/** The HTTP calls of a result; not requested if there are none. */
export const useCalls = (run: string, index: number, hasCalls: boolean) =>
  useQuery({
    queryKey: keys.calls(run, index),
    queryFn: ({ signal }) => getCalls(run, index, signal),
    enabled: hasCalls,
  });

/** Names of the sessions that have saved runs, the one with the newest run first. */
export const useSessions = () =>
  useQuery({
    queryKey: keys.sessions,
    queryFn: ({ signal }) => call('get', '/api/sessions', { signal }),
    select: ({ sessions }) => sessions,
  });

/** Saved runs of a session, newest first. */
export const useSessionRuns = (session: string | undefined) =>
  useQuery({
    queryKey: keys.sessionRuns(session ?? ''),
    queryFn: ({ signal }) => listRuns(session ?? '', signal),
    select: ({ runs }) => runs,
    enabled: session !== undefined,
    placeholderData: keepPreviousData,
  });

/** Sessions whose runs are offered. */
const mostSessions = 20;

/** Runs to offer for one that does not exist: those of the session of the active run first, then of the newest sessions. */
export function useOfferedRuns(): {
  readonly all: readonly RunSummary[];
  /** Those of the first session that has some. */
  readonly newest: readonly RunSummary[];
  readonly session: string | undefined;
  readonly bySession: readonly { readonly session: string; readonly runs: readonly RunSummary[] }[];
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
  const bySession = names.map((session, n) => ({ session, runs: lists[n] ?? [] }));
  return { all: lists.flat(), newest: lists[first] ?? [], session: names[first], bySession };
}

/** Runs in progress, of all sessions and processes; read again when a listing changes. */
export const useRunsInProgress = () =>
  useQuery({
    queryKey: keys.runsInProgress,
    queryFn: ({ signal }) => call('get', '/api/runs-in-progress', { signal }),
    select: ({ runs }) => runs,
  });

/** The settings in the file. */
export const useSettings = () =>
  useQuery({ queryKey: keys.settings, queryFn: ({ signal }) => getSettings(signal) });

/** Path of the settings file. */
export const useSettingsFile = () =>
  useQuery({
    queryKey: keys.settingsFile,
    queryFn: ({ signal }) => call('get', '/api/config/file', { signal }),
  });

/** The saved views. */
export const useViews = () =>
  useQuery({
    queryKey: keys.views,
    queryFn: ({ signal }) => call('get', '/api/views', { signal }),
    select: ({ views }) => views,
  });

/** True if evaluations run on other machines. */
export const useHasWorkers = (): boolean => typeof useSettingsFile().data?.redis === 'string';

/** Names of the run configs, and the one of the next run. */
export const useConfigs = () =>
  useQuery({
    queryKey: keys.configs,
    queryFn: ({ signal }) => call('get', '/api/configs', { signal }),
  });
