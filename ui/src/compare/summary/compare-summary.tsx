import type { RunComparison } from '../comparison.js';
import type { PairFigures } from '../queries.js';
import { ChangeMatrix } from './change-matrix.js';
import styles from './compare-summary.module.css';
import { GroupedBars } from './grouped-bars.js';
import { InWords } from './in-words.js';
import { LatencyRanges } from './latency-ranges.js';
import { RunRows } from './run-rows.js';

/** What the runs come to, and what they differ in. */
export function CompareSummary({
  comparison,
  figures,
}: {
  comparison: RunComparison;
  figures: PairFigures | undefined;
}) {
  return (
    <section className={styles.summary} aria-label="Summary">
      <div>
        <RunRows runs={comparison.runs} />
        {figures && <ChangeMatrix changes={figures.changes} />}
      </div>
      <GroupedBars comparison={comparison} />
      <div>
        <LatencyRanges comparison={comparison} />
        <InWords comparison={comparison} />
      </div>
    </section>
  );
}
