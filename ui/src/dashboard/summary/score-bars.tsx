import { useMemo, useState } from 'react';
import { Link } from 'wouter';
import { correctedTexts } from '../../../../src/text/calibration-text.js';
import { scaleHint } from '../../../../src/text/scale-hint.js';
import { useSessionRuns } from '../../api/queries.js';
import { usePreviousRun } from '../../api/row-queries.js';
import type { CorrectedScore, IntervalChip, RowSummary, ScoreChip } from '../../api/schema.js';
import { classNames } from '../../components/class-names.js';
import { Button } from '../../components/controls/button.js';
import { Field } from '../../components/controls/field.js';
import { counted, countsOnlyTitle } from '../../components/figures/figures.js';
import { MeanMark, PercentRuler, ShareBar } from '../../components/figures/scale.js';
import { MiddleCut } from '../../components/names/middle-cut.js';
import { tellingEnds } from '../../components/names/telling-end.js';
import { calibrationAddress, scoreDifferenceHref } from '../../result/addresses.js';
import { useFigures, useShown } from '../dashboard-state.js';
import { useFilter, useView } from '../use-view.js';
import { isFiltered } from '../view-state.js';
import styles from './score-bars.module.css';
import {
  fewScores,
  historyOf,
  levelsOf,
  rangeText,
  type ScoreHistory,
  type ScoreLine,
  scoreLines,
  versusLast,
  whyNotCompared,
  worstScores,
} from './score-lines.js';

/** Maximum number of runs in a trend. */
const maxRuns = 12;

/** One bar per score with its interval and trend. A click filters by failures. */
export function ScoreBars() {
  const { run } = useShown();
  const { summary } = useFigures();
  const { chips } = summary;
  const previous = usePreviousRun(run, summary.previous);
  const [view] = useView();
  const { data: runs } = useSessionRuns(run.session_name);
  const histories = useMemo(() => historyOf(runs ?? [], run.run_id, maxRuns), [runs, run.run_id]);
  const [isAll, setAll] = useState(false);
  const [search, setSearch] = useState('');
  const { better, worse } = useMemo(() => {
    const keysOf = (verdict: 'better' | 'worse') =>
      chips.map(({ key }) => key).filter((key) => versusLast(previous, key)?.verdict === verdict);
    return { better: keysOf('better'), worse: keysOf('worse') };
  }, [chips, previous]);
  const { worst, others } = useMemo(
    () => worstScores(chips, new Set([...better, ...worse])),
    [chips, better, worse],
  );
  const ends = useMemo(() => tellingEnds(chips.map(({ key }) => key)), [chips]);
  const isFound = ({ key }: ScoreChip) => key.toLowerCase().includes(search.trim().toLowerCase());
  const shown = isAll ? [...worst, ...others].filter(isFound) : worst;
  if (chips.length === 0) {
    return (
      <p className="faint">
        {run.state === 'not_started' ? 'Scores appear when it has run.' : 'No scores.'}
      </p>
    );
  }
  const length = Math.min(maxRuns, Math.max(1, histories.length));
  const hint = scaleHint(chips);
  // The comparison with the run before ignores filters.
  const isPart = isFiltered(view);
  // So do labels, and the rate above is of what matches.
  const corrected = isPart ? [] : (summary.corrected ?? []);
  const isFirst = length === 1 && !previous;
  return (
    <div>
      {isAll && (
        <Field
          small
          className={styles.search}
          icon="search"
          label="Search scores"
          placeholder={`Search ${counted(chips.length, 'score')}`}
          autoFocus
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      )}
      <div
        className={classNames(styles.scores, isAll && styles.all, isFirst && styles.first)}
        role="table"
        aria-label="Scores"
      >
        <div className={classNames(styles.row, styles.head)} role="row">
          <span role="columnheader">score</span>
          {summary.counts_only ? (
            <span role="cell" />
          ) : (
            <div role="columnheader" aria-label="0 to 100">
              <PercentRuler className={styles.ruler} />
            </div>
          )}
          <span className="right" role="columnheader">
            {summary.counts_only ? 'passed' : 'value'}
          </span>
          {summary.counts_only ? (
            <span role="cell" />
          ) : (
            <span className="right" role="columnheader">
              passed
            </span>
          )}
          {!isFirst && (
            <>
              <span className={styles.trendCell} role="columnheader">
                {trendText(length, isPart)}
              </span>
              <span className={classNames('right', styles.change)} role="columnheader">
                {isPart && 'whole run '}vs last
              </span>
              <span className="right" role="columnheader">
                pairs
              </span>
            </>
          )}
        </div>
        {shown.flatMap((chip) => [
          ...scoreLines([chip], summary.counts_only).map((line) => (
            <ScoreRow
              key={`${line.kind} ${line.key}`}
              line={line}
              end={ends.get(line.key)}
              history={histories}
              previous={previous}
              isFirst={isFirst}
            />
          )),
          ...corrected
            .filter(({ key }) => key === chip.key)
            .map((score) => (
              <CorrectedRow key={`corrected ${score.key}`} score={score} isFirst={isFirst} />
            )),
        ])}
      </div>
      {hint !== undefined && <p className={styles.last}>{hint}</p>}
      <p className={styles.last}>
        {chips.length > fewScores && (
          <>
            <Button
              look="ghost"
              small
              className={styles.more}
              aria-expanded={isAll}
              onClick={() => {
                setAll(!isAll);
                setSearch('');
              }}
            >
              {isAll ? `worst ${fewScores}` : `all ${chips.length}`}
            </Button>
            {!isAll &&
              `${othersText(summary.counts_only ? [] : others, others.length, better.length, worse.length)} · `}
          </>
        )}
        <LastRun previous={previous} whyNone={summary.no_previous} isPart={isPart} />
      </p>
    </div>
  );
}

/** A line of the table, a button as a whole. */
function ScoreRow({
  line,
  end,
  history,
  previous,
  isFirst,
}: {
  line: ScoreLine;
  /** Length of the end of its key that is never cut. */
  end: number | undefined;
  history: ScoreHistory;
  previous: RowSummary['previous'];
  /** Nothing came before, so that nothing is said of it. */
  isFirst: boolean;
}) {
  const [view, setView] = useView();
  const { isIn, toggle } = useFilter('score');
  const { key, kind, name, isSecond, level, interval, bounds } = line;
  const failed = `${key}:failed`;
  const sort = `score:${key}`;
  const isShare = kind === 'share' || kind === 'threshold';
  const isOn = !isShare ? view.sort === sort : isIn(failed);
  const onClick = () =>
    !isShare
      ? // Values have no failures; the lowest come first.
        setView((now) => ({ ...now, sort: isOn ? 'index' : sort, descending: false }))
      : toggle(failed);
  return (
    <div className={classNames(styles.row, styles.body)} role="row" data-on={isOn}>
      <span className={classNames(styles.key, isSecond && styles.threshold)} role="rowheader">
        <button
          type="button"
          aria-label={isSecond ? `${key} ${name}` : undefined}
          aria-pressed={isOn}
          title={isShare ? `Show where ${key} failed` : `Sort by ${key}`}
          onClick={onClick}
        >
          {isSecond ? name : <MiddleCut text={name} end={end} />}
        </button>
      </span>
      {line.isCount ? (
        <span role="cell" title={countsOnlyTitle} />
      ) : (
        <span role="cell" title={`95 % interval: ${bounds}`}>
          <span className="sr">95 % interval: {bounds}</span>
          {isShare ? (
            <ShareBar share={level} interval={interval} />
          ) : (
            <MeanMark
              mean={kind === 'mean' ? level : undefined}
              interval={interval}
              words={bounds}
            />
          )}
        </span>
      )}
      <span className={styles.rate} role="cell">
        {line.value}
      </span>
      <span className={styles.of} role="cell" title={line.of}>
        {line.of.split(/(?=, )/).map((part) => (
          <span key={part}>{part}</span>
        ))}
      </span>
      {!isFirst && <SinceBefore {...{ line, history, previous }} />}
    </div>
  );
}

/** How a score has changed over the runs before, and since the last one. */
function SinceBefore({
  line: { key, isSecond },
  history,
  previous,
}: {
  line: ScoreLine;
  history: ScoreHistory;
  previous: RowSummary['previous'];
}) {
  return (
    <>
      <span className={styles.trendCell} role="cell">
        {!isSecond && <Trend values={history.map((chips) => chips.get(key))} />}
      </span>
      {isSecond ? (
        <>
          <span role="cell" />
          <span role="cell" />
        </>
      ) : (
        <Change previous={previous} name={key} />
      )}
    </>
  );
}

/** The line below a score that people have labelled: what they would pass, on the same ruler; a link to the calibration. */
function CorrectedRow({ score, isFirst }: { score: CorrectedScore; isFirst: boolean }) {
  const { run } = useShown();
  const { value, interval, of } = correctedTexts(score);
  const { estimate, low = null, high = null } = score.corrected ?? {};
  const words = interval === '' ? of : `95 % interval: ${interval}, by ${of}`;
  return (
    <div className={classNames(styles.row, styles.body)} role="row">
      <span className={classNames(styles.key, styles.threshold)} role="rowheader">
        <Link
          href={calibrationAddress(run.run_id)}
          aria-label={`${score.key} corrected`}
          title={`What people would pass of ${score.key}: how far its judge can be trusted`}
        >
          corrected
        </Link>
      </span>
      <span role="cell" title={words}>
        <span className="sr">{words}</span>
        <MeanMark mean={estimate} interval={{ low, high }} words={interval || of} />
      </span>
      <span className={styles.rate} role="cell">
        {value}
      </span>
      <span className={styles.of} role="cell" title={of}>
        {estimate !== undefined && <span>{of}</span>}
      </span>
      {!isFirst && (
        <>
          <span className={styles.trendCell} role="cell" />
          <span role="cell" />
          <span role="cell" />
        </>
      )}
    </div>
  );
}

/** The change of a score since the run before, and the number of cases. */
function Change({ previous, name }: { previous: RowSummary['previous']; name: string }) {
  const { run } = useShown();
  const { text, pairs, hint, verdict } = versusLast(previous, name) ?? {};
  const base = previous?.run_id;
  const hasMoved = previous?.comparison?.scores.some(
    ({ key, higher, lower }) => key === name && higher + lower > 0,
  );
  return (
    <>
      <span
        className={classNames('right nowrap small', verdict ?? 'faint')}
        role="cell"
        title={hint}
      >
        {base !== undefined && hasMoved ? (
          <Link
            href={scoreDifferenceHref([base, run.run_id], name)}
            className={styles.compare}
            aria-label={`${text}: compare ${name} with ${previous?.run_name}`}
          >
            {text}
          </Link>
        ) : (
          text
        )}
      </span>
      <span className={styles.pairs} role="cell">
        {pairs}
      </span>
    </>
  );
}

/** `52 more, 81.1 % to 98.3 %; 1 worse, 3 better beyond chance`; of all scores, how many have moved. */
function othersText(
  others: readonly IntervalChip[],
  many: number,
  better: number,
  worse: number,
): string {
  const more = [`${many} more`, rangeText(others)].filter(Boolean).join(', ');
  const moved = [worse > 0 && `${worse} worse`, better > 0 && `${better} better`].filter(Boolean);
  return `${more}; ${moved.length === 0 ? 'none moved' : moved.join(', ')} beyond chance`;
}

function trendText(runs: number, isPart: boolean): string {
  if (runs > 1) return `last ${runs}${isPart ? ' whole' : ''} runs`;
  return isPart ? 'whole run' : 'this run';
}

/** The run that `vs last` refers to, or the reason why there is none. */
function LastRun({
  previous,
  whyNone,
  isPart,
}: {
  previous: RowSummary['previous'];
  whyNone: string | undefined;
  /** A filter is set. */
  isPart: boolean;
}) {
  const why = whyNotCompared(previous, whyNone);
  return why === undefined ? (
    <>
      vs last: against <b>{previous?.run_name}</b>, over the cases that both runs have
      {isPart && ', regardless of the filter'}
    </>
  ) : (
    `vs last: nothing, ${why}`
  );
}

/** Pixels from one run to the next, and of the newest. */
const step = 8;
const last = 89;
/** Minimum range of the axis, so that small changes do not look large. */
const minSpan = 0.1;

/** The trend of a score over the last runs, the newest at the right. */
function Trend({ values }: { values: readonly (ScoreChip | undefined)[] }) {
  const points = levelsOf(values).flatMap((value, n) =>
    value === undefined ? [] : [{ x: last - (values.length - 1 - n) * step, value }],
  );
  const newest = points.at(-1);
  if (newest === undefined) return null;
  const most = Math.max(...points.map(({ value }) => value));
  const least = Math.min(...points.map(({ value }) => value));
  const middle = (most + least) / 2;
  const span = Math.max(most - least, minSpan);
  const y = (value: number) => 8 - ((value - middle) / span) * 12;
  const line = points.map(({ x, value }) => `${x} ${y(value).toFixed(1)}`).join('L');
  const start = points[0]?.x ?? last;
  return (
    <svg className={styles.trend} viewBox="0 0 92 16" aria-hidden="true">
      {start > 1 && <path className={styles.absent} d={`M1 8H${start - 4}`} />}
      {points.length > 1 && <path d={`M${line}`} />}
      <circle cx={newest.x} cy={y(newest.value)} r="2" />
    </svg>
  );
}
