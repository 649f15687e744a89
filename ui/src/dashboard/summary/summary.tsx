import type { Run } from '../../api/client.js';
import type { RowFigures } from '../../api/row-queries.js';
import { LatencyHistogram } from './latency-histogram.js';
import { ScoreBars } from './score-bars.js';
import styles from './summary.module.css';
import { Totals } from './totals.js';
import { UsageLine } from './usage-line.js';

/** Pass rate, scores, latency and usage of the results that match the filter. */
export function Summary({ run, figures }: { run: Run; figures: RowFigures }) {
  const { summary } = figures;
  return (
    <section className={styles.summary} aria-label="Summary of what the filter matches">
      <Totals run={run} figures={figures} />
      <ScoreBars run={run} summary={summary} />
      <LatencyHistogram latency={summary.latency} />
      <UsageLine usage={summary.usage} />
    </section>
  );
}
