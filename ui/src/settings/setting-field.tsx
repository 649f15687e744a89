import { useId } from 'react';
import { classNames } from '../components/class-names.js';
import { Field } from '../components/field.js';
import { Fault } from './fault.js';
import styles from './settings-form.module.css';

/** One setting: its name, what it is, what it may be, and what is wrong with it. */
export function SettingField({
  label,
  hint,
  value,
  placeholder,
  unit,
  fault,
  isNumber = false,
  autoFocus = false,
  onChange,
}: {
  label: string;
  hint: string;
  value: string;
  /** The default. */
  placeholder: string;
  unit?: string;
  fault: string | undefined;
  isNumber?: boolean;
  autoFocus?: boolean;
  onChange: (value: string) => void;
}) {
  const id = useId();
  return (
    <div className={styles.setting}>
      <label htmlFor={id}>{label}</label>
      <div className={classNames(styles.input, !isNumber && styles.wide)}>
        <Field
          id={id}
          className={styles.field}
          {...(isNumber && { inputMode: 'decimal' as const })}
          value={value}
          placeholder={placeholder}
          bad={fault !== undefined}
          autoFocus={autoFocus}
          aria-describedby={fault === undefined ? `${id}hint` : `${id}fault ${id}hint`}
          onChange={(event) => onChange(event.currentTarget.value)}
          end={unit && <span className="faint">{unit}</span>}
        />
        <span id={`${id}hint`} className={styles.hint}>
          {hint}
        </span>
        {fault !== undefined && <Fault id={`${id}fault`} text={fault} />}
      </div>
    </div>
  );
}
