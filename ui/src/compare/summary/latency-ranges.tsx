import type { RunComparison } from '../../api/schema.js';
import { classNames } from '../../components/class-names.js';
import { valueText, wholeText } from '../../components/figures/difference-text.js';
import { RunTag, runColor } from '../run-tag.js';
import styles from './latency-ranges.module.css';
import { latencyScale } from './latency-scale.js';
import { SortButton } from './sort-button.js';

/** The range of most latencies of each run, with the median. The differences have no verdict. */
export function LatencyRanges({
  comparison: { runs, comparisons },
}: {
  comparison: RunComparison;
}) {
  const scale = latencyScale(runs.flatMap(({ latency: { p5, p95 } }) => [p5, p95]));
  if (scale === undefined) return null;
  return (
    <div className={styles.latency} role="table" aria-label="Latency by run">
      <div className={classNames(styles.row, styles.head)} role="row">
        <span role="columnheader">
          <span className="sr">run</span>
        </span>
        <span role="columnheader">
          <SortButton
            sort="latency"
            title="p5 to p95. Sort by the change in latency, the slowest first"
          >
            whole run latency, {scale.text}
          </SortButton>
        </span>
        <span className={styles.right} role="columnheader">
          p50
        </span>
        <span className={styles.right} role="columnheader">
          p95
        </span>
      </div>
      {runs.map(({ run_id, usage, latency: { p5, p50, p95 } }, run) => {
        const isReplayed = p50 === null && (usage?.replayed ?? 0) > 0;
        const against = run === 0 ? undefined : comparisons[run - 1]?.latency;
        const from = p5 === null ? 0 : scale.at(p5);
        const to = p95 === null ? 0 : scale.at(p95);
        return (
          <div
            key={run_id}
            className={styles.row}
            role="row"
            title={against ? wholeText(against, 'seconds') : undefined}
          >
            <span role="rowheader">
              <RunTag run={run} />
            </span>
            <span className={isReplayed ? styles.replayed : styles.range} role="cell">
              {isReplayed && 'replayed'}
              {p50 !== null && (
                <>
                  <i
                    className={runColor(run)}
                    style={{ left: `${from * 100}%`, width: `${(to - from) * 100}%` }}
                  />
                  <em style={{ left: `${scale.at(p50) * 100}%` }} />
                </>
              )}
            </span>
            <Quantile value={p50} isBold />
            <Quantile value={p95} />
          </div>
        );
      })}
    </div>
  );
}

function Quantile({ value, isBold = false }: { value: number | null; isBold?: boolean }) {
  const text = valueText(value, 'seconds');
  return (
    <span className={styles.right} role="cell">
      {isBold ? <b>{text}</b> : text}
    </span>
  );
}
