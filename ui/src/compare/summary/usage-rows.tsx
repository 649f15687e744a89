import {
  amountNames,
  renderAllTokens,
  renderCost,
  renderDollars,
} from '../../../../src/text/usage-text.js';
import type { RunComparison, Usage } from '../../api/schema.js';
import { classNames } from '../../components/class-names.js';
import { wholeText } from '../../components/figures/difference-text.js';
import { count, counted } from '../../components/figures/figures.js';
import { RunTag } from '../run-tag.js';
import { SortButton } from './sort-button.js';
import styles from './usage-rows.module.css';

/** The total usage of each run; nothing without calls. The differences have no verdict. */
export function UsageRows({ comparison: { runs, comparisons } }: { comparison: RunComparison }) {
  if (!runs.some(({ usage }) => usage !== undefined && usage.calls > 0)) return null;
  return (
    <div className={styles.usage} role="table" aria-label="Usage by run">
      <div className={classNames(styles.row, styles.head)} role="row">
        <span role="columnheader">
          <span className="sr">run</span>
        </span>
        {(['cost', 'tokens', 'calls'] as const).map((amount) => (
          <span key={amount} role="columnheader">
            <SortButton
              sort={amount}
              title={`Sort by what ${amountNames[amount]} changed by, the largest increase first`}
            >
              {amount === 'cost' ? 'whole run cost' : amountNames[amount]}
            </SortButton>
          </span>
        ))}
      </div>
      {runs.map(({ run_id, usage }, run) => {
        const against = comparisons[run - 1]?.usage;
        return (
          <div key={run_id} className={styles.row} role="row">
            <span role="rowheader">
              <RunTag run={run} />
            </span>
            <span
              role="cell"
              title={[against && wholeText(against.cost, 'dollars'), replayedText(usage)]
                .filter(Boolean)
                .join('; ')}
            >
              <b>{usage ? costText(usage) : '–'}</b>
            </span>
            <span role="cell" title={against && wholeText(against.tokens, 'tokens')}>
              {(usage && renderAllTokens(usage)) || '–'}
            </span>
            <span role="cell" title={against && wholeText(against.calls, 'calls')}>
              {usage ? count(usage.calls) : '–'}
            </span>
          </div>
        );
      })}
    </div>
  );
}

/** A cost; in brackets that of recordings, if all calls were replayed. */
function costText(usage: Usage): string {
  const { calls, replayed, replayed_cost: recorded = 0 } = usage;
  return replayed === calls && recorded > 0 ? `(${renderDollars(recorded)})` : renderCost(usage);
}

function replayedText({ replayed = 0 }: Partial<Usage> = {}): string | undefined {
  return replayed === 0 ? undefined : `${counted(replayed, 'call')} replayed, not paid for again`;
}
