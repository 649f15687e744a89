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

  const edited = saved !== undefined && isEdited(saved, view, columns);
  const text = saved && JSON.stringify(saved);
  const known = useRef<string>(undefined);
  useEffect(() => {
    const before = known.current;
    known.current = text;
    // What is saved here is what the page shows.
    if (before === undefined || text === undefined || before === text || !edited) return;
    if ((JSON.parse(before) as { name: string }).name !== name) return;
    notify({
      kind: 'info',
      text: `The view ${name} was changed elsewhere. This page shows it as it was.`,
    });
  }, [text, edited, name]);

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

  if (!edited) return null;
  return <span className="quiet">edited</span>;
}
