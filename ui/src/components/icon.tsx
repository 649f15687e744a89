import { classNames } from './class-names.js';
import styles from './icon.module.css';
import type { IconName } from './icon-paths.js';

/** A decorative icon; what it stands for is said by the text or label beside it. */
export function Icon({
  name,
  small = false,
  className,
}: {
  name: IconName;
  small?: boolean;
  className?: string | undefined;
}) {
  return (
    <svg className={classNames(styles.icon, small && styles.small, className)} aria-hidden="true">
      <use href={`#i-${name}`} />
    </svg>
  );
}
