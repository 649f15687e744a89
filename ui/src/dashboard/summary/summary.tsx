import { lazy, Suspense } from 'react';
import { hasCalls } from '../../../../src/model/calls/run-usage.js';
import { besideTaken, renderCost, usageHint } from '../../../../src/text/usage-text.js';
import { useMedia } from '../../browser/use-media.js';
import { useStoredFlag } from '../../browser/use-stored-flag.js';
import { classNames } from '../../components/class-names.js';
import { IconButton } from '../../components/controls/button.js';
import { count, duration } from '../../components/figures/figures.js';
import { StatusIcon } from '../../components/icons/status-icon.js';
import { useFigures } from '../dashboard-state.js';
import { Counters, Rate, Stack } from './counts.js';
import { ScoreBars } from './score-bars.js';
import styles from './summary.module.css';
import { Totals } from './totals.js';
import { UsageLine } from './usage-line.js';

const LatencyHistogram = lazy(async () => ({
  default: (await import('./latency-histogram.js')).LatencyHistogram,
}));

/** The summary of the matching results. Where columns have the scores, and in low windows, it is one line until it is opened. */
export function Summary({ hasScoreColumns }: { hasScoreColumns: boolean }) {
  const [isOpen, setOpen] = useStoredFlag('summary', false);
  // Otherwise no row would be in sight: a small window, or one that is zoomed.
  const isShort = useMedia('(max-height: 560px)');
  const folds = hasScoreColumns || isShort;
  const isLine = folds && !isOpen;
  return (
    <section
      className={classNames(isLine ? styles.line : styles.summary, folds && styles.folds)}
      aria-label="Summary of the filtered results"
    >
      {folds && (
        <IconButton
          small
          icon={isOpen ? 'down' : 'right'}
          label={isOpen ? 'Fold the summary' : 'Open the summary'}
          aria-expanded={isOpen}
          className={styles.toggle}
          onClick={() => setOpen(!isOpen)}
        />
      )}
      {isLine ? (
        <SummaryLine />
      ) : (
        <>
          <Totals />
          <ScoreBars />
          <Suspense fallback={<div />}>
            <LatencyHistogram />
          </Suspense>
          <UsageLine />
        </>
      )}
    </section>
  );
}

/** The summary on one line: pass rate, counts, latency and cost. */
function SummaryLine() {
  const { summary } = useFigures();
  const { trials, latency, usage } = summary;
  const flaky = trials?.trial_statistics.flaky ?? summary.flaky ?? 0;
  return (
    <>
      <Rate />
      <div className={styles.stack}>
        <Stack />
      </div>
      <Counters isShort />
      {flaky > 0 && (
        <span className="row gap-6 quiet">
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
