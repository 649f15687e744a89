import { type ReactNode, useMemo } from 'react';
import { passedShare } from '../../../../../src/model/scores/score.js';
import { percentText } from '../../../../../src/text/share-text.js';
import type { RowSummary } from '../../../api/schema.js';
import { isReport } from '../../../app/report-mode.js';
import { classNames } from '../../../components/class-names.js';
import { Menu, MenuItem } from '../../../components/controls/menu.js';
import {
  count,
  countsOnlyTitle,
  figure,
  typicalValue,
} from '../../../components/figures/figures.js';
import { Icon } from '../../../components/icons/icon.js';
import { MiddleCut } from '../../../components/names/middle-cut.js';
import { tellingEnds } from '../../../components/names/telling-end.js';
import { useFigures, useShown } from '../../dashboard-state.js';
import { useView } from '../../use-view.js';
import { sortBy, sortOf } from '../../view-state.js';
import { CheckBox, type Checked } from '../cells/check-box.js';
import {
  type ColumnId,
  columnName,
  isAdded,
  isFigureColumn,
  rateColumn,
  scoreOf,
} from '../columns/columns.js';
import { HeadEdge, useColumnMoves } from './column-moves.js';
import styles from './table-head.module.css';

/** The head of the table: select all, sort, move and widen columns. */
export function TableHead({
  columns,
  checked,
  onSelectAll,
}: {
  columns: readonly ColumnId[];
  checked: Checked;
  onSelectAll: () => void;
}) {
  const [view] = useView();
  const ends = useMemo(() => tellingEnds(columns.map(columnName)), [columns]);
  return (
    <div
      role="row"
      aria-rowindex={1}
      className={classNames(
        styles.head,
        'grid-line',
        columns.some((id) => scoreOf(id) !== undefined) && styles.high,
      )}
    >
      {/* A report has none. */}
      <span role={isReport ? 'gridcell' : 'columnheader'}>
        <CheckBox
          checked={checked}
          label={checked === 'on' ? 'Select none' : 'Select all that match'}
          tabIndex={0}
          onToggle={onSelectAll}
        />
      </span>
      <HeadCell sorts={view.by === undefined ? ['status'] : []} className={styles.status}>
        {view.by === undefined ? (
          <SortButton sort="status">
            <span className="sr">Status</span>
          </SortButton>
        ) : (
          <span className="sr">Status</span>
        )}
      </HeadCell>
      <HeadCell sorts={['function', 'dataset']} className={styles.evaluation}>
        <SortButton sort="function">Evaluation</SortButton>
        <SortMenu label="Sort by" options={{ dataset: 'Dataset', index: 'Order of the run' }} />
        <HeadEdge left={undefined} right={columns[0]} />
      </HeadCell>
      {columns.map((id) => (
        <ColumnHead key={id} id={id} columns={columns} nameEnd={ends.get(columnName(id))} />
      ))}
    </div>
  );
}

function ColumnHead({
  id,
  columns,
  nameEnd,
}: {
  id: ColumnId;
  columns: readonly ColumnId[];
  /** Length of the end of its name that is never cut. */
  nameEnd: number | undefined;
}) {
  const [{ by }] = useView();
  const { summary } = useFigures();
  const { run } = useShown();
  const next = columns[columns.indexOf(id) + 1];
  const scores = summary.facets.score.map(({ key }) => key);
  // Groups have their pass rate in it.
  const hasRate = by !== undefined && id === rateColumn(columns);
  const moves = useColumnMoves(id);
  const name = columnName(id);
  if (isAdded(id)) {
    const key = scoreOf(id);
    return (
      <HeadCell sorts={[id]} id={id} className={key === undefined ? '' : styles.score}>
        <SortButton sort={id} {...moves}>
          <span className={classNames('mono', styles.key)} title={name}>
            <MiddleCut text={name} end={nameEnd} />
          </span>
          {key !== undefined && <ScoreFigure summary={summary} scoreKey={key} />}
        </SortButton>
        {next && key === undefined && <HeadEdge left={id} right={next} />}
      </HeadCell>
    );
  }
  const isNumber = isFigureColumn(id);
  const sorts = hasRate
    ? ['status']
    : isNumber
      ? [id]
      : id === 'scores'
        ? scores.map((key) => `score:${key}`)
        : [];
  const options = Object.fromEntries(scores.map((key) => [`score:${key}`, key]));
  return (
    <HeadCell sorts={sorts} id={id} className={isNumber ? styles.right : undefined}>
      {isNumber && (
        <SortButton sort={id} {...moves}>
          {name}
        </SortButton>
      )}
      {hasRate && (
        <span className={styles.rates}>
          <SortButton sort="status" {...moves}>
            Passed %
          </SortButton>
          <span className={styles.besides}>
            {run.state === 'running' || !summary.previous ? '95 %' : 'vs last'}
          </span>
          <button type="button" className={classNames(styles.button, styles.also)} {...moves}>
            {name.toLowerCase()}
          </button>
        </span>
      )}
      {id === 'scores' && scores.length > 0 && (
        <SortMenu label="Sort by score" options={options} moves={moves}>
          {name}
        </SortMenu>
      )}
      {!isNumber && !hasRate && (id !== 'scores' || scores.length === 0) && (
        <button type="button" className={styles.button} {...moves}>
          {name}
        </button>
      )}
      {next && <HeadEdge left={id} right={next} />}
    </HeadCell>
  );
}

function HeadCell({
  sorts,
  id,
  className,
  children,
}: {
  sorts: readonly string[];
  id?: ColumnId;
  className?: string | undefined;
  children: ReactNode;
}) {
  const [view] = useView();
  const sorted = sortOf(view, sorts);
  return (
    <span
      role="columnheader"
      data-column={id}
      className={classNames(styles.cell, sorted && styles.sorted, className)}
      {...(sorts.length > 0 && { 'aria-sort': sorted ?? 'none' })}
    >
      {children}
    </span>
  );
}

function SortButton({
  sort,
  children,
  ...moves
}: { sort: string; children: ReactNode } & Partial<ReturnType<typeof useColumnMoves>>) {
  const [view, setView] = useView();
  const sorted = sortOf(view, [sort]);
  return (
    <button
      type="button"
      className={styles.button}
      {...moves}
      onClick={() => setView((now) => sortBy(now, sort))}
    >
      {children}
      {sorted && <Icon name="up" className={classNames(sorted === 'descending' && 'flipped')} />}
    </button>
  );
}

/** A menu of sort orders, behind the name of a column or an arrow beside it. */
function SortMenu({
  label,
  options,
  moves,
  children,
}: {
  label: string;
  /** Names of the sort keys. */
  options: Readonly<Record<string, string>>;
  moves?: ReturnType<typeof useColumnMoves>;
  children?: ReactNode;
}) {
  const [view, setView] = useView();
  const sorted = sortOf(view, Object.keys(options));
  const by = options[view.sort];
  return (
    <Menu
      portal
      label={label}
      button={{
        className: children === undefined ? styles.more : styles.button,
        ...moves,
        ...(children === undefined && { 'aria-label': label }),
        children: (
          <>
            {children}
            {children !== undefined && sorted && by !== undefined && (
              <MiddleCut text={by} end={tellingEnds(Object.values(options)).get(by)} />
            )}
            {children !== undefined && sorted && (
              <Icon name="up" className={classNames(sorted === 'descending' && 'flipped')} />
            )}
            {children === undefined && <Icon name="down" />}
          </>
        ),
      }}
    >
      {Object.entries(options).map(([sort, name]) => (
        <MenuItem
          key={sort}
          current={view.sort === sort}
          hideOnClick={false}
          onClick={() => setView((now) => sortBy(now, sort))}
          {...(view.sort === sort && {
            note: sort === 'index' ? 'as it is' : view.descending ? 'descending' : 'ascending',
          })}
        >
          {name}
        </MenuItem>
      ))}
    </Menu>
  );
}

/** The share that passed as a bar, or the distribution of values, with the share or the typical value. */
function ScoreFigure({ summary, scoreKey }: { summary: RowSummary; scoreKey: string }) {
  const chip = summary.chips.find(({ key }) => key === scoreKey);
  const histogram = summary.histograms?.find(({ key }) => key === scoreKey);
  if (chip === undefined) return <span className={styles.figure} />;
  const share = passedShare(chip);
  if (summary.counts_only === true) {
    const text = share ? `${count(share.passed)} / ${count(share.total)}` : '';
    return (
      <span className={styles.figure} title={countsOnlyTitle}>
        {histogram && <Distribution counts={histogram.counts} />}
        <b>{text}</b>
      </span>
    );
  }
  const rate = share && share.passed / Math.max(1, share.total);
  return (
    <span className={styles.figure}>
      {histogram ? (
        <Distribution counts={histogram.counts} />
      ) : (
        <span className={styles.bar} aria-hidden="true">
          <i style={{ width: `${(rate ?? 0) * 100}%` }} />
        </span>
      )}
      <b>{chip.type === 'avg' ? figure(typicalValue(chip)) : percentText(rate ?? 0)}</b>
    </span>
  );
}

function Distribution({ counts }: { counts: readonly number[] }) {
  const most = Math.max(1, ...counts);
  const bars = counts.map((count, n) => `M${n * 6} 12V${12 - (count / most) * 12}h5V12Z`);
  return (
    <svg
      className={styles.values}
      viewBox="0 0 60 12"
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path d={bars.join('')} />
    </svg>
  );
}
