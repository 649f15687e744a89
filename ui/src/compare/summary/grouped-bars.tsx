import { useState } from 'react';
import { testText } from '../../../../src/text/chance-text.js';
import { driftMark, driftTexts } from '../../../../src/text/judge-drift-text.js';
import { classNames } from '../../components/class-names.js';
import { Field } from '../../components/controls/field.js';
import { Kbd } from '../../components/controls/kbd.js';
import {
  bothText,
  changeText,
  intervalText,
  verdictOf,
  wholeText,
} from '../../components/figures/difference-text.js';
import { count, counted, figure } from '../../components/figures/figures.js';
import { PercentRuler, Whisker } from '../../components/figures/scale.js';
import { Icon } from '../../components/icons/icon.js';
import { MiddleCut } from '../../components/names/middle-cut.js';
import { tellingEnds } from '../../components/names/telling-end.js';
import { letterOf } from '../letters.js';
import { RunTag, runColor } from '../run-tag.js';
import { useCompareView } from '../use-compare-view.js';
import { defaultSort, isFilteredComparison } from '../view-state.js';
import styles from './grouped-bars.module.css';
import {
  type ComparedMeasure,
  type MeasuredDifference,
  type MovedScore,
  movedFirst,
  onScale,
  type RunFigure,
} from './measures.js';

/** In sight at first; of more scores, those that moved. */
const fewScores = 8;

const rowHeight = (runs: number) => Math.max(34, 9 * runs + 7);

/**
 * Pass rate and scores: a bar for each whole run, and the differences over the pairs. What moved beyond chance is always
 * in sight, other scores unfold. A click on a name sorts the pairs by it.
 */
export function GroupedBars({
  runs,
  measures,
  isBrief = false,
  onAsk,
}: {
  runs: number;
  measures: readonly ComparedMeasure[];
  /** Only what moved, without a way to more. */
  isBrief?: boolean;
  /** All differences are wanted. */
  onAsk: () => void;
}) {
  const [view] = useCompareView();
  const [isOpen, setOpen] = useState(false);
  const [search, setSearch] = useState('');
  const isAwaited = measures.some((measure) => measure.isAwaited);
  const { passRate, moved, rest } = movedFirst(measures);
  const all = [...moved, ...rest];
  const first = firstScores(moved, rest, view.sort);
  const others = all.filter((score) => !first.includes(score));
  if (isBrief && passRate && !moved.length && !verdictsOf(passRate).some(Boolean)) return null;
  const shown = isBrief ? moved.slice(0, fewScores) : first;
  const unfolded = isOpen && !isBrief ? others.filter(({ key }) => isFound(key, search)) : [];
  const ends = tellingEnds(measures.map(({ name }) => name));
  const row = (measure: ComparedMeasure) => (
    <MeasureRow
      key={`${measure.type} ${measure.key ?? '\0'}`}
      measure={measure}
      nameEnd={ends.get(measure.name)}
    />
  );
  return (
    <div
      className={styles.bars}
      role="table"
      aria-label="Scores by run"
      data-pair={runs === 2}
      style={{ '--others': runs - 1 } as object}
    >
      <Head runs={runs} />
      {passRate && row(passRate)}
      {shown.flatMap(({ lines }) => lines.map(row))}
      {!isBrief && !isAwaited && (
        <div className={classNames(styles.row, styles.more)} role="row">
          <span role="cell">
            {others.length > 0 && (
              <button
                type="button"
                className={styles.fold}
                aria-expanded={isOpen}
                onClick={() => {
                  setOpen(!isOpen);
                  setSearch('');
                }}
              >
                <Icon name={isOpen ? 'down' : 'right'} small />
                {othersText(others, moved.length)}
              </button>
            )}
            {isOpen ? (
              <Field
                small
                className={styles.search}
                icon="search"
                label="Search scores"
                placeholder={`Search ${counted(others.length, 'score')}`}
                autoFocus
                value={search}
                onChange={(event) => setSearch(event.currentTarget.value)}
              />
            ) : (
              others.length > 0 && <span className="quiet cut">{smallestText(others)}</span>
            )}
            <button type="button" className={classNames('link', styles.ask)} onClick={onAsk}>
              All differences <Kbd>shift d</Kbd>
            </button>
          </span>
        </div>
      )}
      {unfolded.flatMap(({ lines }) => lines.map(row))}
    </div>
  );
}

function Head({ runs }: { runs: number }) {
  const [view] = useCompareView();
  const pairs = isFilteredComparison(view) ? 'all pairs' : 'pairs';
  return (
    <div className={classNames(styles.row, styles.head)} role="row">
      <span role="columnheader">whole run</span>
      <div role="columnheader" aria-label="0 to 100">
        <PercentRuler />
      </div>
      {Array.from({ length: runs - 1 }, (_, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the place is the run
        <span key={n} className={styles.right} role="columnheader">
          <RunTag run={0} small />
          <span aria-hidden="true"> → </span>
          <RunTag run={n + 1} small />
          <span>{pairs}</span>
        </span>
      ))}
      {runs === 2 && (
        <span className={styles.right} role="columnheader">
          <span>
            difference<span className={styles.wide}>, 95 %</span>
          </span>
        </span>
      )}
    </div>
  );
}

type MovedMeasure = MovedScore<ComparedMeasure>;

/** The scores that are in sight at first: all if they are few, else those that moved, or those closest to it; and the one that pairs are sorted by. */
function firstScores(
  moved: readonly MovedMeasure[],
  rest: readonly MovedMeasure[],
  sort: string,
): readonly MovedMeasure[] {
  const all = [...moved, ...rest];
  const few = moved.length === 0 || all.length <= fewScores ? all : moved;
  const first = few.slice(0, fewScores);
  return all.filter((score) => first.includes(score) || sort === `score:${score.key}`);
}

const isFound = (key: string, search: string) =>
  key.toLowerCase().includes(search.trim().toLowerCase());

/** `74 did not move`, `3 more moved, 66 did not`. */
function othersText(others: readonly MovedMeasure[], moved: number): string {
  const more = others.filter(({ verdict }) => verdict !== undefined).length;
  const still = others.length - more;
  if (more > 0) return still > 0 ? `${more} more moved, ${still} did not` : `${more} more moved`;
  return moved > 0 ? `${still} did not move` : `${still} more, none moved`;
}

/** The p-value that came closest: `smallest p .006, .22 among 41`; empty if nothing was tested. */
function smallestText(others: readonly MovedMeasure[]): string {
  const closest = others.find(({ verdict }) => verdict === undefined)?.test;
  return closest?.p == null ? '' : `smallest p ${testText(closest)}`;
}

const verdictsOf = ({ differences }: ComparedMeasure) =>
  differences.map((one) => one && verdictOf(one));

function MeasureRow({
  measure,
  nameEnd,
}: {
  measure: ComparedMeasure;
  nameEnd: number | undefined;
}) {
  const [view, setView] = useCompareView();
  const { name, key, figures, differences, isAwaited } = measure;
  const sort = key === undefined ? 'passed' : `score:${key}`;
  // What stands beside a score is not what pairs are sorted by.
  const isSorted = key === undefined || key === name;
  const isOn = isSorted && view.sort === sort;
  return (
    <div
      className={classNames(styles.row, styles.body)}
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
        <Underneath measure={measure} />
      </span>
      <span role="cell" title={isAwaited ? undefined : wholeRunText(figures)}>
        <RunBars measure={measure} />
        <span className="sr">{!isAwaited && wholeRunText(figures)}</span>
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
