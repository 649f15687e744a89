import { useId, useState } from 'react';
import { Switch } from '../components/switch.js';
import { Fault } from './fault.js';
import styles from './settings-form.module.css';

/** Whether the browser tells of runs that end. `onChange` answers whether the browser lets us. */
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
        {fault !== undefined && <Fault text={fault} />}
      </div>
    </div>
  );
}
