import type { Pair } from '../../api/schema.js';
import { classNames } from '../../components/class-names.js';
import { ErrorText } from '../../components/messages/error-text.js';
import { standingText } from '../../components/scores/standing.js';
import { RunTag, runColor } from '../run-tag.js';
import { DiffText } from './diff-text.js';
import { OpenedSide, TrialMark } from './opened-side.js';
import styles from './pair-side.module.css';
import {
  alikeBase,
  hasFinished,
  outputNote,
  type PairSide as Side,
  sideStanding,
} from './pair-words.js';
import { SideHead } from './side-head.js';

/** A case in one run: its status, and how its output differs from the base. */
export function PairSide({
  pair,
  run,
  runIds,
  hasDiff,
  isOpen,
  width,
}: {
  pair: Pair;
  run: number;
  runIds: readonly string[];
  hasDiff: boolean;
  isOpen: boolean;
  width: number;
}) {
  const side = pair.runs[run];
  const base = pair.runs[0]?.row ?? null;
  const runId = runIds[run] ?? '';
  if (side === undefined || side.row === null) {
    return (
      <div className={classNames(styles.side, runColor(run), styles.absent)} role="gridcell">
        <SideLetter run={run} />
        not in this run
      </div>
    );
  }
  const { row } = side;
  const against = run === 0 ? null : base;
  return (
    <div className={classNames(styles.side, runColor(run))} role="gridcell">
      <SideLetter run={run} />
      <SideHead runId={runId} run={run} row={row} base={against} width={width} />
      {isOpen && hasFinished(row) ? (
        <OpenedSide
          runId={runId}
          side={{ ...side, row }}
          baseId={runIds[0] ?? ''}
          base={against && alikeBase(against, row)}
          hasDiff={hasDiff}
        />
      ) : (
        <Output
          side={{ ...side, row }}
          base={against && alikeBase(against, row)}
          hasDiff={hasDiff}
        />
      )}
    </div>
  );
}

/** Where runs are below each other, no head of a column says which this is. */
function SideLetter({ run }: { run: number }) {
  return (
    <span className={styles.letter}>
      <RunTag run={run} />
    </span>
  );
}

type FullSide = Side & { readonly row: NonNullable<Side['row']> };

function Output({ side, base, hasDiff }: { side: FullSide; base: Side['row']; hasDiff: boolean }) {
  const { row } = side;
  if (!hasFinished(row)) return <p className={styles.note}>{standingText(sideStanding(row))}</p>;
  const trial = <TrialMark row={row} />;
  if (row.error !== null)
    return (
      <p className={classNames(styles.output, styles.error)}>
        {trial}
        <ErrorText text={row.error} />
      </p>
    );
  if (row.output === null) return <p className={styles.note}>no output</p>;
  const note = outputNote(base, side);
  if (note !== undefined && hasDiff)
    return (
      <p className={styles.note}>
        {trial}
        {note}
      </p>
    );
  const before = base?.error === null ? base.output : null;
  if (!hasDiff || before === null) {
    return (
      <p className={styles.output}>
        {trial}
        {row.output}
      </p>
    );
  }
  if (before === row.output) {
    // Both are truncated, and equal as far as they go.
    return (
      <>
        <p className={styles.output}>
          {trial}
          {row.output}
        </p>
        {side.change === 'changed' && !side.same_output && (
          <p className={styles.note}>differs further on</p>
        )}
      </>
    );
  }
  return (
    <p className={styles.output}>
      {trial}
      <DiffText
        base={before}
        text={row.output}
        cut={{ base: base?.cut.includes('output') ?? false, other: row.cut.includes('output') }}
        isShort
      />
    </p>
  );
}
