import { useMemo } from 'react';
import type { Run } from '../../api/client.js';
import { useSessionRuns } from '../../api/queries.js';
import type { IntervalChip } from '../../api/schema.js';
import { classNames } from '../../components/class-names.js';
import { count, figure, percent } from '../../components/figures.js';
import { MeanMark, PercentRuler, ShareBar } from '../../components/scale.js';
import { useView } from '../use-view.js';
import styles from './score-bars.module.css';
import { changeOf, historyOf, type ScoreHistory } from './score-history.js';
import { Trend } from './trend.js';
import { useFilter } from './use-filter.js';

/** Most runs of a trend. */
const mostRuns = 12;

/** One bar per score with its interval, and how it moved over the last runs. A click filters by what failed. */
export function ScoreBars({ run, chips }: { run: Run; chips: readonly IntervalChip[] }) {
  const { data: runs } = useSessionRuns(run.session_name);
  const histories = useMemo(() => historyOf(runs ?? [], run.run_id, mostRuns), [runs, run.run_id]);
  if (chips.length === 0) {
    return (
      <p className={styles.nothing}>
        {run.state === 'not_started' ? 'Scores appear when it has run.' : 'No scores.'}
      </p>
    );
  }
  const length = Math.min(mostRuns, Math.max(1, histories.length));
  return (
    <div className={styles.scores} role="table" aria-label="Scores">
      <div className={classNames(styles.row, styles.head)} role="row">
        <span role="columnheader">score</span>
        <div role="columnheader" aria-label="0 to 100">
          <PercentRuler className={styles.ruler} />
        </div>
        <span className={styles.right} role="columnheader">
          %
        </span>
        <span className={styles.right} role="columnheader">
          passed
        </span>
        <span className={styles.trendCell} role="columnheader">
          {length > 1 ? `last ${length} runs` : 'this run'}
        </span>
        <span className={styles.right} role="columnheader">
          vs last
        </span>
      </div>
      {chips.map((chip) => (
        <ScoreRow key={chip.key} chip={chip} history={histories} />
      ))}
    </div>
  );
}

function ScoreRow({ chip, history }: { chip: IntervalChip; history: ScoreHistory }) {
  const [view, setView] = useView();
  const { isIn, toggle } = useFilter('score');
  const failed = `${chip.key}:failed`;
  const sort = `score:${chip.key}`;
  const isRatio = chip.type === 'ratio';
  const isOn = isRatio ? isIn(failed) : view.sort === sort;
  const onClick = () =>
    isRatio
      ? toggle(failed)
      : // A mean has no failures; the lowest values come first.
        setView((now) => ({ ...now, sort: isOn ? 'index' : sort, descending: false }));
  return (
    <div className={classNames(styles.row, styles.body)} role="row" data-on={isOn}>
      <span className={styles.key} role="rowheader">
        <button
          type="button"
          aria-pressed={isOn}
          title={isRatio ? `Show where ${chip.key} failed` : `Sort by ${chip.key}`}
          onClick={onClick}
        >
          {chip.key}
        </button>
      </span>
      <span role="cell">
        {isRatio ? (
          <ShareBar share={chip.passed / Math.max(1, chip.total)} interval={chip.interval} />
        ) : (
          <MeanMark mean={chip.avg} interval={chip.interval} />
        )}
      </span>
      <span className={styles.rate} role="cell">
        {isRatio ? percent(chip.passed / Math.max(1, chip.total)) : figure(chip.avg)}
      </span>
      <span className={styles.of} role="cell">
        {isRatio ? `${count(chip.passed)} / ${count(chip.total)}` : `avg of ${count(chip.count)}`}
      </span>
      <span className={styles.trendCell} role="cell">
        <Trend values={history.map((chips) => chips.get(chip.key))} />
      </span>
      <Delta history={history} name={chip.key} />
    </div>
  );
}

function Delta({ history, name }: { history: ScoreHistory; name: string }) {
  const change = changeOf(history.at(-2)?.get(name), history.at(-1)?.get(name));
  const look =
    change?.verdict === 'worse'
      ? styles.worse
      : change?.verdict === 'better'
        ? styles.better
        : undefined;
  const sign = change?.verdict === 'worse' ? '▼ ' : change?.verdict === 'better' ? '▲ ' : '';
  return (
    <span
      className={classNames(styles.delta, look)}
      role="cell"
      title="All results of this run and of the one before it in the session"
    >
      {change && `${sign}${change.text}`}
    </span>
  );
}
