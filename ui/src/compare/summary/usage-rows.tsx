import { hasCalls } from '../../../../src/model/calls/run-usage.js';
import {
  amountNames,
  besideTaken,
  renderAllTokens,
  renderCalls,
  renderCost,
  usageHint,
} from '../../../../src/text/usage-text.js';
import type { RunComparison } from '../../api/schema.js';
import { classNames } from '../../components/class-names.js';
import { wholeText } from '../../components/figures/difference-text.js';
import { RunTag } from '../run-tag.js';
import { SortButton } from './sort-button.js';
import styles from './usage-rows.module.css';

/** The total usage of each run; nothing without calls. The differences have no verdict. */
export function UsageRows({ comparison: { runs, comparisons } }: { comparison: RunComparison }) {
  if (!runs.some(({ usage }) => hasCalls(usage))) return null;
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
              title={[against && wholeText(against.cost, 'dollars'), usageHint(usage)]
                .filter(Boolean)
                .join('; ')}
            >
              <b>{usage ? besideTaken(usage, renderCost) : '–'}</b>
            </span>
            <span role="cell" title={against && wholeText(against.tokens, 'tokens')}>
              {(usage && besideTaken(usage, renderAllTokens)) || '–'}
            </span>
            <span role="cell" title={against && wholeText(against.calls, 'calls')}>
              {usage ? besideTaken(usage, renderCalls) : '–'}
            </span>
          </div>
        );
      })}
    </div>
  );
}
