import { useEffect } from 'react';
import { Link, useLocation } from 'wouter';
import { useSearch } from 'wouter/use-browser-location';
import { useRunsInProgress } from '../api/queries.js';
import type { AnswerOf } from '../api/request.js';
import { readStored, store, useStored } from '../browser/stored-text.js';
import { useDelayed } from '../browser/use-delayed.js';
import { buttonClass, IconButton } from '../components/controls/button.js';
import { counted } from '../components/figures/figures.js';
import { Moment } from '../components/figures/time.js';
import { StatusIcon } from '../components/icons/status-icon.js';
import { MiddleCut } from '../components/names/middle-cut.js';
import styles from './run-notices.module.css';

type RunInProgress = AnswerOf<'listRunsInProgress'>['runs'][number];

/** Milliseconds after which a run in progress is worth a notice; the page that started it shows it sooner. */
const shownAfter = 1000;
const most = 2;

/** Runs in progress that are on no page of this browser: at the lower right, until they end, are opened or dismissed. */
export function RunNotices() {
  const { data: running = [] } = useRunsInProgress();
  const [isAnswered, answer] = useAnswers();
  const shown = useShownIds();
  const opened = running.filter((run) => shown.includes(run.run_id) && !isAnswered(run));
  useEffect(() => {
    for (const run of opened) answer(run);
  });
  return (
    <div className={styles.list} role="status" aria-live="polite">
      {running
        .filter((run) => !isAnswered(run) && !shown.includes(run.run_id))
        .slice(0, most)
        .map((run) => (
          <RunNotice
            key={`${run.run_id} ${run.timestamp}`}
            run={run}
            onDismiss={() => answer(run)}
          />
        ))}
    </div>
  );
}

function RunNotice({
  run: { run_id, run_name, session_name, state, total_evaluations, timestamp },
  onDismiss,
}: {
  run: RunInProgress;
  onDismiss: () => void;
}) {
  const isLate = useDelayed(true, shownAfter);
  if (!isLate) return null;
  return (
    <div className={styles.notice}>
      <StatusIcon standing={state === 'paused' ? 'pending' : 'running'} label={null} />
      <p>
        <span className={styles.name}>
          <b>
            <MiddleCut text={run_name} />
          </b>{' '}
          is {state}
        </span>
        <small>
          {counted(total_evaluations, 'result')} in {session_name}, since{' '}
          <Moment unix={timestamp} />
        </small>
      </p>
      <Link
        href={`/?${new URLSearchParams({ run: run_id })}`}
        className={buttonClass({ look: 'primary' })}
        aria-label={`Open ${run_name}`}
      >
        Open
      </Link>
      <IconButton icon="x" label="Dismiss" onClick={onDismiss} />
    </div>
  );
}

/** The runs in the address of the page. */
function useShownIds(): readonly string[] {
  const [path] = useLocation();
  const search = useSearch();
  const [, ofResult] = /^\/runs\/([^/]+)/.exec(path) ?? [];
  return [...new URLSearchParams(search).getAll('run'), ...(ofResult ? [ofResult] : [])];
}

/** Executions that were opened or dismissed in any tab, newest last. */
const answersName = 'answered-runs';
const mostAnswers = 50;

/** Tells whether the execution of a run has been opened or dismissed, and records that. */
function useAnswers() {
  const text = useStored(answersName) ?? '';
  const answered = text.split('\n');
  const nameOf = ({ run_id, timestamp }: RunInProgress) => `${run_id} ${timestamp}`;
  return [
    (run: RunInProgress) => answered.includes(nameOf(run)),
    (run: RunInProgress) => {
      const others = (readStored(answersName) ?? '').split('\n').filter((n) => n !== nameOf(run));
      store(answersName, [...others, nameOf(run)].slice(-mostAnswers).join('\n'));
    },
  ] as const;
}
