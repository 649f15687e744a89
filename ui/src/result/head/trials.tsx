import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { getRowPage } from '../../api/client.js';
import { keys } from '../../api/keys.js';
import type { ResultPage, TableRow } from '../../api/schema.js';
import { classNames } from '../../components/class-names.js';
import { duration } from '../../components/figures/figures.js';
import { StatusIcon } from '../../components/icons/status-icon.js';
import { standingOf } from '../../components/scores/standing.js';
import type { View } from '../../dashboard/view-state.js';
import { resultAddress } from '../navigation/addresses.js';
import type { WayBack } from '../navigation/way-back.js';
import styles from './trials.module.css';

/** With more trials, the list wraps into several compact lines. */
const maxWide = 10;

/** The trials of a case, with the current one marked. */
export function Trials({
  page,
  trial,
  view,
  wayBack,
}: {
  page: ResultPage;
  trial: number;
  view: View;
  wayBack: WayBack;
}) {
  const { data: rows = [] } = useTrials(page, trial);
  const current = useRef<HTMLAnchorElement>(null);
  const hasRows = rows.length > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls when the trial changes
  useEffect(() => {
    current.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [trial, hasRows]);
  if (rows.length < 2) return null;
  const finished = rows.filter(({ status }) => status === 'completed' || status === 'error');
  const passed = rows.filter((row) => row.passed === true).length;
  const isFlaky = passed > 0 && passed < finished.length;
  const isMany = rows.length > maxWide;
  return (
    <nav className={classNames(styles.trials, isMany && styles.many)} aria-label="Trials">
      <span className={styles.caption}>
        {passedText(rows)}
        {isFlaky && (
          <b className="c-flaky">
            <StatusIcon standing="flaky" size="chip" label={null} />
            flaky
          </b>
        )}
      </span>
      <div className={styles.list}>
        {rows.map((row) => (
          <Link
            key={row.id}
            ref={row.index === page.index ? current : null}
            href={resultAddress(view, page.run_id, row.index)}
            replace
            state={wayBack.state}
            aria-current={row.index === page.index ? 'page' : undefined}
          >
            <Trial row={row} hasLatency={!isMany} />
          </Link>
        ))}
      </div>
    </nav>
  );
}

/** The verdicts of the trials of a case in one line; of many, how many passed. */
export function TrialMarks({ page, trial }: { page: ResultPage; trial: number }) {
  const { data: rows = [] } = useTrials(page, trial);
  if (rows.length < 2) return null;
  return (
    <span className={styles.marks} role="group" aria-label="Trials">
      {rows.length > maxWide
        ? passedText(rows)
        : rows.map(({ id, status, passed }) => (
            <StatusIcon key={id} size="chip" standing={standingOf(status, passed)} />
          ))}
    </span>
  );
}

function passedText(rows: readonly TableRow[]): string {
  return `${rows.filter(({ passed }) => passed === true).length} of ${rows.length} passed`;
}

function Trial({
  row: { status, passed, trial, latency, replayed },
  hasLatency,
}: {
  row: TableRow;
  hasLatency: boolean;
}) {
  return (
    <>
      <StatusIcon standing={standingOf(status, passed)} />
      <span className="mono">~{trial}</span>
      {hasLatency && (
        <span className={styles.latency}>
          {replayed === true ? 'replayed' : latency === null ? '' : duration(latency)}
        </span>
      )}
    </>
  );
}

/** Maximum number of listed trials, around the current one. */
const most = 100;

/** The trials of the same case, in order. They are adjacent in a run. */
function useTrials({ run_id: run, index, result }: ResultPage, trial: number) {
  const first = Math.max(0, index - trial + 1, index - most / 2);
  return useQuery({
    // Cached like a page of the table, so events update it.
    queryKey: keys.rowPage(run, `trials from ${first}`, 0),
    queryFn: ({ signal }) => {
      const query = new URLSearchParams({ offset: String(first), limit: String(most) });
      return getRowPage(run, query, signal);
    },
    select: ({ rows }): readonly TableRow[] =>
      rows.filter(({ trial_of }) => trial_of === result.trial_of),
  });
}
