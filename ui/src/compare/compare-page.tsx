import { useEffect } from 'react';
import { useRun } from '../api/queries.js';
import { useShortcut } from '../app/shortcuts.js';
import { Unreadable } from '../components/messages/empty.js';
import { Loading } from '../dashboard/messages/loading.js';
import styles from './compare-page.module.css';
import { ComparisonBody } from './comparison-body.js';
import { MissingRuns, TooFewRuns } from './missing-runs.js';
import { useComparison, usePairFigures, useRunFacets } from './queries.js';
import { CompareBar } from './top-bar/compare-bar.js';
import { useCompareView } from './use-compare-view.js';
import { renderPairQuery } from './view-state.js';

/** Two to four runs side by side. */
export function ComparePage() {
  const [{ runs }] = useCompareView();
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
  useShortcut('diff', () =>
    setView((now) => ({ ...now, hasDiff: !now.hasDiff }), { replace: true }),
  );

  // The pairs arrive first; the figures of long runs take a while.
  const heads = pairs.data?.runs ?? comparison.data?.runs;
  const names = heads?.map(({ run_name }) => run_name).join(', ');
  useEffect(() => {
    document.title = names === undefined ? 'Compare · assay' : `Compare ${names} · assay`;
  }, [names]);

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
          <MissingRuns runs={runs} errors={facets.errors} />
        ) : runs.length < 2 ? (
          <TooFewRuns runs={runs} />
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
