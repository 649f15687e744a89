import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import type { Run } from '../../api/client.js';
import { keys } from '../../api/keys.js';
import { useChanges } from '../../api/queries.js';
import { Button } from '../../components/controls/button.js';
import { Banner } from '../../components/messages/banner.js';
import { useFreshRun } from '../shown-run.js';
import { BudgetSpent } from './budget-spent.js';
import { FailedImports, ImportAgain, placeOf } from './failed-imports.js';
import styles from './messages.module.css';

const ChangesBar = lazy(async () => ({
  default: (await import('./changes-bar.js')).ChangesBar,
}));

/** Warnings about a run: why it cannot be run, and which files could not be imported. */
export function Banners({ run }: { run: Run }) {
  // The problems of the next run concern everybody who is about to start one.
  const found = useFreshRun(run) ?? run;
  const { data: changes } = useChanges(run);
  return (
    <>
      {run.view_only !== null && <ViewOnly reason={run.view_only} />}
      {run.budget && run.state === 'finished' && <BudgetSpent run={run} budget={run.budget} />}
      {found.discovery !== null && run.total_evaluations > 0 && (
        <NotImported listed={found.total_evaluations} discovery={found.discovery} />
      )}
      {changes && changes.changes.length + changes.added + changes.gone > 0 && (
        <Suspense>
          <ChangesBar run={run} changes={changes} />
        </Suspense>
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
