import { Link } from 'wouter';
import { useShown } from '../dashboard-state.js';
import { useView } from '../use-view.js';
import { defaultView, renderView } from '../view-state.js';
import styles from './run-controls.module.css';

/** A link to the run in progress, which has to end before this one can start. */
export function Busy() {
  const { run } = useShown();
  const [view] = useView();
  const { executing_run_id: other } = run;
  if (other === null || other === run.run_id) return null;
  return (
    <Link
      href={`/${renderView({ ...defaultView, fold: view.fold, run: other })}`}
      className={styles.note}
    >
      Another run is in progress
    </Link>
  );
}
