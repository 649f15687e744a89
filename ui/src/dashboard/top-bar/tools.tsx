import { useLocation } from 'wouter';
import type { Run } from '../../api/client.js';
import type { RowFigures } from '../../api/row-queries.js';
import { flipTheme } from '../../app/theme.js';
import { BarTools } from '../../components/bar.js';
import { buttonClass, IconButton } from '../../components/button.js';
import { classNames } from '../../components/class-names.js';
import { Icon } from '../../components/icon.js';
import { Menu, MenuItem } from '../../components/menu.js';
import { type ColumnId, columnNames, setColumns, useColumns } from '../table/columns.js';
import { ExportMenu } from './export-menu.js';
import styles from './tools.module.css';
import topStyles from './top-bar.module.css';

/** Filters, columns, export, settings and theme as icons; what has no room goes into `…`. */
export function Tools({
  run,
  figures,
  compareHref,
  onSettings,
}: {
  run: Run;
  figures: RowFigures | undefined;
  compareHref: string;
  onSettings: () => void;
}) {
  const [, navigate] = useLocation();
  return (
    <BarTools className={topStyles.tools}>
      <IconButton icon="filter" label="Filters" onClick={openFilters} />
      <ColumnsMenu />
      <ExportMenu run={run} figures={figures} className={topStyles.wide} />
      <IconButton icon="gear" label="Settings" className={topStyles.wide} onClick={onSettings} />
      <IconButton icon="theme" label="Theme" onClick={flipTheme} />
      <Menu
        label="More"
        align="end"
        button={{
          className: classNames(buttonClass({ look: 'ghost' }, true), topStyles.narrow),
          'aria-label': 'More',
          children: <Icon name="more" />,
        }}
      >
        <MenuItem onClick={() => navigate(compareHref)}>Compare</MenuItem>
        <MenuItem onClick={onSettings}>Settings</MenuItem>
      </Menu>
    </BarTools>
  );
}

/** The button for all filters; it is the part of the page with this id. */
export const filterButtonId = 'filter-button';

function openFilters(): void {
  document.getElementById(filterButtonId)?.click();
}

function ColumnsMenu() {
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
        className: classNames(buttonClass({ look: 'ghost' }, true), topStyles.wide),
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
