import { useEffect, useRef } from 'react';
import type { Run } from '../api/client.js';
import { useRun, useSessionRuns, useSessions, useSettingsFile } from '../api/queries.js';
import type { RunSummary } from '../api/schema.js';
import { notify } from '../app/notices.js';
import { store, useStored } from '../browser/stored-text.js';
import { useSelection, useShown } from './dashboard-state.js';
import { useView } from './use-view.js';

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
export function useFreshRun(): Run | undefined {
  const { run: shown } = useShown();
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

/** Whether the page follows the latest run, kept per browser and project. */
interface Following {
  readonly isOn: boolean;
  /** Absent until the project is known. */
  readonly change: ((isOn: boolean) => void) | undefined;
}

export function useFollowing(): Following {
  const { data: settings } = useSettingsFile();
  const name = `follow ${settings?.project ?? ''}`;
  const isOn = useStored(name) === 'true';
  return { isOn, change: settings && ((next) => store(name, String(next))) };
}

/** Opens each new run of the session, if that is wanted and the user is not in the middle of something. */
export function FollowLatest(): null {
  const { run } = useShown();
  const { isOn } = useFollowing();
  const [, setView] = useView();
  const { indices: selected } = useSelection();
  const { data: runs, isPlaceholderData: isOther } = useSessionRuns(run.session_name);
  const known = useRef<readonly RunSummary[]>(undefined);
  useEffect(() => {
    if (runs === undefined || isOther) return;
    const before = known.current;
    known.current = runs;
    const [newest] = runs;
    if (!isOn || before === undefined || newest === undefined) return;
    const isNew = before.every(({ run_id }) => run_id !== newest.run_id);
    if (!isNew || newest.run_id === run.run_id || selected.size > 0 || isEngaged()) return;
    setView((view) => ({ ...view, run: newest.run_id }));
    notify(`Opened the latest run, ${newest.run_name}.`);
  }, [runs, isOther, isOn, run.run_id, selected, setView]);
  return null;
}

/** True while a dialog or menu is open, or the user types. */
function isEngaged(): boolean {
  const { activeElement } = document;
  return (
    document.querySelector('[role=dialog], [role=alertdialog], [role=menu]') !== null ||
    activeElement?.matches('input:not([type=checkbox]), textarea, select') === true
  );
}
