import type { Change } from '../../../src/compare/cases/change.js';
import { scoreName } from '../../../src/text/score-name.js';
import { amountNames } from '../../../src/text/usage-text.js';
import type { RunComparison } from '../api/schema.js';
import { classNames } from '../components/class-names.js';
import { Button } from '../components/controls/button.js';
import { FilterPill } from '../components/controls/filter-pill.js';
import { Menu, MenuItem, MenuLine } from '../components/controls/menu.js';
import { Switch } from '../components/controls/switch.js';
import { count } from '../components/figures/figures.js';
import { Icon } from '../components/icons/icon.js';
import { tellingEnds } from '../components/names/telling-end.js';
import lineStyles from '../dashboard/filters/filter-line.module.css';
import {
  type ChosenValues,
  cycle,
  type FilterKind,
  isChosen,
  standing,
} from '../dashboard/view-state.js';
import { changeGroups } from './changes.js';
import { filterLineId } from './compare-bar.js';
import { DifferenceFilter } from './difference-filter.js';
import styles from './pair-filters.module.css';
import { type PairFigures, useChangeTotals, type useRunFacets } from './queries.js';
import { useCompareView } from './use-compare-view.js';
import {
  type CompareView,
  changeStanding,
  cycleChanges,
  isFilteredComparison,
  withoutCompareFilters,
} from './view-state.js';

const orders: readonly Order[] = [
  { sort: 'change', text: 'change', note: 'Regressed first' },
  { sort: 'index', text: 'order of the base' },
  { sort: 'function', text: 'name' },
  { sort: 'dataset', text: 'dataset' },
  { sort: 'passed', text: 'pass rate', note: 'Largest drop first' },
  { sort: 'latency', text: 'latency', note: 'Largest slowdown first', descending: true },
];

/** Orders of pairs of runs that made calls. */
const usageOrders: readonly Order[] = (['cost', 'tokens', 'calls'] as const).map((sort) => ({
  sort,
  text: amountNames[sort],
  note: 'Largest increase first',
  descending: true,
}));

/** Statuses and verdicts offered as filters; a pair matches if one of its results does. */
const statusFilters = ['passed', 'failed', 'error', 'no_verdict', 'cancelled', 'not_started'];

const groups: readonly (readonly Change[])[] = changeGroups.map(({ changes }) => changes);

/** The line between summary and pairs: filters and sort order. */
export function PairFilters({
  runs,
  query,
  figures,
  comparison,
  facets: { datasets, labels, scores, hasCalls },
}: {
  runs: readonly string[];
  query: string;
  figures: PairFigures;
  comparison: RunComparison | undefined;
  facets: Pick<ReturnType<typeof useRunFacets>, 'datasets' | 'labels' | 'scores' | 'hasCalls'>;
}) {
  const [view, setView] = useCompareView();
  const totals = useChangeTotals(runs, query, groups, figures.changes);
  const cycleIn = (kind: FilterKind, value: string) =>
    setView((now) => ({
      ...now,
      filters: { ...now.filters, [kind]: cycle(now.filters[kind], value) },
    }));
  const filterBy = (name: FilterKind, values: readonly string[]): ValueFilterProps => ({
    name,
    values,
    choice: view.filters[name],
    onCycle: (value) => cycleIn(name, value),
  });
  const { filtered, total: pairs } = figures;
  return (
    <nav className={lineStyles.line} aria-label="Filters" id={filterLineId}>
      <span className={classNames(lineStyles.group, styles.yields)}>change</span>
      {changeGroups.map(({ id, changes, text }, n) => {
        const standing = changeStanding(view.changes, changes);
        // Until it is known, there are probably none that are not paired.
        const total = totals[n] ?? (id === 'not_paired' ? 0 : undefined);
        if (standing === 'off' && total === 0) return null;
        return (
          <FilterPill
            key={id}
            standing={standing}
            text={text}
            count={total}
            onClick={() =>
              setView((now) => ({ ...now, changes: cycleChanges(now.changes, changes) }))
            }
          />
        );
      })}
      <ValueFilter {...filterBy('dataset', datasets)} />
      <ValueFilter {...filterBy('label', labels)} />
      <ValueMenu {...filterBy('status', statusFilters)} />
      <ValueFilter {...filterBy('where', [])} />
      <DifferenceFilter comparison={comparison} />
      <FilterPill
        standing={standing(view.filters.flaky, 'true')}
        text="flaky"
        onClick={() => cycleIn('flaky', 'true')}
      />
      {isFilteredComparison(view) && (
        <Button look="ghost" small onClick={() => setView(withoutCompareFilters)}>
          Clear
        </Button>
      )}
      <span className={lineStyles.space} />
      <SortMenu scores={scores} hasCalls={hasCalls} />
      <Switch
        isOn={view.hasDiff}
        onChange={(hasDiff) => setView((now) => ({ ...now, hasDiff }), { replace: true })}
      >
        Only what differs
      </Switch>
      <span className={lineStyles.end}>
        <span className="quiet" role="status">
          <b>{count(filtered)}</b> of {count(pairs)}
          <span className={styles.yields}> {pairs === 1 ? 'pair' : 'pairs'}</span>
        </span>
      </span>
    </nav>
  );
}

interface Order {
  readonly sort: string;
  readonly text: string;
  readonly note?: string;
  readonly descending?: boolean;
}

/** The sort order of pairs. */
function SortMenu({ scores, hasCalls }: { scores: readonly string[]; hasCalls: boolean }) {
  const [view, setView] = useCompareView();
  const offered = hasCalls ? [...orders, ...usageOrders] : orders;
  const known = [...orders, ...usageOrders].find(({ sort }) => sort === view.sort);
  const byScore = scores.map((key) => ({ sort: `score:${key}`, text: scoreName(key) }));
  const item = ({ sort, text, note, descending = false }: Order) => (
    <MenuItem
      key={sort}
      current={sort === view.sort}
      note={note}
      onClick={() => setView((now): CompareView => ({ ...now, sort, descending }))}
    >
      {text}
    </MenuItem>
  );
  return (
    <Menu
      label="Order"
      align="end"
      portal
      button={{
        className: styles.more,
        children: (
          <>
            <span>
              by <b>{known?.text ?? view.sort.replace(/^score:/, '')}</b>
            </span>
            <Icon name="down" />
          </>
        ),
      }}
    >
      {offered.map(item)}
      {byScore.length > 0 && <MenuLine />}
      {byScore.map(item)}
      <MenuLine />
      <MenuItem
        onClick={() => setView((now): CompareView => ({ ...now, descending: !now.descending }))}
      >
        {view.descending ? 'Reverse order (reversed now)' : 'Reverse order'}
      </MenuItem>
    </Menu>
  );
}

/** More values go into a menu. */
const maxPills = 4;

/** A kind of filter, its values, and which are chosen. */
interface ValueFilterProps {
  readonly name: string;
  readonly values: readonly string[];
  readonly choice: ChosenValues;
  readonly onCycle: (value: string) => void;
}

/** A few values as pills; many in a menu, with the chosen ones beside it. */
export function ValueFilter(props: ValueFilterProps) {
  const { name, values, choice, onCycle } = props;
  if (values.length < 2 && !isChosen(choice)) return null;
  if (values.length > maxPills) return <ValueMenu {...props} />;
  const shown = [...new Set([...values, ...choice.include, ...choice.exclude])];
  const ends = tellingEnds(shown);
  return (
    <>
      <span className={lineStyles.group}>{name}</span>
      {shown.map((value) => (
        <FilterPill
          key={value}
          standing={standing(choice, value)}
          text={value}
          end={ends.get(value)}
          onClick={() => onCycle(value)}
        />
      ))}
    </>
  );
}

/** Values in a menu; clicks cycle through include, exclude and off. Chosen values are shown beside the menu. */
function ValueMenu({ name, values, choice, onCycle }: ValueFilterProps) {
  const shown = [...new Set([...values, ...choice.include, ...choice.exclude])];
  const marks = { in: 'plus', out: 'minus', off: undefined } as const;
  return (
    <>
      <Menu
        label={name}
        portal
        button={{
          className: styles.more,
          children: (
            <>
              {name}
              <Icon name="down" />
            </>
          ),
        }}
      >
        {shown.map((value) => {
          const stands = standing(choice, value);
          const mark = marks[stands];
          return (
            <MenuItem
              key={value}
              role="menuitemcheckbox"
              aria-checked={stands === 'in' ? true : stands === 'out' ? 'mixed' : false}
              hideOnClick={false}
              className={styles.item}
              onClick={() => onCycle(value)}
            >
              {mark ? <Icon name={mark} small /> : <span />}
              <span className="cut">{value.replace('_', ' ')}</span>
              {stands === 'out' && <span className="sr">excluded</span>}
            </MenuItem>
          );
        })}
      </Menu>
      {shown
        .filter((value) => standing(choice, value) !== 'off')
        .map((value) => (
          <FilterPill
            key={value}
            standing={standing(choice, value)}
            text={value.replace('_', ' ')}
            onClick={() => onCycle(value)}
          />
        ))}
    </>
  );
}
