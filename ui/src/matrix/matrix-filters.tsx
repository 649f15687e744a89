import { useLocation } from 'wouter';
import { scoreName } from '../../../src/text/score-name.js';
import { letterOf } from '../compare/letters.js';
import { ValueFilter } from '../compare/pair-filters.js';
import { Button } from '../components/controls/button.js';
import { FilterPill } from '../components/controls/filter-pill.js';
import { count } from '../components/figures/figures.js';
import lineStyles from '../dashboard/filters/filter-line.module.css';
import { cycle, withChoice } from '../dashboard/view-state.js';
import { filterLineId } from './matrix-bar.js';
import styles from './matrix-filters.module.css';
import type { MatrixFigures } from './queries.js';
import { useMatrixView } from './use-matrix-view.js';
import { isFilteredMatrix, withoutMatrixFilters } from './view-state.js';

/** The line between summary and table: what cells show, and filters. */
export function MatrixFilters({
  figures: { facets, filtered, total },
  chosen,
  runs,
}: {
  figures: MatrixFigures;
  /** The runs that are chosen for a comparison, by id. */
  chosen: readonly string[];
  /** The ids of all runs. */
  runs: readonly string[];
}) {
  const [view, setView] = useMatrixView();
  const [, navigate] = useLocation();
  const shows = [
    ['verdict', 'verdict'],
    ...facets.score.map(({ key }) => [`score:${key}`, scoreName(key)] as const),
    ['cost', 'cost'],
    ['latency', 'latency'],
  ] as const;
  const differing = new Map(facets.differ.map(({ value, count }) => [value, count]));
  const toggleDiffer = (wanted: boolean) =>
    setView((now) => ({ ...now, differ: now.differ === wanted ? undefined : wanted }));
  const compared = runs.filter((id) => chosen.includes(id));
  return (
    <nav className={lineStyles.line} aria-label="Filters" id={filterLineId}>
      <span className={lineStyles.group}>show</span>
      <span role="group" aria-label="What a cell shows" className={styles.shows}>
        {shows.map(([show, text]) => (
          <button
            key={show}
            type="button"
            aria-pressed={view.show === show}
            onClick={() => setView((now) => ({ ...now, show }), { replace: true })}
          >
            {text}
          </button>
        ))}
      </span>
      <span className={lineStyles.group}>rows</span>
      <FilterPill
        standing={view.differ === true ? 'in' : 'off'}
        text="variants differ"
        count={differing.get(true)}
        onClick={() => toggleDiffer(true)}
      />
      <FilterPill
        standing={view.differ === false ? 'in' : 'off'}
        text="same everywhere"
        count={differing.get(false)}
        onClick={() => toggleDiffer(false)}
      />
      {(['dataset', 'where'] as const).map((kind) => (
        <ValueFilter
          key={kind}
          name={kind}
          values={kind === 'dataset' ? facets.dataset.map(({ value }) => value) : []}
          choice={view.filters[kind]}
          onCycle={(value) =>
            setView((now) => withChoice(now, kind, cycle(now.filters[kind], value)))
          }
        />
      ))}
      {isFilteredMatrix(view) && (
        <Button look="ghost" small onClick={() => setView(withoutMatrixFilters)}>
          Clear
        </Button>
      )}
      <span className={lineStyles.space} />
      {compared.length > 0 && (
        <Button
          small
          icon="compare"
          disabled={compared.length < 2 || compared.length > 4}
          title={compared.length < 2 ? 'Choose another run' : 'Opens the comparison'}
          onClick={() =>
            navigate(`/compare?${new URLSearchParams(compared.map((id) => ['run', id]))}`)
          }
        >
          Compare {compared.map((id) => letterOf(runs.indexOf(id))).join(', ')}
        </Button>
      )}
      <span className={lineStyles.end}>
        <span className="quiet" role="status">
          <b>{count(filtered)}</b> of {count(total)} {total === 1 ? 'case' : 'cases'}
        </span>
      </span>
    </nav>
  );
}
