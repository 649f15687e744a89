import { getRows } from '../../api/client.js';
import { ApiProblem } from '../../api/problem.js';
import { notify, notifyError } from '../../app/notices.js';
import { filterText } from '../filters/filter-text.js';
import { showColumnsOf } from '../table/columns/column-store.js';
import { useView } from '../use-view.js';
import { place, renderRowQuery, type View, withChoice } from '../view-state.js';
import { type ListedView, openedView, savedQuery } from './saved-view.js';

/** Opens saved views: their query in the address, their columns in the table. */
export function useOpenView(run: string) {
  const [, setView] = useView();
  return async (saved: ListedView, { replace = false } = {}): Promise<void> => {
    const { view, left } = await withoutMissing(saved, run);
    if (saved.columns) showColumnsOf({ name: saved.name, columns: saved.columns }, true);
    setView((now) => ({ ...view, run: now.run }), { replace });
    if (left.length === 0) return;
    const names = left.map((name) => `“${name}”`).join(', ');
    notify({
      kind: 'info',
      text: `The view ${saved.name} opens without ${names}: not in this run.`,
    });
  };
}

/** A view without what the server does not know, and without values that no result of the run has. */
async function withoutMissing(
  saved: ListedView,
  run: string,
): Promise<{ readonly view: View; readonly left: readonly string[] }> {
  let view = openedView(saved, undefined);
  const left: string[] = [];
  // Each refusal names at least one parameter, which is gone the next time.
  for (;;) {
    const params = new URLSearchParams(renderRowQuery(view));
    params.set('limit', '0');
    try {
      const { filtered, summary } = await getRows(run, params);
      if (filtered > 0) return { view, left };
      const known = {
        dataset: summary.facets.dataset.map(({ value }) => value),
        label: summary.facets.label.map(({ value }) => value),
      };
      for (const kind of ['dataset', 'label'] as const) {
        for (const value of view.filters[kind].include) {
          if (known[kind].includes(value)) continue;
          view = withChoice(view, kind, place(view.filters[kind], value, 'off'));
          left.push(filterText(kind, value));
        }
      }
      return { view, left };
    } catch (error) {
      const names = error instanceof ApiProblem ? error.errors.map(({ pointer }) => pointer) : [];
      const known = new URLSearchParams(savedQuery(view));
      const bad = names.filter((name) => known.has(name));
      if (bad.length === 0) {
        notifyError(error);
        return { view, left };
      }
      for (const name of bad) {
        left.push(...known.getAll(name).map((value) => `${name}=${value}`));
        known.delete(name);
      }
      view = openedView({ name: saved.name, query: String(known) }, undefined);
    }
  }
}
