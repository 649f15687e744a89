import { useRun } from '../api/queries.js';
import { Empty } from '../components/empty.js';
import { RunChooser } from './run-chooser.js';
import styles from './too-few-runs.module.css';
import { useCompareView } from './use-compare-view.js';
import { withRuns } from './view-state.js';

/** What stands where there is no run to compare with: a list to choose one from. */
export function TooFewRuns({ runs }: { runs: readonly string[] }) {
  const [, setView] = useCompareView();
  const [only] = runs;
  // Without a run, the session of the active one is a good guess.
  const { data: run } = useRun(only ?? 'latest');
  const name = only === undefined ? undefined : run?.run_name;
  return (
    <Empty title={only === undefined ? 'Choose a base' : `Compare ${name ?? 'it'} with …`}>
      <p>
        {only === undefined
          ? 'Runs are held against the first one. Evaluations are paired by id, never by position.'
          : `${name ?? 'The run'} is the base; the run you choose is held against it. Up to four runs go side by side.`}
      </p>
      <div className={styles.list}>
        <RunChooser
          taken={run && only !== undefined ? [run.run_id] : runs}
          session={run?.session_name}
          onPick={(id) => setView((view) => withRuns(view, [...view.runs, id]))}
        />
      </div>
    </Empty>
  );
}
