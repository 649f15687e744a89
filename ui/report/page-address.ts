import { useSyncExternalStore } from 'react';

// The address of a file has no part that may change but what follows the `#`: there, a report has path and query of the page.
// It replaces the module of wouter of the same exports.

const moved = 'assay:moved';

/** Path and query. */
function address(): string {
  return location.hash.startsWith('#/') ? location.hash.slice(1) : '/';
}

export const pageSearch = () => /\?.*/s.exec(address())?.[0] ?? '';
const path = () => address().replace(/\?.*/s, '');
export const pageAddress = address;
const state = (): unknown => history.state;

function subscribe(watcher: () => void): () => void {
  const events = ['hashchange', 'popstate', moved];
  for (const type of events) addEventListener(type, watcher);
  return () => {
    for (const type of events) removeEventListener(type, watcher);
  };
}

export const useSearch = () => useSyncExternalStore(subscribe, pageSearch);
export const usePathname = () => useSyncExternalStore(subscribe, path);
export const useHistoryState = () => useSyncExternalStore(subscribe, state);
export const useLocationProperty = (read: () => unknown) => useSyncExternalStore(subscribe, read);

export function navigate(
  to: string,
  { replace = false, state: next = null }: { replace?: boolean; state?: unknown } = {},
): void {
  history[replace ? 'replaceState' : 'pushState'](next, '', `#${to}`);
  dispatchEvent(new Event(moved));
}

export const useBrowserLocation = () => [usePathname(), navigate] as const;
