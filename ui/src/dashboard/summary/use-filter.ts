import { useView } from '../use-view.js';
import { type FilterKind, standing, toggleOnly, withChoice } from '../view-state.js';

/** Filters by one value from the summary: a click asks for it alone, another one for all again. */
export function useFilter(kind: FilterKind) {
  const [view, setView] = useView();
  return {
    isIn: (value: string) => standing(view.filters[kind], value) === 'in',
    toggle: (value: string) =>
      setView((now) => withChoice(now, kind, toggleOnly(now.filters[kind], value))),
  };
}
