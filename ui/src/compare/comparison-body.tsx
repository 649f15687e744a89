import { messageOf } from '../api/problem.js';
import { Button } from '../components/button.js';
import { Empty } from '../components/empty.js';
import { counted } from '../components/figures.js';
import type { RunComparison } from './comparison.js';
import { PairFilters } from './filters/pair-filters.js';
import { PairList } from './pairs/pair-list.js';
import type { PairFigures } from './queries.js';
import { CompareSummary } from './summary/compare-summary.js';
import { useCompareView } from './use-compare-view.js';
import { withoutCompareFilters } from './view-state.js';

/** Runs that can be compared: the summary, the filters and the pairs. */
export function ComparisonBody({
  comparison,
  figures,
  error,
  query,
  datasets,
  labels,
}: {
  comparison: RunComparison;
  figures: PairFigures | undefined;
  /** Why there are no pairs. */
  error: Error | null;
  query: string;
  datasets: readonly string[];
  labels: readonly string[];
}) {
  const [view, setView] = useCompareView();
  const scores = comparison.runs.flatMap((run) => run.scores.map(({ key }) => key));
  const clear = (
    <Button look="primary" onClick={() => setView(withoutCompareFilters)}>
      Clear filters
    </Button>
  );
  return (
    <>
      <CompareSummary comparison={comparison} figures={figures} />
      {figures && (
        <>
          <PairFilters
            runs={comparison.runs.map(({ run_id }) => run_id)}
            query={query}
            figures={figures}
            scores={[...new Set(scores)]}
            datasets={datasets}
            labels={labels}
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
            <PairList comparison={comparison} figures={figures} hasDiff={view.hasDiff} />
          )}
        </>
      )}
      {error && (
        <Empty title="The pairs cannot be read" actions={clear}>
          <p>{messageOf(error)}</p>
        </Empty>
      )}
    </>
  );
}
