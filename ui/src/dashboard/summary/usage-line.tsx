import { hasCalls } from '../../../../src/model/calls/run-usage.js';
import {
  namesText,
  renderCost,
  renderDollars,
  renderTokens,
  takenText,
  unknownTokensTexts,
  withoutPrice,
} from '../../../../src/text/usage-text.js';
import type { Run } from '../../api/client.js';
import type { RunUsage } from '../../api/schema.js';
import { BudgetBar, CostSplit, CostSwatch } from '../../components/figures/cost-split.js';
import { count, counted } from '../../components/figures/figures.js';
import { usageByGroup } from '../../components/figures/usage-totals.js';
import { useFilter } from '../use-view.js';
import styles from './usage-line.module.css';

/** The usage of matching results: cost by role, tokens, and calls without a price; with a budget, what the whole run has spent of it. */
export function UsageLine({
  usage,
  run,
}: {
  usage: RunUsage | undefined;
  run: Pick<Run, 'usage' | 'max_cost' | 'unlisted_cost'>;
}) {
  const { isIn, toggle } = useFilter('cost');
  if (!hasCalls(usage)) return null;
  const { calls, input, cache_read: cached = 0, output, unpriced = 0 } = usage;
  const unknownTokens = unknownTokensTexts(usage);
  const least = unknownTokens.length > 0 ? '≥ ' : '';
  const notPriced = withoutPrice(usage);
  const missing = [
    ...(notPriced > 0
      ? [`${counted(notPriced, 'call')} not priced${namesText(usage.unpriced_models)}`]
      : []),
    ...unknownTokens,
  ];
  const { taken: { replayed, ...others } = {} } = usage;
  const moved = takenText({ taken: others });
  const isSpent = usage.cost === null || usage.cost > 0;
  const groups = usageByGroup(usage);
  const { unlisted_cost: unlisted = 0 } = run;
  return (
    <p className={styles.line}>
      {run.max_cost === undefined ? (
        <span className={styles.total}>
          <b>{usage.cost === null ? 'Cost not known' : renderCost(usage)}</b>
          <CostSplit groups={groups} />
        </span>
      ) : (
        <BudgetLine usage={run.usage ?? usage} unlisted={unlisted} budget={run.max_cost} />
      )}
      <span className={styles.parts}>
        {isSpent &&
          groups.length > 1 &&
          groups.map(({ role, totals }, n) => (
            <span key={role}>
              <CostSwatch part={n} />
              {role} <b>{renderCost(totals)}</b>
            </span>
          ))}
        {unlisted > 0 && (
          <span title="Calls that no result has: their attempts were stopped, or repeated by a resume.">
            <CostSwatch part={groups.length} />
            other attempts <b>{renderDollars(unlisted)}</b>
          </span>
        )}
        <span className={styles.calls}>
          <b>{count(calls)}</b> {calls === 1 ? 'call' : 'calls'}
        </span>
        {input !== undefined && (
          <span>
            <b>{least + renderTokens(input)}</b> tokens in
            {cached > 0 && `, ${renderTokens(cached)} cached`}
          </span>
        )}
        {output !== undefined && (
          <span>
            <b>{least + renderTokens(output)}</b> out
          </span>
        )}
      </span>
      {moved !== '' && (
        <span title="What these results cost when they ran, in other runs">{moved}</span>
      )}
      {(missing.length > 0 || replayed !== undefined) && (
        <span className={styles.filters}>
          {replayed !== undefined && (
            <button
              type="button"
              aria-pressed={isIn('replayed')}
              title="Show results with replayed calls, which cost nothing"
              onClick={() => toggle('replayed')}
            >
              {takenText({ taken: { replayed } })}
            </button>
          )}
          {unpriced > 0 && (
            <button
              type="button"
              aria-pressed={isIn('unknown')}
              title="Show results with calls whose cost is not known"
              onClick={() => toggle('unknown')}
            >
              {missing.join(', ')}
            </button>
          )}
          {unpriced === 0 && unknownTokens.length > 0 && <span>{unknownTokens.join(', ')}</span>}
        </span>
      )}
    </p>
  );
}

/** The share of a budget from which the amount is bold. */
const nearlySpent = 0.9;

function BudgetLine({
  usage,
  unlisted,
  budget,
}: {
  usage: RunUsage;
  /** US dollars of calls that no result has. */
  unlisted: number;
  budget: number;
}) {
  const cost = usage.cost === null && unlisted === 0 ? null : (usage.cost ?? 0) + unlisted;
  const isNear = (cost ?? 0) >= nearlySpent * budget;
  const spent = cost === null ? 'Cost not known' : renderCost({ ...usage, cost });
  return (
    <span className={styles.total}>
      <span>
        {isNear ? <b>{spent}</b> : <span className={styles.spent}>{spent}</span>} of{' '}
        {renderDollars(budget)}
      </span>
      <BudgetBar groups={usageByGroup(usage)} unlisted={unlisted} budget={budget} />
    </span>
  );
}
