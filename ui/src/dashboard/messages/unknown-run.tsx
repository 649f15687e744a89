import { useEffect } from 'react';
import { useSessionRuns, useSessions } from '../../api/queries.js';
import type { RunSummary } from '../../api/schema.js';
import { Bar } from '../../components/controls/bar.js';
import { Button } from '../../components/controls/button.js';
import { Moment } from '../../components/figures/time.js';
import { Empty } from '../../components/messages/empty.js';
import { RunOption, RunOptions, RunRate } from '../../components/runs/run-option.js';
import { useView } from '../use-view.js';
import { withoutFilters } from '../view-state.js';
import styles from './messages.module.css';
import { nearestRuns } from './nearest-runs.js';

/** Runs that are offered. */
const offered = 5;

/** The page of a run that does not exist: the runs with the nearest names, or else the newest. */
export function UnknownRun({ name }: { name: string }) {
  const [, setView] = useView();
  const { data: sessions } = useSessions();
  const [session] = sessions ?? [];
  const { data: runs } = useSessionRuns(session);
  const near = nearestRuns(name, runs ?? []);
  const shown = (near.length > 0 ? near : (runs ?? [])).slice(0, offered);
  useEffect(() => {
    document.title = 'No such run · assay';
  }, []);
  const open = (run: string | undefined) => setView((view) => ({ ...withoutFilters(view), run }));
  return (
    <>
      <Bar>{null}</Bar>
      <main>
        <Empty
          isPage
          title={
            <span>
              No run <code>{name}</code>
            </span>
          }
          actions={
            <Button look="primary" onClick={() => open(undefined)}>
              Open the dashboard
            </Button>
          }
        >
          <p>
            It may have been deleted, or be in another results folder.
            {session !== undefined && shown.length > 0 && (
              <>
                {' '}
                {near.length > 0 ? 'These have a name like it' : 'These are the newest'} in{' '}
                {session}:
              </>
            )}
          </p>
          {shown.length > 0 && (
            <div className={styles.offered}>
              <RunOptions label="Runs">
                {shown.map((run) => (
                  <Offered key={run.run_id} run={run} onPick={() => open(run.run_id)} />
                ))}
              </RunOptions>
            </div>
          )}
        </Empty>
      </main>
    </>
  );
}

function Offered({ run, onPick }: { run: RunSummary; onPick: () => void }) {
  return (
    <RunOption
      run={run}
      mark={<span />}
      time={<Moment unix={run.started_at} className="num" />}
      rate={<RunRate of={run.pass_rate} />}
      onClick={onPick}
    />
  );
}
