import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { useSettingsFile } from '../../../api/queries.js';
import { sharedValue } from '../../../browser/shared-value.js';
import { readStored, store } from '../../../browser/stored-text.js';
import {
  type ColumnId,
  type Columns,
  defaultColumns,
  fitColumns,
  isAdded,
  readKept,
  withVisible,
} from './columns.js';

/** The project of the server; absent until it is known. */
let project: string | undefined;
/** The open view whose columns are shown. */
let view: string | undefined;
const columns = sharedValue(load());

/** Name in the storage of the tab for columns of a view that are not saved. */
const unsavedKey = 'assay.columns of view';

/** The columns of the browser for a project; those of another one, if it has none yet. */
function load(): Columns {
  const own = project === undefined ? undefined : readStored(`columns ${project}`);
  const text = own ?? readStored('columns');
  try {
    const kept = JSON.parse(text ?? 'null') as Partial<Columns> | null;
    return kept === null ? defaultColumns : readKept(kept);
  } catch {
    return defaultColumns;
  }
}

function show(next: Columns): void {
  const { hasUsage, same } = columns.get();
  columns.set({ ...next, hasUsage, same });
}

/** Switches to the columns of a project. */
function setProject(next: string): void {
  if (project === next) return;
  project = next;
  if (view === undefined) show(load());
}

/** Sets and stores the arrangement of the columns: for the open view in this tab, else for the project. */
export function setColumns(next: Columns): void {
  const { hasUsage: _, same: __, ...kept } = next;
  const text = JSON.stringify(kept);
  if (view !== undefined) {
    try {
      sessionStorage.setItem(unsavedKey, JSON.stringify({ view, text }));
    } catch {
      // Without storage, it applies to this page only.
    }
  } else {
    if (project !== undefined) store(`columns ${project}`, text);
    // Scores and values of one project say nothing to another.
    if (!next.order.some(isAdded)) store('columns', text);
  }
  show(next);
}

/**
 * Shows the columns of a saved view until another call; `undefined`: those of the browser. Changes that this tab has
 * not saved come first, unless `isFresh`.
 */
export function showColumnsOf(
  next: { readonly name: string; readonly columns: readonly string[] } | undefined,
  isFresh = false,
): void {
  view = next?.name;
  const own = load();
  const shown = next === undefined ? own : withVisible(own, next.columns);
  if (isFresh) forgetUnsaved();
  show(unsaved() ?? shown);
}

/** The changes of the columns of the open view that this tab has not saved. */
function unsaved(): Columns | undefined {
  try {
    const kept = JSON.parse(sessionStorage.getItem(unsavedKey) ?? 'null');
    if (view === undefined || kept?.view !== view) return undefined;
    return readKept(JSON.parse(kept.text));
  } catch {
    return undefined;
  }
}

/** Forgets changes of the columns that are not saved. */
export function forgetUnsaved(): void {
  try {
    sessionStorage.removeItem(unsavedKey);
  } catch {
    // Without storage, nothing is kept.
  }
}

/** The current arrangement of the columns. */
export const readColumns = columns.get;

/** The arrangement of the columns, as state. */
export const useColumns = columns.use;

/** Says whether the run on the page has calls, and which columns say the same of all its rows. */
export function setShownRun(hasUsage: boolean, same: readonly ColumnId[]): void {
  const now = columns.get();
  if (now.hasUsage === hasUsage && String(now.same) === String(same)) return;
  columns.set({ ...now, hasUsage, same });
}

/** Widths are rounded down to one pixel more than a multiple of it, as widths of layouts begin, so that the columns do not change with every pixel. */
const step = 20;

/** The columns of the project that have room in the window. */
export function useFittedColumns(): Columns {
  const chosen = useColumns();
  const { data: settings } = useSettingsFile();
  useEffect(() => {
    if (settings) setProject(settings.project);
  }, [settings]);
  const width = useSyncExternalStore(
    (watcher) => {
      window.addEventListener('resize', watcher);
      return () => window.removeEventListener('resize', watcher);
    },
    () => Math.floor((window.innerWidth - 1) / step) * step + 1,
  );
  return useMemo(() => fitColumns(chosen, width), [chosen, width]);
}
