import { useSyncExternalStore } from 'react';

/** Texts by name; for this page only where the browser keeps nothing. */
const unkept = new Map<string, string>();
const watchers = new Set<() => void>();

/** The text that is kept in this browser under a name. */
export function readStored(name: string): string | undefined {
  try {
    return localStorage.getItem(`assay.${name}`) ?? undefined;
  } catch {
    return unkept.get(name);
  }
}

/** Keeps a text in this browser under a name. */
export function store(name: string, text: string): void {
  try {
    localStorage.setItem(`assay.${name}`, text);
  } catch {
    unkept.set(name, text);
  }
  for (const watcher of watchers) watcher();
}

/** The text that is kept under a name, as state: this page and other tabs may change it. */
export function useStored(name: string): string | undefined {
  return useSyncExternalStore(watch, () => readStored(name));
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  addEventListener('storage', watcher);
  return () => {
    watchers.delete(watcher);
    removeEventListener('storage', watcher);
  };
}
