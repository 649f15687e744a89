import { classNames } from '../class-names.js';
import { type CaseStanding, shapes, standingText } from '../scores/standing.js';
import styles from './icon.module.css';

/**
 * A status icon, distinguishable by shape as well as colour. `label` is for screen readers; `null` if adjacent text
 * says the same.
 */
export function StatusIcon({
  standing,
  size = 'row',
  label = standingText(standing),
  className,
}: {
  standing: CaseStanding;
  /** 14, 10 and 20 pixels. */
  size?: 'row' | 'chip' | 'title';
  label?: string | null;
  className?: string | undefined;
}) {
  const shape = shapes[standing];
  const look = classNames(
    styles.status,
    size === 'chip' && styles.chip,
    size === 'title' && styles.large,
    shape === 'running' && styles.turning,
    `c-${shape}`,
    className,
  );
  const drawing = <use href={`#st-${shape}`} />;
  return label === null ? (
    <svg className={look} aria-hidden="true">
      {drawing}
    </svg>
  ) : (
    <svg className={look} role="img" aria-label={label}>
      {drawing}
    </svg>
  );
}
