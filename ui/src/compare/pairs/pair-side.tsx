import type { Pair, TableRow } from '../../api/schema.js';
import { classNames } from '../../components/class-names.js';
import { duration, signed } from '../../components/figures/figures.js';
import { StatusIcon } from '../../components/icons/status-icon.js';
import { ErrorText } from '../../components/messages/error-text.js';
import { originText } from '../../components/runs/origin-text.js';
import { type RowLatency, rowLatency } from '../../components/runs/row-latency.js';
import { ScoreChips } from '../../components/scores/score-chips.js';
import { standingText } from '../../components/scores/standing.js';
import { letterOf } from '../letters.js';
import { RunTag, runColor } from '../run-tag.js';
import { DiffText } from './diff-text.js';
import { OpenedSide, TrialMark } from './opened-side.js';
import styles from './pair-side.module.css';
import {
  alikeBase,
  hasFinished,
  isNotable,
  outputNote,
  type SideOfPair as Side,
  sideStanding,
} from './pair-words.js';
import { ResultLink } from './result-link.js';

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

/** The status, scores and latency of a side on one line. The icon links to the result. */
function SideHead({
  runId,
  run,
  row,
  base,
  width,
}: {
  runId: string;
  run: number;
  row: TableRow;
  /** The base, unless this is the base. */
  base: TableRow | null;
  /** Width of the column in pixels. */
  width: number;
}) {
  const standing = sideStanding(row);
  const { fold } = row;
  return (
    <div className={styles.head}>
      <ResultLink run={runId} index={row.index} className={styles.link} title="Open the result">
        <span className="sr">
          Result of {row.function} in {letterOf(run)}:{' '}
        </span>
        <StatusIcon standing={standing} label={fold ? null : standingText(standing)} />
        {fold && (
          <span className={standing === 'flaky' ? styles.flaky : styles.trials}>
            {fold.passed}/{fold.trials}
            {standing === 'flaky' ? ' flaky' : <span className="sr"> passed</span>}
          </span>
        )}
      </ResultLink>
      {row.origin && fold === undefined && (
        <small className="faint" title={originText(row.origin)}>
          {row.origin.kind}
          <span className="sr"> from {row.origin.run_name}</span>
        </small>
      )}
      <span className={styles.chips}>
        <ScoreChips row={row} width={width - (fold ? 190 : 130)} />
      </span>
      <Latency own={rowLatency(row)} base={base && rowLatency(base)} />
    </div>
  );
}

function Latency({ own, base }: { own: RowLatency; base: RowLatency }) {
  if (own === null) return null;
  if (own === 'replayed') return <small className="faint">replayed</small>;
  const difference = typeof base === 'number' ? own - base : undefined;
  const isMarked =
    typeof base === 'number' && difference !== undefined && isNotable(base, difference);
  return (
    <span className={styles.latency}>
      {duration(own)}
      {difference !== undefined && (
        <em className={isMarked ? styles.notable : undefined}>
          {' '}
          {difference === 0 ? '±0' : signed(difference, 'seconds')}
        </em>
      )}
    </span>
  );
}
