import type { Run } from '../../api/client.js';
import type { RowFigures } from '../../api/row-queries.js';
import { flipTheme } from '../../app/theme.js';
import { useMedia } from '../../browser/use-media.js';
import { BarTools } from '../../components/controls/bar.js';
import { IconButton } from '../../components/controls/button.js';
import { IconMenu, MenuItem } from '../../components/controls/menu.js';
import { Icon } from '../../components/icons/icon.js';
import { filterButtonId } from '../filters/filter-button.js';
import {
  type ColumnId,
  columnNames,
  isUsageColumn,
  setColumns,
  useColumns,
} from '../table/columns.js';
import { ExportItems } from './export-items.js';
import { MoreMenu } from './more-menu.js';
import styles from './top-bar.module.css';

/** Filters, columns, export, settings and theme as icons; the others are in the menu `…`. */
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
  // The width at which the style sheet hides the other texts of the line.
  const isTight = useMedia('(max-width: 1100px)');
  const hasColumns = useMedia('(min-width: 641px)');
  return (
    <BarTools className={styles.tools}>
      <IconButton icon="filter" label="Filters" onClick={openFilters} />
      {hasColumns && <ColumnsMenu />}
      {!isTight && (
        <>
          <IconMenu icon="export" label="Export" hasExport>
            <ExportItems run={run} figures={figures} />
          </IconMenu>
          <IconButton icon="gear" label="Settings" onClick={onSettings} />
        </>
      )}
      <IconButton icon="theme" label="Theme" onClick={flipTheme} />
      {isTight && (
        <MoreMenu run={run} figures={figures} compareHref={compareHref} onSettings={onSettings} />
      )}
    </BarTools>
  );
}

function openFilters(): void {
  document.getElementById(filterButtonId)?.click();
}

/** The menu for choosing the columns of the table. */
function ColumnsMenu() {
  const columns = useColumns();
  const toggle = (id: ColumnId) => {
    const hidden = columns.hidden.includes(id)
      ? columns.hidden.filter((other) => other !== id)
      : [...columns.hidden, id];
    setColumns({ ...columns, hidden });
  };
  return (
    <IconMenu icon="columns" label="Columns">
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
            {columnNames[id]}
          </MenuItem>
        ))}
    </IconMenu>
  );
}
