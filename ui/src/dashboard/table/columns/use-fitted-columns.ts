import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { useSettingsFile } from '../../../api/queries.js';
import { setProject, useColumns } from './column-store.js';
import { type Columns, fitAdded, fitColumns, withoutScores } from './columns.js';

/** Widths are rounded up to it, so that the columns do not change with every pixel. */
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
    () => Math.ceil(window.innerWidth / step) * step,
  );
  return useMemo(
    () =>
      width > 900
        ? fitAdded(chosen, width)
        : width > 640
          ? fitColumns(chosen, width)
          : withoutScores(chosen),
    [chosen, width],
  );
}
