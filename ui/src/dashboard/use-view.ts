import { useUrlView } from '../app/url-view.js';
import {
  type FilterKind,
  parseView,
  renderView,
  standing,
  toggleOnly,
  withChoice,
} from './view-state.js';

/** The view in the URL of the dashboard, and how to set it. */
export const useView = () => useUrlView('/', parseView, renderView);

/** Filters by one value from the summary: a click asks for it alone, another one for all again. */
export function useFilter(kind: FilterKind) {
  const [view, setView] = useView();
  return {
    isIn: (value: string) => standing(view.filters[kind], value) === 'in',
    toggle: (value: string) =>
      setView((now) => withChoice(now, kind, toggleOnly(now.filters[kind], value))),
  };
}
