import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react';
import { Link } from 'wouter';
import { trendNotes } from '../../../src/text/trend-text.js';
import { ApiProblem, messageOf } from '../api/problem.js';
import { useSessions } from '../api/queries.js';
import type { Trend, TrendRun } from '../api/schema.js';
import { useShortcut } from '../app/shortcuts.js';
import { Button, buttonClass } from '../components/controls/button.js';
import { counted } from '../components/figures/figures.js';
import { Empty, Unreadable } from '../components/messages/empty.js';
import { Loading } from '../dashboard/messages/loading.js';
import { trendsAddress } from '../result/addresses.js';
import { visibleText } from '../result/values/visible-text.js';
import { PassRateChart } from './pass-rate-chart.js';
import { useRunCursor } from './run-cursor.js';
import { RunFilters } from './run-filters.js';
import { RunTable } from './run-table.js';
import { SmallCharts } from './small-charts.js';
import { TrendsBar } from './trends-bar.js';
import styles from './trends-page.module.css';
import { type SetTrendsView, useTrend, useTrendsView } from './use-trends-view.js';
import { isListed, type TrendsView, withoutRunFilters } from './view-state.js';

/** The runs of a session in order: pass rate, scores, cost and latency, with what is beyond chance. */
export function TrendsPage({ session }: { session: string }) {
  const [view, setView] = useTrendsView(session);
  const { data, error, refetch } = useTrend(session, view);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const choose = useCallback(
    (id: string) =>
      setChosen((now) => (now.includes(id) ? now.filter((one) => one !== id) : [...now, id])),
    [],
  );
  const runs = useMemo(() => data?.runs.slice(-Number(view.size)) ?? [], [data, view.size]);
  useEffect(() => {
    document.title = `Trends · ${session} · assay`;
  }, [session]);
  return (
    <>
      <TrendsBar {...{ session, runs, view, setView, chosen }} trend={data} />
      <main>
        {data ? (
          data.runs.length === 0 ? (
            <NoRuns trend={data} />
          ) : (
            <ShownTrend {...{ trend: data, runs, view, setView, chosen }} onChoose={choose} />
          )
        ) : error === null ? (
          <Loading what="the trends" />
        ) : error instanceof ApiProblem && view.baseline !== undefined ? (
          <Empty
            isPage
            title="Limits cannot count from this run"
            actions={
              <Button
                look="primary"
                onClick={() => setView((now) => ({ ...now, baseline: undefined }))}
              >
                Count from the oldest run
              </Button>
            }
          >
            <p>{messageOf(error)}</p>
          </Empty>
        ) : (
          <Unreadable
            isPage
            title="The trends cannot be read"
            error={error}
            onRetry={() => void refetch()}
          />
        )}
      </main>
    </>
  );
}

function ShownTrend({
  trend,
  runs,
  view,
  setView,
  chosen,
  onChoose,
}: {
  trend: Trend;
  runs: readonly TrendRun[];
  view: TrendsView;
  setView: SetTrendsView;
  chosen: readonly string[];
  onChoose: (id: string) => void;
}) {
  const cursor = useRunCursor();
  const [hasAllScores, setAllScores] = useState(false);
  const listed = useMemo(
    () => runs.filter((run) => isListed(run, view)).toReversed(),
    [runs, view],
  );
  const picked = useMemo(() => ({ ids: chosen, toggle: onChoose }), [chosen, onChoose]);
  useShortcut('select', () => cursor.id !== undefined && onChoose(cursor.id));
  const joined = trend.runs.filter(({ on_line }) => on_line).length;
  return (
    <>
      <h1 className="sr">Trends of session {visibleText(trend.session_name)}</h1>
      {runs.length > 1 ? (
        <>
          {joined === 0 && <NoLine trend={trend} view={view} setView={setView} />}
          <PassRateChart trend={trend} runs={runs} cursor={cursor} />
          <SmallCharts
            {...{ trend, runs, cursor }}
            isAll={hasAllScores}
            onAll={() => setAllScores(true)}
          />
        </>
      ) : (
        <p className={styles.alone}>
          <b>One run so far.</b> A line begins with the second:{' '}
          <code>assay run --session {trend.session_name}</code>
        </p>
      )}
      <Notes trend={trend} />
      <RunFilters runs={runs} listed={listed.length} view={view} setView={setView} />
      {listed.length === 0 ? (
        <Empty
          title="No run matches"
          actions={
            <Button look="primary" onClick={() => setView(withoutRunFilters)}>
              Clear filters
            </Button>
          }
        >
          <p>{counted(runs.length, 'run')} without these filters.</p>
        </Empty>
      ) : (
        <RunTable trend={trend} runs={listed} cursor={cursor} chosen={picked} />
      )}
    </>
  );
}

/** What there is to know of the whole trend. */
function Notes({ trend }: { trend: Trend }) {
  const notes = trend.runs.length < 2 && trend.unreadable.length === 0 ? [] : trendNotes(trend);
  if (notes.length === 0) return null;
  return (
    <ul className={styles.notes} aria-label="Notes">
      {notes.map((note) => (
        <li key={note}>{visibleText(note)}</li>
      ))}
    </ul>
  );
}

/** Says why no run is joined. */
function NoLine({
  trend,
  view,
  setView,
}: {
  trend: Trend;
  view: TrendsView;
  setView: SetTrendsView;
}) {
  return (
    <p className={styles.alone}>
      <b>No line.</b> A line joins finished runs
      {view.line === undefined
        ? ', and none has finished.'
        : ` of config ${visibleText(view.line)}; there is none.`}{' '}
      {view.line !== undefined && trend.runs.length > 0 && (
        <Button small onClick={() => setView((now) => ({ ...now, line: undefined }))}>
          Join those of the newest run
        </Button>
      )}
    </p>
  );
}

/** Sessions that are offered. */
const offered = 5;

function NoRuns({ trend: { session_name, unreadable } }: { trend: Trend }) {
  const { data: sessions = [] } = useSessions();
  const others: ReactNode[] = sessions
    .filter((name) => name !== session_name)
    .slice(0, offered)
    .map((name) => (
      <Link key={name} href={trendsAddress(name)} className={buttonClass({})}>
        {visibleText(name)}
      </Link>
    ));
  return (
    <Empty
      isPage
      title={
        <span>
          No runs in session <code>{visibleText(session_name)}</code>
        </span>
      }
      actions={
        <>
          <Link href="/" className={buttonClass({ look: 'primary' })}>
            Open the dashboard
          </Link>
          {others}
        </>
      }
    >
      <p>
        {unreadable.length > 0
          ? `${counted(unreadable.length, 'run')} cannot be read: ${visibleText(unreadable.join(', '))}.`
          : 'They may have been deleted, or be in another results folder.'}
      </p>
    </Empty>
  );
}
