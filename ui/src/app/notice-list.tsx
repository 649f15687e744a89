import { IconButton } from '../components/button.js';
import { classNames } from '../components/class-names.js';
import { Icon } from '../components/icon.js';
import { StatusIcon } from '../components/status-icon.js';
import styles from './notice-list.module.css';
import { dismiss, useNotices } from './notices.js';

/** Notices, at the lower left: read out when they come, never in the way of the focus. */
export function NoticeList() {
  const notices = useNotices();
  return (
    <div className={styles.list} role="status" aria-live="polite">
      {notices.map(({ id, kind, text }) => (
        <div key={id} className={classNames(styles.notice, kind === 'error' && styles.error)}>
          {kind === 'error' ? (
            <StatusIcon standing="failed" label="Error:" />
          ) : (
            <Icon name="check" small />
          )}
          <span>{text}</span>
          <IconButton icon="x" label="Close" small onClick={() => dismiss(id)} />
        </div>
      ))}
    </div>
  );
}
