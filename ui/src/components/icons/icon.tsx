import { classNames } from '../class-names.js';
import styles from './icon.module.css';
import { type IconName, iconPaths, statusPaths } from './icon-paths.js';

/** A decorative icon; the text or label beside it carries the meaning. */
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

/** All icons, once in the page; `Icon` and `StatusIcon` reference them. */
export function Sprite() {
  return (
    <svg width="0" height="0" style={{ position: 'absolute' }} aria-hidden="true">
      {Object.entries(statusPaths).map(([name, drawing]) => (
        <symbol key={name} id={`st-${name}`} viewBox="0 0 14 14">
          {drawing}
        </symbol>
      ))}
      {Object.entries(iconPaths).map(([name, drawing]) => (
        <symbol key={name} id={`i-${name}`} viewBox="0 0 16 16">
          {drawing}
        </symbol>
      ))}
    </svg>
  );
}
