import { FilterPill } from '../../components/controls/filter-pill.js';
import { useView } from '../use-view.js';
import { cycle, type FilterKind, standing, withChoice } from '../view-state.js';
import { filterText } from './filter-text.js';

/** A filter value: a click includes it, the next one excludes it, a third one clears it. */
export function Pill({
  kind,
  value,
  count,
  text = filterText(kind, value),
}: {
  kind: FilterKind;
  value: string;
  /** The number of matching results, if known. */
  count?: number | undefined;
  /** A shorter text, if the label before it is enough context. */
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
