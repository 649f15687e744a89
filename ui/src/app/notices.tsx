import { useSyncExternalStore } from 'react';
import { messageOf } from '../api/problem.js';
import { classNames } from '../components/class-names.js';
import { Button, IconButton } from '../components/controls/button.js';
import { Icon } from '../components/icons/icon.js';
import { StatusIcon } from '../components/icons/status-icon.js';
import styles from './notice-list.module.css';

/** A temporary message. */
interface Notice {
  readonly id: number;
  readonly kind: 'error' | 'info';
  readonly text: string;
  /** What the user may do about it; such a notice stays until it is closed. */
  readonly action?: { readonly label: string; readonly onClick: () => void } | undefined;
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

/** Shows a notice; replaces one with the same text. */
export function notify({ kind, text, action }: Omit<Notice, 'id'>): void {
  const notice: Notice = { id: ++lastId, kind, text, action };
  set([...notices.filter((other) => other.text !== text), notice].slice(-most));
  if (kind === 'info' && action === undefined) setTimeout(() => dismiss(notice.id), shownFor);
}

/** Shows an error as a notice. */
export function notifyError(error: unknown): void {
  notify({ kind: 'error', text: messageOf(error) });
}

/** Removes a notice. */
function dismiss(id: number): void {
  set(notices.filter((notice) => notice.id !== id));
}

/** The visible notices, oldest first. */
function useNotices(): readonly Notice[] {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => notices,
  );
}

/** Notices, at the lower left: announced by screen readers, without taking the focus. */
export function NoticeList() {
  const notices = useNotices();
  return (
    <div className={styles.list} role="status" aria-live="polite">
      {notices.map(({ id, kind, text, action }) => (
        <div key={id} className={classNames(styles.notice, kind === 'error' && styles.error)}>
          {kind === 'error' ? (
            <StatusIcon standing="failed" label="Error:" />
          ) : (
            <Icon name="check" small />
          )}
          <span>{text}</span>
          <IconButton icon="x" label="Close" small onClick={() => dismiss(id)} />
          {action && (
            <Button
              small
              className={styles.action}
              onClick={() => {
                dismiss(id);
                action.onClick();
              }}
            >
              {action.label}
            </Button>
          )}
        </div>
      ))}
    </div>
  );
}
