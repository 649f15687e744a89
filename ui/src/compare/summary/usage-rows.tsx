import { renderAllTokens, renderCost } from '../../../../src/text/usage-text.js';
import type { RunComparison } from '../../api/schema.js';
import { classNames } from '../../components/class-names.js';
import { wholeText } from '../../components/figures/difference-text.js';
import { count } from '../../components/figures/figures.js';
import { RunTag } from '../run-tag.js';
import styles from './usage-rows.module.css';

/** What the calls of each run used in all; nothing without calls. The differences have no verdict. */
export function UsageRows({ comparison: { runs, comparisons } }: { comparison: RunComparison }) {
  if (!runs.some(({ usage }) => usage !== undefined && usage.calls > 0)) return null;
  return (
    <div className={styles.usage} role="table" aria-label="Usage by run">
      <div className={classNames(styles.row, styles.head)} role="row">
        <span role="columnheader">
          <span className="sr">run</span>
        </span>
        <span role="columnheader">whole run cost</span>
        <span role="columnheader">tokens</span>
        <span role="columnheader">calls</span>
      </div>
      {runs.map(({ run_id, usage }, run) => {
        const against = comparisons[run - 1]?.usage;
        return (
          <div key={run_id} className={styles.row} role="row">
            <span role="rowheader">
              <RunTag run={run} />
            </span>
            <span role="cell" title={against && wholeText(against.cost, 'dollars')}>
              <b>{usage ? renderCost(usage) : '–'}</b>
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
