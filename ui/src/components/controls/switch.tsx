import type { ComponentPropsWithRef, ReactNode } from 'react';
import { classNames } from '../class-names.js';
import styles from './switch.module.css';

/** An on/off switch. `label` is its accessible name if adjacent text is not. */
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
