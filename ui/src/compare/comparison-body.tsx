import { messageOf } from '../api/problem.js';
import type { RunHead } from '../api/schema.js';
import { Button } from '../components/controls/button.js';
import { counted } from '../components/figures/figures.js';
import { Banner } from '../components/messages/banner.js';
import { Empty } from '../components/messages/empty.js';
import { PairFilters } from './filters/pair-filters.js';
import { PairList } from './pairs/pair-list.js';
import { worseUnits } from './pairs/pair-words.js';
import type { PairFigures, useComparison, usePairFigures, useRunFacets } from './queries.js';
import { CompareSummary } from './summary/compare-summary.js';
import { useCompareView } from './use-compare-view.js';
import { isFilteredComparison, withoutCompareFilters } from './view-state.js';

/** The comparison of valid runs: summary, filters and pairs, each as soon as it is loaded. */
export function ComparisonBody({
  runs,
  comparison,
  pairs,
  query,
  facets: { datasets, labels, scores, hasCalls },
}: {
  runs: readonly RunHead[];
  comparison: ReturnType<typeof useComparison>;
  pairs: ReturnType<typeof usePairFigures>;
  query: string;
  facets: Pick<ReturnType<typeof useRunFacets>, 'datasets' | 'labels' | 'scores' | 'hasCalls'>;
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
        scores={scores}
      />
      {figures && (
        <>
          <PairFilters
            runs={runs.map(({ run_id }) => run_id)}
            query={query}
            figures={figures}
            scores={scores}
            datasets={datasets}
            labels={labels}
            hasCalls={hasCalls}
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
