import { useState } from 'react';
import { useRenameRun } from '../../api/actions.js';
import type { Run } from '../../api/client.js';
import { Field } from '../../components/controls/field.js';
import { Kbd } from '../../components/controls/kbd.js';
import { Icon } from '../../components/icons/icon.js';
import styles from './run-picker.module.css';

/** Edits the name of a run in place; Enter saves. */
export function RenameField({
  run,
  isFocused,
  onDone,
}: {
  run: Run;
  isFocused: boolean;
  onDone: () => void;
}) {
  const [name, setName] = useState(run.run_name);
  const rename = useRenameRun();
  const isBlank = name.trim() === '';
  return (
    <form
      className={styles.head}
      onSubmit={(event) => {
        event.preventDefault();
        if (isBlank) return;
        if (name.trim() === run.run_name) onDone();
        else rename.mutate({ run: run.run_id, name }, { onSuccess: onDone });
      }}
    >
      <Icon name="pencil" />
      <Field
        label="Name of the run"
        value={name}
        maxLength={100}
        bad={isBlank}
        autoFocus={isFocused}
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <span className="faint">
        <Kbd>↵</Kbd> save
      </span>
    </form>
  );
}
