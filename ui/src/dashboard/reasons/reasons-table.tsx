import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { Link } from 'wouter';
import { getRowIndices, getRowPage } from '../../api/client.js';
import { keys } from '../../api/keys.js';
import type { RowReason, TableRow } from '../../api/schema.js';
import { notifyError } from '../../app/notices.js';
import { useShortcut } from '../../app/shortcuts.js';
import { classNames } from '../../components/class-names.js';
import { Button } from '../../components/controls/button.js';
import { Kbd } from '../../components/controls/kbd.js';
import { count, counted, seconds } from '../../components/figures/figures.js';
import { Icon } from '../../components/icons/icon.js';
import { StatusIcon } from '../../components/icons/status-icon.js';
import { Empty, Unreadable } from '../../components/messages/empty.js';
import { nameParts } from '../../components/names/evaluation-name.js';
import { MiddleCut } from '../../components/names/middle-cut.js';
import { gridCommand } from '../../lists/grid-keys.js';
import { useRowFocus } from '../../lists/row-focus.js';
import { resultAddress } from '../../result/addresses.js';
import { useSelection, useShown } from '../dashboard-state.js';
import { parseReason } from '../filters/filter-values.js';
import { Loading } from '../messages/loading.js';
import { rowName, rowStanding } from '../table/cells/row-standing.js';
import { accessOf, useRunActions } from '../use-run-actions.js';
import { useView } from '../use-view.js';
import { renderFilterQuery, type View, withChoice, withReason } from '../view-state.js';
import styles from './reasons-table.module.css';
import { useReasons } from './tabs.js';

/** Results listed below an open reason; the table has all of them. */
const mostListed = 5;
/** So many reasons with a single result share a line. */
const manyOnce = 4;

/** A line: a reason, or those with a single result together. */
type Line = RowReason | 'once';

/** Why results failed, the largest reason first; each opens downwards, and leads to its results in the table. */
export function ReasonsTable() {
  const { data, error, refetch } = useReasons();
  const [isOnceOpen, setOnceOpen] = useState(false);
  if (data === undefined) {
    return error ? (
      <Unreadable title="The reasons cannot be read" error={error} onRetry={() => void refetch()} />
    ) : (
      <Loading what="the reasons" />
    );
  }
  if (data.reasons.length === 0) {
    return (
      <Empty title="Nothing failed">
        <p>
          {counted(data.filtered, 'result')} {data.filtered === 1 ? 'matches' : 'match'}, and none
          of them failed.
        </p>
      </Empty>
    );
  }
  const several = data.reasons.filter(({ results }) => results > 1);
  const once = data.reasons.filter(({ results }) => results === 1);
  const isBundled = once.length >= manyOnce && several.length > 0;
  const lines: Line[] = isBundled
    ? [...several, 'once', ...(isOnceOpen ? once : [])]
    : [...data.reasons];
  const more = data.count - data.reasons.length;
  return (
    <>
      <Lines
        lines={lines}
        once={once}
        isOnceOpen={isOnceOpen}
        setOnceOpen={setOnceOpen}
        hasBefore={data.reasons.some(({ before }) => before !== undefined)}
      />
      <p className={styles.note}>
        {more > 0 && `${counted(more, 'more reason')} with fewer results. `}A result with several
        failed scores stands in several groups. Numbers, ids and quoted words are set aside before
        notes and errors are compared; no model is asked.
        {data.previous && ` Before: ${data.previous.run_name}, the last run of this config.`}
      </p>
    </>
  );
}

interface LinesProps {
  readonly lines: readonly Line[];
  readonly once: readonly RowReason[];
  readonly isOnceOpen: boolean;
  readonly setOnceOpen: (isOpen: boolean) => void;
  readonly hasBefore: boolean;
}

function Lines({ lines, once, isOnceOpen, setOnceOpen, hasBefore }: LinesProps) {
  const body = useRef<HTMLDivElement>(null);
  const isHere = useRef<boolean | undefined>(undefined);
  const [, setView] = useView();
  const [current, setCurrent] = useState(0);
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const active = Math.min(current, lines.length - 1);
  const { enter, listeners } = useRowFocus(body, isHere);
  const toggleSelected = useReasonSelection();
  const most = Math.max(...lines.map((line) => (line === 'once' ? 0 : line.results)));

  const setOpen = (line: Line, isOpen: boolean) => {
    if (line === 'once') setOnceOpen(isOpen);
    else {
      const others = [...opened].filter((reason) => reason !== line.reason);
      setOpened(new Set(isOpen ? [...others, line.reason] : others));
    }
  };
  const isOpen = (line: Line) => (line === 'once' ? isOnceOpen : opened.has(line.reason));
  const show = (reason: string) => {
    setView((now) => withReason(now, reason));
    window.scrollTo(0, 0);
  };
  const selectLine = () => {
    const line = lines[active];
    const its = line === 'once' ? once : line === undefined ? [] : [line];
    if (its.length > 0) void toggleSelected(its.map(({ reason }) => reason));
  };
  // If the focus is elsewhere, the first key only moves it to the line.
  useShortcut('walk', enter);
  useShortcut('select', selectLine);
  const onKeyDown = (event: KeyboardEvent) => {
    const line = lines[active];
    const isOnRow = event.target instanceof HTMLElement && event.target.role === 'row';
    const command = isOnRow ? gridCommand(event, 10) : undefined;
    if (command === undefined || line === undefined) return;
    const go = (to: number) => {
      setCurrent(Math.max(0, Math.min(lines.length - 1, to)));
      enter();
    };
    if (command.type === 'move') go(active + command.by);
    else if (command.type === 'first') go(0);
    else if (command.type === 'last') go(lines.length - 1);
    else if (command.type === 'toggle') setOpen(line, !isOpen(line));
    else if (command.type === 'expand') setOpen(line, true);
    else if (command.type === 'close') setOpen(line, false);
    else if (command.type === 'select') selectLine();
    else if (command.type === 'open') {
      if (line === 'once') setOnceOpen(!isOnceOpen);
      else show(line.reason);
    } else return;
    event.preventDefault();
  };
  return (
    <div role="treegrid" aria-label="Reasons" className={styles.grid}>
      <div role="row" className={classNames(styles.line, styles.head)}>
        <span role="columnheader" aria-hidden="true" />
        <span role="columnheader" aria-label="Results" className={styles.count}>
          n
        </span>
        <span role="columnheader" aria-hidden="true" />
        <span role="columnheader">Score or error</span>
        <span role="columnheader">Reason</span>
        <span role="columnheader">Two of them</span>
        {hasBefore && (
          <span role="columnheader" className={styles.before}>
            Before
          </span>
        )}
      </div>
      <div role="rowgroup" ref={body} onKeyDown={onKeyDown} {...listeners}>
        {lines.map((line, n) => {
          const common = {
            isActive: n === active,
            isOpen: isOpen(line),
            onFocus: () => setCurrent(n),
            onToggle: () => setOpen(line, !isOpen(line)),
          };
          return line === 'once' ? (
            <OnceLine key="once" {...common} once={once} />
          ) : (
            <ReasonLines
              key={line.reason}
              {...common}
              of={line}
              most={most}
              onShow={() => show(line.reason)}
            />
          );
        })}
      </div>
    </div>
  );
}

interface LineProps {
  readonly isActive: boolean;
  readonly isOpen: boolean;
  readonly onFocus: () => void;
  readonly onToggle: () => void;
}

const rowProps = ({ isActive, isOpen, onFocus, onToggle }: LineProps) =>
  ({
    role: 'row',
    'aria-level': 1,
    'aria-expanded': isOpen,
    tabIndex: isActive ? 0 : -1,
    onFocus,
    onClick: onToggle,
  }) as const;

function Twist({ isOpen }: Pick<LineProps, 'isOpen'>) {
  return (
    <span role="gridcell" className={styles.twist}>
      <Icon name={isOpen ? 'down' : 'right'} />
    </span>
  );
}

/** A reason, and the first of its results once it is open. */
function ReasonLines({
  of,
  most,
  onShow,
  ...line
}: LineProps & { of: RowReason; most: number; onShow: () => void }) {
  const { run } = useShown();
  const [view] = useView();
  const { kind, name, text } = wordsOf(of);
  return (
    <>
      <div
        {...rowProps(line)}
        className={classNames(styles.line, styles.reason, line.isOpen && styles.open)}
      >
        <Twist isOpen={line.isOpen} />
        <span role="gridcell" className={styles.count}>
          {count(of.results)}
        </span>
        <span role="gridcell" className={styles.bar}>
          <i className={styles[kind]} style={{ width: `${(of.results / most) * 100}%` }} />
        </span>
        <span role="gridcell" className={styles.of}>
          <StatusIcon standing={kind} size="chip" label={kind} />
          <MiddleCut text={name} className={styles.key} />
        </span>
        <span role="rowheader" className={styles.why} title={of.text}>
          {text === '' ? (
            <span className="faint">no note</span>
          ) : of.same ? (
            text
          ) : (
            <Pattern text={text} />
          )}
        </span>
        <span role="gridcell" className={line.isOpen ? styles.actions : styles.examples}>
          {line.isOpen ? (
            <ReasonActions of={of} onShow={onShow} />
          ) : (
            of.examples.map((example) => {
              const [evaluation, testCase] = nameParts(
                example.trial === undefined
                  ? example.function
                  : example.function.replace(new RegExp(`~${example.trial}$`), ''),
              );
              const trial = example.trial === undefined ? '' : `~${example.trial}`;
              return (
                <Link
                  key={example.index}
                  tabIndex={-1}
                  href={resultAddress(withReason(view, of.reason), run.run_id, example.index)}
                  onClick={(event) => event.stopPropagation()}
                >
                  <MiddleCut text={evaluation} rest={`${testCase}${trial}`} />
                </Link>
              );
            })
          )}
        </span>
        <span role="gridcell" className={styles.before}>
          {of.before === 0 ? <b>new</b> : of.before !== undefined && count(of.before)}
        </span>
      </div>
      {line.isOpen && <Results of={of} onShow={onShow} />}
    </>
  );
}

/** The results that failed for reasons, of those that match. */
const indicesOfReasons = (run: string, view: View, reasons: readonly string[]) =>
  getRowIndices(
    run,
    new URLSearchParams(
      renderFilterQuery(withChoice(view, 'reason', { include: reasons, exclude: [] }), []),
    ),
  ).then(({ indices }) => indices);

/** Selects the results of reasons, or takes them out of the selection when all of them are in it. */
function useReasonSelection(): (reasons: readonly string[]) => Promise<void> {
  const { run } = useShown();
  const [view] = useView();
  const { indices: selected, select } = useSelection();
  return async (reasons) => {
    try {
      const found = await indicesOfReasons(run.run_id, view, reasons);
      const isAll = found.every((index) => selected.has(index));
      const others = [...selected].filter((index) => !found.includes(index));
      select(new Set(isAll ? others : [...selected, ...found]));
    } catch (error) {
      notifyError(error);
    }
  };
}

/** What can be done with the results of an open reason. */
function ReasonActions({ of, onShow }: { of: RowReason; onShow: () => void }) {
  const { run } = useShown();
  const [view] = useView();
  const { rerun, regrade, isStarting } = useRunActions();
  const isOff = accessOf(run) !== 'free' || isStarting;
  const withRows = (act: (rows: readonly number[]) => void) => () =>
    void indicesOfReasons(run.run_id, view, [of.reason]).then(act, notifyError);
  const action = (words: ReactNode, onClick: () => void, needsRun: boolean) => (
    <Button
      look="ghost"
      small
      tabIndex={-1}
      disabled={needsRun && isOff}
      needsServer={needsRun}
      className={classNames(needsRun && styles.runs)}
      onClick={(event) => {
        event.stopPropagation();
        onClick();
      }}
    >
      {words}
    </Button>
  );
  return (
    <>
      {action(
        <>
          Show in results <Kbd>↵</Kbd>
        </>,
        onShow,
        false,
      )}
      {action(`Rerun ${count(of.results)}`, withRows(rerun), true)}
      {run.regradable > 0 && action(`Regrade ${count(of.results)}`, withRows(regrade), true)}
    </>
  );
}

/** The first results that failed for a reason, each with its own note and output. */
function Results({ of, onShow }: { of: RowReason; onShow: () => void }) {
  const { run } = useShown();
  const [view] = useView();
  const query = renderFilterQuery(withReason(view, of.reason), []);
  const { data } = useQuery({
    queryKey: [...keys.rows(run.run_id), query, 'first'],
    queryFn: ({ signal }) => {
      const params = new URLSearchParams(query);
      params.set('limit', String(mostListed));
      return getRowPage(run.run_id, params, signal);
    },
  });
  const more = of.results - mostListed;
  return (
    <>
      {data?.rows.map((row) => (
        <div
          key={row.index}
          role="row"
          aria-level={2}
          className={classNames(styles.line, styles.result)}
        >
          <span role="gridcell" />
          <span role="gridcell" className={styles.count}>
            <StatusIcon standing={rowStanding(row)} size="chip" />
          </span>
          <span role="rowheader" className={styles.name}>
            <Link href={resultAddress(withReason(view, of.reason), run.run_id, row.index)}>
              <MiddleCut text={rowName(row)} />
            </Link>
            <span className="small quiet">{row.dataset}</span>
          </span>
          <span role="gridcell" className={styles.why}>
            {noteOf(row, of)}
          </span>
          <span role="gridcell" className={classNames('mono', 'cut', styles.output)}>
            {row.output}
          </span>
          <span role="gridcell" className={styles.before}>
            {row.latency !== null && seconds(row.latency)}
          </span>
        </div>
      ))}
      {data && more > 0 && (
        <div role="row" aria-level={2} className={classNames(styles.line, styles.result)}>
          <span role="gridcell" />
          <span role="gridcell" />
          <span role="gridcell">
            <button type="button" className="link" onClick={onShow}>
              {count(more)} more
            </button>
          </span>
        </div>
      )}
    </>
  );
}

/** The first line of what a result failed with. */
function noteOf({ scores, error }: TableRow, { key }: RowReason): string {
  const text = key === null ? error : scores.find((score) => score.key === key)?.notes;
  return (text ?? '').trim().split('\n', 1)[0] ?? '';
}

/** The reasons with a single result: how many of which score. */
function OnceLine({ once, ...line }: LineProps & { once: readonly RowReason[] }) {
  const sizes = new Map<string, number>();
  for (const { key } of once) sizes.set(key ?? 'error', (sizes.get(key ?? 'error') ?? 0) + 1);
  const words = [...sizes].sort(([, a], [, b]) => b - a).map(([key, n]) => `${count(n)} of ${key}`);
  return (
    <div {...rowProps(line)} className={classNames(styles.line, styles.reason)}>
      <Twist isOpen={line.isOpen} />
      <span role="gridcell" className={styles.count}>
        {count(once.length)}
      </span>
      <span role="gridcell" className={styles.bar} />
      <span role="gridcell">given once</span>
      <span role="rowheader" className={classNames(styles.why, 'quiet')}>
        {words.join(', ')}
      </span>
      <span role="gridcell" className={styles.examples} />
      <span role="gridcell" className={styles.before} />
    </div>
  );
}

/** What failed, and its text without the name of the error. */
function wordsOf({ reason, key, text, same }: RowReason) {
  const shown = same ? text : parseReason(reason).pattern;
  if (key !== null) return { kind: 'failed', name: key, text: shown } as const;
  const [, name = 'error', message = shown] =
    /^(\w*(?:Error|Exception)): (.*)$/su.exec(shown) ?? [];
  return { kind: 'error', name, text: message } as const;
}

/** A text with its signs for details as marks. */
function Pattern({ text }: { text: string }) {
  return text.split(/(#|"…")/).map((part, n) =>
    n % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text stay where they are.
      <i key={n} className={styles.mark}>
        {part === '#' ? 'n' : 'quote'}
      </i>
    ),
  );
}
