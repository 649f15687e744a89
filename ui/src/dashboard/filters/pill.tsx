import { FilterPill } from '../../components/controls/filter-pill.js';
import { tellingEnds } from '../../components/names/telling-end.js';
import { useView } from '../use-view.js';
import {
  cycle,
  type FilterKind,
  standing,
  type View,
  withChoice,
  withCondition,
} from '../view-state.js';
import { type FilterValue, filterText } from './filter-values.js';

/** A filter value: a click includes it, the next one excludes it, a third one clears it. */
export function Pill({
  kind,
  value,
  end,
  count,
  text = filterText(kind, value),
}: {
  kind: FilterKind;
  value: string;
  /** Length of the end of its text that is never cut. */
  end?: number | undefined;
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
      end={end}
      count={count}
      data-filter={`${kind}=${value}`}
      onClick={() => setView((then) => cycled(then, kind, value))}
    />
  );
}

function cycled(view: View, kind: FilterKind, value: string): View {
  const choice = view.filters[kind];
  const isNew = standing(choice, value) === 'off';
  return kind === 'where' && isNew
    ? withCondition(view, value)
    : withChoice(view, kind, cycle(choice, value));
}

/** Lengths of the ends that tell the texts of pills apart. */
export function pillEnds(values: readonly FilterValue[]) {
  const ends = tellingEnds(values.map(({ kind, value }) => filterText(kind, value)));
  return (kind: FilterKind, value: string) => ends.get(filterText(kind, value));
}
