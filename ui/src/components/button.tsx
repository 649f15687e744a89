import type { ComponentPropsWithRef, ReactNode } from 'react';
import styles from './button.module.css';
import { classNames } from './class-names.js';
import { Icon } from './icon.js';
import type { IconName } from './icon-paths.js';

/** How a button looks. */
export interface ButtonLook {
  /** `primary`: the one thing to do next; `ghost`: quiet, no outline; `danger`: takes something away. */
  readonly look?: 'plain' | 'primary' | 'ghost' | 'danger';
  readonly small?: boolean;
  readonly icon?: IconName;
}

/** The class of a button, for links and menu buttons that look like one. */
export function buttonClass({ look = 'plain', small = false }: ButtonLook, isIcon = false): string {
  return classNames(
    styles.button,
    look === 'primary' && styles.primary,
    look === 'ghost' && styles.ghost,
    look === 'danger' && styles.danger,
    small && styles.small,
    isIcon && styles.icon,
  );
}

/** A button with words, and an icon before them when there is one. */
export function Button({
  look,
  small,
  icon,
  className,
  children,
  ...rest
}: ButtonLook & ComponentPropsWithRef<'button'>) {
  return (
    <button
      type="button"
      className={classNames(buttonClass(lookOf(look, small)), className)}
      {...rest}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

/** A button that is an icon; `label` says what it does, and shows on hover. */
export function IconButton({
  icon,
  label,
  look = 'ghost',
  small,
  className,
  ...rest
}: Omit<ButtonLook, 'icon'> & {
  icon: IconName;
  label: string;
} & ComponentPropsWithRef<'button'>) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={classNames(buttonClass(lookOf(look, small), true), className)}
      {...rest}
    >
      <Icon name={icon} />
    </button>
  );
}

/** A number behind the words of a button. */
export function ButtonCount({ children }: { children: ReactNode }) {
  return <span className={styles.count}>{children}</span>;
}

/** Two buttons side by side: what is meant most often, and more ways. */
export function SplitButton({ children }: { children: ReactNode }) {
  return <span className={styles.split}>{children}</span>;
}

function lookOf(look: ButtonLook['look'], small: boolean | undefined): ButtonLook {
  return { ...(look && { look }), ...(small !== undefined && { small }) };
}
