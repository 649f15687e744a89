import { useMemo } from 'react';
import { useRegrade, useRerun, useStartRun } from '../api/actions.js';
import { getRowIndices, type Run } from '../api/client.js';
import { indicesQuery } from '../api/row-queries.js';
import { notify, notifyError } from '../app/notices.js';
import { counted } from '../components/figures/figures.js';
import { useSelection, useShown } from './dashboard-state.js';
import { useView } from './use-view.js';
import { renderRowQuery, type View, withChoice } from './view-state.js';

/**
 * Which actions on a run are possible. `free`: start it; `here`: control it, because it is in progress;
 * `elsewhere`: another process has it; `busy`: this server executes another run; `viewOnly`: its evals cannot be
 * run.
 */
export type RunAccess = 'free' | 'here' | 'elsewhere' | 'busy' | 'viewOnly';

/** The actions on a run. */
export function accessOf(run: Run): RunAccess {
  if (run.process !== null) return 'elsewhere';
  if (run.state === 'running' || run.state === 'paused') return 'here';
  if (run.view_only !== null) return 'viewOnly';
  return run.executing_run_id === null ? 'free' : 'busy';
}

/** A run to start. */
interface NewRun {
  readonly name: string;
  /** Default: all. */
  readonly rows?: readonly number[] | undefined;
  /** Default: from the settings. */
  readonly isolate?: boolean | undefined;
}

/** Actions that start a run, and navigate to it. */
export function useRunActions() {
  const { run } = useShown();
  const [view, setView] = useView();
  const { indices } = useSelection();
  const rerun = useRerun();
  const regrade = useRegrade();
  const startRun = useStartRun();
  const selected = useMemo(() => [...indices].sort((a, b) => a - b), [indices]);
  // The not-started run is not saved, and always the active one.
  const isDraft = run.state === 'not_started';
  const ofRun = isDraft ? {} : { run_id: run.run_id };
  const goTo = ({ run_id }: { readonly run_id: string }) => {
    // The page names the active run in its address by itself.
    const isNamed = view.run !== undefined && view.run !== 'latest';
    if (run_id !== run.run_id || isNamed) setView((now) => ({ ...now, run: run_id }));
  };
  const rerunRows = (rows?: readonly number[]) =>
    rerun.mutate({ ...ofRun, ...(rows && { indices: rows }) }, { onSuccess: goTo });
  /** `asStored`: also what is not stored as the target returned it; without, the notice offers that. */
  const regradeRows = (rows: readonly number[] | undefined, asStored: boolean) =>
    regrade.mutate(
      { ...ofRun, ...(rows && { indices: rows }), ...(asStored && { regrade_inexact: true }) },
      {
        onSuccess: ({ regraded, skipped_without_target: skipped, skipped_inexact: left }) => {
          const rest = skipped === 0 ? '' : `; ${skipped} without a target left out`;
          const text = `Grading ${counted(regraded, 'result')} again${rest}.`;
          if (left === 0) return notify(text);
          const keep = `${counted(left, 'result')} not stored as the target returned them keep their grades, so that this is no new pass.`;
          notify(`${text} ${keep}`, {
            label: 'Grade all as stored',
            onClick: () => regradeRows(rows, true),
          });
        },
      },
    );

  return {
    /** Indices of the selected rows, ascending. */
    selected,
    isStarting: rerun.isPending || regrade.isPending || startRun.isPending,
    rerun: rerunRows,
    /** Reruns what is out of date; `addsNew`: and runs new evaluations. */
    rerunChanged: (rows: readonly number[], addsNew: boolean) =>
      rerun.mutate({ ...ofRun, indices: rows, ...(addsNew && { add_new: true }) }),
    /** Reruns the failures and errors of the current view. */
    rerunShown: () => void readIndices(run, view).then(rerunRows, notifyError),
    rerunFailed: () => void readFailed(run, view).then(rerunRows, notifyError),
    regrade: (rows?: readonly number[]) => regradeRows(rows, false),
    regradeShown: () =>
      void readIndices(run, view).then((rows) => regradeRows(rows, false), notifyError),
    /** Runs the same in a new run, with a generated name. */
    runAgain: () => startRun.mutate({ from: run.run_id }, { onSuccess: goTo }),
    /** Starts a new run with the results at `rows`, or all. */
    start: ({ name, rows, isolate }: NewRun) =>
      startRun.mutate(
        {
          ...(isDraft ? {} : { from: run.run_id }),
          ...(name === '' ? {} : { run_name: name }),
          ...(rows && { indices: rows }),
          ...(isolate === undefined ? {} : { isolate }),
        },
        { onSuccess: goTo },
      ),
  };
}

export type RunActions = ReturnType<typeof useRunActions>;

async function readIndices(run: Run, view: View): Promise<readonly number[]> {
  const { indices } = await getRowIndices(run.run_id, indicesQuery(renderRowQuery(view)));
  return indices;
}

/** The view may already filter by status, so both filters are combined. */
async function readFailed(run: Run, view: View): Promise<readonly number[]> {
  const failed = withChoice(view, 'status', { include: ['failed', 'error'], exclude: [] });
  const [shown, broken] = await Promise.all([readIndices(run, view), readIndices(run, failed)]);
  const isShown = new Set(shown);
  return broken.filter((index) => isShown.has(index));
}
