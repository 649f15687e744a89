import { useEffect, useRef } from 'react';
import { useOnUnmount } from './view-memory.js';

/** Restores the scroll position of a list, and calls `keep` when it goes. */
export function useKeptScroll(scroll: number | undefined, keep: () => void): void {
  const first = useRef(scroll);
  useEffect(() => {
    if (first.current !== undefined) window.scrollTo(0, first.current);
  }, []);
  useOnUnmount(keep);
}

/** Goes to the first line when there is a new query. `top`: where the list begins on the page. */
export function useFirstLine(query: string, top: number, goToFirst: () => void): void {
  const shown = useRef(query);
  useEffect(() => {
    if (shown.current === query) return;
    shown.current = query;
    goToFirst();
    if (window.scrollY > top) window.scrollTo(0, top);
  });
}
