import type { ComponentPropsWithRef, ReactNode } from 'react';
import { classNames } from './class-names.js';
import styles from './field.module.css';
import { Icon } from './icon.js';
import type { IconName } from './icon-paths.js';

/** A line to type into, with an icon before and anything behind it. `label` is its name where no label is in sight. */
export function Field({
  label,
  icon,
  end,
  bad = false,
  className,
  ...input
}: {
  label?: string;
  icon?: IconName;
  /** For instance a key, or a unit. */
  end?: ReactNode;
  bad?: boolean;
} & ComponentPropsWithRef<'input'>) {
  return (
    <label className={classNames(styles.field, bad && styles.bad, className)}>
      {icon && <Icon name={icon} />}
      <input
        autoComplete="off"
        spellCheck={false}
        {...(label && { 'aria-label': label })}
        {...(bad && { 'aria-invalid': true })}
        // A dialog looks for it to give it the focus.
        {...(input.autoFocus && { 'data-autofocus': true })}
        {...input}
      />
      {end}
    </label>
  );
}
