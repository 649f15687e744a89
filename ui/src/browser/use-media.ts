import { useSyncExternalStore } from 'react';

/** True while a media query matches. */
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

/** True when rows take several lines, as on a phone. */
export const useNarrow = (): boolean => useMedia('(max-width: 640px)');
