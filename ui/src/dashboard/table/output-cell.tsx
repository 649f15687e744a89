import type { TableRow } from '../../api/schema.js';
import { classNames } from '../../components/class-names.js';
import { type Standing, standingText } from '../../components/standing.js';
import { StatusIcon } from '../../components/status-icon.js';
import { rowStanding } from './row-standing.js';
import styles from './table-row.module.css';

/** Most trials drawn one by one. */
const mostPips = 12;

const waiting: readonly Standing[] = ['running', 'pending', 'cancelled', 'not_started'];

/** What came out: the output, the error, how the trials ended, or why there is nothing yet. */
export function OutputCell({ row }: { row: TableRow }) {
  if (row.fold) return <FoldCell row={row} />;
  const standing = rowStanding(row);
  if (row.status === 'error') {
    return (
      <span role="gridcell" data-cell="output" className={classNames(styles.data, styles.error)}>
        <ErrorText text={row.error} />
      </span>
    );
  }
  if (waiting.includes(standing)) {
    return (
      <span role="gridcell" data-cell="output" className={classNames(styles.data, styles.note)}>
        {standing === 'cancelled' ? 'cancelled by stop' : standingText(standing)}
      </span>
    );
  }
  return (
    <span role="gridcell" data-cell="output" className={styles.data}>
      <Value text={row.output} />
    </span>
  );
}

/** A value on one line; `none` where there is none. */
export function Value({ text }: { text: string | null }) {
  if (text === null) return <span className="faint">none</span>;
  return text === '' ? <span className="faint">empty</span> : text;
}

/** A message, the kind of error before it in bold. */
export function ErrorText({ text }: { text: string | null }) {
  if (text === null) return null;
  const [, kind, message = text] = /^([A-Z][\w.$]*):\s(.*)$/s.exec(text) ?? [];
  // Where it was thrown is told by the details.
  const rest = message.replace(/\s+at (?:async )?[^\s(]+ ?\(?(?:file:|node:|\/|[A-Z]:\\).*$/s, '');
  return (
    <>
      {kind && <b>{kind} </b>}
      {rest}
    </>
  );
}

/** A shape for each trial, or how many passed where there are many. */
function FoldCell({ row }: { row: TableRow }) {
  const { fold } = row;
  if (fold === undefined) return null;
  const { standings, passed, trials, finished } = fold;
  const words =
    finished < trials
      ? `${finished} of ${trials} finished`
      : passed === trials
        ? 'all passed'
        : `${passed} of ${trials} passed`;
  return (
    <span role="gridcell" data-cell="output" className={classNames(styles.data, styles.note)}>
      {standings.length <= mostPips && (
        <span className={styles.pips}>
          {standings.map((standing, n) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: trials stay where they are.
            <StatusIcon key={n} standing={standing} size="chip" />
          ))}
        </span>
      )}
      <span className="cut">{words}</span>
    </span>
  );
}
