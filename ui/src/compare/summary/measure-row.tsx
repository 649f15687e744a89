import { Link } from 'wouter';
import { driftMark, driftTexts } from '../../../../src/text/judge-drift-text.js';
import { classNames } from '../../components/class-names.js';
import {
  bothText,
  changeText,
  intervalText,
  verdictOf,
  wholeText,
} from '../../components/figures/difference-text.js';
import { count, figure } from '../../components/figures/figures.js';
import { Whisker } from '../../components/figures/scale.js';
import { MiddleCut } from '../../components/names/middle-cut.js';
import { calibrationAddress } from '../../result/addresses.js';
import { letterOf } from '../letters.js';
import { RunTag, runColor } from '../run-tag.js';
import { useCompareView } from '../use-compare-view.js';
import { defaultSort } from '../view-state.js';
import styles from './grouped-bars.module.css';
import {
  type ComparedMeasure,
  type MeasuredDifference,
  onScale,
  type RunFigure,
} from './measures.js';

const rowHeight = (runs: number) => Math.max(34, 9 * runs + 7);

/** A measure: a bar for each whole run, and the differences over the pairs. A click on its name sorts the pairs by it. */
export function MeasureRow({
  measure,
  nameEnd,
}: {
  measure: ComparedMeasure;
  nameEnd: number | undefined;
}) {
  const [view, setView] = useCompareView();
  const { name, key, figures, differences, labelled, isAwaited } = measure;
  const sort = key === undefined ? 'passed' : `score:${key}`;
  // What stands beside a score is not what pairs are sorted by.
  const isSorted = labelled === undefined && (key === undefined || key === name);
  const isOn = isSorted && view.sort === sort;
  return (
    <div
      className={classNames(styles.row, styles.body, labelled && styles.corrected)}
      role="row"
      data-on={isOn}
      style={{ height: rowHeight(figures.length) }}
    >
      <span className={styles.key} role="rowheader">
        {isSorted ? (
          <button
            type="button"
            aria-pressed={isOn}
            className={classNames(key === undefined && styles.passRate)}
            title={`Sort by what ${name} changed by, the worst first`}
            onClick={() =>
              setView((now) => ({ ...now, sort: isOn ? defaultSort : sort, descending: false }))
            }
          >
            <MiddleCut text={name} end={nameEnd} />
          </button>
        ) : (
          <span className={styles.beside}>
            <MiddleCut text={name} end={nameEnd} />
          </span>
        )}
        {labelled && <Calibrations of={labelled} score={key ?? ''} />}
        <Underneath measure={measure} />
      </span>
      <span role="cell" title={isAwaited ? undefined : wholeRunText(figures)}>
        <RunBars measure={measure} />
        <span className={labelled ? styles.words : 'sr'}>
          {!isAwaited && wholeRunText(figures)}
        </span>
      </span>
      {figures.length === 2 ? (
        <PairedChange difference={isAwaited ? undefined : differences[0]} />
      ) : (
        figures.slice(1).map((_, n) => (
          // Runs have no other name here, and are shown in this order.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <Change key={n} difference={isAwaited ? undefined : differences[n]} />
        ))
      )}
    </div>
  );
}

/** Links to the calibrations of the runs that have labels. */
function Calibrations({ of, score }: { of: ReadonlyMap<number, string>; score: string }) {
  return (
    <span className={styles.links}>
      {[...of].map(([run, id]) => (
        <Link
          key={id}
          href={calibrationAddress(id)}
          aria-label={`Calibration of ${score} in ${letterOf(run)}`}
          title="What people would pass: how far the judge can be trusted"
        >
          <RunTag run={run} small />
        </Link>
      ))}
    </span>
  );
}

/** The scale of a measure unless it is 0 to 1, and whether its judge is another one in any run. */
function Underneath({ measure: { key = '', scale, differences } }: { measure: ComparedMeasure }) {
  const drifts = differences.map((one) => one?.judge_drift);
  const isUsual = scale[0] === 0 && scale[1] === 1;
  const texts = [
    ...(isUsual ? [] : [`${figure(scale[0])} – ${figure(scale[1])}`]),
    ...new Set(drifts.flatMap((drift) => (drift ? [driftMark(drift)] : []))),
  ];
  if (texts.length === 0) return null;
  const title = drifts.flatMap((judge_drift, n) =>
    driftTexts([{ key, judge_drift }]).map((text) => `${letterOf(n + 1)}: ${text}`),
  );
  return <small title={title.join('\n')}>{texts.join(', ')}</small>;
}

/** A difference, and the two values over the same pairs. */
function Change({ difference }: { difference: MeasuredDifference | undefined }) {
  if (difference === undefined) return <span role="cell" />;
  const { type, pairs } = difference;
  const verdict = verdictOf(difference);
  return (
    <span className={styles.value} role="cell" title={wholeText(difference, type)}>
      {difference.difference === null ? (
        'no pairs'
      ) : (
        <>
          {bothText(difference, type)}
          <small>
            <b className={classNames(verdict && styles[verdict])}>{changeText(difference, type)}</b>
            {' of '}
            {count(pairs)}
          </small>
        </>
      )}
    </span>
  );
}

/** Of two runs: the two values over the same pairs, and the difference with its interval. */
function PairedChange({ difference }: { difference: MeasuredDifference | undefined }) {
  if (difference === undefined || difference.difference === null) {
    return (
      <>
        <span className={styles.value} role="cell">
          {difference && 'no pairs'}
        </span>
        <span role="cell" />
      </>
    );
  }
  const { type, pairs } = difference;
  const verdict = verdictOf(difference);
  const title = wholeText(difference, type);
  return (
    <>
      <span className={styles.value} role="cell" title={title}>
        {bothText(difference, type)}
        <small>of {count(pairs)}</small>
      </span>
      <span className={styles.value} role="cell" title={title}>
        <b className={classNames(verdict && styles[verdict])}>{changeText(difference, type)}</b>
        <small>{intervalText(difference, type)}</small>
      </span>
    </>
  );
}

/** `Whole run: A 75.0 % (63/84), B 57.0 % (45/79)`. */
function wholeRunText(figures: ComparedMeasure['figures']): string {
  const texts = figures.map(({ text, of }, run) => {
    const words = `${letterOf(run)} ${text}`;
    return of === '' ? words : `${words} (${of})`;
  });
  return `Whole run: ${texts.join(', ')}`;
}

/** A bar (for a mean, a diamond) for each run, with its interval as a whisker. */
function RunBars({ measure: { type, figures, scale } }: { measure: ComparedMeasure }) {
  return (
    <span className={styles.runBars} aria-hidden="true" style={{ height: 9 * figures.length + 3 }}>
      {figures.map((of, run) =>
        of.estimate === undefined ? null : (
          <Bar
            // biome-ignore lint/suspicious/noArrayIndexKey: the place is the run
            key={run}
            run={run}
            figure={of}
            estimate={of.estimate}
            isMean={type === 'avg'}
            scale={scale}
          />
        ),
      )}
    </span>
  );
}

function Bar({
  run,
  figure: { low, high },
  estimate,
  isMean,
  scale,
}: {
  run: number;
  figure: RunFigure;
  estimate: number;
  isMean: boolean;
  scale: readonly [number, number];
}) {
  const at = `${onScale(estimate, scale) * 100}%`;
  const top = 9 * run + 3;
  const from = low === null ? 0 : onScale(low, scale);
  const to = high === null ? 0 : onScale(high, scale);
  const place = isMean ? {} : { bar: onScale(estimate, scale) };
  return (
    <>
      {!isMean && (
        <i className={classNames(styles.bar, runColor(run))} style={{ top, width: at }} />
      )}
      {to > from && <Whisker from={from} to={to} {...place} top={top + 2} cap={7} />}
      {isMean && (
        <i className={classNames(styles.mean, runColor(run))} style={{ top: top - 1, left: at }} />
      )}
    </>
  );
}
