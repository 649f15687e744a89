import { memo } from 'react';
import type { MatrixPage } from '../api/schema.js';
import { classNames } from '../components/class-names.js';
import { count } from '../components/figures/figures.js';
import { Icon } from '../components/icons/icon.js';
import { nameParts } from '../components/names/evaluation-name.js';
import { MiddleCut } from '../components/names/middle-cut.js';
import { CellContent, cellStanding, DatasetFigure, failedShare } from './cells.js';
import styles from './matrix-lines.module.css';
import type { MatrixCase } from './queries.js';

type Dataset = MatrixPage['datasets'][number];

interface LineProps {
  readonly line: number;
  readonly top: number;
  /** The run whose cell is looked at; absent in other lines. */
  readonly run: number | undefined;
  readonly show: string;
  /** A click in the column of a run, or in the first one. */
  readonly onPick: (line: number, run: number | undefined) => void;
}

/** The run in whose column a target is; `undefined` for the first column. */
function runOf(target: EventTarget): number | undefined {
  const cell = target instanceof Element ? target.closest('[role=gridcell]') : null;
  const at = cell === null ? -1 : [...(cell.parentElement?.children ?? [])].indexOf(cell);
  return at < 1 ? undefined : at - 1;
}

/** The line of a dataset: its name, and a figure for each run. */
export const DatasetLine = memo(function DatasetLine({
  line,
  top,
  run: current,
  show,
  dataset: { dataset, cases, runs },
  isFolded,
  onPick,
}: LineProps & { dataset: Dataset; isFolded: boolean }) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid has the focus, and takes the keys.
    <div
      role="row"
      aria-rowindex={line + 2}
      aria-level={1}
      aria-expanded={!isFolded}
      className={classNames(styles.line, styles.dataset)}
      style={{ transform: `translateY(${top}px)` }}
      onClick={(event) => onPick(line, runOf(event.target))}
    >
      <span role="rowheader" className={styles.name}>
        <Icon name={isFolded ? 'right' : 'down'} />
        <b className="cut">{dataset}</b>
        <span className="faint">{count(cases)}</span>
      </span>
      {runs.map((figures, run) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: the place is the run
          key={run}
          role="gridcell"
          tabIndex={run === current ? 0 : -1}
          aria-selected={run === current}
          className={styles.cell}
        >
          <DatasetFigure figures={figures} show={show} />
        </span>
      ))}
    </div>
  );
});

/** The line of a case: its name, and a cell for each run. */
export const CaseLine = memo(function CaseLine({
  line,
  top,
  run: current,
  show,
  of,
  runs,
  onPick,
  isStacked,
}: LineProps & { of: MatrixCase | undefined; runs: number; isStacked: boolean }) {
  const [evaluation, testCase] = nameParts(of?.function ?? '…');
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above
    <div
      role="row"
      aria-rowindex={line + 2}
      aria-level={2}
      className={classNames(styles.line, current !== undefined && styles.current)}
      style={{ transform: `translateY(${top}px)` }}
      onClick={(event) => onPick(line, runOf(event.target))}
    >
      <span role="rowheader" className={styles.name} title={of?.id}>
        <span className={styles.case}>
          {isStacked ? (
            <>
              <MiddleCut text={evaluation} />
              {testCase !== '' && <MiddleCut text="" rest={testCase} />}
            </>
          ) : (
            <MiddleCut text={evaluation} rest={testCase} />
          )}
        </span>
      </span>
      {Array.from({ length: runs }, (_, run) => {
        const cell = of?.cells[run];
        const failed = cell ? failedShare(cell, show) : undefined;
        return (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: the place is the run
            key={run}
            role="gridcell"
            tabIndex={run === current ? 0 : -1}
            aria-selected={run === current}
            className={classNames(
              styles.cell,
              cell && show === 'verdict' && cellStanding(cell) === 'error' && styles.error,
            )}
            style={failed ? ({ '--failed': `${Math.round(failed * 100)}%` } as object) : undefined}
          >
            {cell !== undefined && <CellContent cell={cell} show={show} />}
          </span>
        );
      })}
    </div>
  );
});
