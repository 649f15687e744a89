import { StatusIcon } from '../components/status-icon.js';
import styles from './settings-form.module.css';

/** What is wrong, beside what it is about. */
export function Fault({ id, text }: { id?: string; text: string }) {
  return (
    <p id={id} className={styles.fault} role="alert">
      <StatusIcon standing="failed" label={null} />
      {text}
    </p>
  );
}
