import { Link } from 'wouter';
import { useActivateRun } from '../../api/actions.js';
import type { Run } from '../../api/client.js';
import type { RunSummary } from '../../api/schema.js';
import { Button, buttonClass } from '../../components/controls/button.js';
import { Switch } from '../../components/controls/switch.js';
import { counted } from '../../components/figures/figures.js';
import { useFollowing } from '../follow-latest.js';
import { useView } from '../use-view.js';
import { RenameField } from './rename-field.js';
import { RunList } from './run-list.js';
import styles from './run-picker.module.css';

/** Renames and deletes the run, and opens other runs of its session. */
export function RunPickerPanel({
  run,
  runs,
  focus,
  compareHref,
  onClose,
  onDelete,
}: {
  run: Run;
  runs: readonly RunSummary[];
  /** The element that gets the focus. */
  focus: 'list' | 'name' | undefined;
  compareHref: string;
  onClose: () => void;
  onDelete: () => void;
}) {
  const [, setView] = useView();
  const activate = useActivateRun();
  const following = useFollowing();
  return (
    <>
      <RenameField run={run} isFocused={focus === 'name'} onDone={onClose} />
      <hr className={styles.line} />
      <RunList
        run={run}
        runs={runs}
        isFocused={focus === 'list'}
        onPick={(id) => {
          onClose();
          if (id === run.run_id) return;
          // The run that has not started is active already, and not saved.
          const isSaved = runs.some(({ run_id }) => run_id === id);
          if (isSaved) activate.mutate(id);
          setView((view) => ({ ...view, run: isSaved ? id : 'latest' }));
        }}
      />
      <hr className={styles.line} />
      <Switch
        isOn={following.isOn}
        disabled={following.change === undefined}
        onChange={(isOn) => following.change?.(isOn)}
        className={styles.follow}
        title="Opens each new run of this session, unless you are in the middle of something"
      >
        Follow the latest run
      </Switch>
      <hr className={styles.line} />
      <div className={styles.end}>
        <span>{counted(runs.length, 'run')}</span>
        <Link href={compareHref} className={buttonClass({ look: 'ghost' })} onClick={onClose}>
          Compare…
        </Link>
        {run.state !== 'not_started' && (
          <Button
            needsServer
            look="danger"
            className={buttonClass({ look: 'ghost' })}
            onClick={onDelete}
          >
            Delete…
          </Button>
        )}
      </div>
    </>
  );
}
