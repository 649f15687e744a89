import type { Fold, TableRow } from '../../../api/schema.js';
import { classNames } from '../../../components/class-names.js';
import { StatusIcon } from '../../../components/icons/status-icon.js';
import { ErrorText } from '../../../components/messages/error-text.js';
import { type CaseStanding, standingText } from '../../../components/scores/standing.js';
import styles from '../rows/table-row.module.css';
import { rowStanding } from './row-standing.js';

/** Maximum number of trials drawn individually. */
const maxPips = 12;

const waiting: readonly CaseStanding[] = ['running', 'pending', 'cancelled', 'not_started'];

/** The output, the error, a summary of the trials, or why there is no output yet. */
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

/** A value on one line; `none` for a missing one. */
export function Value({ text }: { text: string | null }) {
  if (text === null) return <span className="faint">none</span>;
  return text === '' ? <span className="faint">empty</span> : text;
}

/** An icon for each trial if they are few, and a summary. */
function FoldCell({ row }: { row: TableRow }) {
  const { fold } = row;
  if (fold === undefined) return null;
  const { standings } = fold;
  return (
    <span role="gridcell" data-cell="output" className={classNames(styles.data, styles.note)}>
      {standings.length <= maxPips && (
        <span className={styles.pips}>
          {standings.map((standing, n) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: trials stay where they are.
            <StatusIcon key={n} standing={standing} size="chip" />
          ))}
        </span>
      )}
      <span className="cut">{foldWords(fold)}</span>
    </span>
  );
}

function foldWords({ passed, trials, finished, distinct_outputs: outputs }: Fold): string {
  if (finished < trials) return `${finished} of ${trials} finished`;
  if (outputs > 1) return `${outputs} distinct outputs`;
  if (outputs === 1) return 'one output';
  return passed === trials ? 'all passed' : `${passed} of ${trials} passed`;
}
