import type { ComponentPropsWithRef, ReactNode } from 'react';
import { classNames } from '../class-names.js';
import { Icon } from '../icons/icon.js';
import type { IconName } from '../icons/icon-paths.js';
import styles from './field.module.css';

/**
 * A text field, with an optional icon before and an element after it. `label` is its accessible name if there is no
 * visible label.
 */
export function Field({
  label,
  icon,
  end,
  bad = false,
  small = false,
  className,
  ...input
}: {
  label?: string;
  icon?: IconName;
  /** For example a key, or a unit. */
  end?: ReactNode;
  bad?: boolean;
  small?: boolean;
} & ComponentPropsWithRef<'input'>) {
  return (
    <label
      className={classNames(styles.field, small && styles.small, bad && styles.bad, className)}
    >
      {icon && <Icon name={icon} />}
      <input
        autoComplete="off"
        spellCheck={false}
        {...(label && { 'aria-label': label })}
        {...(bad && { 'aria-invalid': true })}
        // A dialog focuses the element with this attribute.
        {...(input.autoFocus && { 'data-autofocus': true })}
        {...input}
      />
      {end}
    </label>
  );
}
