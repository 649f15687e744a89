import { messageOf } from '../api/problem.js';
import { useSettings } from '../api/queries.js';
import { Button } from '../components/button.js';
import { DialogEnd } from '../components/dialog.js';
import { SettingsForm } from './settings-form.js';
import styles from './settings-form.module.css';

/** What is in the dialog: the settings, or why they cannot be read. */
export function SettingsContent({ onClose }: { onClose: () => void }) {
  const { data, error, refetch } = useSettings();
  if (data !== undefined) return <SettingsForm settings={data} onClose={onClose} />;
  if (error === null) return null;
  return (
    <>
      <p role="alert" className={styles.about}>
        {messageOf(error)}
      </p>
      <DialogEnd>
        <Button onClick={() => void refetch()}>Try again</Button>
      </DialogEnd>
    </>
  );
}
