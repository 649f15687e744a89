import { Fragment } from 'react';
import { Link } from 'wouter';
import { flipTheme } from '../app/theme.js';
import { BackLink, Bar, BarSpace, BarTools, Slash } from '../components/controls/bar.js';
import { Button, buttonClass, IconButton } from '../components/controls/button.js';
import { count } from '../components/figures/figures.js';
import { calibrationAddress } from '../result/addresses.js';
import { visibleText } from '../result/values/visible-text.js';
import type { ReviewQueue } from './queries.js';
import styles from './review-bar.module.css';

/** The top bar of a review: how far it is, and who reviews. */
export function ReviewBar({
  run,
  queue,
  reviewer,
  done,
  waiting = 0,
  onReviewer,
}: {
  run: string;
  queue: ReviewQueue | undefined;
  reviewer: string;
  /** Results that are labelled, if there are any to label. */
  done?: number;
  /** Labels that are not saved yet. */
  waiting?: number;
  onReviewer: () => void;
}) {
  const all = queue?.queue.length ?? 0;
  return (
    <Bar className={styles.bar}>
      <BackLink href={`/?run=${encodeURIComponent(run)}`} />
      {queue &&
        [queue.session_name, queue.run_name].map((name, at) => (
          <Fragment key={['session', 'run'][at]}>
            <Slash className={styles.wide} />
            <span className={`quiet cut ${styles.wide} ${styles.name}`} title={visibleText(name)}>
              {visibleText(name)}
            </span>
          </Fragment>
        ))}
      <Slash className={styles.wide} />
      <span>review</span>
      <BarSpace />
      {done !== undefined && (
        <span className={styles.progress} role="status">
          <span>
            <b>{count(done)}</b> of <b>{count(all)}</b>
          </span>
          <span className={styles.meter} aria-hidden="true">
            <i style={{ width: `${(100 * done) / all}%` }} />
          </span>
          {waiting > 0 && <span className={styles.waiting}>{count(waiting)} not saved yet</span>}
          <span className="quiet">
            <b>{count(queue?.disagreements ?? 0)}</b>{' '}
            {queue?.disagreements === 1 ? 'disagreement' : 'disagreements'}
          </span>
        </span>
      )}
      <BarSpace />
      <BarTools>
        {reviewer !== '' && (
          <Button
            look="ghost"
            icon="hand"
            title={`Labels are kept as those of ${reviewer}. Change the name`}
            className={styles.who}
            onClick={onReviewer}
          >
            <span className="cut">{reviewer}</span>
          </Button>
        )}
        <IconButton icon="theme" label="Theme" className={styles.wide} onClick={flipTheme} />
      </BarTools>
      {queue && (
        <Link href={calibrationAddress(run)} className={buttonClass({})}>
          Finish
        </Link>
      )}
    </Bar>
  );
}
