import { useEffect, useRef, useState } from 'react';
import { useActivateRun, usePause, useResume, useStop } from '../../api/actions.js';
import { classNames } from '../../components/class-names.js';
import { Button } from '../../components/controls/button.js';
import { ConfirmDialog } from '../../components/controls/dialog.js';
import { clock, count, counted } from '../../components/figures/figures.js';
import { useShown } from '../dashboard-state.js';
import type { RunAccess } from '../use-run-actions.js';
import { useView } from '../use-view.js';
import { isFiltered } from '../view-state.js';
import { Busy } from './busy.js';
import styles from './run-controls.module.css';

/** Seconds of work that a stop may lose without a question. */
const lostUnasked = 60;

/** The controls of a run that has begun: in progress here or elsewhere, or interrupted. */
export function Steering({ access }: { access: RunAccess }) {
  if (access === 'elsewhere') return <Elsewhere />;
  return access === 'here' ? <Here /> : <Interrupted access={access} />;
}

/** For a run that another process executes: it can be read and annotated, but not controlled. */
function Elsewhere() {
  const { run } = useShown();
  const { pid, host } = run.process ?? {};
  return (
    <>
      <span className={styles.progress}>
        <Done />
        <Progress />
      </span>
      <span className={classNames('quiet num', styles.note)} title={`on ${host}`}>
        runs in process {pid}
      </span>
      <Button icon="lock" disabled title={`In use by process ${pid} on ${host}`}>
        Read only here
      </Button>
    </>
  );
}

function Interrupted({ access }: { access: RunAccess }) {
  const { run } = useShown();
  const activate = useActivateRun();
  const resume = useResume();
  const stop = useStop();
  // Both act on the active run when nothing is in progress.
  const onThis = (act: () => void) => activate.mutate(run.run_id, { onSuccess: act });
  return (
    <>
      <Busy />
      <span className={styles.done}>
        <Done />
      </span>
      <span className={styles.note}>interrupted by a crash</span>
      <Button
        look="primary"
        icon="play"
        needsServer
        disabled={access !== 'free'}
        title={run.view_only ?? undefined}
        onClick={() => onThis(resume.mutate)}
      >
        Resume {count(run.unfinished)}
      </Button>
      <Button needsServer disabled={access === 'busy'} onClick={() => onThis(stop.mutate)}>
        Cancel the rest
      </Button>
    </>
  );
}

/** Buttons to pause, resume and stop the execution. */
function Here() {
  const { run, figures } = useShown();
  const pause = usePause();
  const resume = useResume();
  const stop = useStop();
  const [lost, setLost] = useState<number>();
  const workInProgress = useWorkInProgress();
  const running = figures?.summary.progress.running ?? 0;
  return (
    <>
      <RunProgress />
      {run.state === 'paused' ? (
        <Button
          look="primary"
          icon="play"
          needsServer
          disabled={resume.isPending}
          onClick={() => resume.mutate()}
        >
          Resume
        </Button>
      ) : (
        <Button needsServer icon="pause" disabled={pause.isPending} onClick={() => pause.mutate()}>
          Pause
        </Button>
      )}
      <Button
        look="danger"
        icon="stop"
        needsServer
        disabled={stop.isPending}
        onClick={() => {
          const seconds = workInProgress();
          if (seconds > lostUnasked) setLost(seconds);
          else stop.mutate();
        }}
      >
        Stop
      </Button>
      <ConfirmDialog
        title={`Stop ${run.run_name}?`}
        action="Stop run"
        isOpen={lost !== undefined}
        onClose={() => setLost(undefined)}
        onConfirm={() => stop.mutate()}
      >
        {counted(running, 'result')} in progress would be lost, about {clock(lost ?? 0)} of work.
        The {count(Math.max(0, run.selected_total - run.unfinished))} that have finished stay, and
        the rest can be run later.
      </ConfirmDialog>
    </>
  );
}

/** Asks about how many seconds the results in progress have taken: on average half done, or all since the last has finished. */
function useWorkInProgress(): () => number {
  const { run, figures } = useShown();
  const { created_at: begun, selected_total: total, unfinished } = run;
  const last = useRef(begun);
  const isFirst = unfinished >= total;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each result that has finished counts.
  useEffect(() => {
    last.current = isFirst ? begun : Date.now() / 1000;
  }, [begun, isFirst, unfinished]);
  const { progress, latency } = figures?.summary ?? {};
  return () => {
    const now = Date.now() / 1000;
    const each = Math.max(now - last.current, (latency?.average ?? 0) / 2);
    return (progress?.running ?? 0) * Math.min(each, now - begun);
  };
}

/** The progress of the execution, with elapsed and remaining time. */
function RunProgress() {
  const { run, figures } = useShown();
  const now = useSeconds();
  const { selected_total: total, unfinished, state, created_at } = run;
  const done = Math.max(0, total - unfinished);
  const elapsed = now - created_at;
  const left = done === 0 ? undefined : (elapsed / done) * unfinished;
  const running = figures?.summary.progress.running ?? 0;
  const time =
    state === 'paused'
      ? running === 0
        ? 'paused'
        : `paused, ${count(running)} finishing`
      : undefined;
  return (
    <span className={styles.progress}>
      <Done />
      <Progress />
      <span className={classNames('quiet num', styles.time)}>
        {time ?? (
          <>
            <span className={styles.elapsed}>
              {clock(elapsed)} elapsed{left !== undefined && ', '}
            </span>
            {left !== undefined && `${clock(left)} left`}
          </>
        )}
      </span>
    </span>
  );
}

/** `214 / 342`, of the whole run regardless of the filter. */
function Done() {
  const { run } = useShown();
  const { selected_total: total } = run;
  const [view] = useView();
  return (
    <span className="num">
      <b>{count(Math.max(0, total - run.unfinished))}</b> / {count(total)}
      {isFiltered(view) && <span className={classNames('quiet', styles.whole)}> whole run</span>}
    </span>
  );
}

/** The progress as a bar. */
function Progress() {
  const { run } = useShown();
  const { selected_total: total, unfinished } = run;
  const done = Math.max(0, total - unfinished);
  const share = total === 0 ? 0 : Math.min(1, done / total);
  return (
    <span
      role="progressbar"
      aria-label="Progress"
      aria-valuemin={0}
      aria-valuemax={total}
      aria-valuenow={done}
      className={styles.meter}
    >
      <i style={{ width: `${share * 100}%` }} />
    </span>
  );
}

/** The current time in Unix seconds, updated every second. */
function useSeconds(): number {
  const [now, setNow] = useState(() => Date.now() / 1000);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now() / 1000), 1000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
