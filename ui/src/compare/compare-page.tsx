import { useEffect } from 'react';
import { Redirect } from 'wouter';
import { useSearch } from 'wouter/use-browser-location';
import { messageOf } from '../api/problem.js';
import { useRun } from '../api/queries.js';
import type { RunHead } from '../api/schema.js';
import { useShortcut } from '../app/shortcuts.js';
import { Button } from '../components/controls/button.js';
import { counted } from '../components/figures/figures.js';
import { Banner } from '../components/messages/banner.js';
import { Empty, Unreadable } from '../components/messages/empty.js';
import { Loading } from '../dashboard/messages/loading.js';
import { matrixHref } from '../result/addresses.js';
import { useUndoIn } from '../result/scores/grading.js';
import { CompareBar } from './compare-bar.js';
import styles from './compare-page.module.css';
import { MissingRuns, TooFewRuns } from './missing-runs.js';
import { PairFilters } from './pair-filters.js';
import { PairList } from './pairs/pair-list.js';
import { worseUnits } from './pairs/pair-words.js';
import { type PairFigures, useComparison, usePairFigures, useRunFacets } from './queries.js';
import { CompareSummary } from './summary/compare-summary.js';
import { useCompareView } from './use-compare-view.js';
import {
  isFilteredComparison,
  maxRuns,
  renderPairQuery,
  withoutCompareFilters,
  withRuns,
} from './view-state.js';

/** Two to four runs side by side; more are a matrix. */
export function ComparePage() {
  const [{ runs }] = useCompareView();
  const named = new URLSearchParams(useSearch()).getAll('run');
  if (new Set(named).size > maxRuns) return <Redirect to={matrixHref(named)} replace />;
  return runs.includes('latest') ? <ActiveRunNamed /> : <Compared />;
}

/** Replaces `latest` in the URL by the id of the active run, because the active run may change. */
function ActiveRunNamed() {
  const [, setView] = useCompareView();
  const { data: active } = useRun('latest');
  useEffect(() => {
    if (active === undefined) return;
    const idOf = (run: string) => (run === 'latest' ? active.run_id : run);
    setView((now) => ({ ...now, runs: [...new Set(now.runs.map(idOf))] }), { replace: true });
  }, [active, setView]);
  return null;
}

function Compared() {
  const [view, setView] = useCompareView();
  const { runs } = view;
  const facets = useRunFacets(runs);
  const comparison = useComparison(runs);
  const query = renderPairQuery(view);
  const pairs = usePairFigures(runs, query);
  useUndoIn(runs);
  useShortcut('diff', () =>
    setView((now) => ({ ...now, hasDiff: !now.hasDiff }), { replace: true }),
  );

  // The pairs arrive first; the figures of long runs take a while.
  const heads = pairs.data?.runs ?? comparison.data?.runs;
  const names = heads?.map(({ run_name }) => run_name).join(', ');
  useEffect(() => {
    document.title = names === undefined ? 'Compare · assay' : `Compare ${names} · assay`;
  }, [names]);

  const setRuns = (next: readonly string[]) => setView((now) => withRuns(now, next));
  const error = pairs.error ?? comparison.error;
  const isMissing = facets.errors.some(Boolean);
  return (
    <>
      <CompareBar
        runs={runs}
        session={heads?.[0]?.session_name}
        comparison={comparison.data}
        figures={pairs.data}
      />
      <main>
        <h1 className="sr">{names === undefined ? 'Compare runs' : `Compare ${names}`}</h1>
        {isMissing ? (
          <MissingRuns runs={runs} errors={facets.errors} onRuns={setRuns} />
        ) : runs.length < 2 ? (
          <TooFewRuns runs={runs} most={maxRuns} onPick={(id) => setRuns([...runs, id])} />
        ) : error && heads === undefined ? (
          <Unreadable
            title="These runs cannot be compared"
            error={error}
            onRetry={() => {
              void comparison.refetch();
              void pairs.refetch();
            }}
          />
        ) : heads === undefined ? (
          <Loading what="the comparison" className={styles.loading} />
        ) : (
          <ComparisonBody
            runs={heads}
            comparison={comparison}
            pairs={pairs}
            query={query}
            facets={facets}
          />
        )}
      </main>
    </>
  );
}

/** The comparison of valid runs: summary, filters and pairs, each as soon as it is loaded. */
function ComparisonBody({
  runs,
  comparison,
  pairs,
  query,
  facets,
}: {
  runs: readonly RunHead[];
  comparison: ReturnType<typeof useComparison>;
  pairs: ReturnType<typeof usePairFigures>;
  query: string;
  facets: ReturnType<typeof useRunFacets>;
}) {
  const [view, setView] = useCompareView();
  const figures = pairs.data;
  const clear = (
    <Button look="primary" onClick={() => setView(withoutCompareFilters)}>
      Clear filters
    </Button>
  );
  return (
    <>
      {comparison.error && (
        <Banner
          kind="bad"
          end={
            <Button small onClick={() => void comparison.refetch()}>
              Try again
            </Button>
          }
        >
          <b>The figures cannot be read.</b> {messageOf(comparison.error)}
        </Banner>
      )}
      <CompareSummary
        runs={runs}
        comparison={comparison.data}
        changes={figures?.changes}
        identical={
          figures && !isFilteredComparison(view) && areIdentical(figures) ? figures.total : 0
        }
        scores={facets.scores}
      />
      {figures && (
        <>
          <PairFilters
            runs={runs.map(({ run_id }) => run_id)}
            query={query}
            figures={figures}
            comparison={comparison.data}
            facets={facets}
          />
          {figures.total === 0 ? (
            <Empty title="There is nothing in these runs" />
          ) : figures.filtered === 0 ? (
            <Empty title="No pair matches" actions={clear}>
              <p>
                {counted(figures.total, 'pair')} without these filters
                {view.search !== '' &&
                  `; “${view.search}” is looked for in names, inputs, outputs, references, errors and annotations`}
                .
              </p>
            </Empty>
          ) : (
            <PairList
              runs={runs}
              figures={figures}
              worse={worseUnits(comparison.data)}
              hasDiff={view.hasDiff}
            />
          )}
        </>
      )}
      {figures === undefined && pairs.error && (
        <Empty title="The pairs cannot be read" actions={clear}>
          <p>{messageOf(pairs.error)}</p>
        </Empty>
      )}
    </>
  );
}

/** Whether every pair is the same in all runs. */
function areIdentical({ changes, total }: Pick<PairFigures, 'changes' | 'total'>): boolean {
  return total > 0 && changes.every((counts) => counts === null || counts.same === total);
}
