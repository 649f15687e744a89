import type { ComponentPropsWithRef, ReactNode } from 'react';
import { classNames } from './class-names.js';
import styles from './switch.module.css';

/** Something that is on or off. `label` is its name where the words beside it are none. */
export function Switch({
  isOn,
  onChange,
  label,
  className,
  children,
  ...rest
}: {
  isOn: boolean;
  onChange: (isOn: boolean) => void;
  label?: string;
  children?: ReactNode;
} & Omit<ComponentPropsWithRef<'button'>, 'onChange'>) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isOn}
      aria-label={label}
      className={classNames(styles.switch, className)}
      onClick={() => onChange(!isOn)}
      {...rest}
    >
      <i />
      {children}
    </button>
  );
}
