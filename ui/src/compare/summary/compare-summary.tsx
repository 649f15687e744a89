import { useState } from 'react';
import type { PairPage, RunComparison, RunHead } from '../../api/schema.js';
import { useMedia } from '../../browser/use-media.js';
import { useStoredFlag } from '../../browser/use-stored-flag.js';
import { classNames } from '../../components/class-names.js';
import { count, counted } from '../../components/figures/figures.js';
import { Icon } from '../../components/icons/icon.js';
import { RunTag } from '../run-tag.js';
import { ChangeMatrix } from './change-matrix.js';
import styles from './compare-summary.module.css';
import { DifferencesDialog } from './differences-dialog.js';
import { GroupedBars } from './grouped-bars.js';
import { InWords } from './in-words.js';
import { LatencyRanges } from './latency-ranges.js';
import { awaitedMeasures, measuresOf } from './measures.js';
import { RunRows } from './run-rows.js';
import { UsageRows } from './usage-rows.js';

/** The figures of the runs and their differences, with placeholders until they are loaded. */
export function CompareSummary({
  runs,
  comparison,
  changes,
  identical,
  scores,
}: {
  runs: readonly RunHead[];
  comparison: RunComparison | undefined;
  changes: PairPage['changes'] | undefined;
  /** The number of pairs, if none has another output, verdict or score; else 0. */
  identical: number;
  /** Keys of the scores of any of the runs. */
  scores: readonly string[];
}) {
  const measures = comparison ? measuresOf(comparison) : awaitedMeasures(runs.length, scores);
  const isStacked = useMedia('(max-width: 1100px)');
  const [isUnfolded, setUnfolded] = useStoredFlag('comparison', false);
  const hasDetails = !isStacked || isUnfolded;
  // Kept here, because a narrower window folds what opens it.
  const [isAsked, setAsked] = useState(false);
  return (
    <section className={styles.summary} aria-label="Summary" aria-busy={comparison === undefined}>
      <div>
        <RunRows runs={runs} figures={comparison?.runs} />
        {identical > 0 && (
          <p className={styles.identical}>
            <Icon name="check" small />
            <span>
              <b>The results are identical:</b> {counted(identical, 'pair')}, all with the same
              output, verdicts and scores.
            </span>
          </p>
        )}
        {!isStacked && identical === 0 && changes && <ChangeMatrix changes={changes} />}
      </div>
      {isStacked && (
        <button
          type="button"
          className={styles.fold}
          aria-expanded={isUnfolded}
          onClick={() => setUnfolded(!isUnfolded)}
        >
          <Icon name={isUnfolded ? 'down' : 'right'} small />
          Scores, changes, latency
          {changes && !isUnfolded && <MovedCounts changes={changes} />}
        </button>
      )}
      {isStacked && isUnfolded && changes && <ChangeMatrix changes={changes} />}
      {hasDetails && <GroupedBars runs={runs.length} measures={measures} />}
      {hasDetails && (
        <div
          className={classNames(comparison === undefined && styles.awaited)}
          style={{ '--runs': runs.length } as object}
        >
          {comparison && <LatencyRanges comparison={comparison} />}
          {comparison && <UsageRows comparison={comparison} />}
          {comparison && <InWords comparison={comparison} onAsk={() => setAsked(true)} />}
        </div>
      )}
      {comparison && (
        <DifferencesDialog
          comparison={comparison}
          isOpen={isAsked}
          onClose={() => setAsked(false)}
        />
      )}
    </section>
  );
}

/** Number of regressed and fixed pairs in each run. */
function MovedCounts({ changes }: { changes: PairPage['changes'] }) {
  const first = changes.findIndex((counts) => counts !== null);
  return (
    <span className={styles.counts}>
      {changes.map(
        (counts, run) =>
          counts !== null && (
            // biome-ignore lint/suspicious/noArrayIndexKey: the place is the run
            <span key={run}>
              <RunTag run={run} small />
              {/* Said once; the others follow it. */}
              <span>
                <b>{count(counts.regressed)}</b>
                <span className={run > first ? 'sr' : undefined}> regressed</span>,{' '}
                <b>{count(counts.fixed)}</b>
                <span className={run > first ? 'sr' : undefined}> fixed</span>
              </span>
            </span>
          ),
      )}
    </span>
  );
}
