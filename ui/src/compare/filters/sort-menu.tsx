import { scoreName } from '../../../../src/text/score-name.js';
import { amountNames } from '../../../../src/text/usage-text.js';
import { Menu, MenuItem, MenuLine } from '../../components/controls/menu.js';
import { Icon } from '../../components/icons/icon.js';
import { useCompareView } from '../use-compare-view.js';
import type { CompareView } from '../view-state.js';
import styles from './pair-filters.module.css';

interface Order {
  readonly sort: string;
  readonly text: string;
  readonly note?: string;
  readonly descending?: boolean;
}

const orders: readonly Order[] = [
  { sort: 'change', text: 'change', note: 'Regressed first' },
  { sort: 'index', text: 'order of the base' },
  { sort: 'function', text: 'name' },
  { sort: 'dataset', text: 'dataset' },
  { sort: 'passed', text: 'pass rate', note: 'Largest drop first' },
  { sort: 'latency', text: 'latency', note: 'Largest slowdown first', descending: true },
];

/** Orders of pairs of runs that made calls. */
const usageOrders: readonly Order[] = [
  { sort: 'cost', text: 'cost', note: 'Largest increase first', descending: true },
  { sort: 'tokens', text: amountNames.tokens, note: 'Largest increase first', descending: true },
  { sort: 'calls', text: 'calls', note: 'Largest increase first', descending: true },
];

/** The sort order of pairs. */
export function SortMenu({ scores, hasCalls }: { scores: readonly string[]; hasCalls: boolean }) {
  const [view, setView] = useCompareView();
  const offered = hasCalls ? [...orders, ...usageOrders] : orders;
  const known = [...orders, ...usageOrders].find(({ sort }) => sort === view.sort);
  const byScore = scores.map((key) => ({ sort: `score:${key}`, text: scoreName(key) }));
  const set = ({ sort, descending = false }: Order) =>
    setView((now): CompareView => ({ ...now, sort, descending }));
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
      {offered.map((order) => (
        <MenuItem
          key={order.sort}
          current={order.sort === view.sort}
          note={order.note}
          onClick={() => set(order)}
        >
          {order.text}
        </MenuItem>
      ))}
      {byScore.length > 0 && <MenuLine />}
      {byScore.map((order) => (
        <MenuItem key={order.sort} current={order.sort === view.sort} onClick={() => set(order)}>
          {order.text}
        </MenuItem>
      ))}
      <MenuLine />
      <MenuItem
        onClick={() => setView((now): CompareView => ({ ...now, descending: !now.descending }))}
      >
        {view.descending ? 'Reverse order (reversed now)' : 'Reverse order'}
      </MenuItem>
    </Menu>
  );
}
