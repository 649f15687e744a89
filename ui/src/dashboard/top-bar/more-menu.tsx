import { useLocation } from 'wouter';
import type { Run } from '../../api/client.js';
import { useHasWorkers } from '../../api/queries.js';
import type { RowFigures } from '../../api/row-queries.js';
import { flipTheme } from '../../app/theme.js';
import { useMedia } from '../../browser/use-media.js';
import { IconMenu, MenuCaption, MenuItem, MenuLine } from '../../components/controls/menu.js';
import { ColumnItems } from '../table/columns/columns-menu.js';
import { ConfigItems, useHasConfigs } from './config-picker.js';
import { ExportItems } from './export-items.js';
import { SessionItems, useSessionNames } from './session-items.js';

/** The menu of items that do not fit into a narrow line. */
export function MoreMenu({
  run,
  figures,
  compareHref,
  onFilters,
  onAddColumns,
  onSettings,
}: {
  run: Run;
  figures: RowFigures | undefined;
  compareHref: string;
  /** If the line has no room for filters. */
  onFilters: (() => void) | undefined;
  /** If the line has no room for columns. */
  onAddColumns: (() => void) | undefined;
  onSettings: () => void;
}) {
  const [, navigate] = useLocation();
  const isCompact = useMedia('(max-width: 900px)');
  const hasWorkers = useHasWorkers();
  return (
    <IconMenu icon="more" label="More" hasExport>
      {onFilters && (
        <MenuItem keys="f" onClick={onFilters}>
          Filters
        </MenuItem>
      )}
      <MenuItem onClick={() => navigate(compareHref)}>Compare</MenuItem>
      {hasWorkers && <MenuItem onClick={() => navigate('/workers')}>Workers</MenuItem>}
      <MenuItem onClick={onSettings}>Settings</MenuItem>
      {isCompact && <MenuItem onClick={flipTheme}>Light or dark theme</MenuItem>}
      {onAddColumns && (
        <>
          <MenuLine />
          <MenuCaption>columns</MenuCaption>
          <ColumnItems onAdd={onAddColumns} />
        </>
      )}
      <SessionGroup run={run} />
      <ConfigGroup />
      <MenuLine />
      <ExportItems run={run} figures={figures} />
    </IconMenu>
  );
}

/** The session picker as menu items, where the line is too narrow for it. */
function SessionGroup({ run }: { run: Run }) {
  const isHidden = useMedia('(max-width: 900px)');
  const sessions = useSessionNames(run);
  if (!isHidden || sessions.length < 2) return null;
  return (
    <>
      <MenuLine />
      <SessionItems run={run} />
    </>
  );
}

function ConfigGroup() {
  return useHasConfigs() ? (
    <>
      <MenuLine />
      <ConfigItems />
    </>
  ) : null;
}
