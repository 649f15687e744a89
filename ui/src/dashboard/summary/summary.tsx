import type { Run } from '../../api/client.js';
import type { RowFigures } from '../../api/row-queries.js';
import { useStoredFlag } from '../../browser/use-stored-flag.js';
import { classNames } from '../../components/class-names.js';
import { IconButton } from '../../components/controls/button.js';
import { LatencyHistogram } from './latency-histogram.js';
import { ScoreBars } from './score-bars.js';
import styles from './summary.module.css';
import { SummaryLine } from './summary-line.js';
import { Totals } from './totals.js';
import { UsageLine } from './usage-line.js';

/** The summary of the matching results. Where columns have the scores, it is one line until it is opened. */
export function Summary({
  run,
  figures,
  hasScoreColumns,
}: {
  run: Run;
  figures: RowFigures;
  hasScoreColumns: boolean;
}) {
  const [isOpen, setOpen] = useStoredFlag('summary', false);
  const isLine = hasScoreColumns && !isOpen;
  const { latency, usage } = figures.summary;
  return (
    <section
      className={classNames(isLine ? styles.line : styles.summary, hasScoreColumns && styles.folds)}
      aria-label="Summary of the filtered results"
    >
      {hasScoreColumns && (
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
        <SummaryLine run={run} summary={figures.summary} />
      ) : (
        <>
          <Totals run={run} figures={figures} />
          <ScoreBars run={run} summary={figures.summary} />
          <LatencyHistogram latency={latency} />
          <UsageLine usage={usage} run={run} />
        </>
      )}
    </section>
  );
}
