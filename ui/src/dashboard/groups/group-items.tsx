import { useRowFields } from '../../api/row-queries.js';
import { MenuCaption, MenuItem, MenuLine } from '../../components/controls/menu.js';
import { useView } from '../use-view.js';
import { allOpen } from './folds.js';

const facts = ['dataset', 'label', 'evaluation', 'file'] as const;
/** Maximum fields in the menu. */
const most = 40;

/** What rows can be grouped by: the fields whose values several results share. */
export function GroupItems({ run }: { run: string }) {
  const [{ by: now }, setView] = useView();
  const { data: fields = [] } = useRowFields(run);
  const shared = fields.filter(({ results, values }) => values < results).slice(0, most);
  const names = shared.map(({ field }) => field);
  const item = (by: string | undefined, name: string) => (
    <MenuItem
      key={name}
      role="menuitemradio"
      aria-checked={now === by}
      current={now === by}
      onClick={() => setView((view) => ({ ...view, by, folds: allOpen }))}
    >
      {name}
    </MenuItem>
  );
  return (
    <>
      {item(undefined, 'none')}
      <MenuLine />
      {facts.map((fact) => item(fact, fact))}
      {now !== undefined && ![...facts, ...names].includes(now) && item(now, now)}
      {names.length > 0 && <MenuLine />}
      {names.length > 0 && <MenuCaption>values that results share</MenuCaption>}
      {names.map((name) => item(name, name))}
    </>
  );
}
