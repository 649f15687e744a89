import { buttonClass } from '../../components/button.js';
import { Icon } from '../../components/icon.js';
import { Menu, MenuItem } from '../../components/menu.js';
import { type ColumnId, columnNames, setColumns, useColumns } from '../table/columns.js';
import styles from './tools.module.css';

/** Which columns the table has. */
export function ColumnsMenu() {
  const columns = useColumns();
  const toggle = (id: ColumnId) => {
    const hidden = columns.hidden.includes(id)
      ? columns.hidden.filter((other) => other !== id)
      : [...columns.hidden, id];
    setColumns({ ...columns, hidden });
  };
  return (
    <Menu
      label="Columns"
      align="end"
      button={{
        className: buttonClass({ look: 'ghost' }, true),
        'aria-label': 'Columns',
        title: 'Columns',
        children: <Icon name="columns" />,
      }}
    >
      {columns.order.map((id) => (
        <MenuItem
          key={id}
          role="menuitemcheckbox"
          aria-checked={!columns.hidden.includes(id)}
          hideOnClick={false}
          className={styles.column}
          onClick={() => toggle(id)}
        >
          <Icon name="check" small />
          {columnNames[id]}
        </MenuItem>
      ))}
    </Menu>
  );
}
