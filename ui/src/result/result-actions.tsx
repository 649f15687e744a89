import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { useRegrade, useRerun } from '../api/actions.js';
import type { Run } from '../api/client.js';
import { keys } from '../api/keys.js';
import type { ResultPage } from '../api/schema.js';
import { notify } from '../app/notices.js';
import { useShortcut } from '../app/shortcuts.js';
import { Button } from '../components/controls/button.js';
import { resultAddress } from './addresses.js';
import type { Walk } from './navigation.js';
import styles from './result-bar.module.css';

/** Reruns or regrades one result; shows the message of the server if it refuses. */
export function useResultActions(page: ResultPage, { view, back }: Walk) {
  const { run_id: run, index, result } = page;
  const rerun = useRerun();
  const regrade = useRegrade();
  const [, navigate] = useLocation();
  // Cached if the page was opened from the table; otherwise the server decides.
  const { data: kept } = useQuery<Run>({ queryKey: keys.run(run), enabled: false });
  const isBusy = kept?.state === 'running' || kept?.state === 'paused';
  const isStarting = rerun.isPending || regrade.isPending;
  const { status } = result.result;
  const isWaiting = status === 'pending' || status === 'running';
  const canRun = !isBusy && !isStarting && !isWaiting;
  const one = { run_id: run, indices: [index] };
  const rerunIt = () =>
    rerun.mutate(one, {
      onSuccess: ({ run_id }) => {
        if (run_id === run) return;
        navigate(resultAddress(view, run_id, index), { replace: true, state: back.state });
      },
    });
  const isInexact = result.inexact === true;
  const regradeIt = () =>
    regrade.mutate(
      { ...one, ...(isInexact && { regrade_inexact: true }) },
      { onSuccess: () => notify('Grading this result again.') },
    );
  // The page learns late that a run has ended, so the keys stay active and the server decides.
  useShortcut('rerun', rerunIt, !isStarting);
  useShortcut('regrade', regradeIt, !isStarting);
  const canRegrade = canRun && result.regradable === true;
  const why = isBusy || isWaiting ? 'A run is in progress' : undefined;
  return {
    isFresh: status === 'not_started',
    canRun,
    canRegrade,
    /** Why it cannot be run now, if another run is the reason. */
    why,
    /** Why it cannot be graded again, or what to know before. */
    regradeNote: !canRegrade
      ? (why ?? 'There is no finished target to grade')
      : isInexact
        ? `Its values are not stored as the target returned them (${result.inexact_because ?? 'unknown why'}): this grades what is stored, and marks the scores`
        : undefined,
    regradeLabel: isInexact ? 'Regrade as stored' : 'Regrade',
    rerun: rerunIt,
    regrade: regradeIt,
  };
}

export type ResultActionsState = ReturnType<typeof useResultActions>;

/** The buttons at the right end of the top bar, and of the slim one. */
export function ResultActions({
  actions: { isFresh, canRun, canRegrade, why, regradeNote, regradeLabel, rerun, regrade },
  isNarrow = false,
  hasRegrade = true,
}: {
  actions: ResultActionsState;
  /** There is only room for icons. */
  isNarrow?: boolean;
  /** False if it is in a menu. */
  hasRegrade?: boolean;
}) {
  const main = isFresh ? 'Run' : 'Rerun';
  const label = (text: string) => (isNarrow ? <span className="sr">{text}</span> : text);
  const title = (text: string) => (isNarrow ? text : undefined);
  return (
    <span className={styles.actions}>
      {!isFresh && hasRegrade && (
        <Button
          needsServer
          icon="regrade"
          disabled={!canRegrade}
          title={regradeNote ?? title(regradeLabel)}
          onClick={regrade}
        >
          {label(regradeLabel)}
        </Button>
      )}
      <Button
        needsServer
        look="primary"
        icon={isFresh ? 'play' : 'rerun'}
        disabled={!canRun}
        title={why ?? title(main)}
        onClick={rerun}
      >
        {label(main)}
      </Button>
    </span>
  );
}
