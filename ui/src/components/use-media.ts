import { useSyncExternalStore } from 'react';

/** Whether the page is as a media query says, kept up to date. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (watcher) => {
      const list = matchMedia(query);
      list.addEventListener('change', watcher);
      return () => list.removeEventListener('change', watcher);
    },
    () => matchMedia(query).matches,
  );
}

/** Whether rows take several lines, as on a phone. */
export const useNarrow = (): boolean => useMedia('(max-width: 640px)');
