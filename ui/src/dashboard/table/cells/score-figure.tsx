import { passedShare } from '../../../../../src/model/scores/score.js';
import { percentText } from '../../../../../src/text/share-text.js';
import type { RowSummary } from '../../../api/schema.js';
import {
  count,
  countsOnlyTitle,
  figure,
  typicalValue,
} from '../../../components/figures/figures.js';
import styles from '../head/table-head.module.css';

/** The share that passed as a bar, or the distribution of values, with the share or the typical value. */
export function ScoreFigure({ summary, scoreKey }: { summary: RowSummary; scoreKey: string }) {
  const chip = summary.chips.find(({ key }) => key === scoreKey);
  const histogram = summary.histograms?.find(({ key }) => key === scoreKey);
  if (chip === undefined) return <span className={styles.figure} />;
  const share = passedShare(chip);
  if (summary.counts_only === true) {
    const text = share ? `${count(share.passed)} / ${count(share.total)}` : '';
    return (
      <span className={styles.figure} title={countsOnlyTitle}>
        {histogram && <Distribution counts={histogram.counts} />}
        <b>{text}</b>
      </span>
    );
  }
  const rate = share && share.passed / Math.max(1, share.total);
  return (
    <span className={styles.figure}>
      {histogram ? (
        <Distribution counts={histogram.counts} />
      ) : (
        <span className={styles.bar} aria-hidden="true">
          <i style={{ width: `${(rate ?? 0) * 100}%` }} />
        </span>
      )}
      <b>{chip.type === 'avg' ? figure(typicalValue(chip)) : percentText(rate ?? 0)}</b>
    </span>
  );
}

function Distribution({ counts }: { counts: readonly number[] }) {
  const most = Math.max(1, ...counts);
  const bars = counts.map((count, n) => `M${n * 6} 12V${12 - (count / most) * 12}h5V12Z`);
  return (
    <svg
      className={styles.values}
      viewBox="0 0 60 12"
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path d={bars.join('')} />
    </svg>
  );
}
