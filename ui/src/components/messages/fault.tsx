import { StatusIcon } from '../icons/status-icon.js';
import styles from './fault.module.css';

/** An error message of a form, if there is one: of validation, or from the server. */
export function Fault({ id, text }: { id?: string; text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <p id={id} className={styles.fault} role="alert">
      <StatusIcon standing="failed" label={null} />
      {text}
    </p>
  );
}
