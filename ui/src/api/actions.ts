import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { notifyError } from '../app/notices.js';
import { editResult, type ReadResult } from './client.js';
import { keys } from './keys.js';
import { type AnswerOf, call, type RequestBody } from './request.js';
import type { SentScore } from './schema.js';

interface ActionOptions<A, V> {
  /** Updates the cache, in addition to events. */
  readonly after?: (cache: QueryClient, answer: A, given: V) => unknown;
  /** As `after`, and also when the action fails. */
  readonly always?: (cache: QueryClient) => unknown;
  /** The caller shows errors; otherwise a notice does. */
  readonly isQuiet?: boolean;
}

/** A mutation. */
function useAction<A, V = void>(
  act: (given: V) => Promise<A>,
  { after, always, isQuiet = false }: ActionOptions<A, V> = {},
) {
  const cache = useQueryClient();
  return useMutation<A, Error, V>({
    mutationFn: act,
    onSuccess: (answer, given) => after?.(cache, answer, given),
    onError: (error) => {
      if (!isQuiet) notifyError(error);
    },
    onSettled: () => always?.(cache),
  });
}

/** Reads again what the cache has, from the beginnings of keys. */
const again = (cache: QueryClient, ...beginnings: readonly (readonly unknown[])[]) => {
  for (const queryKey of beginnings) void cache.invalidateQueries({ queryKey });
};

const readRunsAgain = (cache: QueryClient) => again(cache, keys.runs, keys.sessions);

const readRowsAgain = (cache: QueryClient, { run_id }: { readonly run_id: string }) =>
  again(cache, keys.runs, keys.sessions, keys.rows(run_id), keys.results(run_id));

/** Reads runs and rows again, because both contain the progress. */
const readProgressAgain = (cache: QueryClient) =>
  again(cache, keys.runs, keys.sessions, keys.allRows);

const activate = (run_id: string) =>
  call('post', '/api/runs/{run_id}/activate', { path: { run_id } });

/** Runs all results of a run again, or those at `indices`. */
export const useRerun = () =>
  useAction((body: RequestBody<'rerun'>) => call('post', '/api/runs/rerun', { body }), {
    after: readRowsAgain,
  });

/** Starts a new run in the session of the active run; another run is made the active one first. */
export const useStartRun = () =>
  useAction(
    async ({ from, ...body }: RequestBody<'startRun'> & { from?: string }) => {
      if (from !== undefined) await activate(from);
      return call('post', '/api/runs/new', { body });
    },
    { after: readRunsAgain },
  );

/** Grades stored outputs again. */
export const useRegrade = () =>
  useAction((body: RequestBody<'regrade'>) => call('post', '/api/runs/regrade', { body }), {
    after: readRowsAgain,
  });

export const usePause = () =>
  useAction(() => call('post', '/api/runs/pause'), { after: readProgressAgain });

export const useResume = () =>
  useAction(() => call('post', '/api/runs/resume'), { after: readProgressAgain });

/** Goes on with a run that has spent its budget; it is made the active one first. */
export const useResumeWithBudget = () =>
  useAction(
    async ({ run, maxCost }: { run: string; maxCost: number }) => {
      await activate(run);
      return call('post', '/api/runs/resume', { body: { max_cost: maxCost } });
    },
    { after: readProgressAgain },
  );

export const useStop = () =>
  useAction(() => call('post', '/api/runs/stop'), { after: readProgressAgain });

export const useRenameRun = () =>
  useAction(
    ({ run, name }: { run: string; name: string }) =>
      call('patch', '/api/runs/{run_id}', { path: { run_id: run }, body: { run_name: name } }),
    { after: readRunsAgain },
  );

/** Reads again what says which runs there are, and shows nothing of it until then: it may name a run that is gone. */
export const forgetListings = (cache: QueryClient) => {
  void cache.resetQueries({ queryKey: keys.run('latest') });
  void cache.resetQueries({ queryKey: keys.sessions });
};

const forgetRuns = (cache: QueryClient) => {
  forgetListings(cache);
  readRunsAgain(cache);
};

/** Deletes a saved run. */
export const useDeleteRun = () =>
  useAction((run_id: string) => call('delete', '/api/runs/{run_id}', { path: { run_id } }), {
    after: (cache, _answer, run) => {
      cache.removeQueries({ queryKey: keys.run(run) });
      cache.removeQueries({ queryKey: keys.rows(run) });
      forgetRuns(cache);
    },
  });

export const useDeleteSession = () =>
  useAction((name: string) => call('delete', '/api/sessions/{name}', { path: { name } }), {
    after: forgetRuns,
  });

/** Makes a run the active one. */
export const useActivateRun = () => useAction(activate, { after: readRunsAgain });

/** Changes annotation or scores of a result. Errors are shown next to the edit. */
export const useEditResult = (run: string, index: number) =>
  useAction((edit: Parameters<typeof editResult>[2]) => editResult(run, index, edit), {
    isQuiet: true,
    after: (cache, now) => {
      cache.setQueryData<ReadResult>(
        keys.result(run, index),
        (page) => page && { ...page, ...now },
      );
      again(cache, keys.rows(run), keys.run(run));
    },
  });

/** A change of many results. */
export type BulkEdit =
  | { readonly annotation: string | null }
  | { readonly score: SentScore }
  | { readonly clear: string }
  | { readonly restore: string }
  | { readonly undo: string };

/** Changes many results of a run. The caller shows errors. */
export const useEditResults = () =>
  useAction(
    ({
      run_id,
      ...body
    }: BulkEdit & { readonly run_id: string; readonly indices: readonly number[] }) =>
      call('patch', '/api/runs/{run_id}/results', { path: { run_id }, body }),
    { after: (cache, _answer, { run_id }) => readRowsAgain(cache, { run_id }), isQuiet: true },
  );

/** Saves the five settings. Errors are shown next to their fields. */
export const useSaveSettings = () =>
  useAction((body: RequestBody<'saveSettings'>) => call('put', '/api/config', { body }), {
    isQuiet: true,
    after: (cache, { config }) => cache.setQueryData(keys.settings, config),
  });

/** Chooses the run config of the next run. */
export const useSelectConfig = () =>
  useAction((name: string) => call('post', '/api/configs/select', { body: { name } }), {
    after: (cache) => again(cache, keys.configs),
  });

/** Also after a refusal, because it says that somebody else has changed the views. */
const readViewsAgain = (cache: QueryClient) => cache.invalidateQueries({ queryKey: keys.views });

type ViewList = AnswerOf<'listViews'>;

export const useSaveView = () =>
  useAction(
    ({ name, ...body }: { name: string } & RequestBody<'saveView'>) =>
      call('put', '/api/views/{name}', { path: { name }, body }),
    {
      // At once, because the page opens it: what somebody else saves meanwhile is then a change.
      after: (cache, { view }) =>
        cache.setQueryData<ViewList>(keys.views, (known) => known && withView(known, view)),
      always: readViewsAgain,
    },
  );

/** The list with a saved view, in the place of one with the same name. */
function withView({ views }: ViewList, view: ViewList['views'][number]): ViewList {
  const isKnown = views.some(({ name }) => name === view.name);
  return {
    views: isKnown ? views.map((one) => (one.name === view.name ? view : one)) : [...views, view],
  };
}

export const useRenameView = () =>
  useAction(
    ({ name, to }: { name: string; to: string }) =>
      call('patch', '/api/views/{name}', { path: { name }, body: { name: to } }),
    { always: readViewsAgain },
  );

export const useDeleteView = () =>
  useAction((name: string) => call('delete', '/api/views/{name}', { path: { name } }), {
    always: readViewsAgain,
  });

/** Discovers the evals again. */
export const useRestart = () =>
  useAction(() => call('post', '/api/server/restart'), {
    after: (cache) => void cache.invalidateQueries(),
  });
