import { useState } from 'react';
import { useConfigs, useSettingsFile } from '../../api/queries.js';
import { Button } from '../../components/controls/button.js';
import { Dialog, DialogEnd } from '../../components/controls/dialog.js';
import { Field } from '../../components/controls/field.js';
import { Kbd } from '../../components/controls/kbd.js';
import { Switch } from '../../components/controls/switch.js';
import { count } from '../../components/figures/figures.js';
import { useShown } from '../dashboard-state.js';
import type { RunActions } from '../use-run-actions.js';
import styles from './new-run-dialog.module.css';

/** Asks for the name, the rows and the isolation of a new run. */
export function NewRunDialog({
  actions,
  isOpen,
  onClose,
}: {
  actions: RunActions;
  isOpen: boolean;
  onClose: () => void;
}) {
  const { run } = useShown();
  const [name, setName] = useState('');
  const [isPart, setPart] = useState(true);
  const [isolate, setIsolate] = useState<boolean>();
  const { data: configs } = useConfigs();
  const { data: settings } = useSettingsFile();
  const { selected } = actions;
  const rows = selected.length > 0 && isPart ? selected : undefined;
  return (
    <Dialog title="New run" isOpen={isOpen} onClose={onClose} width={420}>
      <p>{run.run_name} is kept.</p>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          actions.start({ name: name.trim(), rows, isolate });
          setName('');
          setIsolate(undefined);
          onClose();
        }}
      >
        <Field
          autoFocus
          label="Name of the new run"
          placeholder="Name (generated if empty)"
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {selected.length > 0 && (
          <label className={styles.scope}>
            <input
              type="checkbox"
              checked={isPart}
              onChange={(event) => setPart(event.currentTarget.checked)}
            />
            only the {count(selected.length)} selected
          </label>
        )}
        <Switch isOn={isolate ?? settings?.isolate ?? false} onChange={setIsolate}>
          one process per attempt
        </Switch>
        {configs && configs.names.length > 1 && (
          <p className={styles.note}>
            With run config <b>{configs.active}</b>.
          </p>
        )}
        <DialogEnd>
          <Button look="ghost" onClick={onClose}>
            Cancel <Kbd>esc</Kbd>
          </Button>
          <Button needsServer look="primary" icon="play" type="submit">
            Run {count(rows?.length ?? run.total_evaluations)}
          </Button>
        </DialogEnd>
      </form>
    </Dialog>
  );
}
