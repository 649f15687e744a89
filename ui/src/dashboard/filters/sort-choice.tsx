import type { RowFacets } from '../../api/schema.js';
import { classNames } from '../../components/class-names.js';
import { Icon } from '../../components/icon.js';
import { sortBy, sortOf } from '../table/sorting.js';
import { useView } from '../use-view.js';
import styles from './filter-panel.module.css';

const columns = [
  ['index', 'as run'],
  ['function', 'name'],
  ['dataset', 'dataset'],
  ['status', 'status'],
  ['latency', 'latency'],
  ['calls', 'calls'],
  ['tokens', 'tokens'],
  ['cost', 'cost'],
] as const;

/** The sort order, for layouts without a table head. A click sorts one way, the next one the other way. */
export function SortChoice({ facets }: { facets: RowFacets }) {
  const [view, setView] = useView();
  const scores = facets.score.map(({ key }) => [`score:${key}`, key] as const);
  return (
    <fieldset className={styles.section}>
      <legend>sort</legend>
      <div className={styles.values}>
        {[...columns, ...scores].map(([sort, name]) => {
          const sorted = sortOf(view, [sort]);
          return (
            <button
              key={sort}
              type="button"
              aria-pressed={sorted !== undefined}
              className={styles.sort}
              onClick={() => setView((now) => sortBy(now, sort))}
            >
              {name}
              {sorted && sort !== 'index' && (
                <Icon name="up" className={classNames(sorted === 'descending' && styles.down)} />
              )}
              <span className="sr">{sort !== 'index' && sorted}</span>
            </button>
          );
        })}
      </div>
    </fieldset>
  );
}
