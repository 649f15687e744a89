import type { ComponentPropsWithRef, MouseEvent, ReactNode } from 'react';
import { useConnectionLost } from '../../app/connection-lost.js';
import { isReport } from '../../app/report-mode.js';
import { classNames } from '../class-names.js';
import { Icon } from '../icons/icon.js';
import type { IconName } from '../icons/icon-paths.js';
import styles from './button.module.css';

/** The style of a button. */
export interface ButtonLook {
  /** `primary`: the main action; `ghost`: quiet, without outline; `danger`: destructive. */
  readonly look?: 'plain' | 'primary' | 'ghost' | 'danger' | undefined;
  readonly small?: boolean | undefined;
  readonly icon?: IconName;
}

/** The props of a button that can be disabled. */
interface Pressable extends ComponentPropsWithRef<'button'> {
  /** Disabled while there is no connection, and not there in a report. */
  readonly needsServer?: boolean | undefined;
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

/** A button with a label, and an optional icon before it. */
export function Button({
  look,
  small,
  icon,
  className,
  children,
  ...rest
}: ButtonLook & Pressable) {
  const pressable = usePressable(rest);
  if (isReport && rest.needsServer) return null;
  return (
    <button
      type="button"
      className={classNames(buttonClass({ look, small }), className)}
      {...pressable}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

/** An icon button; `label` is its accessible name and tooltip. */
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
} & Pressable) {
  const pressable = usePressable(rest);
  if (isReport && rest.needsServer) return null;
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={classNames(buttonClass({ look, small }, true), className)}
      {...pressable}
    >
      <Icon name={icon} />
    </button>
  );
}

/** A number after the label of a button. */
export function ButtonCount({ children }: { children: ReactNode }) {
  return <span className={styles.count}>{children}</span>;
}

/** Two joined buttons: the main action, and a menu of others. */
export function SplitButton({ children }: { children: ReactNode }) {
  return <span className={styles.split}>{children}</span>;
}

/** The props of a button that keeps the focus while it is disabled. */
export function usePressable({ disabled = false, needsServer = false, ...props }: Pressable) {
  const isLost = useConnectionLost();
  if (!disabled && !(needsServer && isLost)) return props;
  const onClick = (event: MouseEvent) => event.preventDefault();
  return { ...props, 'aria-disabled': true, onClick };
}
