import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useLayoutEffect, useMemo, useState } from 'react';
import { hasCalls } from '../../../src/model/calls/run-usage.js';
import type { Run } from '../api/client.js';
import { keys } from '../api/keys.js';
import { isNotFound } from '../api/problem.js';
import { type RowFigures, useRowFigures } from '../api/row-queries.js';
import { isReport } from '../app/report-mode.js';
import { loadable } from '../components/controls/loadable.js';
import { counted } from '../components/figures/figures.js';
import { Unreadable } from '../components/messages/empty.js';
import { DashboardState, useSelection } from './dashboard-state.js';
import { FilterLine } from './filters/filter-line.js';
import { FoundLine } from './filters/found-line.js';
import { Loading } from './messages/loading.js';
import { ReasonsFound, Tabs } from './reasons/tabs.js';
import { FollowLatest, useShownRun } from './shown-run.js';
import { Summary } from './summary/summary.js';
import { setShownRun, useFittedColumns } from './table/columns/column-store.js';
import { columnQuery, sameColumns, scoreOf, visibleColumns } from './table/columns/columns.js';
import { ResultsTable } from './table/results-table.js';
import { TopBar } from './top-bar/top-bar.js';
import { useView } from './use-view.js';
import { renderRowQuery } from './view-state.js';

const Banners = lazy(async () => ({
  default: (await import('./messages/banners.js')).Banners,
}));
const NothingFound = lazy(async () => ({
  default: (await import('./messages/nothing-found.js')).NothingFound,
}));
const UnknownRun = lazy(async () => ({
  default: (await import('./messages/unknown-run.js')).UnknownRun,
}));

/** The dashboard: the summary of a run, and its rows. */
export function DashboardPage() {
  const cache = useQueryClient();
  const [view, setView] = useView();
  const { data: known, error, refetch } = useShownRun(view.run);
  const isPinned = view.run !== undefined && view.run !== 'latest';
  const columns = useFittedColumns();
  const visible = useMemo(() => visibleColumns(columns), [columns]);
  const added = useMemo(() => columnQuery(visible), [visible]);
  const query = [renderRowQuery(view), added].filter((part) => part !== '').join('&');
  const rows = useRowFigures(known?.run_id ?? (isPinned ? view.run : undefined), query);
  const figures = rows.data;
  const run = useMemo(() => known && atMomentOf(known, figures), [known, figures]);

  useEffect(() => {
    if (run) document.title = `${run.run_name} · ${run.session_name} · assay`;
  }, [run]);

  const hasUsage = hasCalls(run?.usage ?? figures?.summary.usage);
  const same = useMemo(() => sameColumns(figures?.first ?? []), [figures]);
  useLayoutEffect(() => setShownRun(hasUsage, same), [hasUsage, same]);

  // Put the run into the URL: the active run may change. A run that has not started has no URL of its own.
  useEffect(() => {
    if (isPinned || run === undefined || run.state === 'not_started') return;
    cache.setQueryData(keys.run(run.run_id), known);
    setView((now) => ({ ...now, run: run.run_id }), { replace: true });
  }, [isPinned, run, known, cache, setView]);

  // The run may have been deleted since it was read.
  const isGone = isNotFound(error);
  if (run === undefined || isGone) {
    return error === null ? (
      <Loading what="the run" hasBar />
    ) : (
      <RunMissing error={error} onRetry={() => void refetch()} />
    );
  }
  return (
    <DashboardState key={run.run_id} run={run} figures={figures} query={query}>
      <FollowLatest />
      <TopBar />
      <main>
        <h1 className="sr">
          Run {run.run_name} in session {run.session_name}
        </h1>
        <Suspense>
          <Banners />
          {run.total_evaluations === 0 && <NothingFound />}
        </Suspense>
        {figures && run.total_evaluations > 0 && (
          <>
            <Summary hasScoreColumns={visible.some((id) => scoreOf(id) !== undefined)} />
            <FilterLine
              isSearching={rows.isPlaceholderData}
              tabs={<Tabs />}
              found={view.tab === 'reasons' && <ReasonsFound />}
            />
            <FoundLine />
            {view.tab === 'results' && view.chart.x !== undefined && <Chart />}
            {view.tab === 'reasons' ? <Reasons /> : <ResultsTable columns={columns} />}
            {!isReport && <SelectionPart />}
          </>
        )}
        {figures === undefined && run.total_evaluations > 0 && rows.error === null && (
          <Loading what={`${counted(run.total_evaluations, 'result')} of ${run.run_name}`} />
        )}
        {rows.error && figures === undefined && (
          <Unreadable
            title="The rows cannot be read"
            error={rows.error}
            onRetry={() => rows.refetch()}
          />
        )}
      </main>
    </DashboardState>
  );
}

const reasonsTable = loadable(() => import('./reasons/reasons-table.js'));

/** Why results failed, in place of the table. */
function Reasons() {
  const parts = reasonsTable.use(true);
  return parts && <parts.ReasonsTable />;
}

const chartPanel = loadable(() => import('./chart/chart-panel.js'));

/** The chart of the results, above the table. */
function Chart() {
  const parts = chartPanel.use(true);
  return parts && <parts.ChartPanel />;
}

const selectionBar = loadable(() => import('./bulk/selection-bar.js'));

/** The bar for the selection, from the first selected result on. */
function SelectionPart() {
  const { indices } = useSelection();
  const [isWanted, setWanted] = useState(false);
  if (indices.size > 0 && !isWanted) setWanted(true);
  const parts = selectionBar.use(isWanted);
  return isWanted && parts && <parts.SelectionBar />;
}

/** The run as of its rows and figures, so that the page is consistent while the run is in progress. */
function atMomentOf(run: Run, figures: RowFigures | undefined): Run {
  if (figures === undefined) return run;
  const { state, selected_total, unfinished } = figures.summary.progress;
  return { ...run, state, selected_total, unfinished };
}

/** The run of the URL does not exist, or cannot be read. */
function RunMissing({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const [view] = useView();
  if (isNotFound(error) && view.run !== undefined) {
    return (
      <Suspense>
        <UnknownRun name={view.run} />
      </Suspense>
    );
  }
  return (
    <main>
      <Unreadable isPage title="This run cannot be read" error={error} onRetry={onRetry} />
    </main>
  );
}
