import { useCallback, useMemo } from 'react';
import { useLocation } from 'wouter';
import { useSearch } from 'wouter/use-browser-location';
import { pageSearch } from '../browser/page-address.js';

/** Sets a view, or changes the current one. `replace`: the back button skips the view before. */
export type SetUrlView<View> = (
  next: View | ((view: View) => View),
  options?: { readonly replace?: boolean },
) => void;

/** The view in the query string of a page, and how to set it. `parse` and `render` must not change between renders. */
export function useUrlView<View extends object>(
  path: string,
  parse: (search: string) => View,
  render: (view: View) => string,
): readonly [View, SetUrlView<View>] {
  const search = useSearch();
  const [, navigate] = useLocation();
  const view = useMemo(() => parse(search), [parse, search]);
  const setView = useCallback<SetUrlView<View>>(
    (next, options) => {
      // Read the address again: two changes in one event build on each other.
      const now = typeof next === 'function' ? next(parse(pageSearch())) : next;
      navigate(`${path}${render(now)}`, { replace: options?.replace ?? false });
    },
    [path, parse, render, navigate],
  );
  return [view, setView];
}
