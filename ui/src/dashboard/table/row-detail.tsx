import { Link } from 'wouter';
import { useResult } from '../../api/queries.js';
import type { ResultEntry, ResultPage, TableRow } from '../../api/schema.js';
import { classNames } from '../../components/class-names.js';
import { counted, figure } from '../../components/figures.js';
import { Kbd } from '../../components/kbd.js';
import { scoreRank } from '../../components/score-chip.js';
import { StatusIcon } from '../../components/status-icon.js';
import type { ColumnId } from './columns.js';
import { plainText } from './plain-text.js';
import styles from './row-detail.module.css';

/** The values of one result below its row, each in its column. */
export function RowDetail({
  run,
  index,
  row,
  columns,
  href,
}: {
  run: string;
  index: number;
  /** The row as far as it is known, until the result has been read. */
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
            <ScoreNotes scores={page?.result.result.scores ?? row?.scores ?? []} />
          )}
          {id !== 'scores' && id !== 'latency' && <Value id={id} page={page} row={row} />}
        </div>
      ))}
    </>
  );
}

function Value({
  id,
  page,
  row,
}: {
  id: Exclude<ColumnId, 'scores' | 'latency'>;
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
      {isCut && <span className="faint"> …</span>}
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

function ScoreNotes({ scores }: { scores: TableRow['scores'] }) {
  return (
    <ul className={styles.scores}>
      {scores
        .toSorted((a, b) => scoreRank(a) - scoreRank(b))
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
    </ul>
  );
}
