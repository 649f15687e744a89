import type { TableRow } from '../../api/schema.js';
import { duration, signed } from '../../components/figures/figures.js';
import { StatusIcon } from '../../components/icons/status-icon.js';
import { originText } from '../../components/runs/origin-text.js';
import { type RowLatency, rowLatency } from '../../components/runs/row-latency.js';
import { ScoreChips } from '../../components/scores/score-chips.js';
import { standingText } from '../../components/scores/standing.js';
import { letterOf } from '../letters.js';
import styles from './pair-side.module.css';
import { isNotable, sideStanding } from './pair-words.js';
import { ResultLink } from './result-link.js';

/** The status, scores and latency of a side on one line. The icon links to the result. */
export function SideHead({
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
