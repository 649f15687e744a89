import { Popover, PopoverDisclosure, PopoverProvider } from '@ariakit/react';
import { useState } from 'react';
import { Link } from 'wouter';
import { useActivateRun, useDeleteRun } from '../../api/actions.js';
import type { Run } from '../../api/client.js';
import { useSessionRuns } from '../../api/queries.js';
import { classNames } from '../../components/class-names.js';
import { Button, buttonClass } from '../../components/controls/button.js';
import { ConfirmDialog } from '../../components/controls/dialog.js';
import { menuClass } from '../../components/controls/menu.js';
import { counted } from '../../components/figures/figures.js';
import { Moment, momentText } from '../../components/figures/time.js';
import { Icon } from '../../components/icons/icon.js';
import { ConfigName } from '../../components/runs/config-name.js';
import { useView } from '../use-view.js';
import { RenameField } from './rename-field.js';
import { RunList } from './run-list.js';
import styles from './run-picker.module.css';
import topStyles from './top-bar.module.css';

/** Shows the run, renames it, and opens other runs of its session. */
export function RunPicker({ run, compareHref }: { run: Run; compareHref: string }) {
  const [opened, setOpened] = useState<'list' | 'name'>();
  const [isAsked, setAsked] = useState(false);
  const [, setView] = useView();
  const { data: runs = [] } = useSessionRuns(run.session_name);
  const activate = useActivateRun();
  const remove = useDeleteRun();
  const isSaved = run.state !== 'not_started';
  // The progress needs the space.
  const isBusy = run.state === 'running' || run.state === 'paused';
  const close = () => setOpened(undefined);
  return (
    <PopoverProvider
      placement="bottom-start"
      open={opened !== undefined}
      setOpen={(open) => setOpened(open ? 'list' : undefined)}
    >
      <PopoverDisclosure className={topStyles.pick} title="Run" data-busy={isBusy || undefined}>
        <b className="cut">{run.run_name}</b>
        <ConfigName of={run} className={classNames('quiet cut', topStyles.ofRun)} />
        {isBusy ? null : isSaved ? (
          <Moment unix={run.started_at} className={classNames('faint', topStyles.when)} />
        ) : (
          <span className={classNames('faint', topStyles.when)}>not started</span>
        )}
        <Icon name="down" />
      </PopoverDisclosure>
      <button
        type="button"
        className={topStyles.rename}
        aria-label="Rename run"
        title="Rename run"
        onClick={() => setOpened('name')}
      >
        <Icon name="pencil" />
      </button>
      <Popover
        portal
        gutter={4}
        overflowPadding={8}
        unmountOnHide
        aria-label={`Runs of ${run.session_name}`}
        className={classNames(menuClass, styles.runs)}
      >
        <RenameField run={run} isFocused={opened === 'name'} onDone={close} />
        <hr className={styles.line} />
        <RunList
          run={run}
          runs={runs}
          isFocused={opened === 'list'}
          onPick={(id) => {
            close();
            if (id === run.run_id) return;
            activate.mutate(id);
            setView((view) => ({ ...view, run: id }));
          }}
        />
        <hr className={styles.line} />
        <div className={styles.end}>
          <span>{counted(runs.length, 'run')}</span>
          <Link href={compareHref} className={buttonClass({ look: 'ghost' })} onClick={close}>
            Compare…
          </Link>
          {isSaved && (
            <Button
              look="danger"
              className={buttonClass({ look: 'ghost' })}
              onClick={() => {
                close();
                setAsked(true);
              }}
            >
              Delete…
            </Button>
          )}
        </div>
      </Popover>
      <ConfirmDialog
        title={`Delete ${run.run_name}?`}
        action="Delete run"
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        onConfirm={() =>
          // An event may unmount this component before the promise resolves.
          remove.mutateAsync(run.run_id).then(
            () => setView((view) => ({ ...view, run: undefined })),
            () => {},
          )
        }
      >
        {counted(run.total_evaluations, 'result')} of {momentText(new Date(run.started_at * 1000))}.
        This cannot be undone.
      </ConfirmDialog>
    </PopoverProvider>
  );
}
