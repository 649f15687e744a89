import type { RowFigures } from '../../api/row-queries.js';

/** The line of filters between summary and table. */
export function FilterLine({ figures }: { figures: RowFigures }) {
  return <nav aria-label="Filters">{figures.filtered} results</nav>;
}
