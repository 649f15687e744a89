import { useState } from 'react';
import { useActivateRun, usePause, useResume, useStop } from '../../api/actions.js';
import type { Run } from '../../api/client.js';
import type { RowFigures } from '../../api/row-queries.js';
import { useShortcut } from '../../app/shortcuts.js';
import { Button, ButtonCount, SplitButton } from '../../components/button.js';
import { count } from '../../components/figures.js';
import { type RunActions, useRunActions } from '../use-run-actions.js';
import { NewRunDialog } from './new-run-dialog.js';
import styles from './run-controls.module.css';
import { RunMenu } from './run-menu.js';
import { Done, RunProgress } from './run-progress.js';
import topStyles from './top-bar.module.css';

/** The right end of the top bar: run what is there, or steer what runs. */
export function RunControls({ run, figures }: { run: Run; figures: RowFigures | undefined }) {
  const actions = useRunActions(run);
  if (run.state === 'running' || run.state === 'paused') {
    return <Steering run={run} figures={figures} />;
  }
  if (run.state === 'interrupted') return <Interrupted run={run} />;
  return <Starting run={run} figures={figures} actions={actions} />;
}

function Starting({
  run,
  figures,
  actions,
}: {
  run: Run;
  figures: RowFigures | undefined;
  actions: RunActions;
}) {
  const [isAsked, setAsked] = useState(false);
  const { selected, isStarting } = actions;
  const rows = selected.length === 0 ? undefined : selected;
  const isFresh = run.state === 'not_started';
  const isEmpty = run.total_evaluations === 0;
  // Whatever has finished may be graded again; the server knows better and says so.
  const canGrade = !isFresh && !isEmpty;
  const start = () => actions.rerun(rows);
  useShortcut('rerun', start, !isEmpty && !isStarting);
  useShortcut('regrade', () => actions.regrade(rows), canGrade && !isStarting);

  if (isFresh) {
    return (
      <Button look="primary" icon="play" disabled={isEmpty || isStarting} onClick={start}>
        Run {count(rows?.length ?? run.total_evaluations)}
        {rows && ' selected'}
      </Button>
    );
  }
  return (
    <>
      {canGrade && (
        <Button
          icon="regrade"
          className={topStyles.regrade}
          disabled={isStarting}
          onClick={() => actions.regrade(rows)}
        >
          Regrade {rows && <ButtonCount>{count(rows.length)}</ButtonCount>}
        </Button>
      )}
      <SplitButton>
        <Button look="primary" icon="rerun" disabled={isEmpty || isStarting} onClick={start}>
          Rerun {rows && `${count(rows.length)} selected`}
        </Button>
        <RunMenu
          run={run}
          figures={figures}
          actions={actions}
          canGrade={canGrade}
          onNewRun={() => setAsked(true)}
        />
      </SplitButton>
      <NewRunDialog run={run} actions={actions} isOpen={isAsked} onClose={() => setAsked(false)} />
    </>
  );
}

/** Pause, resume and stop act on what is in progress. */
function Steering({ run, figures }: { run: Run; figures: RowFigures | undefined }) {
  const pause = usePause();
  const resume = useResume();
  const stop = useStop();
  return (
    <>
      <RunProgress run={run} figures={figures} />
      {run.state === 'paused' ? (
        <Button
          look="primary"
          icon="play"
          disabled={resume.isPending}
          onClick={() => resume.mutate()}
        >
          Resume
        </Button>
      ) : (
        <Button icon="pause" disabled={pause.isPending} onClick={() => pause.mutate()}>
          Pause
        </Button>
      )}
      <Button look="danger" icon="stop" disabled={stop.isPending} onClick={() => stop.mutate()}>
        Stop
      </Button>
    </>
  );
}

function Interrupted({ run }: { run: Run }) {
  const activate = useActivateRun();
  const resume = useResume();
  const stop = useStop();
  // Both act on the active run when nothing is in progress.
  const onThis = (act: () => void) => activate.mutate(run.run_id, { onSuccess: act });
  return (
    <>
      <Done run={run} />
      <span className={styles.note}>stopped short by a crash</span>
      <Button look="primary" icon="play" onClick={() => onThis(resume.mutate)}>
        Resume {count(run.unfinished)}
      </Button>
      <Button onClick={() => onThis(stop.mutate)}>Cancel the rest</Button>
    </>
  );
}
