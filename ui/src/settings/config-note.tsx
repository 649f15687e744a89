import { useConfigs } from '../api/queries.js';
import styles from './settings-form.module.css';

/** Says that a run config may have other values, where there is a choice of them. */
export function ConfigNote() {
  const { data } = useConfigs();
  if (data === undefined || data.names.length < 2) return null;
  return (
    <p className={styles.note}>
      Run config <b>{data.active}</b> is chosen for the next new run; what it sets comes before what
      is set here. The picker in the top bar chooses another.
    </p>
  );
}
