import { StatusIcon } from '../../components/status-icon.js';
import styles from './score-editor.module.css';

/** What is wrong with what was typed, or what the server said to it. */
export function EditFault({ text }: { text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <p className={styles.fault} role="alert">
      <StatusIcon standing="failed" label={null} />
      {text}
    </p>
  );
}
