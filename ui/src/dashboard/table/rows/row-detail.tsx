import { Link } from 'wouter';
import { useResult } from '../../../api/queries.js';
import type { ResultEntry, ResultPage, TableRow } from '../../../api/schema.js';
import { classNames } from '../../../components/class-names.js';
import { Kbd } from '../../../components/controls/kbd.js';
import { counted, figure } from '../../../components/figures/figures.js';
import { StatusIcon } from '../../../components/icons/status-icon.js';
import { scoreRank } from '../../../components/scores/score-chip.js';
import {
  type BuiltInColumn,
  type ColumnId,
  isAdded,
  isUsageColumn,
  type UsageColumn,
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
  run,
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
  run: string;
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
      <RowDetail
        run={run}
        index={index}
        row={row}
        columns={columns}
        href={handlers.hrefOf({ index })}
      />
    </div>
  );
}

/** The values of one result below its row, each in its column. */
function RowDetail({
  run,
  index,
  row,
  columns,
  href,
}: {
  run: string;
  index: number;
  /** The row, shown until the result is loaded. */
  row: TableRow | undefined;
  columns: readonly ColumnId[];
  href: string;
}) {
  const { data } = useResult(run, index);
  const page = data?.index === index ? data : undefined;
  return (
    <>
      <div role="gridcell" className={styles.about}>
        <span className="mono">{page?.result.id ?? row?.id}</span>
        {page && <Facts page={page} />}
        <div className={styles.links}>
          <Link href={href}>
            Open <Kbd>↵</Kbd>
          </Link>
          {page && <TraceLinks entry={page.result} href={href} />}
        </div>
      </div>
      {columns.map((id, n) => (
        <div
          key={id}
          role="gridcell"
          data-cell={id}
          className={classNames(styles.cell, (id === 'input' || id === 'reference') && 'quiet')}
          style={{ gridColumn: n + 4 }}
        >
          {id === 'scores' && (
            <ScoreNotes scores={page?.result.result.scores ?? row?.scores ?? []} href={href} />
          )}
          {id !== 'scores' && id !== 'latency' && !isUsageColumn(id) && !isAdded(id) && (
            <Value id={id} page={page} row={row} href={href} />
          )}
        </div>
      ))}
    </>
  );
}

function Value({
  id,
  page,
  row,
  href,
}: {
  id: Exclude<BuiltInColumn, 'scores' | 'latency' | UsageColumn>;
  href: string;
  page: ResultPage | undefined;
  row: TableRow | undefined;
}) {
  const result = page?.result.result;
  const isError = id === 'error' || (id === 'output' && result?.status === 'error');
  const value = result === undefined ? row?.[id] : isError ? result.error : result[id];
  if (value === null || value === undefined) return <p className="faint">none</p>;
  const { text, isCut } = plainText(value);
  return (
    <pre className={classNames(styles.text, isError && styles.error)}>
      {text}
      {isCut && (
        <>
          {' … '}
          <Link href={href}>more</Link>
        </>
      )}
    </pre>
  );
}

function Facts({ page }: { page: ResultPage }) {
  const attempts = page.attempts?.length ?? 0;
  const corrections = page.result.result.correction_history.length;
  const { annotation } = page.result.result;
  const facts = [
    ...(attempts > 0 ? [`attempt ${attempts + 1} of ${attempts + 1}`] : []),
    ...(corrections > 0 ? [counted(corrections, 'correction')] : []),
  ];
  return (
    <>
      {facts.length > 0 && <p>{facts.join(', ')}</p>}
      {annotation !== '' && <p className={styles.annotation}>{plainText(annotation).text}</p>}
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

/** Maximum scores below a row. */
const maxScores = 12;

function ScoreNotes({ scores, href }: { scores: TableRow['scores']; href: string }) {
  const hidden = scores.length - maxScores;
  return (
    <ul className={styles.scores}>
      {scores
        .toSorted((a, b) => scoreRank(a) - scoreRank(b))
        .slice(0, maxScores)
        .map(({ key, passed, value, notes }, n) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a key may come twice.
          <li key={`${key} ${n}`}>
            {passed === undefined ? (
              <span />
            ) : (
              <StatusIcon standing={passed ? 'passed' : 'failed'} size="chip" />
            )}
            <div>
              <span className={classNames('mono', styles.key)}>{key}</span>
              {value !== undefined && <span className="num"> {figure(value)}</span>}
              {notes && <p>{plainText(notes).text}</p>}
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
