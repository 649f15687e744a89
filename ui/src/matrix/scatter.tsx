import { useRef } from 'react';
import { renderDollars } from '../../../src/text/usage-text.js';
import type { VariantFigures } from '../api/schema.js';
import { useMeasured } from '../browser/use-measured.js';
import { useNarrow } from '../browser/use-media.js';
import { letterOf, lettersOf } from '../compare/letters.js';
import { classNames } from '../components/class-names.js';
import { duration } from '../components/figures/figures.js';
import styles from './scatter.module.css';
import { logAxis, type ScatterAxis, shareAxis } from './scatter-scale.js';

/** A run among several. */
export type VariantHead = VariantFigures['runs'][number];

/** A run with a pass rate and a place on the other axis. */
interface Point {
  readonly run: number;
  readonly x: number;
  readonly rate: NonNullable<VariantHead['pass_rate']['rate']>;
  readonly isBest: boolean;
}

/** Pixels around the plot, and its height. */
const inset = { left: 30, right: 12, top: 12, bottom: 24 } as const;
const heights = { wide: 190, narrow: 248 } as const;

/** Pass rates with their intervals against cost, or against p50 where no cost is known; the axis of either is logarithmic. */
export function Scatter({ runs, current }: { runs: readonly VariantHead[]; current: number }) {
  const box = useRef<HTMLDivElement>(null);
  const width = useMeasured(box, (element) => element.clientWidth, 700, []);
  const height = useNarrow() ? heights.narrow : heights.wide;
  const { points, isCost } = pointsOf(runs);
  const left = runs.flatMap((_, run) => (points.some((one) => one.run === run) ? [] : [run]));
  const against = isCost ? 'cost per case' : 'p50';
  return (
    <div ref={box} className={styles.box}>
      <p className={styles.caption}>
        <b>Pass rate</b> %, 95 % interval, against {against}
      </p>
      {points.length === 0 ? (
        <p className="quiet">No run has a pass rate and a known cost or latency.</p>
      ) : (
        <Plot {...{ points, isCost, width, height, current, label: labelOf(points, against) }} />
      )}
      {points.length > 0 && left.length > 0 && (
        <p className={styles.left}>
          Not drawn: {lettersOf(left)}, {isCost ? 'of unknown or no cost' : 'without latency'}.
        </p>
      )}
    </div>
  );
}

function labelOf(points: readonly Point[], against: string): string {
  const front = points.filter(({ isBest }) => isBest).map(({ run }) => run);
  return `Pass rate against ${against} of ${points.length} runs. Nothing cheaper passes more than ${lettersOf(front)}.`;
}

function pointsOf(runs: readonly VariantHead[]): {
  readonly points: readonly Point[];
  readonly isCost: boolean;
} {
  const place = (read: (run: VariantHead) => number | null) =>
    runs.flatMap((of, run): Point[] => {
      const [x, rate] = [read(of), of.pass_rate.rate];
      return x !== null && x > 0 && rate !== null ? [{ run, x, rate, isBest: of.is_best }] : [];
    });
  const byCost = place(({ cost }) => (cost !== null && cost.unknown === 0 ? cost.per_case : null));
  return byCost.length > 0
    ? { points: byCost, isCost: true }
    : { points: place(({ p50 }) => p50), isCost: false };
}

interface PlotProps {
  readonly points: readonly Point[];
  readonly isCost: boolean;
  readonly width: number;
  readonly height: number;
  /** The run that is looked at; −1 for none. */
  readonly current: number;
  readonly label: string;
}

function Plot({ points, isCost, width, height, current, label }: PlotProps) {
  const across = logAxis(points.map(({ x }) => x));
  const shares = points.flatMap(({ rate }) => [
    rate.low ?? rate.estimate,
    rate.high ?? rate.estimate,
  ]);
  const up = shareAxis(Math.min(...shares), Math.max(...shares));
  const right = width - inset.right;
  const bottom = height - inset.bottom;
  const x = (value: number) => inset.left + across.at(value) * (right - inset.left);
  const y = (share: number) => bottom - up.at(share) * (bottom - inset.top);
  const front = points.filter(({ isBest }) => isBest && isCost);
  return (
    <svg className={styles.plot} width={width} height={height} role="img" aria-label={label}>
      {up.ticks.map(({ value }) => (
        <g key={value}>
          <path className={styles.grid} d={`M${inset.left} ${y(value)}H${right}`} />
          <text x={inset.left - 8} y={y(value) + 3.5} textAnchor="end">
            {Math.round(value * 100)}
          </text>
        </g>
      ))}
      <Ruler
        {...{ axis: across, x, left: inset.left, right, bottom }}
        text={isCost ? renderDollars : duration}
      />
      <path className={styles.front} d={frontPath(front, { x, y, bottom, right })} />
      {points
        .toSorted((a, b) => Number(a.isBest) - Number(b.isBest))
        .map(({ run, rate, x: value, isBest }) => (
          <g
            key={run}
            className={classNames(
              styles.point,
              isBest && styles.best,
              run === 0 && styles.base,
              run === current && styles.current,
            )}
          >
            {rate.low !== null && rate.high !== null && (
              <path
                d={`M${x(value)} ${y(rate.high)}V${y(rate.low)}M${x(value) - 3} ${y(rate.high)}h6M${x(value) - 3} ${y(rate.low)}h6`}
              />
            )}
            <rect x={x(value) - 7.5} y={y(rate.estimate) - 7.5} width="15" height="15" rx="2" />
            <text x={x(value)} y={y(rate.estimate) + 4} textAnchor="middle">
              {letterOf(run)}
            </text>
          </g>
        ))}
    </svg>
  );
}

/** An axis below a plot, with the names of some of its marks. */
export function Ruler({
  axis: { ticks },
  x,
  left,
  right,
  bottom,
  text,
}: {
  axis: ScatterAxis;
  x: (value: number) => number;
  /** Pixels of the plot. */
  left: number;
  right: number;
  bottom: number;
  text: (value: number) => string;
}) {
  const marks = ticks.map(({ value, isNamed }) => `M${x(value)} ${bottom}v${isNamed ? 6 : 3}`);
  const texts = ticks.filter(({ isNamed }) => isNamed);
  const last = texts.at(-1);
  return (
    <>
      <path className={styles.ruler} d={`M${left} ${bottom}H${right}${marks.join('')}`} />
      {texts.map((tick, n) => (
        <text
          key={tick.value}
          x={x(tick.value)}
          y={bottom + 18}
          textAnchor={n === 0 ? 'start' : tick === last ? 'end' : 'middle'}
        >
          {text(tick.value)}
        </text>
      ))}
    </>
  );
}

/** Steps, because between two runs nothing better is known. */
function frontPath(
  front: readonly Point[],
  to: {
    readonly x: (value: number) => number;
    readonly y: (share: number) => number;
    readonly bottom: number;
    readonly right: number;
  },
): string {
  const points = front.toSorted((a, b) => a.x - b.x);
  const [first] = points;
  if (first === undefined) return '';
  const steps = points.map(({ x, rate }) => `H${to.x(x)}V${to.y(rate.estimate)}`);
  return `M${to.x(first.x)} ${to.bottom}${steps.join('')}H${to.right}`;
}
