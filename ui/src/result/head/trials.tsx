import { useEffect, useRef } from 'react';
import { Link } from 'wouter';
import type { ResultPage, TableRow } from '../../api/schema.js';
import { duration } from '../../components/figures.js';
import { standingOf } from '../../components/standing.js';
import { StatusIcon } from '../../components/status-icon.js';
import type { View } from '../../dashboard/view-state.js';
import { resultAddress } from '../walk/addresses.js';
import type { WayBack } from '../walk/way-back.js';
import styles from './trials.module.css';
import { useTrials } from './use-trials.js';

/** The trials of an evaluation side by side, with the one in sight marked. */
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: another trial has to come into sight
  useEffect(() => {
    current.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [trial, hasRows]);
  if (rows.length < 2) return null;
  const finished = rows.filter(({ status }) => status === 'completed' || status === 'error');
  const passed = rows.filter((row) => row.passed === true).length;
  const isFlaky = passed > 0 && passed < finished.length;
  return (
    <nav className={styles.trials} aria-label="Trials">
      <span className={styles.caption}>
        {passed} of {rows.length} passed
        {isFlaky && (
          <b className="c-flaky">
            <StatusIcon standing="flaky" size="chip" label={null} />
            flaky
          </b>
        )}
      </span>
      {rows.map((row) => (
        <Link
          key={row.id}
          ref={row.index === page.index ? current : null}
          href={resultAddress(view, page.run_id, row.index)}
          replace
          state={wayBack.state}
          aria-current={row.index === page.index ? 'page' : undefined}
        >
          <Trial row={row} />
        </Link>
      ))}
    </nav>
  );
}

function Trial({ row: { status, passed, trial, latency } }: { row: TableRow }) {
  return (
    <>
      <StatusIcon standing={standingOf(status, passed)} />
      <span className="mono">~{trial}</span>
      <span className={styles.latency}>{latency === null ? '' : duration(latency)}</span>
    </>
  );
}
