import { type KeyboardEvent, memo, type ReactNode, useCallback, useRef, useState } from 'react';
import { Link } from 'wouter';
import { trendBoundsText, trendValueText } from '../../../src/text/trend-text.js';
import type { Trend, TrendRun } from '../api/schema.js';
import { useShortcut } from '../app/shortcuts.js';
import { useMeasured } from '../browser/use-measured.js';
import { classNames } from '../components/class-names.js';
import { costFigure } from '../components/figures/cost-text.js';
import { count, duration, seconds } from '../components/figures/figures.js';
import { Moment } from '../components/figures/time.js';
import { MiddleCut } from '../components/names/middle-cut.js';
import { CheckBox } from '../dashboard/table/cells/check-box.js';
import { gridCommand } from '../lists/grid-keys.js';
import { useRowFocus } from '../lists/row-focus.js';
import { visibleText } from '../result/values/visible-text.js';
import { type RunCursor, runHref } from './run-cursor.js';
import styles from './run-table.module.css';
import { LegendPicture } from './trend-plot.js';
import { changeOf } from './trend-series.js';

/** Pixels of a column of a score with its gap, and of all other columns. */
const scoreWidth = 84;
const otherWidths = 908;
/** Below it, there are no columns of scores. */
const leastWidth = 900;

/** The runs that are chosen to be compared. */
interface ChosenRuns {
  readonly ids: readonly string[];
  readonly toggle: (id: string) => void;
}

interface TableProps {
  readonly trend: Trend;
  /** Newest first. */
  readonly runs: readonly TrendRun[];
  readonly cursor: RunCursor;
  readonly chosen: ChosenRuns;
}

/** A row for each run, the newest first; the keys move, choose and open them. */
export function RunTable({ trend, runs, cursor, chosen }: TableProps) {
  const grid = useRef<HTMLDivElement>(null);
  const width = useMeasured(grid, (element) => element.clientWidth, 1440, []);
  const [active, setActive] = useState<string>();
  const { enter, listeners } = useRowFocus(grid, useRef<boolean | undefined>(false));
  useShortcut('walk', enter);
  const { set } = cursor;
  const focus = useCallback(
    (id: string) => {
      setActive(id);
      set(id);
    },
    [set],
  );
  const at = Math.max(
    0,
    runs.findIndex(({ run_id }) => run_id === active),
  );
  const room = width < leastWidth ? 0 : Math.floor((width - otherWidths) / scoreWidth);
  const scores = trend.measures.slice(1, 1 + Math.max(0, room));
  const onKeyDown = (event: KeyboardEvent) => {
    if ((event.target as Element).getAttribute('role') !== 'row') return;
    const command = gridCommand(event, 10);
    const run = runs[at];
    const go = (to: number) => {
      const next = runs[Math.max(0, Math.min(runs.length - 1, to))];
      setActive(next?.run_id);
      enter();
      document.getElementById(rowId(next?.run_id ?? ''))?.scrollIntoView({ block: 'nearest' });
    };
    if (run === undefined) return;
    switch (command?.type) {
      case 'move':
        go(at + command.by);
        break;
      // As in the chart, where older runs are on the left.
      case 'close':
        go(at + 1);
        break;
      case 'expand':
        go(at - 1);
        break;
      case 'first':
        go(0);
        break;
      case 'last':
        go(runs.length - 1);
        break;
      case 'open':
        cursor.open(run.run_id);
        break;
      case 'toggle':
      case 'select':
        chosen.toggle(run.run_id);
        break;
      default:
        return;
    }
    event.preventDefault();
  };
  return (
    <div
      ref={grid}
      className={styles.grid}
      style={
        {
          '--score-columns':
            scores.length > 0 ? `repeat(${scores.length}, minmax(72px, 0.4fr))` : undefined,
        } as object
      }
      role="grid"
      aria-label="Runs"
      aria-rowcount={runs.length + 1}
      onKeyDown={onKeyDown}
      onFocus={listeners.onFocus}
      onBlur={(event) => {
        listeners.onBlur(event);
        cursor.set(undefined);
      }}
    >
      <div className={classNames(styles.row, styles.head)} role="row">
        <span role="columnheader">
          <span className="sr">Chosen</span>
        </span>
        <span role="columnheader">Run</span>
        <span role="columnheader" className={styles.time}>
          Time
        </span>
        <span role="columnheader" className={styles.config}>
          Config
        </span>
        <span role="columnheader" className="right">
          Passed
        </span>
        <span role="columnheader" className={styles.interval}>
          95 % interval
        </span>
        <span role="columnheader" className="right">
          vs last
        </span>
        {scores.map(({ type, name }) => (
          <span
            key={`${type} ${name}`}
            role="columnheader"
            className={styles.score}
            title={visibleText(name)}
          >
            <MiddleCut text={visibleText(name)} />
          </span>
        ))}
        <span role="columnheader" className={styles.cost}>
          Cost $
        </span>
        <span role="columnheader" className={styles.p95}>
          p95 s
        </span>
        <span role="columnheader" className={styles.results}>
          Results
        </span>
      </div>
      {runs.map((run, n) => (
        <RunRow
          key={run.run_id}
          run={run}
          measures={trend.measures}
          scores={scores.length}
          words={wordsOf(run, trend)}
          isActive={n === at}
          isCurrent={run.run_id === cursor.id}
          isChosen={chosen.ids.includes(run.run_id)}
          onToggle={chosen.toggle}
          onFocus={focus}
          onPoint={set}
          onLeave={cursor.leave}
        />
      ))}
    </div>
  );
}

const rowId = (id: string) => `run-${id}`;

/** What stands beside the name of a run. */
function wordsOf({ run_id, state, figures: [rate] }: TrendRun, { runs, baseline }: Trend): string {
  return [
    ...(run_id === runs.at(-1)?.run_id ? ['latest'] : []),
    ...(run_id === baseline?.run_id ? ['baseline'] : []),
    ...(state === 'finished' ? [] : [state.replace('_', ' ')]),
    ...(rate?.outside ? [`${rate.outside} limits`] : []),
    ...(rate?.drift ? [`drifts ${rate.drift}`] : []),
  ].join(', ');
}

const RunRow = memo(function RunRow({
  run,
  measures,
  scores,
  words,
  isActive,
  isCurrent,
  isChosen,
  onToggle,
  onFocus,
  onPoint,
  onLeave,
}: {
  run: TrendRun;
  measures: Trend['measures'];
  /** How many scores have a column. */
  scores: number;
  words: string;
  isActive: boolean;
  isCurrent: boolean;
  isChosen: boolean;
  onToggle: (id: string) => void;
  onFocus: (id: string) => void;
  onPoint: (id: string) => void;
  onLeave: RunCursor['leave'];
}) {
  const { run_id, run_name, on_line, config_name, cost, p95 } = run;
  const name = visibleText(run_name);
  const [rate = null] = run.figures;
  return (
    <div
      id={rowId(run_id)}
      role="row"
      className={classNames(styles.row, styles.run, isChosen && styles.chosen)}
      aria-selected={isChosen}
      aria-current={isCurrent || undefined}
      tabIndex={isActive ? 0 : -1}
      onFocus={() => onFocus(run_id)}
      onPointerEnter={() => onPoint(run_id)}
      onPointerLeave={onLeave}
    >
      <span role="gridcell" className={styles.check}>
        <CheckBox
          checked={isChosen ? 'on' : 'off'}
          label={`Choose ${name}`}
          onToggle={() => onToggle(run_id)}
        />
      </span>
      <span role="rowheader" className={styles.name}>
        <Link href={runHref(run_id)} tabIndex={-1} title={name}>
          <MiddleCut text={name} />
        </Link>
        {words !== '' && <span className="faint cut">{words}</span>}
      </span>
      <span role="gridcell" className={styles.time}>
        <Moment unix={run.started_at} />
      </span>
      <span
        role="gridcell"
        className={styles.config}
        title={on_line ? undefined : 'not on the line'}
      >
        <LegendPicture of={on_line ? 'joined' : 'apart'} />
        <span className="cut">{visibleText(config_name)}</span>
        {!on_line && <span className="sr">, not on the line</span>}
      </span>
      <FigureCell run={run} measures={measures} at={0} className={styles.rate} />
      <span role="gridcell" className={styles.interval}>
        {rate && rate.low !== null && trendBoundsText(rate, 'ratio')}
      </span>
      <ChangeCell run={run} measures={measures} />
      {measures.slice(1, 1 + scores).map((measure, n) => (
        <FigureCell
          key={`${measure.type} ${measure.name}`}
          {...{ run, measures }}
          at={n + 1}
          className={styles.score}
        />
      ))}
      <span role="gridcell" className={styles.cost}>
        {cost && costFigure(cost)}
      </span>
      <span role="gridcell" className={styles.p95} title={p95 ? duration(p95.estimate) : undefined}>
        {p95 && seconds(p95.estimate)}
      </span>
      <span role="gridcell" className={styles.results}>
        {count(run.results)}
      </span>
    </div>
  );
});

/** The figure of a measure, bold where it changed beyond chance. */
function FigureCell({
  run: { figures, previous },
  measures,
  at,
  className,
}: {
  run: TrendRun;
  measures: Trend['measures'];
  at: number;
  className: string | undefined;
}) {
  const [figure, measure] = [figures[at] ?? null, measures[at]];
  if (figure === null || measure === undefined)
    return <span role="gridcell" className={className} />;
  const change = changeOf(figure, measure);
  const value = trendValueText(figure, measure.type).replace(' %', '');
  return (
    <span
      role="gridcell"
      className={classNames(className, change?.verdict && styles.moved)}
      title={change && previous ? `${change.text} since ${previous.run_name}` : undefined}
    >
      {value}
    </span>
  );
}

function ChangeCell({
  run: { figures, no_previous },
  measures: [measure],
}: {
  run: TrendRun;
  measures: Trend['measures'];
}) {
  const [figure = null] = figures;
  const change = figure && measure && changeOf(figure, measure);
  const text: ReactNode = change ? (
    <span className={change.verdict ?? 'faint'}>{change.text}</span>
  ) : (
    <span className="faint">–</span>
  );
  return (
    <span role="gridcell" className="right" title={change ? undefined : no_previous}>
      {text}
    </span>
  );
}
