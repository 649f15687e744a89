import { useEffect, useRef } from 'react';
import { useViews } from '../../api/queries.js';
import { notify } from '../../app/notices.js';
import { useDelayed } from '../../browser/use-delayed.js';
import { showColumnsOf, useColumns } from '../table/columns/column-store.js';
import { useView } from '../use-view.js';
import { isEdited } from './saved-view.js';
import { useOpenView } from './use-open-view.js';

/** Says whether the open view is edited. Opens it if the address names nothing else, and shows its columns. */
export function OpenedView({ name, run }: { name: string; run: string }) {
  const { data: views } = useViews();
  const [view, setView] = useView();
  const columns = useColumns();
  const open = useOpenView(run);
  const saved = views?.find((other) => other.name === name);
  // A view that is being renamed has no entry for a moment.
  const isUnknown = useDelayed(views !== undefined && saved === undefined, 1000);
  const ids = saved?.columns && JSON.stringify(saved.columns);

  useEffect(() => {
    if (ids === undefined) return;
    showColumnsOf({ name, columns: JSON.parse(ids) as string[] });
    return () => showColumnsOf(undefined);
  }, [name, ids]);

  const opened = useRef<string>(undefined);
  useEffect(() => {
    if (!view.isToOpen || saved === undefined || opened.current === name) return;
    opened.current = name;
    void open(saved, { replace: true });
  });

  useEffect(() => {
    if (!isUnknown) return;
    notify({ kind: 'info', text: `There is no view ${name}: it has been renamed or deleted.` });
    setView((now) => ({ ...now, saved: undefined, isToOpen: false }), { replace: true });
  }, [isUnknown, name, setView]);

  if (saved === undefined || !isEdited(saved, view, columns)) return null;
  return <span className="quiet">edited</span>;
}
