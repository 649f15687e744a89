import { useEffect, useRef } from 'react';
import type { Run } from '../api/client.js';
import { useSessionRuns, useSettingsFile } from '../api/queries.js';
import type { RunSummary } from '../api/schema.js';
import { notify } from '../app/notices.js';
import { store, useStored } from '../browser/stored-text.js';
import { useSelection } from './selection.js';
import { useView } from './use-view.js';

/** Whether the page follows the latest run, kept per browser and project. */
export interface Following {
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
export function FollowLatest({ run }: { run: Run }): null {
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
    notify({ kind: 'info', text: `Opened the latest run, ${newest.run_name}.` });
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
