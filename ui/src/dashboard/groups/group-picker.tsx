import { useRowFields } from '../../api/row-queries.js';
import { Button } from '../../components/controls/button.js';
import { Menu, MenuCaption, MenuItem, MenuLine } from '../../components/controls/menu.js';
import { Icon } from '../../components/icons/icon.js';
import { MiddleCut } from '../../components/names/middle-cut.js';
import { useFigures, useShown } from '../dashboard-state.js';
import lineStyles from '../filters/filter-line.module.css';
import { useView } from '../use-view.js';
import { allFolded, allOpen, type Folds, usualFolds } from '../view-state.js';

/** Chooses what rows are grouped by, and folds or opens all groups. */
export function GroupPicker() {
  const isGrouped = useFigures().summary.groups !== undefined;
  const [{ by }, setView] = useView();
  const set = (folds: Folds) => () => setView((now) => ({ ...now, folds }), { replace: true });
  return (
    <>
      <Menu
        portal
        align="end"
        label="Group by"
        button={{
          className: lineStyles.pick,
          children: (
            <>
              <span className="quiet">group</span>{' '}
              <b>
                <MiddleCut text={by ?? 'none'} />
              </b>
              <Icon name="down" />
            </>
          ),
        }}
      >
        <GroupItems />
      </Menu>
      {isGrouped && (
        <>
          <Button look="ghost" small className={lineStyles.button} onClick={set(allOpen)}>
            open all
          </Button>
          <Button look="ghost" small className={lineStyles.button} onClick={set(allFolded)}>
            fold all
          </Button>
        </>
      )}
    </>
  );
}

const facts = ['dataset', 'label', 'evaluation', 'file'] as const;
/** Maximum fields in the menu. */
const most = 40;

/** What rows can be grouped by: the fields whose values several results share. */
function GroupItems() {
  const { run } = useShown();
  const [{ by: now }, setView] = useView();
  const { data: fields = [] } = useRowFields(run.run_id);
  const shared = fields.filter(({ results, values }) => values < results).slice(0, most);
  const names = shared.map(({ field }) => field);
  const item = (by: string | undefined, name: string) => (
    <MenuItem
      key={name}
      role="menuitemradio"
      aria-checked={now === by}
      current={now === by}
      onClick={() => setView((view) => ({ ...view, by, folds: usualFolds }))}
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
