import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { notifyError } from '../app/notices.js';
import * as client from './client.js';
import { keys } from './keys.js';

/** Updates the cache after an action, in addition to events. */
type AfterAction<A, V> = (cache: QueryClient, answer: A, given: V) => unknown;

/** A mutation. Errors are shown in a notice, unless `isQuiet`: then the caller shows them. */
function useAction<A, V = void>(
  act: (given: V) => Promise<A>,
  {
    after,
    always,
    isQuiet = false,
  }: {
    after?: AfterAction<A, V>;
    /** As `after`, and also when the action fails. */
    always?: (cache: QueryClient) => unknown;
    isQuiet?: boolean;
  } = {},
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

const readRunsAgain = (cache: QueryClient) => {
  void cache.invalidateQueries({ queryKey: keys.runs });
  void cache.invalidateQueries({ queryKey: keys.sessions });
};

const readRowsAgain = (cache: QueryClient, run: string) => {
  readRunsAgain(cache);
  void cache.invalidateQueries({ queryKey: keys.rows(run) });
  void cache.invalidateQueries({ queryKey: keys.results(run) });
};

/** Runs all results of a run again, or those at `indices`. */
export const useRerun = () =>
  useAction(client.rerun, { after: (cache, { run_id }) => readRowsAgain(cache, run_id) });

/** Starts a new run in the session of the active run; another run is made the active one first. */
export const useStartRun = () =>
  useAction(
    async ({ from, ...body }: Parameters<typeof client.startRun>[0] & { from?: string }) => {
      if (from !== undefined) await client.activateRun(from);
      return client.startRun(body);
    },
    { after: readRunsAgain },
  );

/** Grades stored outputs again. */
export const useRegrade = () =>
  useAction(client.regrade, { after: (cache, { run_id }) => readRowsAgain(cache, run_id) });

/** Reads runs and rows again, because both contain the progress. */
const readProgressAgain = (cache: QueryClient) => {
  readRunsAgain(cache);
  void cache.invalidateQueries({ queryKey: keys.allRows });
};

export const usePause = () => useAction(client.pause, { after: readProgressAgain });
export const useResume = () => useAction(client.resume, { after: readProgressAgain });

/** Goes on with a run that has spent its budget; it is made the active one first. */
export const useResumeWithBudget = () =>
  useAction(
    async ({ run, maxCost }: { run: string; maxCost: number }) => {
      await client.activateRun(run);
      return client.resume({ max_cost: maxCost });
    },
    { after: readProgressAgain },
  );
export const useStop = () => useAction(client.stop, { after: readProgressAgain });

/** Renames a run. */
export const useRenameRun = () =>
  useAction(({ run, name }: { run: string; name: string }) => client.renameRun(run, name), {
    after: readRunsAgain,
  });

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
  useAction(client.deleteRun, {
    after: (cache, _answer, run) => {
      cache.removeQueries({ queryKey: keys.run(run) });
      cache.removeQueries({ queryKey: keys.rows(run) });
      forgetRuns(cache);
    },
  });

export const useDeleteSession = () => useAction(client.deleteSession, { after: forgetRuns });

/** Makes a run the active one. */
export const useActivateRun = () => useAction(client.activateRun, { after: readRunsAgain });

/** Changes annotation or scores of a result. Errors are shown next to the edit. */
export const useEditResult = (run: string, index: number) =>
  useAction(
    (edit: Parameters<typeof client.editResult>[2]) => client.editResult(run, index, edit),
    {
      isQuiet: true,
      after: (cache, now) => {
        cache.setQueryData<client.ReadResult>(
          keys.result(run, index),
          (page) => page && { ...page, ...now },
        );
        void cache.invalidateQueries({ queryKey: keys.rows(run) });
        void cache.invalidateQueries({ queryKey: keys.run(run) });
      },
    },
  );

/** A change of many results. */
export type BulkEdit =
  | { readonly annotation: string | null }
  | { readonly score: { readonly key: string; readonly passed: boolean } }
  | { readonly score: { readonly key: string; readonly value: number } }
  | { readonly clear: string }
  | { readonly undo: string };

/** Changes many results of a run. The caller shows errors. */
export const useEditResults = (run: string) =>
  useAction(
    (edit: BulkEdit & { readonly indices: readonly number[] }) => client.editResults(run, edit),
    { after: (cache) => readRowsAgain(cache, run), isQuiet: true },
  );

/** Saves the five settings. Errors are shown next to their fields. */
export const useSaveSettings = () =>
  useAction(client.saveSettings, {
    isQuiet: true,
    after: (cache, { config }) => cache.setQueryData(keys.settings, config),
  });

/** Chooses the run config of the next run. */
export const useSelectConfig = () =>
  useAction(client.selectConfig, {
    after: (cache) => void cache.invalidateQueries({ queryKey: keys.configs }),
  });

/** Also after a refusal, because it says that somebody else has changed the views. */
const readViewsAgain = (cache: QueryClient) => cache.invalidateQueries({ queryKey: keys.views });

export const useSaveView = () =>
  useAction(client.saveView, {
    // At once, because the page opens it: what somebody else saves meanwhile is then a change.
    after: (cache, { view }) =>
      cache.setQueryData(
        keys.views,
        (known: ViewList | undefined) => known && withView(known, view),
      ),
    always: readViewsAgain,
  });

type ViewList = Awaited<ReturnType<typeof client.listViews>>;

/** The list with a saved view, in the place of one with the same name. */
function withView({ views }: ViewList, view: ViewList['views'][number]): ViewList {
  const isKnown = views.some(({ name }) => name === view.name);
  return {
    views: isKnown ? views.map((one) => (one.name === view.name ? view : one)) : [...views, view],
  };
}

export const useRenameView = () => useAction(client.renameView, { always: readViewsAgain });

export const useDeleteView = () => useAction(client.deleteView, { always: readViewsAgain });

/** Discovers the evals again. */
export const useRestart = () =>
  useAction(client.restart, { after: (cache) => void cache.invalidateQueries() });
