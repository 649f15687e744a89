import { useRef } from 'react';
import { Link } from 'wouter';
import { hasCalls } from '../../../../../src/model/calls/run-usage.js';
import { parseResultField, valueOfField } from '../../../../../src/model/result-field.js';
import { useResult } from '../../../api/queries.js';
import type { ResultEntry, ResultPage, TableRow } from '../../../api/schema.js';
import { useMeasured } from '../../../browser/use-measured.js';
import { useNarrow } from '../../../browser/use-media.js';
import { classNames } from '../../../components/class-names.js';
import { Kbd } from '../../../components/controls/kbd.js';
import { usageFigure } from '../../../components/figures/cost-text.js';
import { counted, figure } from '../../../components/figures/figures.js';
import { StatusIcon } from '../../../components/icons/status-icon.js';
import { Wrapping } from '../../../components/names/evaluation-name.js';
import { isDrawn } from '../../../components/scores/drawn-notes.js';
import { scoreRank } from '../../../components/scores/score-chip.js';
import { useShown } from '../../dashboard-state.js';
import { FilteredRun, FilterLink } from '../../filters/filter-link.js';
import { useColumns } from '../columns/column-store.js';
import {
  type ColumnId,
  type Columns,
  chosenColumns,
  columnName,
  fieldOf,
  isAdded,
  isFigureColumn,
  isUsageColumn,
  scoreOf,
} from '../columns/columns.js';
import { type Line, lineKey } from '../scrolling/table-layout.js';
import styles from './row-detail.module.css';
import type { RowHandlers } from './table-row.js';

/** The line with details below a row. */
export function DetailLine({
  line,
  number,
  rowIndex,
  top,
  row,
  columns,
  measure,
  handlers,
}: {
  line: Line;
  /** The line number, for measuring. */
  number: number;
  rowIndex: number;
  top: number;
  row: TableRow | undefined;
  columns: readonly ColumnId[];
  measure: (element: HTMLElement | null) => void;
  handlers: Pick<RowHandlers, 'hrefOf'>;
}) {
  const index = line.index ?? 0;
  return (
    <div
      role="row"
      aria-rowindex={rowIndex}
      ref={measure}
      data-index={number}
      data-key={lineKey(line)}
      style={{ transform: `translateY(${top}px)` }}
      className={classNames('grid-line', styles.detail)}
    >
      <RowDetail index={index} row={row} columns={columns} href={handlers.hrefOf({ index })} />
    </div>
  );
}

/** The values of one result below its row, each in its column; below them those whose columns have no room. */
function RowDetail({
  index,
  row,
  columns,
  href,
}: {
  index: number;
  /** The row, shown until the result is loaded. */
  row: TableRow | undefined;
  columns: readonly ColumnId[];
  href: string;
}) {
  const { run } = useShown();
  const { data } = useResult(run.run_id, index);
  const page = data?.index === index ? data : undefined;
  const chosen = useColumns();
  const isNarrow = useNarrow();
  const scoresWithoutRoom = chosen.order
    .filter((id) => !columns.includes(id))
    .flatMap((id) => scoreOf(id) ?? []);
  const others = otherColumns(chosen, columns, isNarrow);
  const shown = { page, row, href, scoresWithoutRoom };
  return (
    <>
      <div role="gridcell" className={styles.about}>
        <span className="mono">
          <Wrapping text={page?.result.id ?? row?.id ?? ''} />
        </span>
        {page && (
          <FilteredRun value={run.run_id}>
            <Facts page={page} href={href} />
          </FilteredRun>
        )}
        <div className={styles.links}>
          <Link href={href}>
            Open <Kbd>↵</Kbd>
          </Link>
          {page && <TraceLinks entry={page.result} href={href} />}
        </div>
      </div>
      {!isNarrow &&
        columns.map((id, n) => (
          <div
            key={id}
            role="gridcell"
            data-cell={id}
            className={styles.cell}
            style={{ gridColumn: n + 4 }}
          >
            {!isInRow(id) && <Named id={id} {...shown} />}
          </div>
        ))}
      {others.length > 0 && (
        <div role="gridcell" className={styles.others}>
          {others.map((id) => (
            <div key={id} data-cell={id}>
              <Named id={id} {...shown} />
            </div>
          ))}
        </div>
      )}
    </>
  );
}

/** The columns whose values are below the others: those without room; in a narrow window all that the row is without. */
function otherColumns(
  chosen: Columns,
  columns: readonly ColumnId[],
  isNarrow: boolean,
): readonly ColumnId[] {
  const isBelow = (id: ColumnId) => !columns.includes(id) || (isNarrow && !isInRow(id));
  const ids = chosenColumns(chosen).filter(
    (id) => isBelow(id) && (chosen.hasUsage || !isUsageColumn(id)),
  );
  const others = ids.filter((id) => scoreOf(id) === undefined);
  // Scores whose columns have no room are among all of them.
  const areListed = [...columns, ...others].includes('scores');
  return ids.length > others.length && !areListed ? [...others, 'scores'] : others;
}

/** Columns whose values stay in an open row. */
function isInRow(id: ColumnId): boolean {
  return isFigureColumn(id) || scoreOf(id) !== undefined;
}

interface Shown {
  readonly page: ResultPage | undefined;
  readonly row: TableRow | undefined;
  readonly href: string;
  readonly scoresWithoutRoom: readonly string[];
}

/** A value below the name of its column, which is left out where the head of the table has it. */
function Named({ id, ...shown }: Shown & { id: ColumnId }) {
  return (
    <>
      <span className={styles.name}>{columnName(id)}</span>
      <Value id={id} {...shown} />
    </>
  );
}

/** The API's JSON, which its schema calls unknown. */
type FieldSource = Parameters<typeof valueOfField>[0];

function Value({ id, page, row, href, scoresWithoutRoom }: Shown & { id: ColumnId }) {
  const result = page?.result.result;
  if (id === 'scores') {
    const scores = result?.scores ?? row?.scores ?? [];
    return <ScoreNotes scores={scores} first={scoresWithoutRoom} href={href} />;
  }
  if (id === 'latency') return null;
  const usage = row?.usage;
  if (isUsageColumn(id)) return <p className="num">{hasCalls(usage) && usageFigure(id, usage)}</p>;
  const isError = id === 'error' || (id === 'output' && result?.status === 'error');
  const field = parseResultField(fieldOf(id) ?? id);
  const early = isAdded(id) ? null : row?.[id];
  const value = isError
    ? result?.error
    : result && field
      ? valueOfField(result as FieldSource, field)
      : early;
  if (value === null || value === undefined) return <p className="faint">none</p>;
  const isGiven = id === 'input' || id === 'reference';
  return (
    <DetailText
      value={value}
      href={href}
      className={classNames('mono', isGiven && 'quiet', isError && styles.error)}
    />
  );
}

/** Values of the metadata below a row; the result has all of them. */
const maxMetadata = 8;

function Facts({ page, href }: { page: ResultPage; href: string }) {
  const attempts = page.attempts?.length ?? 0;
  const corrections = page.result.result.correction_history.length;
  const { annotation } = page.result.result;
  const facts = [
    ...(attempts > 0 ? [`attempt ${attempts + 1} of ${attempts + 1}`] : []),
    ...(corrections > 0 ? [counted(corrections, 'correction')] : []),
  ];
  const { dataset, labels, result } = page.result;
  const metadata = Object.entries(result.metadata).filter(([, value]) => Object(value) !== value);
  return (
    <>
      {facts.length > 0 && <p>{facts.join(', ')}</p>}
      <p className={styles.values}>
        <FilterLink by="dataset" value={dataset}>
          {dataset}
        </FilterLink>
        {labels.map((label) => (
          <FilterLink key={label} by="label" value={label}>
            #{label}
          </FilterLink>
        ))}
        {metadata.slice(0, maxMetadata).map(([key, value]) => (
          <FilterLink key={key} by={{ metadata: key }} value={value}>
            {`${key} ${value}`.slice(0, 60)}
          </FilterLink>
        ))}
      </p>
      {annotation !== '' && (
        <DetailText value={annotation} href={href} className={styles.annotation} />
      )}
    </>
  );
}

function TraceLinks({ entry, href }: { entry: ResultEntry; href: string }) {
  const { trace_url: url, logs } = entry.result.trace_data as {
    readonly trace_url?: unknown;
    readonly logs?: unknown;
  };
  return (
    <>
      {typeof url === 'string' && /^https?:\/\//i.test(url) && (
        <a href={url} target="_blank" rel="noopener noreferrer">
          Trace
        </a>
      )}
      {Array.isArray(logs) && logs.length > 0 && <Link href={href}>Logs {logs.length}</Link>}
    </>
  );
}

/** Maximum scores below a row, unless the columns of more have no room. */
const maxScores = 12;

function ScoreNotes({
  scores,
  first,
  href,
}: {
  scores: TableRow['scores'];
  /** Keys of the scores that are shown in any case. */
  first: readonly string[];
  href: string;
}) {
  const shown = Math.max(maxScores, first.length);
  const hidden = scores.length - shown;
  const rank = (score: TableRow['scores'][number]) =>
    first.includes(score.key) ? -1 : scoreRank(score);
  if (scores.length === 0) return <p className="faint">none</p>;
  return (
    <ul className={styles.scores}>
      {scores
        .toSorted((a, b) => rank(a) - rank(b))
        .slice(0, shown)
        .map(({ key, passed, value, notes }, n) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a key may come twice.
          <li key={`${key} ${n}`}>
            {passed === undefined ? (
              <span />
            ) : (
              <StatusIcon standing={passed ? 'passed' : 'failed'} size="chip" />
            )}
            <div>
              <span className={classNames('mono', styles.key)}>
                <Wrapping text={key} />
              </span>
              {value !== undefined && <span className="num"> {figure(value)}</span>}
              {notes && (
                <DetailText
                  value={notes}
                  href={href}
                  className={classNames(styles.notes, isDrawn(notes) && styles.drawn)}
                />
              )}
            </div>
          </li>
        ))}
      {hidden > 0 && (
        <li>
          <span />
          <Link href={href}>{hidden} more</Link>
        </li>
      )}
    </ul>
  );
}

/** A value below a row; one that is longer than its box leads to the result. */
function DetailText({
  value,
  href,
  className,
}: {
  value: unknown;
  /** Address of the result. */
  href: string;
  className?: string | undefined;
}) {
  const { text, isCut } = plainText(value);
  const box = useRef<HTMLParagraphElement>(null);
  const isClipped = useMeasured(box, (of) => of.scrollHeight > of.clientHeight, false, [text]);
  return (
    <>
      <p ref={box} className={classNames(styles.text, className)}>
        {text}
        {isCut && ' …'}
      </p>
      {(isCut || isClipped) && (
        <Link href={href} className={styles.more}>
          more
        </Link>
      )}
    </>
  );
}

/** Maximum characters and lines of a value in the table. */
const maxLetters = 1500;
const maxLines = 20;

/** A value as text: strings unchanged, small flat objects as lines of key and value, anything else as JSON. */
function plainText(value: unknown): { readonly text: string; readonly isCut: boolean } {
  const whole =
    typeof value === 'string' ? value : (flatText(value) ?? JSON.stringify(value, null, 2));
  const lines = whole.slice(0, maxLetters).split('\n');
  const text = lines.slice(0, maxLines).join('\n');
  return { text, isCut: text.length < whole.length };
}

function flatText(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const entries = Object.entries(value);
  const isFlat = entries.every(
    ([key, inner]) => key.length <= 14 && (typeof inner !== 'object' || inner === null),
  );
  if (!isFlat || entries.length === 0 || entries.length > 12) return undefined;
  const width = Math.max(...entries.map(([key]) => key.length)) + 2;
  return entries
    .map(([key, inner]) => {
      const [first = '', ...rest] = String(inner).split('\n');
      return [`${key.padEnd(width)}${first}`, ...rest.map((line) => ' '.repeat(width) + line)].join(
        '\n',
      );
    })
    .join('\n');
}
