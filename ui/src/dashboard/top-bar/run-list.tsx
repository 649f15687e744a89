import type { Run } from '../../api/client.js';
import type { RunSummary } from '../../api/schema.js';
import { Moment } from '../../components/figures/time.js';
import { Icon } from '../../components/icons/icon.js';
import { StatusIcon } from '../../components/icons/status-icon.js';
import { RunOption, RunOptions, RunRate } from '../../components/runs/run-option.js';
import { useFreshRun } from '../shown-run.js';
import styles from './run-picker.module.css';

/** The runs of a session, newest first. */
export function RunList({
  run,
  runs,
  isFocused,
  onPick,
}: {
  /** The shown run; listed even if it is not saved. */
  run: Run;
  runs: readonly RunSummary[];
  isFocused: boolean;
  onPick: (id: string) => void;
}) {
  const isListed = runs.some(({ run_id }) => run_id === run.run_id);
  const fresh = useFreshRun(run) ?? (isListed ? undefined : run);
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
