import { useEffect } from 'react';
import { isNotFound, messageOf } from '../api/problem.js';
import { useRun } from '../api/queries.js';
import type { RunHead } from '../api/schema.js';
import { useShortcut } from '../app/shortcuts.js';
import { Button } from '../components/controls/button.js';
import { counted } from '../components/figures/figures.js';
import { Banner } from '../components/messages/banner.js';
import { Empty, Unreadable } from '../components/messages/empty.js';
import { NoSuchRun } from '../components/runs/no-such-run.js';
import { Loading } from '../dashboard/messages/loading.js';
import { CompareBar } from './compare-bar.js';
import styles from './compare-page.module.css';
import { PairFilters } from './pair-filters.js';
import { PairList } from './pairs/pair-list.js';
import { worseUnits } from './pairs/pair-words.js';
import { type PairFigures, useComparison, usePairFigures, useRunFacets } from './queries.js';
import { RunChooser } from './run-chooser.js';
import { CompareSummary } from './summary/compare-summary.js';
import { useCompareView } from './use-compare-view.js';
import {
  isFilteredComparison,
  renderPairQuery,
  withoutCompareFilters,
  withRuns,
} from './view-state.js';

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

/** Shows which runs of the URL cannot be read, and offers to continue without them. */
function MissingRuns({
  runs,
  errors,
}: {
  runs: readonly string[];
  /** The error of each run, if any. */
  errors: readonly (Error | null)[];
}) {
  const [, setView] = useCompareView();
  const bad = runs.filter((_, n) => errors[n]);
  const first = errors.find((error) => error !== null);
  const rest = runs.filter((run) => !bad.includes(run));
  const isGone = errors.every((error) => error === null || isNotFound(error));
  const goOn = (
    <Button look="primary" onClick={() => setView((view) => withRuns(view, rest))}>
      {rest.length === 0 ? 'Choose runs' : 'Go on without'}
    </Button>
  );
  if (isGone) {
    const instead = (id: string) => [...new Set(runs.map((run) => (run === bad[0] ? id : run)))];
    return (
      <NoSuchRun
        names={bad}
        isPage={false}
        actions={goOn}
        onPick={(id) => setView((view) => withRuns(view, instead(id)))}
      />
    );
  }
  return (
    <Empty title="A run cannot be read" actions={goOn}>
      <p>
        {bad.join(', ')}: {messageOf(first)}
      </p>
    </Empty>
  );
}

/** A list for choosing a run when there are too few to compare. */
function TooFewRuns({ runs }: { runs: readonly string[] }) {
  const [, setView] = useCompareView();
  const [only] = runs;
  // Without a run, default to the session of the active one.
  const { data: run } = useRun(only ?? 'latest');
  const name = only === undefined ? undefined : run?.run_name;
  return (
    <Empty title={only === undefined ? 'Choose a base' : `Compare ${name ?? 'it'} with …`}>
      <p>
        {only === undefined
          ? 'Every run is compared with the first one. Cases are paired by id, never by position.'
          : `${name ?? 'The run'} is the base; the run you choose is compared with it. You can compare up to four runs.`}
      </p>
      <div className={styles.list}>
        <RunChooser
          taken={run && only !== undefined ? [run.run_id] : runs}
          session={run?.session_name}
          onPick={(id) => setView((view) => withRuns(view, [...view.runs, id]))}
        />
      </div>
    </Empty>
  );
}
