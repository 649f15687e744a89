import { keepPreviousData, QueryClient, useQuery } from '@tanstack/react-query';
import {
  getCalls,
  getChanges,
  getResult,
  getRun,
  getSettings,
  getSettingsFile,
  listConfigs,
  listRuns,
  listRunsInProgress,
  listSessions,
  listViews,
  type Run,
} from './client.js';
import { keys } from './keys.js';
import { ApiProblem } from './problem.js';

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
export function useRun(run: string) {
  return useQuery<Run>({
    queryKey: keys.run(run),
    queryFn: ({ signal }) => getRun(run, signal),
  });
}

/** One result with all its values. While another one is read, the one before is kept as a placeholder. */
export function useResult(run: string, index: number) {
  return useQuery({
    queryKey: keys.result(run, index),
    queryFn: ({ signal }) => getResult(run, index, signal),
    placeholderData: (previous) => (previous?.run_id === run ? previous : undefined),
  });
}

/** What of a saved run is out of date; not requested while the run is in progress. */
export function useChanges({ run_id, state, created_at, process }: Run) {
  return useQuery({
    queryKey: keys.changes(run_id, created_at),
    queryFn: ({ signal }) => getChanges(run_id, signal),
    enabled: (state === 'finished' || state === 'interrupted') && process === null,
  });
}

/** The HTTP calls of a result; not requested if there are none. */
export function useCalls(run: string, index: number, hasCalls: boolean) {
  return useQuery({
    queryKey: keys.calls(run, index),
    queryFn: ({ signal }) => getCalls(run, index, signal),
    enabled: hasCalls,
  });
}

/** Names of the sessions that have saved runs, the one with the newest run first. */
export function useSessions() {
  return useQuery({
    queryKey: keys.sessions,
    queryFn: ({ signal }) => listSessions(signal),
    select: ({ sessions }) => sessions,
  });
}

/** Saved runs of a session, newest first. */
export function useSessionRuns(session: string | undefined) {
  return useQuery({
    queryKey: keys.sessionRuns(session ?? ''),
    queryFn: ({ signal }) => listRuns(session ?? '', signal),
    select: ({ runs }) => runs,
    enabled: session !== undefined,
    placeholderData: keepPreviousData,
  });
}

/** Runs in progress, of all sessions and processes; read again when a listing changes. */
export function useRunsInProgress() {
  return useQuery({
    queryKey: keys.runsInProgress,
    queryFn: ({ signal }) => listRunsInProgress(signal),
    select: ({ runs }) => runs,
  });
}

/** The settings in the file. */
export function useSettings() {
  return useQuery({
    queryKey: keys.settings,
    queryFn: ({ signal }) => getSettings(signal),
  });
}

/** Path of the settings file. */
export function useSettingsFile() {
  return useQuery({
    queryKey: keys.settingsFile,
    queryFn: ({ signal }) => getSettingsFile(signal),
  });
}

/** The saved views. */
export function useViews() {
  return useQuery({
    queryKey: keys.views,
    queryFn: ({ signal }) => listViews(signal),
    select: ({ views }) => views,
  });
}

/** True if evaluations run on other machines. */
export function useHasWorkers(): boolean {
  return typeof useSettingsFile().data?.redis === 'string';
}

/** Names of the run configs, and the one of the next run. */
export function useConfigs() {
  return useQuery({
    queryKey: keys.configs,
    queryFn: ({ signal }) => listConfigs(signal),
  });
}
