import type { Run } from '../../api/client.js';
import type { RowFigures } from '../../api/row-queries.js';
import { flipTheme } from '../../app/theme.js';
import { useMedia } from '../../browser/use-media.js';
import { BarTools } from '../../components/controls/bar.js';
import { IconButton } from '../../components/controls/button.js';
import { IconMenu } from '../../components/controls/menu.js';
import { filterButtonId } from '../filters/filter-button.js';
import { ColumnsMenu } from '../table/columns-menu.js';
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
      {hasColumns && <ColumnsMenu run={run} figures={figures} />}
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
