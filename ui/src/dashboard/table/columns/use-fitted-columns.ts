import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { useSettingsFile } from '../../../api/queries.js';
import { setProject, useColumns } from './column-store.js';
import { type Columns, fitColumns } from './columns.js';

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
