import { hasCalls } from '../../../../src/model/calls/run-usage.js';
import { besideTaken, renderCost, usageHint } from '../../../../src/text/usage-text.js';
import type { Run } from '../../api/client.js';
import type { RowSummary } from '../../api/schema.js';
import { count, duration } from '../../components/figures/figures.js';
import { StatusIcon } from '../../components/icons/status-icon.js';
import { Counters, Rate, Stack } from './counts.js';
import { isInProgress } from './in-progress.js';
import styles from './summary-line.module.css';

/** The summary on one line: pass rate, counts, latency and cost. */
export function SummaryLine({ run, summary }: { run: Run; summary: RowSummary }) {
  const { counts, trials, latency, usage } = summary;
  const isGoing = isInProgress(run, counts);
  const flaky = trials?.trial_statistics.flaky ?? summary.flaky ?? 0;
  return (
    <>
      <Rate summary={summary} isGoing={isGoing} />
      <div className={styles.stack}>
        <Stack counts={counts} />
      </div>
      <Counters counts={counts} isGoing={isGoing} isShort />
      {flaky > 0 && (
        <span className={styles.flaky}>
          <StatusIcon standing="flaky" label={null} />
          <b>{count(flaky)}</b> flaky
        </span>
      )}
      <span className={styles.figures}>
        {latency.p50 !== null && (
          <span>
            p50 <b>{duration(latency.p50)}</b>
          </span>
        )}
        {latency.p95 !== null && (
          <span>
            p95 <b>{duration(latency.p95)}</b>
          </span>
        )}
        {hasCalls(usage) && (
          <span title={usageHint(usage)}>
            <b>{usage.cost === null ? 'cost not known' : besideTaken(usage, renderCost)}</b>
          </span>
        )}
      </span>
    </>
  );
}
