import { useEffect, useState } from 'react';
import type { Run } from '../../api/client.js';
import type { RowFigures } from '../../api/row-queries.js';
import { classNames } from '../../components/class-names.js';
import { clock, count } from '../../components/figures/figures.js';
import { useView } from '../use-view.js';
import { isFiltered } from '../view-state.js';
import styles from './run-controls.module.css';

/** The progress of the execution, with elapsed and remaining time. */
export function RunProgress({ run, figures }: { run: Run; figures: RowFigures | undefined }) {
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
      <Done run={run} />
      <Progress run={run} />
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
export function Done({ run }: { run: Run }) {
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
export function Progress({ run }: { run: Run }) {
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
