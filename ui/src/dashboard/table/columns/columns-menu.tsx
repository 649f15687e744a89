import { Dialog } from '../../../components/controls/dialog.js';
import { loadable } from '../../../components/controls/loadable.js';
import { IconMenu, MenuItem, MenuLine } from '../../../components/controls/menu.js';
import { Icon } from '../../../components/icons/icon.js';
import styles from '../../top-bar/top-bar.module.css';
import { setColumns, useColumns, useFittedColumns } from './column-store.js';
import {
  type ColumnId,
  columnName,
  isAdded,
  isUsageColumn,
  toggleAdded,
  visibleColumns,
} from './columns.js';

const added = loadable(() => import('./added-columns.js'));

/** The menu for choosing the columns of the table. */
export function ColumnsMenu({ onAdd }: { onAdd: () => void }) {
  return (
    <IconMenu icon="columns" label="Columns">
      <ColumnItems onAdd={onAdd} />
    </IconMenu>
  );
}

/** The columns of the table as menu items, and one for adding others. */
export function ColumnItems({ onAdd }: { onAdd: () => void }) {
  const columns = useColumns();
  const fitted = visibleColumns(useFittedColumns());
  const hasNoRoom = (id: ColumnId) => visibleColumns(columns).includes(id) && !fitted.includes(id);
  const toggle = (id: ColumnId) => {
    if (isAdded(id)) {
      setColumns(toggleAdded(columns, id));
      return;
    }
    const hidden = columns.hidden.includes(id)
      ? columns.hidden.filter((other) => other !== id)
      : [...columns.hidden, id];
    setColumns({ ...columns, hidden });
  };
  return (
    <>
      {columns.order
        .filter((id) => columns.hasUsage || !isUsageColumn(id))
        .map((id) => (
          <MenuItem
            key={id}
            role="menuitemcheckbox"
            aria-checked={!columns.hidden.includes(id)}
            hideOnClick={false}
            className={styles.column}
            onClick={() => toggle(id)}
          >
            <Icon name="check" small />
            {columnName(id)}
            {hasNoRoom(id) && <span className="faint">no room</span>}
          </MenuItem>
        ))}
      <MenuLine />
      <MenuItem className={styles.column} onClick={onAdd}>
        <Icon name="plus" small />
        Scores and values…
      </MenuItem>
    </>
  );
}

/** The dialog for columns of scores and of values. */
export function AddedColumnsDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const parts = added.use(isOpen);
  return (
    <Dialog title="Columns" isOpen={isOpen && parts !== undefined} onClose={onClose}>
      {parts && <parts.AddedColumns />}
    </Dialog>
  );
}
