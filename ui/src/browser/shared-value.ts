import { useSyncExternalStore } from 'react';

/** A value outside of components, which those that `use` it watch. */
export function sharedValue<T>(first: T) {
  let value = first;
  const watchers = new Set<() => void>();
  const watch = (watcher: () => void) => {
    watchers.add(watcher);
    return () => watchers.delete(watcher);
  };
  const get = () => value;
  return {
    get,
    set: (next: T) => {
      value = next;
      for (const watcher of watchers) watcher();
    },
    use: () => useSyncExternalStore(watch, get),
  };
}
