import { type Range, useWindowVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useCallback, useMemo, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { messageOf } from '../api/problem.js';
import { useCalls, useResult } from '../api/queries.js';
import type { CallsPage, ListedCall } from '../api/schema.js';
import { useShortcut } from '../app/shortcuts.js';
import { useNarrow } from '../browser/use-media.js';
import { usePageBox } from '../browser/use-page-box.js';
import { classNames } from '../components/class-names.js';
import { CostSwatch } from '../components/figures/cost-split.js';
import { count, duration, seconds } from '../components/figures/figures.js';
import { StatusIcon } from '../components/icons/status-icon.js';
import { nameParts } from '../components/names/evaluation-name.js';
import { MiddleCut } from '../components/names/middle-cut.js';
import { FilteredRun, FilterLink } from '../dashboard/filters/filter-link.js';
import { gridCommand } from '../lists/grid-keys.js';
import { useFirstLine, useKeptScroll } from '../lists/list-scroll.js';
import { useRowFocus, withActiveLine } from '../lists/row-focus.js';
import { ViewMemory } from '../lists/view-memory.js';
import { CallDetails } from '../result/calls/call-details.js';
import { rawText } from '../result/values/value-kind.js';
import { visibleText } from '../result/values/visible-text.js';
import { caseName, useCallLink } from './call-link.js';
import styles from './call-table.module.css';
import { axisEnd, callCost, roleName, rolePart } from './call-words.js';
import { type CallsView, type SetCallsView, useCallRows } from './calls-view.js';

/** Pixels of a row, wide and narrow, as in the style sheet. */
const rowHeight = { wide: 28, narrow: 50 };

/** Where the table was left, by run and query. */
const keptTables = new ViewMemory<{ readonly active: number; readonly scroll: number }>(1);

/** The matching calls; virtual. The keys move a row, open its request in place, or its case. */
export function CallTable({
  run,
  page,
  query,
  view,
  setView,
}: {
  run: string;
  page: CallsPage;
  query: string;
  view: CallsView;
  setView: SetCallsView;
}) {
  const isNarrow = useNarrow();
  const [, navigate] = useLocation();
  const linkTo = useCallLink(run);
  const kept = `${run} ${query}`;
  const [before] = useState(() => keptTables.get(kept));
  const [active, setActive] = useState(before?.active ?? 0);
  const [opened, setOpened] = useState<number>();
  const grid = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const { top } = usePageBox(body);
  const current = Math.min(active, page.filtered - 1);
  const list = useWindowVirtualizer({
    count: page.filtered,
    estimateSize: () => (isNarrow ? rowHeight.narrow : rowHeight.wide),
    overscan: 12,
    scrollMargin: top,
    scrollPaddingStart: 40,
    // Keep the focused row in the page, wherever the page is scrolled to.
    rangeExtractor: useCallback((range: Range) => withActiveLine(range, current), [current]),
  });
  const items = list.getVirtualItems();
  const callAt = useCallRows(
    run,
    query,
    items.map(({ index }) => index),
  );
  const { enter, listeners } = useRowFocus(grid, useRef<boolean | undefined>(before && true));
  useShortcut('walk', enter);
  useKeptScroll(before?.scroll, () =>
    keptTables.keep(kept, { active: current, scroll: list.scrollOffset ?? 0 }),
  );
  useFirstLine(query, top, () => {
    setActive(0);
    setOpened(undefined);
  });
  const { slowest, dearest } = page.summary ?? {};
  const end = useMemo(() => axisEnd(slowest?.latency ?? 0), [slowest]);
  const open = (call: ListedCall | undefined) => {
    if (call === undefined) return;
    const { href, state } = linkTo(call);
    navigate(href, { state });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const isOnRow = (event.target as Element).getAttribute('role') === 'row';
    if (event.key === 'Escape' && opened !== undefined) {
      event.preventDefault();
      setActive(opened);
      setOpened(undefined);
      enter();
      return;
    }
    if (!isOnRow) return;
    const command = gridCommand(event, Math.max(1, items.length - 26));
    const go = (position: number) => {
      const next = Math.max(0, Math.min(page.filtered - 1, position));
      setActive(next);
      enter();
      list.scrollToIndex(next);
    };
    switch (command?.type) {
      case 'move':
        go(current + command.by);
        break;
      case 'first':
        go(0);
        break;
      case 'last':
        go(page.filtered - 1);
        break;
      case 'open':
        open(callAt(current));
        break;
      case 'toggle':
        setOpened(opened === current ? undefined : current);
        break;
      case 'expand':
        setOpened(current);
        break;
      case 'close':
        setOpened(undefined);
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
      role="treegrid"
      aria-label="Calls"
      aria-rowcount={page.filtered + 1}
      aria-colcount={columns.length}
      onKeyDown={onKeyDown}
      {...listeners}
    >
      <TableHead end={end} view={view} setView={setView} />
      <div ref={body} className={styles.body} style={{ height: list.getTotalSize() }}>
        {items.map(({ index, start }) => {
          const call = callAt(index);
          return (
            <div
              key={index}
              ref={list.measureElement}
              role="rowgroup"
              className={styles.item}
              data-index={index}
              style={{ transform: `translateY(${start - top}px)` }}
            >
              <CallRow
                call={call}
                position={index + 2}
                end={end}
                marks={[
                  ...(isSame(call, dearest) ? ['dearest'] : []),
                  ...(isSame(call, slowest) ? ['slowest'] : []),
                ]}
                link={call && linkTo(call)}
                isCurrent={index === current}
                isOpen={index === opened}
                onFocus={() => setActive(index)}
                onToggle={() => setOpened(index === opened ? undefined : index)}
              />
              {index === opened && call && (
                <div role="row" className={styles.openRow}>
                  <div role="gridcell" aria-colspan={columns.length} className={styles.open}>
                    <OpenedCall run={run} call={call} />
                  </div>
                </div>
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}

function isSame(call: ListedCall | undefined, other: ListedCall | undefined): boolean {
  return call !== undefined && call.index === other?.index && call.number === other.number;
}

/** The columns: what they are sorted by, and their classes. */
const columns = [
  { title: 'Case', sort: 'case', className: styles.case },
  { title: 'Model', className: styles.model },
  { title: 'Role', className: styles.role },
  { title: 'Tool calls', className: styles.tools },
  { title: 'Finish', className: styles.finish },
  { title: 'Cached', sort: 'cached', className: styles.cached },
  { title: 'In', sort: 'input', className: styles.figure },
  { title: 'Out', sort: 'output', className: styles.figure },
  { title: 'Cost $', sort: 'cost', className: styles.cost },
  { title: 'First', sort: 'first_token', className: styles.first },
  { title: 'axis', className: styles.axis },
  { title: 'Time', sort: 'latency', className: styles.time },
] as const;

function TableHead({
  end,
  view,
  setView,
}: {
  end: number;
  view: CallsView;
  setView: SetCallsView;
}) {
  const sortBy = (sort: string) =>
    setView((now) => ({
      ...now,
      sort,
      descending: now.sort === sort ? !now.descending : sort !== 'case',
    }));
  return (
    <div className={classNames(styles.row, styles.head)} role="row" aria-rowindex={1}>
      {columns.map((column) => {
        if (column.title === 'axis') return <Axis key="axis" end={end} />;
        const isSorted = 'sort' in column && view.sort === column.sort;
        return (
          <span
            key={column.title}
            role="columnheader"
            className={column.className}
            aria-sort={isSorted ? (view.descending ? 'descending' : 'ascending') : undefined}
          >
            {'sort' in column ? (
              <button type="button" onClick={() => sortBy(column.sort)}>
                {column.title}
                {isSorted && <span aria-hidden="true"> {view.descending ? '↓' : '↑'}</span>}
              </button>
            ) : (
              column.title
            )}
          </span>
        );
      })}
    </div>
  );
}

function Axis({ end }: { end: number }) {
  const ticks = [0, 1, 2, 3].map((n) => Number(((n * end) / 3).toPrecision(6)));
  return (
    <span role="columnheader" className={classNames(styles.axis, styles.ruler)}>
      <b className="sr">Seconds, 0 to {end}</b>
      {ticks.map((tick, n) => (
        <span key={tick} aria-hidden="true" style={{ left: `${(100 * n) / 3}%` }}>
          {tick}
          {n === 3 && ' s'}
        </span>
      ))}
    </span>
  );
}

function CallRow({
  call,
  position,
  end,
  marks,
  link,
  isCurrent,
  isOpen,
  onFocus,
  onToggle,
}: {
  /** Absent until it is loaded. */
  call: ListedCall | undefined;
  position: number;
  end: number;
  marks: readonly string[];
  link: ReturnType<ReturnType<typeof useCallLink>> | undefined;
  isCurrent: boolean;
  isOpen: boolean;
  onFocus: () => void;
  onToggle: () => void;
}) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid handles the keys of its rows
    <div
      className={classNames(styles.row, isOpen && styles.isOpen)}
      role="row"
      aria-rowindex={position}
      aria-expanded={isOpen}
      aria-busy={call === undefined || undefined}
      tabIndex={isCurrent ? 0 : -1}
      data-taken={call?.taken !== undefined}
      onFocus={onFocus}
      onClick={onToggle}
    >
      {call === undefined || link === undefined ? (
        <span role="rowheader" className={styles.case}>
          <span className="sr">Reading</span>
        </span>
      ) : (
        <Cells call={call} marks={marks} link={link} end={end} />
      )}
    </div>
  );
}

function Cells({
  call,
  marks,
  link,
  end,
}: {
  call: ListedCall;
  marks: readonly string[];
  link: ReturnType<ReturnType<typeof useCallLink>>;
  end: number;
}) {
  const [name, rest] = nameParts(call.function);
  const trial = call.trial === undefined ? '' : `~${call.trial}`;
  const tools = call.tools.map((tool) => tool.name).join(', ');
  const number = (value: number | undefined) => value !== undefined && count(value);
  return (
    <>
      <span role="rowheader" className={styles.case}>
        {call.failed && <StatusIcon standing="error" size="chip" />}
        <Link
          {...link}
          tabIndex={-1}
          className={styles.name}
          onClick={(event) => event.stopPropagation()}
        >
          <MiddleCut text={visibleText(name)} rest={visibleText(`${rest}${trial}`)} />
        </Link>
        {marks.map((mark) => (
          <span key={mark} className={styles.mark}>
            {mark}
          </span>
        ))}
        <span className={styles.dataset}>{visibleText(call.dataset)}</span>
      </span>
      <span role="gridcell" className={styles.model} title={call.model}>
        {visibleText(call.model)}
      </span>
      <span role="gridcell" className={styles.role} title={call.role}>
        <CostSwatch part={rolePart(call.role)} />
        {visibleText(roleName(call.role))}
      </span>
      <span role="gridcell" className={styles.tools} title={tools}>
        {visibleText(tools)}
      </span>
      <span
        role="gridcell"
        className={classNames(
          styles.finish,
          call.failed && styles.failed,
          call.at_limit && styles.strong,
        )}
        title={call.finish}
      >
        {call.taken === undefined ? visibleText(call.finish) : call.taken}
      </span>
      <span role="gridcell" className={styles.cached}>
        {number(call.cached)}
      </span>
      <span role="gridcell" className={styles.figure}>
        {number(call.input)}
      </span>
      <span role="gridcell" className={styles.figure}>
        {number(call.output)}
      </span>
      <span role="gridcell" className={classNames(styles.cost, call.dear && styles.strong)}>
        {callCost(call)}
      </span>
      <span role="gridcell" className={styles.first}>
        {call.to_first_token !== undefined && seconds(call.to_first_token)}
      </span>
      <span role="gridcell" className={styles.axis}>
        <TimeBar call={call} end={end} />
      </span>
      <span role="gridcell" className={classNames(styles.time, call.slow && styles.strong)}>
        {call.latency === undefined ? (
          <span className="faint">{call.finish === 'not ended' ? '…' : 'unknown'}</span>
        ) : (
          <span title={duration(call.latency)}>{seconds(call.latency)}</span>
        )}
      </span>
    </>
  );
}

/** Pale until the first token. */
function TimeBar({ call, end }: { call: ListedCall; end: number }) {
  const { latency, to_first_token: first, failed, taken } = call;
  if (latency === undefined) return null;
  const share = Math.min(1, latency / end);
  return (
    <i
      data-look={failed ? 'failed' : taken === undefined ? 'own' : 'taken'}
      style={{ width: `${100 * share}%` }}
    >
      {first !== undefined && !failed && latency > 0 && (
        <em style={{ width: `${Math.min(100, (100 * first) / latency)}%` }} />
      )}
    </i>
  );
}

/** The request and the answer of a call. */
function OpenedCall({ run, call }: { run: string; call: ListedCall }) {
  const { data, error } = useCalls(run, call.index, true);
  if (error !== null) return <p>{messageOf(error)}</p>;
  if (data === undefined) {
    return (
      <p className="faint" aria-busy="true">
        Reading the call …
      </p>
    );
  }
  const found = data.calls.find(({ number }) => number === call.number);
  if (found === undefined) return <p>{caseName(call)} has run again since: this call is gone.</p>;
  return (
    <>
      <h2 className="sr">
        Call {call.number} of {caseName(call)}
      </h2>
      <FilteredRun value={run}>
        <CaseValues of={call} run={run} />
        <CallDetails stored={data} call={found} />
      </FilteredRun>
    </>
  );
}

/** Values that are no part of a line. */
const isLong = (value: unknown) => rawText(value).length > 80;

/** The dataset and the metadata of the case of a call; a click shows the results that have the same. */
function CaseValues({ run, of: { index, dataset } }: { run: string; of: ListedCall }) {
  const { data } = useResult(run, index);
  const metadata = data?.index === index ? data.result.result.metadata : {};
  const values = Object.entries(metadata ?? {}).filter(([, value]) => !isLong(value));
  return (
    <p className={styles.values}>
      <span>
        dataset{' '}
        <FilterLink by="dataset" value={dataset}>
          {visibleText(dataset)}
        </FilterLink>
      </span>
      {values.map(([key, value]) => (
        <span key={key}>
          {visibleText(key)}{' '}
          <FilterLink by={{ metadata: key }} value={value}>
            {visibleText(rawText(value))}
          </FilterLink>
        </span>
      ))}
    </p>
  );
}
