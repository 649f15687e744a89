import { boundsText } from '../../../../src/text/share-text.js';
import type { RowSummary } from '../../api/schema.js';
import { classNames } from '../../components/class-names.js';
import {
  count,
  counted,
  countsOnlyTitle,
  passRateTitle,
  rateText,
} from '../../components/figures/figures.js';
import { StatusIcon } from '../../components/icons/status-icon.js';
import { type CaseStanding, standingText } from '../../components/scores/standing.js';
import { useFigures, useShown } from '../dashboard-state.js';
import { useFilter } from '../use-view.js';
import styles from './totals.module.css';

type Counts = RowSummary['counts'];

/** The pass rate with its interval; while the run goes on, that of what is done. */
export function Rate() {
  const { counts, counts_only } = useFigures().summary;
  const isGoing = useIsGoing();
  if (counts_only === true) return <CountsOnly counts={counts} />;
  const rate = counts.pass_rate;
  if (rate === null) {
    const words =
      counts.results === 0
        ? 'no results'
        : counts.unfinished === counts.results
          ? 'not run yet'
          : 'no verdict';
    return (
      <div className={styles.rate}>
        <b className={styles.none}>–</b>
        <span>{words}</span>
      </div>
    );
  }
  const [number, unit] = rateText(rate.estimate).split(' ');
  return (
    <div className={styles.rate}>
      <b title={passRateTitle(rate)}>
        {number}
        <small> {unit}</small>
      </b>
      <span>{isGoing ? 'passed so far' : 'passed'}</span>
      {/* The longer words have its place, and what is done so far is no random part. */}
      {!isGoing && (
        <span
          className={styles.interval}
          title={`95 % interval${counts.clusters === undefined ? '' : `, over ${counted(counts.clusters, 'cluster')}`}`}
        >
          {boundsText(rate)}
        </span>
      )}
    </div>
  );
}

/** What stands for the pass rate where the filter selects by what came of results. */
function CountsOnly({ counts: { passed, failed, errors } }: { counts: Counts }) {
  return (
    <div className={styles.rate} title={countsOnlyTitle}>
      <b>
        {count(passed)}
        <small> of {count(passed + failed + errors)}</small>
      </b>
      <span>passed</span>
      <span className={styles.interval}>counts only</span>
    </div>
  );
}

/** The counts by status as parts of a bar; what is to come is its empty end. */
export function Stack() {
  const { counts } = useFigures().summary;
  const parts = [
    { count: counts.passed, look: styles.passed, words: 'passed' },
    { count: counts.failed, look: styles.failed, words: 'failed' },
    { count: counts.errors, look: styles.errors, words: 'errors' },
    { count: counts.no_verdict, look: styles.others, words: 'without a verdict' },
    { count: counts.unfinished, look: styles.unfinished, words: 'not finished' },
  ].filter((part) => part.count > 0);
  const label = parts.map((part) => `${count(part.count)} ${part.words}`).join(', ');
  return (
    <div className={styles.stack} role="img" aria-label={label || 'no results'}>
      {parts.map((part) => (
        <i key={part.words} className={part.look} style={{ flexGrow: part.count }} />
      ))}
    </div>
  );
}

/** The counts by status; a click on one filters by it. `isShort`: on one line, without words. */
export function Counters({ isShort = false }: { isShort?: boolean }) {
  const { counts } = useFigures().summary;
  const isGoing = useIsGoing();
  const { isIn, toggle } = useFilter('status');
  const counters: { standing: CaseStanding; status: string; count: number; words: string }[] = [
    { standing: 'passed', status: 'passed', count: counts.passed, words: 'passed' },
    { standing: 'failed', status: 'failed', count: counts.failed, words: 'failed' },
    {
      standing: 'error',
      status: 'error',
      count: counts.errors,
      words: counts.errors === 1 ? 'error' : 'errors',
    },
    {
      standing: 'no_verdict',
      status: 'no_verdict',
      count: counts.no_verdict,
      words: standingText('no_verdict'),
    },
  ];
  // Where all have the same places, what is to go takes that of the least.
  const shown = isGoing && !isShort ? counters.slice(0, -1) : counters;
  return (
    <div className={classNames(styles.counts, isShort && styles.short)}>
      {shown
        .filter(({ count: many }) => !isShort || many > 0)
        .map(({ standing, status, count: many, words }) => (
          <button
            key={status}
            type="button"
            aria-pressed={isIn(status)}
            {...(isShort && { title: words })}
            onClick={() => toggle(status)}
          >
            <StatusIcon standing={standing} label={null} />
            <b>{count(many)}</b>
            <span className={isShort ? 'sr' : undefined}>{words}</span>
          </button>
        ))}
      {isGoing && (
        <span>
          <StatusIcon standing="pending" label={null} />
          <b>{count(counts.unfinished)}</b> to go
        </span>
      )}
    </div>
  );
}

/** Whether the run goes on, and some of the results that are counted are to come. */
export function useIsGoing(): boolean {
  const { state } = useShown().run;
  const { unfinished } = useFigures().summary.counts;
  return (state === 'running' || state === 'paused') && unfinished > 0;
}
