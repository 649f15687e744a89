import { useCallback, useMemo } from 'react';
import { useLocation } from 'wouter';
import { useSearch } from 'wouter/use-browser-location';
import { parseView, renderView, type View } from './view-state.js';

/** Goes to another view: a new one, or a change of the one that is. `replace`: back does not lead to the one before. */
export type SetView = (
  next: View | ((view: View) => View),
  options?: { readonly replace?: boolean },
) => void;

/** The view the URL asks for, and how to go to another one. */
export function useView(): readonly [View, SetView] {
  const search = useSearch();
  const [, navigate] = useLocation();
  const view = useMemo(() => parseView(search), [search]);
  const setView = useCallback<SetView>(
    (next, options) => {
      // Read anew, so that two changes in a row do not undo each other.
      const now = typeof next === 'function' ? next(parseView(location.search)) : next;
      navigate(`/${renderView(now)}`, { replace: options?.replace ?? false });
    },
    [navigate],
  );
  return [view, setView];
}
