import type { PairPage, RunComparison, RunHead } from '../../api/schema.js';
import { classNames } from '../../components/class-names.js';
import { ChangeMatrix } from './change-matrix.js';
import styles from './compare-summary.module.css';
import { GroupedBars } from './grouped-bars.js';
import { InWords } from './in-words.js';
import { LatencyRanges } from './latency-ranges.js';
import { awaitedMeasures, measuresOf } from './measures.js';
import { RunRows } from './run-rows.js';
import { UsageRows } from './usage-rows.js';

/** From this many runs on, the sentences go below, where each has a full line. */
const wordsBelowFrom = 4;

/** The figures of the runs and their differences, with placeholders until they are loaded. */
export function CompareSummary({
  runs,
  comparison,
  changes,
  scores,
}: {
  runs: readonly RunHead[];
  comparison: RunComparison | undefined;
  changes: PairPage['changes'] | undefined;
  /** Keys of the scores of any of the runs. */
  scores: readonly string[];
}) {
  const measures = comparison ? measuresOf(comparison) : awaitedMeasures(runs.length, scores);
  const words = comparison && <InWords comparison={comparison} />;
  const isBelow = runs.length >= wordsBelowFrom;
  return (
    <section className={styles.summary} aria-label="Summary" aria-busy={comparison === undefined}>
      <div>
        <RunRows runs={runs} figures={comparison?.runs} />
        {changes && <ChangeMatrix changes={changes} />}
      </div>
      <GroupedBars runs={runs.length} measures={measures} />
      <div
        className={classNames(comparison === undefined && styles.awaited)}
        style={{ '--runs': runs.length } as object}
      >
        {comparison && <LatencyRanges comparison={comparison} />}
        {comparison && <UsageRows comparison={comparison} />}
        {!isBelow && words}
      </div>
      {isBelow && <div className={styles.below}>{words}</div>}
    </section>
  );
}
