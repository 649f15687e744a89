import { Composite, CompositeItem, CompositeProvider } from '@ariakit/react';
import type { ReactNode } from 'react';
import type { Run } from '../../api/client.js';
import type { RunSummary } from '../../api/schema.js';
import { ConfigName } from '../../components/config-name.js';
import { passRateTitle, rateText } from '../../components/figures.js';
import { Icon } from '../../components/icon.js';
import { StatusIcon } from '../../components/status-icon.js';
import { Moment } from '../../components/time.js';
import styles from './run-picker.module.css';

/** The runs of a session, newest first: arrow keys walk, Enter picks. */
export function RunList({
  run,
  runs,
  isFocused,
  onPick,
}: {
  /** The one in sight; it is listed even when it is saved nowhere. */
  run: Run;
  runs: readonly RunSummary[];
  isFocused: boolean;
  onPick: (id: string) => void;
}) {
  const isListed = runs.some(({ run_id }) => run_id === run.run_id);
  return (
    <CompositeProvider orientation="vertical" defaultActiveId={`run-${run.run_id}`}>
      <Composite role="listbox" aria-label="Runs" className={styles.list}>
        {!isListed && (
          <Item id={run.run_id} isCurrent isFocused={isFocused} onPick={onPick}>
            <Icon name="right" />
            <Name run={run} />
            <span className="num">not started</span>
            <span className="num" />
          </Item>
        )}
        {runs.map((other) => (
          <Item
            key={other.run_id}
            id={other.run_id}
            isCurrent={other.run_id === run.run_id}
            isFocused={isFocused}
            onPick={onPick}
          >
            <Mark run={other} isCurrent={other.run_id === run.run_id} />
            <Name run={other} />
            <Moment unix={other.started_at} className="num" />
            <Rate run={other} />
          </Item>
        ))}
      </Composite>
    </CompositeProvider>
  );
}

function Item({
  id,
  isCurrent,
  isFocused,
  onPick,
  children,
}: {
  id: string;
  isCurrent: boolean;
  isFocused: boolean;
  onPick: (id: string) => void;
  children: ReactNode;
}) {
  return (
    <CompositeItem
      id={`run-${id}`}
      role="option"
      aria-selected={isCurrent}
      autoFocus={isCurrent && isFocused}
      className={styles.run}
      onClick={() => onPick(id)}
    >
      {children}
    </CompositeItem>
  );
}

function Name({ run }: { run: Pick<Run, 'run_name' | 'config_name'> }) {
  return (
    <span className={styles.name}>
      <span className="cut">{run.run_name}</span>
      <ConfigName of={run} className="quiet" />
    </span>
  );
}

function Mark({ run, isCurrent }: { run: RunSummary; isCurrent: boolean }) {
  if (run.state === 'running') return <StatusIcon standing="running" />;
  if (run.state === 'paused') return <StatusIcon standing="pending" label="paused" />;
  if (run.state === 'interrupted') return <StatusIcon standing="cancelled" label="interrupted" />;
  return isCurrent ? <Icon name="right" /> : <span />;
}

/** The pass rate, as the page of the run says it; none while it is in progress. */
function Rate({ run: { pass_rate, state } }: { run: RunSummary }) {
  if (state === 'running' || state === 'paused') return <span className="num" />;
  return (
    <span className="num" title={passRateTitle(pass_rate)}>
      {rateText(pass_rate?.estimate)}
    </span>
  );
}
