import { useEffect } from 'react';
import { Link, useLocation } from 'wouter';
import { isNotFound } from '../api/problem.js';
import type { CallsPage as Calls } from '../api/schema.js';
import { useShortcut } from '../app/shortcuts.js';
import { flipTheme } from '../app/theme.js';
import barStyles from '../compare/compare-bar.module.css';
import { classNames } from '../components/class-names.js';
import { BackLink, Bar, BarSpace, BarTools, Slash } from '../components/controls/bar.js';
import { Button, buttonClass, IconButton } from '../components/controls/button.js';
import { CopyButton } from '../components/controls/copy-button.js';
import { SearchField } from '../components/controls/search-field.js';
import { counted } from '../components/figures/figures.js';
import { Banner } from '../components/messages/banner.js';
import { Empty, Unreadable } from '../components/messages/empty.js';
import { NoSuchRun } from '../components/runs/no-such-run.js';
import { Loading } from '../dashboard/messages/loading.js';
import { callsAddress } from '../result/addresses.js';
import { visibleText } from '../result/values/visible-text.js';
import { CallFilters, callFiltersId } from './call-filters.js';
import { CallSummary } from './call-summary.js';
import { CallTable } from './call-table.js';
import { callsQuery, useCallsFigures, useCallsView, withoutCallFilters } from './calls-view.js';

/** All calls of models of a run. */
export function CallsPage({ runId }: { runId: string }) {
  const [, navigate] = useLocation();
  const [view, setView] = useCallsView(callsAddress(runId));
  const query = callsQuery(view);
  const { data, error, refetch } = useCallsFigures(runId, query);
  const back = `/?run=${encodeURIComponent(runId)}`;
  useShortcut('back', () => navigate(back));
  useShortcut('filters', focusFilters);
  const name = data?.run_name;
  useEffect(() => {
    document.title = name === undefined ? 'Calls · assay' : `Calls · ${name} · assay`;
  }, [name]);
  return (
    <>
      <Bar>
        <BackLink href={back} />
        {name !== undefined && (
          <>
            <Slash className={barStyles.wide} />
            <span className={classNames('cut', barStyles.wide)}>{visibleText(name)}</span>
          </>
        )}
        <Slash className={barStyles.wide} />
        <span>calls</span>
        <BarSpace />
        {data && (
          <SearchField
            search={view.search}
            placeholder={`Search ${counted(data.total, 'call')}`}
            className={barStyles.search}
            onSearch={(search) => setView((now) => ({ ...now, search }), { replace: true })}
          />
        )}
        <BarTools className={barStyles.tools}>
          {data && <IconButton icon="filter" label="Filters" onClick={focusFilters} />}
          <CopyButton label="Copy link" icon="chain" text={() => location.href} />
          <IconButton icon="theme" label="Theme" onClick={flipTheme} />
        </BarTools>
      </Bar>
      <main>
        <h1 className="sr">All calls{name !== undefined && ` of run ${name}`}</h1>
        {data ? (
          <ShownCalls run={runId} page={data} query={query} />
        ) : error === null ? (
          <Loading what="the calls" />
        ) : isNotFound(error) ? (
          <NoSuchRun
            names={[runId]}
            actions={
              <Link href="/" className={buttonClass({ look: 'primary' })}>
                Open the dashboard
              </Link>
            }
            onPick={(id) => navigate(callsAddress(id))}
          />
        ) : (
          <Unreadable
            isPage
            title="The calls cannot be read"
            error={error}
            onRetry={() => void refetch()}
          />
        )}
      </main>
    </>
  );
}

function focusFilters(): void {
  document.getElementById(callFiltersId)?.querySelector('button')?.focus();
}

function ShownCalls({ run, page, query }: { run: string; page: Calls; query: string }) {
  const [view, setView] = useCallsView(callsAddress(run));
  const { summary } = page;
  if (page.total === 0) {
    return (
      <Empty
        title="No calls of models were seen"
        actions={
          <Link
            href={`/?run=${encodeURIComponent(run)}`}
            className={buttonClass({ look: 'primary' })}
          >
            Back to the results
          </Link>
        }
      >
        <p>This run made none, or did not record them (capture: off).</p>
      </Empty>
    );
  }
  if (summary === undefined) return null;
  return (
    <>
      {page.unreadable && (
        <Banner kind="bad">
          <b>Calls are missing.</b> Lines of the log with calls are damaged.
        </Banner>
      )}
      <CallSummary summary={summary} run={run} view={view} setView={setView} />
      <CallFilters page={page} facets={summary.facets} view={view} setView={setView} />
      {page.filtered === 0 ? (
        <Empty
          title="No call matches"
          actions={
            <Button look="primary" onClick={() => setView(withoutCallFilters)}>
              Clear filters
            </Button>
          }
        >
          <p>{counted(page.total, 'call')} without these filters.</p>
        </Empty>
      ) : (
        <CallTable run={run} page={page} query={query} view={view} setView={setView} />
      )}
    </>
  );
}
