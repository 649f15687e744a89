import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useMemo } from 'react';
import type { Run } from '../api/client.js';
import { keys } from '../api/keys.js';
import { isNotFound } from '../api/problem.js';
import { useRun } from '../api/queries.js';
import { type RowFigures, useRowFigures } from '../api/row-queries.js';
import { Button } from '../components/controls/button.js';
import { Empty, Unreadable } from '../components/messages/empty.js';
import styles from './dashboard-page.module.css';
import { FilterLine } from './filters/filter-line.js';
import { Banners } from './messages/banners.js';
import { NothingFound } from './messages/nothing-found.js';
import { SelectionProvider } from './selection.js';
import { LatencyHistogram } from './summary/latency-histogram.js';
import { ScoreBars } from './summary/score-bars.js';
import { Totals } from './summary/totals.js';
import { UsageLine } from './summary/usage-line.js';
import { columnQuery, setHasUsage, visibleColumns } from './table/columns.js';
import { ResultsTable } from './table/results-table.js';
import { useFittedColumns } from './table/use-fitted-columns.js';
import { TopBar } from './top-bar/top-bar.js';
import { useView } from './use-view.js';
import { renderRowQuery } from './view-state.js';

/** The dashboard: the summary of a run, and its rows. */
export function DashboardPage() {
  const cache = useQueryClient();
  const [view, setView] = useView();
  const { data: known, error, refetch } = useRun(view.run ?? 'latest');
  const columns = useFittedColumns();
  const added = useMemo(() => columnQuery(visibleColumns(columns)), [columns]);
  const query = [renderRowQuery(view), added].filter((part) => part !== '').join('&');
  const rows = useRowFigures(known?.run_id ?? view.run, query);
  const figures = rows.data;
  const run = useMemo(() => known && atMomentOf(known, figures), [known, figures]);

  useEffect(() => {
    if (run) document.title = `${run.run_name} · ${run.session_name} · assay`;
  }, [run]);

  const hasCalls = (run?.usage ?? figures?.summary.usage)?.calls ?? 0;
  useLayoutEffect(() => setHasUsage(hasCalls > 0), [hasCalls]);

  // Put the run into the URL: the active run may change. A run that has not started has no URL of its own.
  const isPinned = view.run !== undefined || run === undefined || run.state === 'not_started';
  useEffect(() => {
    if (isPinned || run === undefined) return;
    cache.setQueryData(keys.run(run.run_id), known);
    setView((now) => ({ ...now, run: run.run_id }), { replace: true });
  }, [isPinned, run, known, cache, setView]);

  // The run may have been deleted since it was read.
  const isGone = isNotFound(error);
  if (run === undefined || isGone) {
    return error === null ? (
      <Reading what="the run" />
    ) : (
      <main>
        <RunMissing error={error} onRetry={() => void refetch()} />
      </main>
    );
  }
  return (
    <SelectionProvider key={run.run_id}>
      <TopBar run={run} figures={figures} />
      <main>
        <h1 className="sr">
          Run {run.run_name} in session {run.session_name}
        </h1>
        <Banners run={run} />
        {run.total_evaluations === 0 && <NothingFound run={run} />}
        {figures && run.total_evaluations > 0 && (
          <>
            <section className={styles.summary} aria-label="Summary of the filtered results">
              <Totals run={run} figures={figures} />
              <ScoreBars run={run} summary={figures.summary} />
              <LatencyHistogram latency={figures.summary.latency} />
              <UsageLine usage={figures.summary.usage} />
            </section>
            <FilterLine run={run.run_id} figures={figures} isSearching={rows.isPlaceholderData} />
            <ResultsTable run={run} figures={figures} query={query} />
          </>
        )}
        {figures === undefined && run.total_evaluations > 0 && rows.error === null && (
          <Reading what="the rows" />
        )}
        {rows.error && figures === undefined && (
          <Unreadable
            title="The rows cannot be read"
            error={rows.error}
            onRetry={() => rows.refetch()}
          />
        )}
      </main>
    </SelectionProvider>
  );
}

/** The run as of its rows and figures, so that the page is consistent while the run is in progress. */
function atMomentOf(run: Run, figures: RowFigures | undefined): Run {
  if (figures === undefined) return run;
  const { state, selected_total, unfinished } = figures.summary.progress;
  return { ...run, state, selected_total, unfinished };
}

/** The run of the URL does not exist, or cannot be read. */
function RunMissing({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const [view, setView] = useView();
  return isNotFound(error) ? (
    <Empty
      isPage
      title="There is no such run"
      actions={
        <Button onClick={() => setView({ ...view, run: undefined })}>Open the active run</Button>
      }
    >
      <p>
        The address names {view.run}. That run may have been deleted, or be in another results
        folder.
      </p>
    </Empty>
  ) : (
    <Unreadable isPage title="This run cannot be read" error={error} onRetry={onRetry} />
  );
}

/** A loading placeholder, delayed to avoid flicker. */
function Reading({ what }: { what: string }) {
  return (
    <p role="status" className={styles.reading}>
      Reading {what} …
    </p>
  );
}
