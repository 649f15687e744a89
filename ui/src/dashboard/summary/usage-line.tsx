import {
  namesText,
  renderCost,
  renderDollars,
  renderTokens,
  unknownTokensTexts,
  withoutPrice,
} from '../../../../src/text/usage-text.js';
import type { Run } from '../../api/client.js';
import type { Usage } from '../../api/schema.js';
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
  usage: Usage | undefined;
  run: Pick<Run, 'usage' | 'max_cost' | 'unlisted_cost'>;
}) {
  const { isIn, toggle } = useFilter('cost');
  if (usage === undefined || usage.calls === 0) return null;
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
  const { replayed = 0, replayed_cost: recorded = 0 } = usage;
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
      {missing.length + replayed > 0 && (
        <span className={styles.filters}>
          {replayed > 0 && (
            <button
              type="button"
              aria-pressed={isIn('replayed')}
              title={`Show results with replayed calls; ${renderDollars(recorded)} not spent again`}
              onClick={() => toggle('replayed')}
            >
              <b>{count(replayed)}</b> {replayed === 1 ? 'call' : 'calls'} replayed
              {recorded > 0 && ` (${renderDollars(recorded)})`}
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
  usage: Usage;
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
