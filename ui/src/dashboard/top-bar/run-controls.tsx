import { useState } from 'react';
import { Link } from 'wouter';
import type { Run } from '../../api/client.js';
import { useRowIndices } from '../../api/row-queries.js';
import { useConnectionLost } from '../../app/connection-lost.js';
import { useShortcut } from '../../app/shortcuts.js';
import { classNames } from '../../components/class-names.js';
import { Button, ButtonCount, buttonClass, SplitButton } from '../../components/controls/button.js';
import { loadable } from '../../components/controls/loadable.js';
import { Menu, MenuItem, MenuLine } from '../../components/controls/menu.js';
import { count, counted } from '../../components/figures/figures.js';
import { Icon } from '../../components/icons/icon.js';
import { useShown } from '../dashboard-state.js';
import { useFreshRun } from '../shown-run.js';
import { accessOf, useRunActions } from '../use-run-actions.js';
import { useView } from '../use-view.js';
import { freshRunAddress, isFiltered } from '../view-state.js';
import { Busy } from './busy.js';
import styles from './run-controls.module.css';
import topStyles from './top-bar.module.css';

const newRunDialog = loadable(() => import('./new-run-dialog.js'));
/** What only runs in progress, and those that were interrupted, have. */
const steering = loadable(() => import('./steering.js'));

/** What the button and the key start: the selected results, those that a stop has left, the same in a new run, or all. */
function useStart() {
  const { run } = useShown();
  const actions = useRunActions();
  const access = accessOf(run);
  const isLost = useConnectionLost();
  const fresh = useFreshRun();
  const remaining = useRemaining();
  const rows = actions.selected.length === 0 ? undefined : actions.selected;
  const left = rows === undefined && remaining.length > 0 ? remaining : undefined;
  // The run is only shown to start with: the button keeps it.
  const isNew = fresh !== undefined && rows === undefined && left === undefined;
  return {
    actions,
    access,
    fresh,
    rows,
    left,
    isNew,
    isOff: isLost || access !== 'free' || run.total_evaluations === 0 || actions.isStarting,
    canGrade: run.regradable > 0,
    start: () => (isNew ? actions.runAgain() : actions.rerun(left ?? rows)),
  };
}

type Start = ReturnType<typeof useStart>;

/** The right end of the top bar: starts the run, or controls the execution. */
export function RunControls() {
  const { run } = useShown();
  const given = useStart();
  const { access, actions, fresh } = given;
  const isBegun = access === 'elsewhere' || access === 'here' || run.state === 'interrupted';
  const parts = steering.use(isBegun);
  // The page learns late that a run has ended, so the keys stay active and the server decides.
  // An interrupted run has to be resumed instead.
  const hasKeys = run.state !== 'interrupted' && !actions.isStarting;
  useShortcut('rerun', given.start, hasKeys, startText(run, given));
  useShortcut('regrade', () => actions.regrade(given.rows), hasKeys, regradeText(run, given));
  return (
    <span role="group" aria-label="Controls of the run" className={styles.controls}>
      {isBegun ? (
        parts && <parts.Steering access={access} />
      ) : (
        <>
          {fresh && <FreshLink fresh={fresh} />}
          <Busy />
          <Starting {...given} />
        </>
      )}
    </span>
  );
}

/** What the main button starts, with the number of results. */
function startText({ state, total_evaluations: total }: Run, { rows, left, isNew }: Start): string {
  const selected = rows && `${count(rows.length)} selected`;
  if (state === 'not_started') return `Run ${selected ?? `all ${count(total)}`}`;
  if (left) return `Run the remaining ${count(left.length)}`;
  if (isNew) return `Run all ${count(total)} again in a new run`;
  return `Rerun ${selected ?? `all ${count(total)}`}`;
}

function regradeText({ regradable }: Run, { rows }: Pick<Start, 'rows'>): string {
  return `Regrade ${rows ? `${count(rows.length)} selected` : `all ${count(regradable)}`}`;
}

/** The way to the run that has not started. */
function FreshLink({ fresh }: { fresh: Run }) {
  return (
    <Link
      href={freshRunAddress}
      className={classNames(buttonClass({ look: 'ghost' }), topStyles.wide)}
      title={`${fresh.run_name}: ${counted(fresh.total_evaluations, 'evaluation')}, not started`}
    >
      New run
    </Link>
  );
}

function Starting(given: Start) {
  const { actions, rows, left, isNew, isOff, start } = given;
  const { run } = useShown();
  const [isAsked, setAsked] = useState(false);
  const parts = newRunDialog.use(isAsked);
  if (run.state === 'not_started') {
    return (
      <Button look="primary" icon="play" disabled={isOff} onClick={start}>
        Run {count(rows?.length ?? run.total_evaluations)}
        {rows && ' selected'}
      </Button>
    );
  }
  const isBusy = given.access === 'busy';
  const why = run.view_only ?? (isBusy ? 'Another run is in progress.' : undefined);
  return (
    <>
      {given.canGrade && (
        <Button
          icon="regrade"
          className={topStyles.regrade}
          disabled={isOff}
          title={why}
          onClick={() => actions.regrade(rows)}
        >
          Regrade {rows && <ButtonCount>{count(rows.length)}</ButtonCount>}
        </Button>
      )}
      <SplitButton>
        <Button
          look="primary"
          icon={left ? 'play' : 'rerun'}
          disabled={isOff}
          title={why ?? (isNew ? `The same in a new run; ${run.run_name} is kept` : undefined)}
          onClick={start}
        >
          {left ? (
            <span>
              Run <span className={styles.word}>the remaining </span>
              {count(left.length)}
            </span>
          ) : isNew ? (
            'Run again'
          ) : (
            <>Rerun {rows && `${count(rows.length)} selected`}</>
          )}
        </Button>
        <RunMenu {...given} onNewRun={() => setAsked(true)} />
      </SplitButton>
      {parts && (
        <parts.NewRunDialog actions={actions} isOpen={isAsked} onClose={() => setAsked(false)} />
      )}
    </>
  );
}

/** Indices of the results that a stop has left. */
function useRemaining(): readonly number[] {
  const { run, figures } = useShown();
  const [view] = useView();
  const { unfinished = 0 } = figures?.summary.counts ?? {};
  const isStopped = run.state === 'finished' && !run.budget && (unfinished > 0 || isFiltered(view));
  const { data = [] } = useRowIndices(run.run_id, 'status=cancelled', isStopped);
  return isStopped ? data : [];
}

/** The menu of the split button: more ways to run. */
function RunMenu({
  actions,
  rows,
  left,
  isNew,
  isOff,
  canGrade,
  onNewRun,
}: Start & { onNewRun: () => void }) {
  const { run, figures } = useShown();
  const [view] = useView();
  const { failed = 0, errors = 0 } = figures?.summary.counts ?? {};
  const broken = failed + errors;
  const isAll = !isFiltered(view);
  const shown = figures?.filtered ?? 0;
  return (
    <Menu
      label="More ways to run"
      align="end"
      button={{
        className: buttonClass({ look: 'primary' }),
        'aria-label': 'More ways to run',
        disabled: isOff,
        children: <Icon name="down" />,
      }}
    >
      {rows && (
        <MenuItem keys="r" onClick={() => actions.rerun(rows)}>
          Rerun {count(rows.length)} selected
        </MenuItem>
      )}
      {broken > 0 && (
        <MenuItem
          note={isAll ? 'of the whole run' : 'of the filtered results'}
          onClick={actions.rerunFailed}
        >
          Rerun {count(broken)} failed and errors
        </MenuItem>
      )}
      {!isAll && shown > 0 && (
        <MenuItem note="all filtered results" onClick={actions.rerunShown}>
          Rerun {count(shown)} shown
        </MenuItem>
      )}
      <MenuItem
        {...(isNew && { note: 'in this run' })}
        {...(!isNew && !left && !rows && { keys: 'r' })}
        onClick={() => actions.rerun()}
      >
        Rerun all {count(run.total_evaluations)}
      </MenuItem>
      <MenuLine />
      <MenuItem note="keeps this run; asks for a name" onClick={onNewRun}>
        New run…
      </MenuItem>
      {canGrade && (
        <>
          <MenuLine />
          <MenuItem
            note="stored outputs, today’s graders"
            keys="g"
            onClick={() => actions.regrade(rows)}
          >
            {regradeText(run, { rows })}
          </MenuItem>
          {!isAll && shown > 0 && (
            <MenuItem note="all filtered results" onClick={actions.regradeShown}>
              Regrade {count(shown)} shown
            </MenuItem>
          )}
        </>
      )}
    </Menu>
  );
}
