import { Button } from '../../components/button.js';
import { StatusIcon } from '../../components/status-icon.js';
import styles from './score-editor.module.css';
import type { EditConflict } from './use-result-edit.js';

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

/** Says that the result was changed elsewhere, and asks what is to become of what was typed. */
export function EditConflictChoice({ conflict }: { conflict: EditConflict | undefined }) {
  if (conflict === undefined) return null;
  const { load, overwrite, isPending } = conflict;
  return (
    <div className={styles.conflict}>
      <EditFault text="This result was changed elsewhere since you began. Your text is not saved." />
      <Button small disabled={isPending} onClick={load}>
        Load the newer version
      </Button>
      <Button small disabled={isPending} onClick={overwrite}>
        Overwrite it
      </Button>
    </div>
  );
}
