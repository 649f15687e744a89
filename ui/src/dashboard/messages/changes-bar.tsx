import { useState } from 'react';
import type { Run } from '../../api/client.js';
import type { RunChanges } from '../../api/schema.js';
import { Button } from '../../components/controls/button.js';
import { count, counted } from '../../components/figures/figures.js';
import { Banner } from '../../components/messages/banner.js';
import { accessOf, useRunActions } from '../use-run-actions.js';
import { useView } from '../use-view.js';
import { withChoice, withoutFilters } from '../view-state.js';
import styles from './messages.module.css';

/** Reasons that the bar names. */
const mostNamed = 3;

/** The version of the changes that somebody has asked not to see. */
let ignored: string | undefined;

/** Says which results edits have made out of date, and runs them or grades them again. */
export function ChangesBar({ run, changes }: { run: Run; changes: RunChanges }) {
  const { rerunChanged, regrade, isStarting } = useRunActions(run);
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
