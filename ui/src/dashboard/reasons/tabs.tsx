import { useRowReasons } from '../../api/row-queries.js';
import { useShortcut } from '../../app/shortcuts.js';
import { classNames } from '../../components/class-names.js';
import { Kbd } from '../../components/controls/kbd.js';
import { count, counted } from '../../components/figures/figures.js';
import { useFigures, useShown } from '../dashboard-state.js';
import { useView } from '../use-view.js';
import { isFiltered, renderFilterQuery, type View } from '../view-state.js';
import styles from './tabs.module.css';

/** With more failures, their reasons are read once somebody asks for them. */
const mostUnasked = 10_000;

/** Why results failed, of all reasons: a reason that is filtered by is one of them. */
export function useReasons() {
  const [view] = useView();
  const { run } = useShown();
  const { failed, errors } = useFigures().summary.counts;
  const bad = failed + errors;
  const isCheap = run.state !== 'running' && bad > 0 && bad <= mostUnasked;
  const query = renderFilterQuery(view, ['reason']);
  return useRowReasons(run.run_id, query, view.tab === 'reasons' || isCheap);
}

/** Switches between the results and the reasons why they failed. */
export function Tabs() {
  const [view, setView] = useView();
  const { total, summary } = useFigures();
  const { data } = useReasons();
  const { failed, errors } = summary.counts;
  const isShown = failed + errors > 0 || view.tab === 'reasons' || isFiltered(view);
  const show = (tab: View['tab']) => setView((now) => ({ ...now, tab }));
  useShortcut('tab', () => show(view.tab === 'results' ? 'reasons' : 'results'), isShown);
  if (!isShown) return null;
  const tab = (id: View['tab'], name: string, size: number | undefined) => (
    <button
      type="button"
      role="tab"
      aria-selected={view.tab === id}
      className={classNames(styles.tab, view.tab === id && styles.shown)}
      onClick={() => show(id)}
    >
      {name} {size !== undefined && <span className="small faint">{count(size)}</span>}
    </button>
  );
  return (
    <span role="tablist" aria-label="Results, or why they failed" className={styles.tabs}>
      {tab('results', 'Results', total)}
      {tab('reasons', 'Reasons', data?.count)}
      <Kbd>t</Kbd>
    </span>
  );
}

/** How many results failed, for how many reasons. */
export function ReasonsFound() {
  const { data } = useReasons();
  return (
    data && (
      <>
        <b>{count(data.failures)}</b> {data.failures === 1 ? 'failing result' : 'failing results'},{' '}
        {counted(data.count, 'reason')}
      </>
    )
  );
}
