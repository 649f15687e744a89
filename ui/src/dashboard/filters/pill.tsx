import { FilterPill } from '../../components/filter-pill.js';
import { useView } from '../use-view.js';
import { cycle, type FilterKind, standing, withChoice } from '../view-state.js';
import { filterText } from './filter-text.js';

/** A value to filter by: a click includes it, the next one excludes it, a third one lets it be. */
export function Pill({
  kind,
  value,
  count,
  text = filterText(kind, value),
}: {
  kind: FilterKind;
  value: string;
  /** How many results it would leave, where that is known. */
  count?: number | undefined;
  /** Shorter words, where what stands before says the rest. */
  text?: string;
}) {
  const [view, setView] = useView();
  return (
    <FilterPill
      standing={standing(view.filters[kind], value)}
      text={text}
      count={count}
      data-filter={`${kind}=${value}`}
      onClick={() => setView((then) => withChoice(then, kind, cycle(then.filters[kind], value)))}
    />
  );
}
