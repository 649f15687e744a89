import { useSyncExternalStore } from 'react';

/** Something to tell the reader in passing. */
export interface Notice {
  readonly id: number;
  readonly kind: 'error' | 'info';
  readonly text: string;
}

/** Milliseconds a notice stays; errors stay until they are closed. */
const shownFor = 5000;
const most = 3;

let notices: readonly Notice[] = [];
let lastId = 0;
const watchers = new Set<() => void>();

function set(now: readonly Notice[]): void {
  notices = now;
  for (const watcher of watchers) watcher();
}

/** Tells the reader something; the same words are not said twice at a time. */
export function notify({ kind, text }: Pick<Notice, 'kind' | 'text'>): void {
  const notice: Notice = { id: ++lastId, kind, text };
  set([...notices.filter((other) => other.text !== text), notice].slice(-most));
  if (kind === 'info') setTimeout(() => dismiss(notice.id), shownFor);
}

/** Takes a notice away. */
export function dismiss(id: number): void {
  set(notices.filter((notice) => notice.id !== id));
}

/** The notices in sight, the oldest first. */
export function useNotices(): readonly Notice[] {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => notices,
  );
}
