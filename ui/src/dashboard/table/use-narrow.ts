import { useSyncExternalStore } from 'react';

const narrow = matchMedia('(max-width: 640px)');

/** Whether rows take several lines, as on a phone. */
export function useNarrow(): boolean {
  return useSyncExternalStore(
    (watcher) => {
      narrow.addEventListener('change', watcher);
      return () => narrow.removeEventListener('change', watcher);
    },
    () => narrow.matches,
  );
}
