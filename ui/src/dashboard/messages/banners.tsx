import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { renderDollars, unknownCostText } from '../../../../src/text/usage-text.js';
import { useResumeWithBudget } from '../../api/actions.js';
import type { Run } from '../../api/client.js';
import { keys } from '../../api/keys.js';
import { useChanges } from '../../api/queries.js';
import type { RunChanges } from '../../api/schema.js';
import { isReport } from '../../app/report-mode.js';
import { Button } from '../../components/controls/button.js';
import { Field } from '../../components/controls/field.js';
import { count, counted } from '../../components/figures/figures.js';
import { Banner } from '../../components/messages/banner.js';
import { useShown } from '../dashboard-state.js';
import { useFreshRun } from '../shown-run.js';
import { accessOf, useRunActions } from '../use-run-actions.js';
import { useView } from '../use-view.js';
import { withChoice, withoutFilters } from '../view-state.js';
import { FailedImports, ImportAgain, placeOf } from './failed-imports.js';
import styles from './messages.module.css';

/** Warnings about a run: why it cannot be run, and which files could not be imported. */
export function Banners() {
  const { run } = useShown();
  // The problems of the next run concern everybody who is about to start one.
  const found = useFreshRun() ?? run;
  const { data: changes } = useChanges(run);
  return (
    <>
      {run.view_only !== null && !isReport && <ViewOnly reason={run.view_only} />}
      {run.budget && run.state === 'finished' && <BudgetSpent budget={run.budget} />}
      {found.discovery !== null && run.total_evaluations > 0 && (
        <NotImported listed={found.total_evaluations} discovery={found.discovery} />
      )}
      {changes && changes.changes.length + changes.added + changes.gone > 0 && (
        <ChangesBar changes={changes} />
      )}
    </>
  );
}

function ViewOnly({ reason }: { reason: string }) {
  const cache = useQueryClient();
  return (
    <Banner
      icon="eye"
      end={
        <Button small onClick={() => void cache.invalidateQueries({ queryKey: keys.runs })}>
          Look again
        </Button>
      }
    >
      <b>View only.</b> {reason} Scores and notes can be edited, rerun and regrade cannot.
    </Banner>
  );
}

function NotImported({
  listed,
  discovery,
}: {
  listed: number;
  discovery: NonNullable<Run['discovery']>;
}) {
  const [isOpen, setOpen] = useState(false);
  const [first, ...others] = discovery.failures;
  return (
    <>
      <Banner
        kind="error"
        end={
          <>
            {first && (
              <Button small look="ghost" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
                {isOpen ? 'Hide' : 'Show'}
              </Button>
            )}
            {!isOpen && <ImportAgain small />}
          </>
        }
      >
        <b>{first ? 'Not everything could be imported.' : 'Nothing new can be run.'}</b>{' '}
        {first ? (
          <>
            <span className="mono">{placeOf(first)}</span> {firstLine(first.message)}
            {others.length > 0 && <span className="faint"> and {others.length} more</span>}
          </>
        ) : (
          discovery.message
        )}
      </Banner>
      {isOpen && first && (
        <div className={styles.panel}>
          <FailedImports failures={discovery.failures} listed={listed} />
        </div>
      )}
    </>
  );
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}

/** Shown when the budget stopped the run: its spending or the unknown prices, the remaining results, and a form for a higher budget. */
function BudgetSpent({ budget }: { budget: NonNullable<Run['budget']> }) {
  const { run } = useShown();
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
              small
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

/** Reasons that the bar names. */
const mostNamed = 3;

/** The version of the changes that somebody has asked not to see. */
let ignored: string | undefined;

/** Says which results edits have made out of date, and runs them or grades them again. */
function ChangesBar({ changes }: { changes: RunChanges }) {
  const { run } = useShown();
  const { rerunChanged, regrade, isStarting } = useRunActions();
  const [, setIgnored] = useState<string>();
  const [, setView] = useView();
  const name = `${changes.run_id} ${changes.version}`;
  if (ignored === name) return null;
  const toRun = indicesOf(changes, 'run');
  const toGrade = indicesOf(changes, 'regrade');
  const affected = toRun.length + toGrade.length;
  const { added, gone } = changes;
  const isOff = isStarting || accessOf(run) !== 'free';
  const show = () =>
    setView((now) =>
      withChoice(withoutFilters(now), 'changed', { include: ['true'], exclude: [] }),
    );
  const ignore = () => {
    ignored = name;
    setIgnored(name);
  };
  return (
    <Banner
      icon="file"
      end={
        <span className={styles.buttons}>
          {toRun.length + added > 0 && (
            <Button
              needsServer
              small
              icon="rerun"
              disabled={isOff}
              title={run.view_only ?? 'Run what is out of date, in this run'}
              onClick={() => rerunChanged(toRun, added > 0)}
            >
              Rerun {count(toRun.length + added)}
            </Button>
          )}
          {toGrade.length > 0 && (
            <Button
              needsServer
              small
              icon="regrade"
              disabled={isOff}
              title={run.view_only ?? 'Only their grading has changed: no target is called'}
              onClick={() => regrade(toGrade)}
            >
              Regrade {count(toGrade.length)}
            </Button>
          )}
          <Button small look="ghost" onClick={ignore}>
            Ignore
          </Button>
        </span>
      }
    >
      <b>Code changed:</b>{' '}
      {affected > 0 && (
        <>
          <button type="button" className="link" onClick={show}>
            {counted(affected, 'result')}
          </button>{' '}
          {affected === 1 ? 'is' : 'are'} affected
          {added + gone > 0 && ', '}
        </>
      )}
      {[
        ...(added > 0 ? [`${count(added)} new`] : []),
        ...(gone > 0 ? [`${count(gone)} gone`] : []),
      ].join(', ')}
      {affected > 0 && `. ${reasonsText(changes, affected)}`}
    </Banner>
  );
}

function indicesOf({ changes }: RunChanges, action: 'run' | 'regrade'): number[] {
  return changes.flatMap((one) => (one.action === action ? one.indices : [])).sort((a, b) => a - b);
}

/** The reasons, the most common first: `Reasons: prompts/refund.md, graders.ts (polite), their cases and 3 more`. */
function reasonsText({ changes }: RunChanges, affected: number): string {
  const sorted = changes.toSorted((a, b) => b.indices.length - a.indices.length);
  const reasons = [...new Set(sorted.map(({ reason }) => reason))];
  const more = reasons.length - mostNamed;
  const named = reasons.slice(0, mostNamed).join(', ');
  const text = `${reasons.length === 1 ? 'Reason' : 'Reasons'}: ${named}${more > 0 ? ` and ${more} more` : ''}`;
  // Each is worded for one result.
  return affected === 1
    ? text
    : text.replaceAll('its case', 'their cases').replaceAll('its ', 'their ');
}
