import type { AnswerOf } from '../../api/request.js';
import { allFolded, allOpen } from '../groups/folds.js';
import { type Columns, chosenColumns, withVisible } from '../table/columns/columns.js';
import { defaultView, parseView, renderView, type View } from '../view-state.js';

/** A view in the settings file. */
export type ListedView = AnswerOf<'listViews'>['views'][number];

/** The dialogs about views. `save`: saves the open view, or asks for a name. */
export type ViewDialog = 'save' | 'save as' | 'rename' | 'delete';

/** What a view saves of the address: everything but the run, and which single groups are folded. */
export function savedQuery({ folds, ...view }: View): string {
  return renderView({
    ...view,
    run: undefined,
    saved: undefined,
    folds: folds.isFolded ? allFolded : allOpen,
  }).slice(1);
}

/** A saved view, on the run of another one. */
export function openedView({ name, query }: ListedView, run: string | undefined): View {
  return { ...parseView(query), run, saved: name, isToOpen: false };
}

/** A view that does not come from a saved one, without filters, order and groups. */
export function plainView(run: string | undefined): View {
  return { ...defaultView, run };
}

/** Whether the page shows something else than the saved view. */
export function isEdited(saved: ListedView, view: View, columns: Columns): boolean {
  if (view.isToOpen) return false;
  if (savedQuery(parseView(saved.query)) !== savedQuery(view)) return true;
  if (saved.columns === undefined) return false;
  const wanted = chosenColumns(withVisible(columns, saved.columns));
  return String(wanted) !== String(chosenColumns(columns));
}
