import { boundsText } from '../../../../src/text/share-text.js';
import type { Run } from '../../api/client.js';
import type { RowFigures } from '../../api/row-queries.js';
import { count, counted, passRateTitle, rateText } from '../../components/figures/figures.js';
import { StatusIcon } from '../../components/icons/status-icon.js';
import { codeVersionsText } from '../../components/runs/code-versions.js';
import { type Standing, standingText } from '../../components/scores/standing.js';
import { useFilter, useView } from '../use-view.js';
import { isFiltered } from '../view-state.js';
import styles from './totals.module.css';
import { TrialFigures } from './trial-figures.js';

type Counts = RowFigures['summary']['counts'];

/** The pass rate and the counts by status; a click on a count filters by it. */
export function Totals({ run, figures }: { run: Run; figures: RowFigures }) {
  const { counts, trials } = figures.summary;
  return (
    <div className={styles.totals}>
      <Rate counts={counts} />
      <Stack counts={counts} />
      <Counters counts={counts} />
      <Foot figures={figures} trials={trials} />
      <CodeVersionsNote run={run} />
    </div>
  );
}

function Rate({ counts }: { counts: Counts }) {
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
  const total = counts.passed + counts.failed + counts.errors;
  return (
    <div className={styles.rate}>
      <b title={passRateTitle({ passed: counts.passed, total })}>
        {number}
        <small> {unit}</small>
      </b>
      <span>passed</span>
      <span className={styles.interval} title="95 % interval">
        {boundsText(rate)}
      </span>
    </div>
  );
}

function Stack({ counts }: { counts: Counts }) {
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

function Counters({ counts }: { counts: Counts }) {
  const { isIn, toggle } = useFilter('status');
  const counters: { standing: Standing; status: string; count: number; words: string }[] = [
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
  return (
    <div className={styles.counts}>
      {counters.map(({ standing, status, count: many, words }) => (
        <button
          key={status}
          type="button"
          aria-pressed={isIn(status)}
          onClick={() => toggle(status)}
        >
          <StatusIcon standing={standing} label={null} />
          <b>{count(many)}</b>
          {words}
        </button>
      ))}
    </div>
  );
}

function Foot({
  figures,
  trials,
}: {
  figures: RowFigures;
  trials: RowFigures['summary']['trials'];
}) {
  const [view] = useView();
  const { filtered, total, summary } = figures;
  const { cases, functions, pruned, unfinished } = summary.counts;
  return (
    <p className={styles.foot}>
      <b>{count(filtered)}</b>
      {isFiltered(view) ? ` of ${counted(total, 'result')}` : total === 1 ? ' result' : ' results'}
      {pruned > 0 && (
        <>
          , <b>{count(pruned)}</b> pruned
        </>
      )}
      {cases < filtered && (
        <>
          , <b>{count(cases)}</b> {cases === 1 ? 'case' : 'cases'}
        </>
      )}
      {unfinished > 0 ? (
        <>
          , <b>{count(unfinished)}</b> unfinished
        </>
      ) : (
        <span className={styles.optional}>
          , <b>{count(functions)}</b> {functions === 1 ? 'evaluation' : 'evaluations'}
        </span>
      )}
      {trials && unfinished < summary.counts.results && (
        <>
          ,<br className={styles.optional} />{' '}
          <TrialFigures trials={trials} isGraded={summary.counts.pass_rate !== null} />
        </>
      )}
    </p>
  );
}

/** The note that a run has results of several code versions; a click filters by the older ones. */
function CodeVersionsNote({ run }: { run: Run }) {
  const { isIn, toggle } = useFilter('code');
  const text = codeVersionsText(run.code_versions);
  if (text === undefined) return null;
  return (
    <button
      type="button"
      className={styles.note}
      aria-pressed={isIn('older')}
      title="Show results that older code has graded"
      onClick={() => toggle('older')}
    >
      results of {text}
    </button>
  );
}
