import { useState } from 'react';
import { useDeleteRun } from '../../api/actions.js';
import { useSessionRuns } from '../../api/queries.js';
import { classNames } from '../../components/class-names.js';
import { IconButton } from '../../components/controls/button.js';
import { ConfirmDialog } from '../../components/controls/dialog.js';
import { loadable } from '../../components/controls/loadable.js';
import { menuClass } from '../../components/controls/menu.js';
import { Popup } from '../../components/controls/popup.js';
import { counted } from '../../components/figures/figures.js';
import { Moment, momentText } from '../../components/figures/time.js';
import { Icon } from '../../components/icons/icon.js';
import { MiddleCut } from '../../components/names/middle-cut.js';
import { ConfigName } from '../../components/runs/config-name.js';
import { useShown } from '../dashboard-state.js';
import { useView } from '../use-view.js';
import styles from './run-picker.module.css';
import topStyles from './top-bar.module.css';

const panel = loadable(() => import('./run-picker-panel.js'));

/** Shows the run, renames it, and opens other runs of its session. */
export function RunPicker({ compareHref }: { compareHref: string }) {
  const { run } = useShown();
  const [opened, setOpened] = useState<'list' | 'name'>();
  const [isAsked, setAsked] = useState(false);
  const [, setView] = useView();
  const { data: runs = [] } = useSessionRuns(run.session_name);
  const remove = useDeleteRun();
  const parts = panel.use(opened !== undefined);
  const isSaved = run.state !== 'not_started';
  // The progress needs the space.
  const isBusy = run.state === 'running' || run.state === 'paused';
  const close = () => setOpened(undefined);
  return (
    <>
      <Popup
        label={`Runs of ${run.session_name}`}
        isOpen={opened !== undefined && parts !== undefined}
        setOpen={(open) => setOpened(open ? 'list' : undefined)}
        className={classNames(menuClass, styles.runs)}
        button={{
          className: topStyles.pick,
          title: 'Run',
          ...(isBusy && { 'data-busy': true }),
          children: (
            <>
              <b>
                <MiddleCut text={run.run_name} />
              </b>
              <ConfigName of={run} className={classNames('quiet cut', topStyles.ofRun)} />
              {run.shard && (
                <span className={classNames('quiet cut', topStyles.ofRun)}>
                  {`part ${run.shard.part} of ${run.shard.of}`}
                </span>
              )}
              {run.part_of !== undefined && (
                <span className={classNames('quiet cut', topStyles.ofRun)}>
                  {`${run.total_evaluations} of ${counted(run.part_of, 'result')}`}
                </span>
              )}
              {isBusy ? null : isSaved ? (
                <Moment unix={run.started_at} className={classNames('faint', topStyles.when)} />
              ) : (
                <span className={classNames('faint', topStyles.when)}>not started</span>
              )}
              <Icon name="down" />
            </>
          ),
        }}
      >
        {parts && (
          <parts.RunPickerPanel
            runs={runs}
            focus={opened}
            compareHref={compareHref}
            onClose={close}
            onDelete={() => {
              close();
              setAsked(true);
            }}
          />
        )}
      </Popup>
      <IconButton
        needsServer
        small
        icon="pencil"
        label="Rename run"
        className={topStyles.rename}
        onClick={() => setOpened('name')}
      />
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
    </>
  );
}
