import { useCallback, useMemo } from 'react';
import { useLocation } from 'wouter';
import { useSearch } from 'wouter/use-browser-location';
import { type CompareView, parseCompareView, renderCompareView } from './view-state.js';

/** Goes to another view. `replace`: back does not lead to the one before. */
export type SetCompareView = (
  change: (view: CompareView) => CompareView,
  options?: { readonly replace?: boolean },
) => void;

/** The comparison the URL asks for, and how to go to another one. */
export function useCompareView(): readonly [CompareView, SetCompareView] {
  const search = useSearch();
  const [, navigate] = useLocation();
  const view = useMemo(() => parseCompareView(search), [search]);
  const setView = useCallback<SetCompareView>(
    (change, options) => {
      // Read anew, so that two changes in a row do not undo each other.
      const now = change(parseCompareView(location.search));
      navigate(`/compare${renderCompareView(now)}`, { replace: options?.replace ?? false });
    },
    [navigate],
  );
  return [view, setView];
}
