import { classNames } from '../../components/class-names.js';
import { figure, percent } from '../../components/figures.js';
import { PercentRuler } from '../../components/scale.js';
import { RunTag } from '../run-tag.js';
import { signed } from '../signed.js';
import { useCompareView } from '../use-compare-view.js';
import { firstSort } from '../view-state.js';
import styles from './grouped-bars.module.css';
import type { Measure } from './measures.js';
import { RunBars } from './run-bars.js';
import { wholeText } from './words.js';

/** A run may have any number of scores; more than these scroll. */
const mostRows = 7;
const rowHeight = (runs: number) => Math.max(34, 9 * runs + 7);

/** Pass rate and scores, a bar a run. A click on a name sorts the pairs by what it changed by. */
export function GroupedBars({ runs, measures }: { runs: number; measures: readonly Measure[] }) {
  return (
    <div
      className={styles.bars}
      role="table"
      aria-label="Scores by run"
      style={{
        maxHeight: 26 + mostRows * rowHeight(runs),
        ...({ '--others': runs - 1 } as object),
      }}
    >
      <div className={classNames(styles.row, styles.head)} role="row">
        <span role="columnheader">score</span>
        <div role="columnheader" aria-label="0 to 100">
          <PercentRuler className={styles.ruler} />
        </div>
        {Array.from({ length: runs }, (_, run) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the place is the run
          <span key={run} className={styles.right} role="columnheader">
            <RunTag run={run} small />
          </span>
        ))}
      </div>
      {measures.map((measure) => (
        <MeasureRow key={measure.key ?? '\0'} measure={measure} />
      ))}
    </div>
  );
}

function MeasureRow({ measure }: { measure: Measure }) {
  const [view, setView] = useCompareView();
  const { key, type, figures, differences, scale, isAwaited } = measure;
  const sort = key === undefined ? 'passed' : `score:${key}`;
  const isOn = view.sort === sort;
  const name = key ?? 'pass rate';
  return (
    <div
      className={classNames(styles.row, styles.body)}
      role="row"
      data-on={isOn}
      style={{ height: rowHeight(figures.length) }}
    >
      <span className={styles.key} role="rowheader">
        <button
          type="button"
          aria-pressed={isOn}
          className={classNames('cut', key === undefined && styles.passRate)}
          title={`Sort by what ${name} changed by, the worst first`}
          onClick={() =>
            setView((now) => ({ ...now, sort: isOn ? firstSort : sort, descending: false }))
          }
        >
          {name}
        </button>
        {scale[1] !== 1 && (
          <small>
            {figure(scale[0])} – {figure(scale[1])}
          </small>
        )}
      </span>
      <span role="cell">
        <RunBars measure={measure} />
      </span>
      {figures.map(({ estimate, of }, run) => {
        const said = run === 0 ? undefined : differences[run - 1];
        return (
          <span
            // Runs have no other name here, and their order is what is shown.
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            key={run}
            className={classNames(styles.value, run > 0 && styles.strong)}
            role="cell"
            title={said ? wholeText(said, type) : undefined}
          >
            {isAwaited ? '' : valueText(estimate, type)}
            <small
              className={classNames(
                said?.beyond_chance &&
                  ((said.difference?.estimate ?? 0) < 0 ? styles.worse : styles.better),
              )}
            >
              {run === 0
                ? of
                : said?.difference
                  ? changeText(said.difference.estimate, said.beyond_chance, type)
                  : ''}
            </small>
          </span>
        );
      })}
    </div>
  );
}

function valueText(estimate: number | undefined, type: Measure['type']): string {
  if (estimate === undefined) return '–';
  return type === 'ratio' ? percent(estimate) : figure(estimate);
}

function changeText(difference: number, isBeyond: boolean, type: Measure['type']): string {
  const sign = !isBeyond || difference === 0 ? '' : difference < 0 ? '▼ ' : '▲ ';
  return sign + signed(difference, type);
}
