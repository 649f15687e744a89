import { useSettingsFile } from '../api/queries.js';
import styles from './settings-form.module.css';

/** Says where the settings go. */
export function About() {
  const { data } = useSettingsFile();
  if (data === undefined) return <p className={styles.about}>Saved to the settings file.</p>;
  return (
    <p className={styles.about}>
      Saved to <code>{data.file}</code>
      {data.file_exists
        ? '. Comments and other keys in it stay.'
        : ', which is made with the first setting.'}
    </p>
  );
}
