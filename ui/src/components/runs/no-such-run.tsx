import type { ReactNode } from 'react';
import { useOfferedRuns } from '../../api/queries.js';
import { Moment } from '../figures/time.js';
import { Empty } from '../messages/empty.js';
import { nearestRuns } from './nearest-runs.js';
import { RunOption, RunOptions, RunRate } from './run-option.js';

/** Runs that are offered. */
const offered = 5;

/** Says that runs do not exist, and offers the runs with the nearest names, or else the newest. */
export function NoSuchRun({
  names,
  isPage = true,
  actions,
  onPick,
}: {
  /** As in the address. */
  names: readonly string[];
  isPage?: boolean;
  actions: ReactNode;
  /** A run is chosen instead of the first one. */
  onPick: (run: string) => void;
}) {
  const { all, newest, session } = useOfferedRuns();
  const [name = ''] = names;
  const near = nearestRuns(name, all);
  const shown = (near.length > 0 ? near : newest).slice(0, offered);
  const isOne = names.length === 1;
  return (
    <Empty
      isPage={isPage}
      title={
        <span>
          No {isOne ? 'run' : 'runs'} <code>{names.join(', ')}</code>
        </span>
      }
      actions={actions}
    >
      <p>
        {isOne ? 'It' : 'They'} may have been deleted, or be in another results folder.
        {shown.length > 0 &&
          (near.length > 0
            ? ` ${shown.length === 1 ? 'This one has' : 'These have'} a name like it:`
            : ` These are the newest in ${session}:`)}
      </p>
      {shown.length > 0 && (
        <div style={{ maxWidth: 560, marginTop: 12 }}>
          <RunOptions label="Runs">
            {shown.map((run) => (
              <RunOption
                key={run.run_id}
                run={run}
                mark={<span />}
                time={<Moment unix={run.started_at} className="num" />}
                rate={<RunRate of={run.pass_rate} />}
                onClick={() => onPick(run.run_id)}
              />
            ))}
          </RunOptions>
        </div>
      )}
    </Empty>
  );
}
