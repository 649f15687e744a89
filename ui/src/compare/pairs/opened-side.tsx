import { useState } from 'react';
import { messageOf } from '../../api/problem.js';
import { useResult } from '../../api/queries.js';
import type { TableRow } from '../../api/schema.js';
import { classNames } from '../../components/class-names.js';
import { count } from '../../components/figures/figures.js';
import { StatusIcon } from '../../components/icons/status-icon.js';
import { standingText } from '../../components/scores/standing.js';
import { DiffText } from './diff-text.js';
import styles from './pair-side.module.css';
import { type SideOfPair, trialText } from './pair-words.js';
import { ResultLink } from './result-link.js';

/** Characters of an output that are shown initially. */
const shownAtFirst = 20_000;

/** The complete output of a side compared with the base, the notes of its scores, and its trials. */
export function OpenedSide({
  runId,
  side: { row, indices },
  baseId,
  base,
  hasDiff,
}: {
  runId: string;
  side: SideOfPair & { readonly row: TableRow };
  baseId: string;
  base: TableRow | null;
  hasDiff: boolean;
}) {
  const [isWhole, setWhole] = useState(false);
  const own = useResult(runId, row.index);
  // Without a base, this is the same request as the other one, and is not repeated.
  const other = useResult(base ? baseId : runId, base ? base.index : row.index);
  const result = own.data?.index === row.index ? own.data.result.result : undefined;
  const error = own.error ?? other.error;
  if (error && result === undefined) {
    return <p className={styles.note}>{messageOf(error)}</p>;
  }
  const text = result === undefined ? row.output : valueText(result.output);
  const baseResult =
    base !== null && other.data?.index === base.index ? other.data.result.result : undefined;
  const before = baseResult?.error === null ? valueText(baseResult.output) : null;
  const isLong = text !== null && text.length > shownAtFirst && !isWhole;
  const shown = isLong ? text.slice(0, shownAtFirst) : text;
  return (
    <>
      {row.error !== null ? (
        <p className={classNames(styles.output, styles.open, styles.error)}>
          <TrialMark row={row} />
          {result?.error ?? row.error}
        </p>
      ) : shown === null ? (
        <p className={styles.note}>no output</p>
      ) : (
        <p className={classNames(styles.output, styles.open)}>
          <TrialMark row={row} />
          {hasDiff && before !== null && before !== text ? (
            <DiffText base={isLong ? before.slice(0, shownAtFirst) : before} text={shown} />
          ) : (
            shown
          )}
        </p>
      )}
      {hasDiff && before !== null && before === text && (
        <p className={styles.note}>
          {row.fold ? 'same output as A in this trial' : 'same output as A'}
        </p>
      )}
      {isLong && (
        <button
          type="button"
          className={classNames('link', styles.more)}
          onClick={() => setWhole(true)}
        >
          Show all {count(text.length)} characters
        </button>
      )}
      {result?.scores
        .filter(({ notes }) => notes)
        .map(({ key, notes }) => (
          <p key={key} className={styles.note}>
            {key}: {notes}
          </p>
        ))}
      {row.fold && <Trials runId={runId} row={row} fold={row.fold} indices={indices} />}
      {row.fold === undefined && (
        <ResultLink run={runId} index={row.index} className={styles.more}>
          Open the result
        </ResultLink>
      )}
    </>
  );
}

function Trials({
  runId,
  row,
  fold,
  indices,
}: {
  runId: string;
  /** The visible trial. */
  row: TableRow;
  fold: NonNullable<TableRow['fold']>;
  indices: readonly number[];
}) {
  return (
    <div className={styles.strip}>
      {indices.map((index) => {
        const standing = fold.standings[fold.indices.indexOf(index)] ?? 'no_verdict';
        const words = `Trial ${indices.indexOf(index) + 1}: ${standingText(standing)}`;
        return (
          <ResultLink
            key={index}
            run={runId}
            index={index}
            title={words}
            aria-label={words}
            aria-current={index === row.index ? 'true' : undefined}
          >
            <StatusIcon standing={standing} size="chip" label={null} />
          </ResultLink>
        );
      })}
    </div>
  );
}

/** Names the trial that is shown, if there are several. */
export function TrialMark({ row }: { row: TableRow }) {
  const text = trialText(row);
  return text === undefined ? null : <span className={styles.trial}>{text} </span>;
}

/** A value as text for comparison: strings unchanged, anything else as indented JSON. */
function valueText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}
