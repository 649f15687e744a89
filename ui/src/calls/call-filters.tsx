import type { CallsPage } from '../api/schema.js';
import { ValueFilter } from '../compare/pair-filters.js';
import { Button } from '../components/controls/button.js';
import { FilterPill } from '../components/controls/filter-pill.js';
import { count, counted } from '../components/figures/figures.js';
import lineStyles from '../dashboard/filters/filter-line.module.css';
import { cycle, standing } from '../dashboard/view-state.js';
import { roleName } from './call-words.js';
import {
  type CallFilterKind,
  type CallsSummary,
  type CallsView,
  isFilteredCalls,
  type SetCallsView,
  withoutCallFilters,
} from './calls-view.js';

/** Id of the filter line, which takes the focus. */
export const callFiltersId = 'filters';

const stateNames: Readonly<Record<string, string>> = {
  failed: 'failed',
  at_limit: 'cut at limit',
  tool_failed: 'tool not ok',
  replayed: 'replayed',
  carried: 'carried',
  not_priced: 'not priced',
  slow: 'slow',
  dear: 'dear',
};

/** States that are pills of their own only for p95. */
const overP95 = ['slow', 'dear'];

interface Filtering {
  readonly facets: CallsSummary['facets'];
  readonly view: CallsView;
  readonly setView: SetCallsView;
}

/** The line between summary and table. */
export function CallFilters({
  page,
  facets,
  view,
  setView,
}: Filtering & { readonly page: CallsPage }) {
  const all = { facets, view, setView };
  const filterBy = (kind: CallFilterKind) => ({
    name: kind,
    values: facets[kind].map(({ value }) => value),
    choice: view.filters[kind],
    onCycle: (value: string) => setView((now) => withCycled(now, kind, value)),
  });
  const states = facets.state.filter(({ value }) => !overP95.includes(value));
  return (
    <nav className={lineStyles.line} aria-label="Filters" id={callFiltersId}>
      <Pills {...all} kind="role" title="role" values={facets.role} nameOf={roleName} />
      <Pills {...all} kind="state" title="status" values={states} nameOf={stateName} />
      <Pills
        {...all}
        kind="state"
        title="over p95"
        values={facets.state.filter(({ value }) => overP95.includes(value))}
        nameOf={stateName}
      />
      <ValueFilter {...filterBy('model')} />
      <ValueFilter {...filterBy('tool')} />
      <ValueFilter {...filterBy('provider')} />
      {isFilteredCalls(view) && (
        <Button look="ghost" small onClick={() => setView(withoutCallFilters)}>
          Clear
        </Button>
      )}
      <span className={lineStyles.space} />
      <span className={lineStyles.end}>
        <span className="quiet" role="status">
          <b>{count(page.filtered)}</b> {page.filtered === 1 ? 'call' : 'calls'} of{' '}
          {counted(page.results, 'result')}
        </span>
      </span>
    </nav>
  );
}

const stateName = (state: string) => stateNames[state] ?? state;

type Values = CallsSummary['facets'][CallFilterKind];

/** A pill for each value; those that match nothing are left out. */
function Pills({
  kind,
  title,
  values,
  nameOf,
  view,
  setView,
}: Filtering & {
  readonly kind: CallFilterKind;
  readonly title: string;
  readonly values: Values;
  readonly nameOf: (value: string) => string;
}) {
  const choice = view.filters[kind];
  const shown = values.filter(({ value, count }) => count > 0 || standing(choice, value) !== 'off');
  if (shown.length === 0) return null;
  return (
    <>
      <span className={lineStyles.group}>{title}</span>
      {shown.map(({ value, count }) => (
        <FilterPill
          key={value}
          standing={standing(choice, value)}
          text={nameOf(value)}
          count={count}
          onClick={() => setView((now) => withCycled(now, kind, value))}
        />
      ))}
    </>
  );
}

function withCycled(view: CallsView, kind: CallFilterKind, value: string): CallsView {
  return { ...view, filters: { ...view.filters, [kind]: cycle(view.filters[kind], value) } };
}
