import { messageOf } from '../api/problem.js';
import { sharedValue } from '../browser/shared-value.js';
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

/** The visible notices, oldest first. */
const notices = sharedValue<readonly Notice[]>([]);
let lastId = 0;

/** Shows a notice. */
export function notify(text: string, action?: Notice['action']): void {
  show('info', text, action);
}

/** Shows an error as a notice. */
export function notifyError(error: unknown): void {
  show('error', messageOf(error));
}

/** Shows a notice; replaces one with the same text. */
function show(kind: Notice['kind'], text: string, action?: Notice['action']): void {
  const notice: Notice = { id: ++lastId, kind, text, action };
  const others = notices.get().filter((other) => other.text !== text);
  notices.set([...others, notice].slice(-most));
  if (kind === 'info' && action === undefined) setTimeout(() => dismiss(notice.id), shownFor);
}

/** Removes a notice. */
function dismiss(id: number): void {
  notices.set(notices.get().filter((notice) => notice.id !== id));
}

/** Notices, at the lower left: announced by screen readers, without taking the focus. */
export function NoticeList() {
  return (
    <div className={styles.list} role="status" aria-live="polite">
      {notices.use().map(({ id, kind, text, action }) => (
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
