import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useRef } from 'react';
import { keys } from '../../api/keys.js';
import { call } from '../../api/request.js';
import type { RowFigureList } from '../../api/schema.js';
import { useMeasured } from '../../browser/use-measured.js';
import { IconButton } from '../../components/controls/button.js';
import { Kbd } from '../../components/controls/kbd.js';
import { Menu, MenuItem } from '../../components/controls/menu.js';
import { count, counted } from '../../components/figures/figures.js';
import { Icon } from '../../components/icons/icon.js';
import { StatusIcon } from '../../components/icons/status-icon.js';
import { Unreadable } from '../../components/messages/empty.js';
import { type CaseStanding, standingText } from '../../components/scores/standing.js';
import { useFigures, useShown } from '../dashboard-state.js';
import { filterText } from '../filters/filter-values.js';
import { useView } from '../use-view.js';
import {
  type ChartFigure,
  figureAxis,
  figureName,
  hasPlace,
  isWithin,
  parseFigure,
  plainFigures,
  queryAround,
  rangeOf,
} from './chart-figures.js';
import styles from './chart-panel.module.css';
import { type ChartAxis, type ChartPoint, Plot } from './plot.js';

/** A chart of one or two numbers of the results; what is brushed is a filter. */
export function ChartPanel() {
  const [view, setView] = useView();
  const x = parseFigure(view.chart.x) ?? 'latency';
  const y = parseFigure(view.chart.y);
  const figures = y === undefined ? [x] : [x, y];
  const { data, error, refetch } = useChartFigures(figures);
  const box = useRef<HTMLDivElement>(null);
  const width = useMeasured(box, (element) => element.clientWidth, 900, []);
  const set = (axis: 'x' | 'y') => (figure: ChartFigure | undefined) =>
    setView((now) => ({ ...now, chart: { ...now.chart, [axis]: figure } }), { replace: true });
  const drawn = useMemo(() => data && drawnOf(data, x, y), [data, x, y]);
  const ranges = { x: rangeOf(view, x), y: y && rangeOf(view, y) };
  return (
    <section aria-label="Chart of the results" className={styles.panel}>
      <div ref={box} className={styles.plot}>
        <header className={styles.head}>
          <FigurePicker axis="y" figure={y} onChange={set('y')} />
          <FigurePicker axis="x" figure={x} onChange={set('x')} />
          {drawn && <span className="quiet">{wordsOf(drawn, y !== undefined)}</span>}
          <span className="fill" />
          <IconButton
            small
            icon="x"
            label="Close the chart"
            onClick={() => setView((now) => ({ ...now, chart: { x: undefined, y: undefined } }))}
          />
        </header>
        {error && data === undefined && (
          <Unreadable
            title="The numbers cannot be read"
            error={error}
            onRetry={() => void refetch()}
          />
        )}
        {drawn && drawn.points.length > 0 && (
          <Plot points={drawn.points} x={drawn.x} y={drawn.y} ranges={ranges} width={width} />
        )}
        {drawn?.points.length === 0 && (
          <p className="quiet">No result has a place in this chart.</p>
        )}
      </div>
      {drawn && <Brushed points={drawn.points} x={drawn.x} y={drawn.y} ranges={ranges} />}
    </section>
  );
}

/** The numbers of the results that match the other filters: what is outside of the brush stays in sight. */
function useChartFigures(figures: readonly ChartFigure[]) {
  const { run } = useShown();
  const [view] = useView();
  const query = queryAround(view, figures);
  return useQuery({
    queryKey: keys.rowFigures(run.run_id, query, figures),
    queryFn: ({ signal }) => {
      const params = new URLSearchParams(query);
      for (const figure of figures) params.append('figure', figure);
      return call('get', '/api/runs/{run_id}/rows/figures', {
        path: { run_id: run.run_id },
        query: params,
        signal,
      });
    },
    placeholderData: keepPreviousData,
  });
}

interface Drawn {
  readonly points: readonly ChartPoint[];
  readonly x: ChartAxis;
  readonly y: ChartAxis | undefined;
  /** Results without a number, and results that spent nothing. */
  readonly without: number;
  readonly unspent: number;
}

function drawnOf(
  { filtered, standings, figures: [across = [], up = []] }: RowFigureList,
  x: ChartFigure,
  y: ChartFigure | undefined,
): Drawn {
  const points = standings.flatMap((standing, n): ChartPoint[] => {
    const point = { standing, x: across[n] ?? 0, y: y && (up[n] ?? 0) };
    const isPlaced = hasPlace(x, point.x) && (y === undefined || hasPlace(y, point.y ?? 0));
    return isPlaced ? [point] : [];
  });
  const axis = (figure: ChartFigure, values: readonly number[]) => ({
    figure,
    scale: figureAxis(figure, values),
  });
  return {
    points,
    x: axis(
      x,
      points.map((point) => point.x),
    ),
    y:
      y &&
      axis(
        y,
        points.map((point) => point.y ?? 0),
      ),
    without: filtered - standings.length,
    unspent: standings.length - points.length,
  };
}

/** `54 results have both; 284 at 0, as what this run did not spend` */
function wordsOf({ points, without, unspent }: Drawn, isTwo: boolean): string {
  const have = points.length === 1 ? 'has' : 'have';
  return [
    `${counted(points.length, 'result')} ${have} ${isTwo ? 'both' : 'it'}`,
    ...(unspent > 0 ? [`${count(unspent)} at 0, as what this run did not spend`] : []),
    ...(without > 0 ? [`${count(without)} without ${isTwo ? 'one of them' : 'it'}`] : []),
  ].join('; ');
}

/** Chooses the number on an axis. */
function FigurePicker({
  axis,
  figure,
  onChange,
}: {
  axis: 'x' | 'y';
  figure: ChartFigure | undefined;
  onChange: (figure: ChartFigure | undefined) => void;
}) {
  const { chips } = useFigures().summary;
  const scores = chips
    .filter(({ type }) => type !== 'ratio')
    .map(({ key }): ChartFigure => `score:${key}`);
  const item = (of: ChartFigure | undefined, name: string) => (
    <MenuItem
      key={name}
      role="menuitemradio"
      aria-checked={of === figure}
      current={of === figure}
      onClick={() => onChange(of)}
    >
      {name}
    </MenuItem>
  );
  return (
    <Menu
      portal
      label={axis === 'x' ? 'Figure across' : 'Figure upwards'}
      button={{
        className: styles.pick,
        children: (
          <>
            <span className="quiet">{axis}</span>{' '}
            <b>{figure === undefined ? 'results' : figureName(figure)}</b>
            <Icon name="down" />
          </>
        ),
      }}
    >
      {axis === 'y' && item(undefined, 'results (histogram)')}
      {plainFigures.map((one) => item(one, one))}
      {scores.map((one) => item(one, figureName(one)))}
    </Menu>
  );
}

const told: readonly CaseStanding[] = ['failed', 'error', 'passed', 'no_verdict'];

/** What the brush selects. */
function Brushed({
  points,
  x,
  y,
  ranges,
}: Pick<Drawn, 'points' | 'x' | 'y'> & { ranges: Parameters<typeof Plot>[0]['ranges'] }) {
  const [{ filters }] = useView();
  const isBrushed = ranges.x !== undefined || ranges.y !== undefined;
  const inside = points.filter(
    (point) =>
      (ranges.x === undefined || isWithin(ranges.x, point.x)) &&
      (ranges.y === undefined || isWithin(ranges.y, point.y ?? 0)),
  );
  const words = [x, y].flatMap((axis) => {
    if (axis === undefined) return [];
    const kind = axis.figure.startsWith('score:') ? 'score' : (axis.figure as 'latency');
    return filters[kind].include
      .filter((value) => value.includes('..'))
      .map((value) => `${kind === 'score' ? '' : `${kind} `}${filterText(kind, value)}`);
  });
  return (
    <div className={styles.side}>
      <b>{isBrushed ? `${count(inside.length)} brushed` : 'Nothing is brushed'}</b>
      {isBrushed && <p className="quiet">{[...new Set(words)].join(', ')}</p>}
      <ul role="status">
        {told.map((standing) => {
          const its = inside.filter((point) => point.standing === standing).length;
          return (
            (its > 0 || standing === 'failed') && (
              <li key={standing} className="row gap-6">
                <StatusIcon standing={standing} size="chip" label={null} />
                <b>{count(its)}</b> {standingText(standing)}
              </li>
            )
          );
        })}
      </ul>
      <p className={styles.keys}>
        <Kbd>←</Kbd> <Kbd>→</Kbd>{' '}
        {y && (
          <>
            <Kbd>↑</Kbd> <Kbd>↓</Kbd>
          </>
        )}{' '}
        move it, <Kbd>shift</Kbd> sizes it, <Kbd>esc</Kbd> clears
      </p>
    </div>
  );
}
