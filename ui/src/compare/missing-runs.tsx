import { isNotFound, messageOf } from '../api/problem.js';
import { useRun } from '../api/queries.js';
import { Button } from '../components/controls/button.js';
import { count } from '../components/figures/figures.js';
import { Empty } from '../components/messages/empty.js';
import { NoSuchRun } from '../components/runs/no-such-run.js';
import styles from './compare-page.module.css';
import { RunChooser } from './run-chooser.js';

/** Shows which runs of the URL cannot be read, and offers to continue without them. */
export function MissingRuns({
  runs,
  errors,
  onRuns,
}: {
  runs: readonly string[];
  /** The error of each run, if any. */
  errors: readonly (Error | null)[];
  /** Goes on with other runs. */
  onRuns: (runs: readonly string[]) => void;
}) {
  const bad = runs.filter((_, n) => errors[n]);
  const first = errors.find((error) => error !== null);
  const rest = runs.filter((run) => !bad.includes(run));
  const isGone = errors.every((error) => error === null || isNotFound(error));
  const goOn = (
    <Button look="primary" onClick={() => onRuns(rest)}>
      {rest.length === 0 ? 'Choose runs' : 'Go on without'}
    </Button>
  );
  if (isGone) {
    const instead = (id: string) => [...new Set(runs.map((run) => (run === bad[0] ? id : run)))];
    return (
      <NoSuchRun names={bad} isPage={false} actions={goOn} onPick={(id) => onRuns(instead(id))} />
    );
  }
  return (
    <Empty title="A run cannot be read" actions={goOn}>
      <p>
        {bad.join(', ')}: {messageOf(first)}
      </p>
    </Empty>
  );
}

/** A list for choosing a run when there are too few to compare. */
export function TooFewRuns({
  runs,
  most,
  onPick,
}: {
  runs: readonly string[];
  /** How many runs can be chosen. */
  most: number;
  onPick: (id: string) => void;
}) {
  const [only] = runs;
  // Without a run, default to the session of the active one.
  const { data: run } = useRun(only ?? 'latest');
  const name = only === undefined ? undefined : run?.run_name;
  return (
    <Empty title={only === undefined ? 'Choose a base' : `Compare ${name ?? 'it'} with …`}>
      <p>
        {only === undefined
          ? 'Every run is compared with the first one. Cases are paired by id, never by position.'
          : `${name ?? 'The run'} is the base; the run you choose is compared with it. You can compare up to ${count(most)} runs.`}
      </p>
      <div className={styles.list}>
        <RunChooser
          taken={run && only !== undefined ? [run.run_id] : runs}
          session={run?.session_name}
          onPick={onPick}
        />
      </div>
    </Empty>
  );
}
