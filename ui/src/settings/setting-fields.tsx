import { useId, useState } from 'react';
import { classNames } from '../components/class-names.js';
import { Field } from '../components/controls/field.js';
import { Switch } from '../components/controls/switch.js';
import { Fault } from '../components/messages/fault.js';
import styles from './settings-form.module.css';

/** One setting: name, description, accepted values, and error. */
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
        <Fault id={`${id}fault`} text={fault} />
      </div>
    </div>
  );
}

/** The setting for notifications when runs end. `onChange` returns whether the browser permits them. */
export function NotifySetting({
  isOn,
  fault,
  onChange,
}: {
  isOn: boolean;
  fault: string | undefined;
  onChange: (isOn: boolean) => Promise<boolean>;
}) {
  const id = useId();
  const [isBlocked, setBlocked] = useState(
    () => 'Notification' in globalThis && Notification.permission === 'denied',
  );
  const change = async (next: boolean) => setBlocked(!(await onChange(next)));
  return (
    <div className={styles.setting}>
      <span>Notifications</span>
      <div className={styles.notify}>
        <Switch
          isOn={isOn}
          label="Notifications"
          aria-describedby={id}
          onChange={(next) => void change(next)}
        />
        <span id={id} className={styles.hint}>
          when a run ends in a hidden tab
          {isOn && isBlocked && '; this browser does not allow them for this page'}
        </span>
        <Fault text={fault} />
      </div>
    </div>
  );
}
