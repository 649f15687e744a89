import { useState } from 'react';
import { Link } from 'wouter';
import { useActivateRun, useRenameRun } from '../../api/actions.js';
import type { RunSummary } from '../../api/schema.js';
import { Button, buttonClass } from '../../components/controls/button.js';
import { Field } from '../../components/controls/field.js';
import { Kbd } from '../../components/controls/kbd.js';
import { Switch } from '../../components/controls/switch.js';
import { counted } from '../../components/figures/figures.js';
import { Moment } from '../../components/figures/time.js';
import { Icon } from '../../components/icons/icon.js';
import { StatusIcon } from '../../components/icons/status-icon.js';
import { RunOption, RunOptions, RunRate } from '../../components/runs/run-option.js';
import { callsAddress, reviewAddress, trendsAddress } from '../../result/addresses.js';
import { useShown } from '../dashboard-state.js';
import { useFollowing, useFreshRun } from '../shown-run.js';
import { useView } from '../use-view.js';
import styles from './run-picker.module.css';

/** Renames and deletes the run, and opens other runs of its session. */
export function RunPickerPanel({
  runs,
  focus,
  compareHref,
  onClose,
  onDelete,
}: {
  runs: readonly RunSummary[];
  /** The element that gets the focus. */
  focus: 'list' | 'name' | undefined;
  compareHref: string;
  onClose: () => void;
  onDelete: () => void;
}) {
  const { run } = useShown();
  const [, setView] = useView();
  const activate = useActivateRun();
  const following = useFollowing();
  return (
    <>
      <RenameField isFocused={focus === 'name'} onDone={onClose} />
      <hr />
      <RunList
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
      <hr />
      <Switch
        isOn={following.isOn}
        disabled={following.change === undefined}
        onChange={(isOn) => following.change?.(isOn)}
        className={styles.follow}
        title="Opens each new run of this session, unless you are in the middle of something"
      >
        Follow the latest run
      </Switch>
      <hr />
      <div className={styles.end}>
        <span>{counted(runs.length, 'run')}</span>
        <Link href={compareHref} className={buttonClass({ look: 'ghost' })} onClick={onClose}>
          Compare…
        </Link>
        {run.state !== 'not_started' && (
          <Link
            href={reviewAddress(run.run_id)}
            className={buttonClass({ look: 'ghost' })}
            onClick={onClose}
          >
            Review…
          </Link>
        )}
        {runs.length > 0 && (
          <Link
            href={trendsAddress(run.session_name)}
            className={buttonClass({ look: 'ghost' })}
            onClick={onClose}
          >
            Trends…
          </Link>
        )}
        {run.usage !== undefined && (
          <Link
            href={callsAddress(run.run_id)}
            className={buttonClass({ look: 'ghost' })}
            onClick={onClose}
          >
            Calls…
          </Link>
        )}
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

/** Edits the name of a run in place; Enter saves. */
function RenameField({ isFocused, onDone }: { isFocused: boolean; onDone: () => void }) {
  const { run } = useShown();
  const [name, setName] = useState(run.run_name);
  const rename = useRenameRun();
  const isBlank = name.trim() === '';
  return (
    <form
      className={styles.head}
      onSubmit={(event) => {
        event.preventDefault();
        if (isBlank) return;
        if (name.trim() === run.run_name) onDone();
        else rename.mutate({ run: run.run_id, name }, { onSuccess: onDone });
      }}
    >
      <Icon name="pencil" />
      <Field
        label="Name of the run"
        value={name}
        maxLength={100}
        bad={isBlank}
        autoFocus={isFocused}
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <span className="faint">
        <Kbd>↵</Kbd> save
      </span>
    </form>
  );
}

/** The runs of a session, newest first. */
function RunList({
  runs,
  isFocused,
  onPick,
}: {
  runs: readonly RunSummary[];
  isFocused: boolean;
  onPick: (id: string) => void;
}) {
  const { run } = useShown();
  const isListed = runs.some(({ run_id }) => run_id === run.run_id);
  // The shown run is listed even if it is not saved.
  const fresh = useFreshRun() ?? (isListed ? undefined : run);
  const keysOf = (id: string) => ({
    id: `run-${id}`,
    'aria-selected': id === run.run_id,
    autoFocus: id === run.run_id && isFocused,
    className: id === run.run_id ? styles.current : undefined,
    onClick: () => onPick(id),
  });
  return (
    <RunOptions label="Runs" defaultActiveId={`run-${run.run_id}`}>
      {fresh && (
        <RunOption
          {...keysOf(fresh.run_id)}
          run={fresh}
          mark={fresh === run ? <Icon name="right" /> : <span />}
          time={<span className="num">not started</span>}
          rate={<span className="num" />}
        />
      )}
      {runs.map((other) => (
        <RunOption
          key={other.run_id}
          {...keysOf(other.run_id)}
          run={other}
          mark={<Mark run={other} isCurrent={other.run_id === run.run_id} />}
          time={<Moment unix={other.started_at} className="num" />}
          rate={<Rate run={other} />}
        />
      ))}
    </RunOptions>
  );
}

function Mark({ run, isCurrent }: { run: RunSummary; isCurrent: boolean }) {
  if (run.state === 'running') return <StatusIcon standing="running" />;
  if (run.state === 'paused') return <StatusIcon standing="pending" label="paused" />;
  if (run.state === 'interrupted') return <StatusIcon standing="cancelled" label="interrupted" />;
  return isCurrent ? <Icon name="right" /> : <span />;
}

/** The pass rate, as on the page of the run; empty while it is in progress. */
function Rate({ run: { pass_rate, state } }: { run: RunSummary }) {
  if (state === 'running' || state === 'paused') return <span className="num" />;
  return <RunRate of={pass_rate} />;
}
