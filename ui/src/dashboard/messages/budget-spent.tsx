import { type FormEvent, useState } from 'react';
import { renderDollars, unknownCostText } from '../../../../src/text/usage-text.js';
import { useResumeWithBudget } from '../../api/actions.js';
import type { Run } from '../../api/client.js';
import { Button } from '../../components/controls/button.js';
import { Field } from '../../components/controls/field.js';
import { count } from '../../components/figures/figures.js';
import { Banner } from '../../components/messages/banner.js';
import { accessOf } from '../use-run-actions.js';
import styles from './messages.module.css';

/** Shown when the budget stopped the run: its spending or the unknown prices, the remaining results, and a form for a higher budget. */
export function BudgetSpent({ run, budget }: { run: Run; budget: NonNullable<Run['budget']> }) {
  const { max_cost: most, spent, unpriced, left } = budget;
  const resume = useResumeWithBudget();
  const isUnknown = most !== undefined && unpriced > 0 && spent < most;
  const proposed = isUnknown ? most : Math.max(most ?? 0, spent) * 2;
  const [text, setText] = useState(String(Number(proposed.toPrecision(3))));
  const maxCost = Number(text.trim().replace(',', '.'));
  const isEnough = Number.isFinite(maxCost) && maxCost > spent;
  const isOff = accessOf(run) !== 'free' || resume.isPending;
  const goOn = (event: FormEvent) => {
    event.preventDefault();
    if (isEnough && !isOff) resume.mutate({ run: run.run_id, maxCost });
  };
  const all = run.total_evaluations;
  return (
    <Banner
      icon="stop"
      end={
        left > 0 && (
          <form className={styles.budget} onSubmit={goOn}>
            <Field
              label={isUnknown ? 'Budget' : 'Higher budget'}
              className={styles.amount}
              inputMode="decimal"
              bad={!isEnough}
              title={isEnough ? undefined : `More than ${renderDollars(spent)}`}
              end={<span className="faint">$</span>}
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
            />
            <Button
              needsServer
              small
              icon="play"
              type="submit"
              disabled={isOff || !isEnough}
              title={run.view_only ?? undefined}
            >
              Resume {count(left)}
            </Button>
          </form>
        )
      }
    >
      {isUnknown ? (
        <>
          <b>The budget of {renderDollars(most)} cannot be kept:</b>{' '}
          {unknownCostText(run.usage ?? {})}
        </>
      ) : (
        <>
          <b>Stopped at the budget.</b> {renderDollars(spent)} spent
          {most !== undefined && ` of ${renderDollars(most)}`}
        </>
      )}
      ; {count(left)} of {count(all)} {left === 1 ? 'waits' : 'wait'}.
    </Banner>
  );
}
