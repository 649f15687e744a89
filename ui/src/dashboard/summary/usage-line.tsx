import { Link } from 'wouter';
import { hasCalls } from '../../../../src/model/calls/run-usage.js';
import {
  namesText,
  partTexts,
  renderCalls,
  renderCost,
  renderDollars,
  takenText,
  tokensText,
  unknownTokensTexts,
  withoutPrice,
} from '../../../../src/text/usage-text.js';
import type { RunUsage } from '../../api/schema.js';
import { BudgetBar, CostSplit, CostSwatch } from '../../components/figures/cost-split.js';
import { counted } from '../../components/figures/figures.js';
import { usageByGroup } from '../../components/figures/usage-totals.js';
import { callsAddress } from '../../result/addresses.js';
import { useFigures, useShown } from '../dashboard-state.js';
import { useFilter } from '../use-view.js';
import styles from './usage-line.module.css';

/** The usage of matching results: cost by role, tokens, and calls without a price; with a budget, what the whole run has spent of it. */
export function UsageLine() {
  const { run } = useShown();
  const { usage } = useFigures().summary;
  const { isIn, toggle } = useFilter('cost');
  if (!hasCalls(usage)) return null;
  const { calls, unpriced = 0 } = usage;
  const tokens = tokensText(usage);
  const unknownTokens = unknownTokensTexts(usage);
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
  const { max_cost: budget, spent_of_max_cost: spent = 0 } = run;
  return (
    <p className={styles.line}>
      {budget === undefined ? (
        <span className={styles.total}>
          <b>{usage.cost === null ? 'Cost not known' : renderCost(usage)}</b>
          <CostSplit groups={groups} />
        </span>
      ) : (
        <BudgetLine usage={run.usage ?? usage} spent={spent} budget={budget} />
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
        {(calls > 0 || usage.cut_off !== undefined || usage.programs === undefined) && (
          <Link
            href={callsAddress(run.run_id)}
            className={styles.calls}
            title="All calls of this run"
          >
            <b>{renderCalls(usage)}</b> {calls === 1 ? 'call' : 'calls'}
          </Link>
        )}
        {tokens !== '' && <span>{tokens}</span>}
      </span>
      {partTexts(usage).map((text) => (
        <span key={text} title="Part of these figures: what no result shows">
          {text}
        </span>
      ))}
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
  spent,
  budget,
}: {
  usage: RunUsage;
  /** US dollars that the last execution has spent. */
  spent: number;
  budget: number;
}) {
  const { cost, unpriced = 0 } = usage;
  const isNear = spent >= nearlySpent * budget;
  const text =
    cost === null || (spent === 0 && unpriced > 0)
      ? 'Cost not known'
      : renderCost({ cost: spent, unpriced });
  // Of an execution of several it is not known who spent it.
  const isAll = Math.abs((cost ?? 0) - spent) < 1e-9;
  const groups = isAll
    ? usageByGroup(usage)
    : [{ role: 'spent', totals: { calls: 0, cost: spent } }];
  return (
    <span className={styles.total}>
      <span>
        {isNear ? <b>{text}</b> : <span className={styles.spent}>{text}</span>} of{' '}
        {renderDollars(budget)}
      </span>
      <BudgetBar groups={groups} budget={budget} />
    </span>
  );
}
