import { useState } from 'react';
import { useSessionRuns, useSessions } from '../api/queries.js';
import { Moment } from '../components/figures/time.js';
import { RunOption, RunOptions, RunRate } from '../components/runs/run-option.js';
import styles from './run-chooser.module.css';
import { RunTag } from './run-tag.js';

/** Lists saved runs of a session, newest first; the session can be switched. */
export function RunChooser({
  taken,
  session,
  isFocused = false,
  onPick,
}: {
  /** Runs that are already compared, in order. */
  taken: readonly string[];
  /** The session listed first, if it has saved runs. Default: the newest. */
  session: string | undefined;
  isFocused?: boolean;
  onPick: (id: string) => void;
}) {
  const [chosen, setChosen] = useState<string>();
  const { data: sessions = [] } = useSessions();
  const shown = chosen ?? sessions.find((name) => name === session) ?? sessions[0];
  const { data: runs } = useSessionRuns(shown);
  const first = runs?.find(({ run_id }) => !taken.includes(run_id))?.run_id;
  if (shown === undefined || runs === undefined) {
    return <p className={styles.note}>{sessions.length === 0 ? 'No run is saved yet.' : ''}</p>;
  }
  return (
    <div>
      {sessions.length > 1 && (
        <label className={styles.session}>
          <span>session</span>
          <select value={shown} onChange={(event) => setChosen(event.currentTarget.value)}>
            {sessions.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      )}
      <RunOptions label={`Runs of ${shown}`} focusLoop={false}>
        {runs.map((run) => {
          const at = taken.indexOf(run.run_id);
          return (
            <RunOption
              key={run.run_id}
              run={run}
              mark={at >= 0 ? <RunTag run={at} small /> : <span />}
              time={<Moment unix={run.started_at} className="num" />}
              rate={<RunRate of={run.pass_rate} />}
              aria-selected={at >= 0}
              disabled={at >= 0}
              autoFocus={isFocused && run.run_id === first}
              onClick={() => onPick(run.run_id)}
            />
          );
        })}
      </RunOptions>
      {first === undefined && <p className={styles.note}>No other run in this session.</p>}
    </div>
  );
}
