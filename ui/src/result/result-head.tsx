import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { hasCalls, runUsageOf } from '../../../src/model/calls/run-usage.js';
import { hasReplayedLatency, waitedOf } from '../../../src/model/calls/usage.js';
import {
  callsText,
  partTexts,
  renderResultCost,
  resultBesideTaken,
} from '../../../src/text/usage-text.js';
import { getRowPage } from '../api/client.js';
import { keys } from '../api/keys.js';
import { useCalls } from '../api/queries.js';
import type { ResultPage, TableRow } from '../api/schema.js';
import { classNames } from '../components/class-names.js';
import { CopyButton } from '../components/controls/copy-button.js';
import { duration } from '../components/figures/figures.js';
import { StatusIcon } from '../components/icons/status-icon.js';
import { EvaluationName, Wrapping } from '../components/names/evaluation-name.js';
import { originVerb, reasonMeaning } from '../components/runs/origin-text.js';
import { standingOf, standingText } from '../components/scores/standing.js';
import { FilterLink } from '../dashboard/filters/filter-link.js';
import { resultAddress } from './addresses.js';
import { standingFrom } from './attempts.js';
import type { Walk } from './navigation.js';
import styles from './result-head.module.css';
import { visibleText } from './values/visible-text.js';

/** The head of a result: status, name, dataset and labels, and the other trials. */
export function ResultHead({ page, walk }: { page: ResultPage; walk: Walk }) {
  const { result: entry, attempts } = page;
  const { id, function: name, trial, dataset, labels, result } = entry;
  const standing = standingFrom(result);
  const usage = runUsageOf(result);
  const { data: calls } = useCalls(page.run_id, page.index, page.has_calls === true);
  const waited = calls === undefined ? 0 : waitedOf(calls.calls);
  const tries = (attempts?.length ?? 0) + 1;
  return (
    <div className={styles.head}>
      <StatusIcon standing={standing} size="title" className={styles.status} />
      <h1>
        <EvaluationName name={visibleText(name)} />
        {trial !== undefined && <i>~{trial}</i>}
      </h1>
      {trial !== undefined && <Trials page={page} trial={trial} walk={walk} />}
      <p className={styles.facts}>
        {standing !== 'passed' && standing !== 'failed' && standing !== 'error' && (
          <span>{standingText(standing)}</span>
        )}
        <span>
          <FilterLink by="dataset" value={dataset}>
            {visibleText(dataset)}
          </FilterLink>
        </span>
        {labels.map((label) => (
          <span key={label}>
            <FilterLink by="label" value={label}>
              #{visibleText(label)}
            </FilterLink>
          </span>
        ))}
        {hasReplayedLatency(result) && <span className="num">replayed</span>}
        {result.latency !== null && (
          <span className="num">
            {duration(result.latency)}
            {waited > 0 && ` · waited ${duration(waited)}`}
          </span>
        )}
        {hasCalls(usage) && (
          <>
            <span className="num">{resultBesideTaken(usage, renderResultCost)}</span>
            <span className="num">{resultBesideTaken(usage, callsText)}</span>
            {partTexts(usage).map((text) => (
              <span key={text} className="num">
                {text}
              </span>
            ))}
          </>
        )}
        {result.origin && (
          <span title="Nothing that its output depends on had changed since">
            {originVerb(result.origin.kind)}{' '}
            <a href={`/?run=${result.origin.run_id}`}>{visibleText(result.origin.run_name)}</a>
          </span>
        )}
        {result.reason !== undefined && (
          <span title={reasonMeaning}>reason: {visibleText(result.reason)}</span>
        )}
        {tries > 1 && (
          <span>
            attempt {tries} of {tries}
          </span>
        )}
        <span className={classNames('mono', styles.id)}>
          <Wrapping text={visibleText(id)} />
          <CopyButton label="Copy id" className={styles.copy} text={() => id} />
        </span>
      </p>
    </div>
  );
}

/** With more trials, the list wraps into several compact lines. */
const maxWide = 10;

/** The trials of a case, with the current one marked. */
function Trials({
  page,
  trial,
  walk: { view, back },
}: {
  page: ResultPage;
  trial: number;
  walk: Walk;
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
            state={back.state}
            aria-current={row.index === page.index ? 'page' : undefined}
          >
            <StatusIcon standing={standingOf(row.status, row.passed)} />
            <span className="mono">~{row.trial}</span>
            {!isMany && (
              <span className={styles.latency}>
                {row.replayed === true ? 'replayed' : row.latency !== null && duration(row.latency)}
              </span>
            )}
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
