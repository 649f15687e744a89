import { isSpent, runUsageOf } from '../../../../src/model/calls/run-usage.js';
import { renderCost, resultBesideTaken, unknownCostText } from '../../../../src/text/usage-text.js';
import type { Result } from '../../api/schema.js';
import { CopyButton } from '../../components/controls/copy-button.js';
import { CostSplit, CostSwatch } from '../../components/figures/cost-split.js';
import { bracketed, costFigure } from '../../components/figures/cost-text.js';
import { count, counted } from '../../components/figures/figures.js';
import { usageByGroup } from '../../components/figures/usage-totals.js';
import { FoldedSection } from '../section.js';
import { rawText } from '../values/value-kind.js';
import { visibleText } from '../values/visible-text.js';
import styles from './usage-section.module.css';

/** Tokens and cost of model calls, by role. */
export function UsageSection({
  result,
  isFoldedAtFirst,
}: {
  result: Pick<Result, 'usage' | 'origin'>;
  isFoldedAtFirst: boolean;
}) {
  const { usage, origin } = result;
  if (usage === undefined || usage.calls === 0) return null;
  const groups = usageByGroup(usage);
  // Without what earlier attempts spent, whose calls are not listed here.
  const spent = runUsageOf({ usage, ...(origin && { origin }) });
  const unknown = 'Cost not known';
  const cost =
    spent && resultBesideTaken(spent, (of) => (of.cost === null ? unknown : renderCost(of)));
  const { replayed = 0, replayed_cost = 0 } = usage;
  // Most models tell nothing of it, and the column takes the room of two.
  const hasReasoning = groups.some(({ totals }) => totals.reasoning !== undefined);
  const missing = unknownCostText(usage);
  return (
    <FoldedSection
      title="Usage"
      note={counted(usage.calls, 'model call')}
      foldedNote={`${cost}, ${counted(usage.calls, 'model call')}`}
      isFoldedAtFirst={isFoldedAtFirst}
      tools={<CopyButton label="Copy usage" text={() => rawText(usage)} />}
    >
      <div className={styles.top}>
        <b>{cost}</b>
        <CostSplit groups={groups} />
      </div>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">
              <span className="sr">Who</span>
            </th>
            {['calls', 'in', 'cached', 'out', hasReasoning && 'reasoning', '$']
              .filter((name) => name !== false)
              .map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
          </tr>
        </thead>
        <tbody>
          {groups.map(({ role, totals }, n) => (
            <tr key={role}>
              <th scope="row">
                <CostSwatch part={n} />
                {role}
              </th>
              <td>{count(totals.calls)}</td>
              <td>{figure(totals.input)}</td>
              <td>{figure(totals.cache_read)}</td>
              <td>{figure(totals.output)}</td>
              {hasReasoning && <td>{figure(totals.reasoning)}</td>}
              <td>{bracketed(costFigure(totals), !isSpent(role, origin))}</td>
            </tr>
          ))}
          {replayed > 0 && (
            <tr>
              <th scope="row">replayed</th>
              <td>{count(replayed)}</td>
              <td colSpan={hasReasoning ? 4 : 3} />
              <td>{replayed_cost > 0 && `(${costFigure({ cost: replayed_cost })})`}</td>
            </tr>
          )}
        </tbody>
      </table>
      {origin !== undefined && (
        <p className={styles.note}>
          {origin.kind === 'carried' ? 'These calls were' : 'The calls of the target were'} made in{' '}
          {visibleText(origin.run_name)}. This run has not spent what they cost.
        </p>
      )}
      {replayed_cost > 0 && (
        <p className={styles.note}>In brackets: what the recordings cost, not spent again.</p>
      )}
      {missing !== '' && (
        <p className={styles.note}>
          {missing}
          {usage.cost === null ? '.' : '. These figures are lower bounds.'}
        </p>
      )}
    </FoldedSection>
  );
}

const figure = (tokens: number | undefined) => (tokens === undefined ? '–' : count(tokens));
