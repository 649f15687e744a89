import type { ReactNode } from 'react';
import { classNames } from '../class-names.js';
import { Icon } from '../icons/icon.js';
import type { IconName } from '../icons/icon-paths.js';
import { StatusIcon } from '../icons/status-icon.js';
import styles from './banner.module.css';

/** A line above the summary about the whole page: `<b>State.</b> Explanation.`, with buttons at its end. */
export function Banner({
  kind = 'plain',
  icon,
  end,
  children,
}: {
  /** `bad`: something is broken; `error`: a file is broken. */
  kind?: 'plain' | 'bad' | 'error';
  icon?: IconName;
  end?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div
      role="status"
      className={classNames(
        styles.banner,
        kind === 'bad' && styles.bad,
        kind === 'error' && styles.error,
      )}
    >
      {icon ? <Icon name={icon} /> : <StatusIcon standing="error" label={null} />}
      <p className="quiet">{children}</p>
      {end}
    </div>
  );
}
