import { classNames } from './class-names.js';
import styles from './meter.module.css';

/** A progress meter. */
export function Meter({
  value,
  of,
  label,
  className,
}: {
  value: number;
  of: number;
  label: string;
  className?: string | undefined;
}) {
  const share = of === 0 ? 0 : Math.min(1, value / of);
  return (
    <span
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={of}
      aria-valuenow={value}
      className={classNames(styles.meter, className)}
    >
      <i style={{ width: `${share * 100}%` }} />
    </span>
  );
}
