import { useState } from 'react';
import { useLocation } from 'wouter';
import { hasCalls } from '../../../../src/model/calls/run-usage.js';
import { useHasWorkers } from '../../api/queries.js';
import { isReport } from '../../app/report-mode.js';
import { flipTheme } from '../../app/theme.js';
import { useMedia } from '../../browser/use-media.js';
import { BarTools } from '../../components/controls/bar.js';
import { IconButton } from '../../components/controls/button.js';
import { loadable } from '../../components/controls/loadable.js';
import { IconMenu, MenuCaption, MenuItem, MenuLine } from '../../components/controls/menu.js';
import { reviewAddress, trendsAddress } from '../../result/addresses.js';
import { useShown } from '../dashboard-state.js';
import { filterButtonId } from '../filters/filter-line.js';
import { AddedColumnsDialog, ColumnItems, ColumnsMenu } from '../table/columns/columns-menu.js';
import { useView } from '../use-view.js';
import { ConfigItems, useHasConfigs } from './config-picker.js';
import { SessionItems, useSessionNames } from './session-items.js';
import styles from './top-bar.module.css';

const exportItems = loadable(() => import('./export-items.js'));

/** The formats, once a menu with them is open. */
function ExportItems() {
  const parts = exportItems.use(true);
  return parts && <parts.ExportItems />;
}

/** Filters, columns, export, settings and theme as icons; those without room are in the menu `…`. */
export function Tools({
  compareHref,
  matrixHref,
  onSearch,
  onSettings,
}: {
  compareHref: string;
  /** Absent for a run without a group. */
  matrixHref: string | undefined;
  /** Shows the search field, if it is not there. */
  onSearch: (() => void) | undefined;
  onSettings: () => void;
}) {
  // The width at which the style sheet hides the other texts of the line.
  const isTight = useMedia('(max-width: 1100px)');
  const isCompact = useMedia('(max-width: 900px)');
  // Between the two, the line is at its fullest.
  const hasFilters = useMedia('(max-width: 640px), (min-width: 721px)');
  const hasWorkers = useHasWorkers();
  const [, navigate] = useLocation();
  const hasColumns = useMedia('(min-width: 721px)');
  const [isAdding, setAdding] = useState(false);
  const addColumns = () => setAdding(true);
  const toggleChart = useToggleChart();
  return (
    <BarTools className={styles.tools}>
      {onSearch && <IconButton icon="search" label="Search" onClick={onSearch} />}
      {hasFilters && <IconButton icon="filter" label="Filters" onClick={openFilters} />}
      {hasColumns && <ColumnsMenu onAdd={addColumns} />}
      {!isTight && <IconButton icon="chart" label="Chart" onClick={toggleChart} />}
      {!isTight && hasWorkers && (
        <IconButton icon="machines" label="Workers" onClick={() => navigate('/workers')} />
      )}
      {!isTight && (
        <>
          <IconMenu icon="export" label="Export" hasExport>
            <ExportItems />
          </IconMenu>
          {!isReport && <IconButton icon="gear" label="Settings" onClick={onSettings} />}
        </>
      )}
      {!isCompact && <IconButton icon="theme" label="Theme" onClick={flipTheme} />}
      {isTight && (
        <MoreMenu
          compareHref={compareHref}
          matrixHref={matrixHref}
          onFilters={hasFilters ? undefined : openFilters}
          onAddColumns={hasColumns ? undefined : addColumns}
          onSettings={onSettings}
        />
      )}
      <AddedColumnsDialog isOpen={isAdding} onClose={() => setAdding(false)} />
    </BarTools>
  );
}

/** Opens the chart with the figures that the run has, or closes it. */
function useToggleChart(): () => void {
  const [, setView] = useView();
  const { figures } = useShown();
  return () => {
    const { usage, chips = [] } = figures?.summary ?? {};
    const score = chips.find(({ type }) => type !== 'ratio')?.key;
    const [x, y] = hasCalls(usage) ? ['cost', 'latency'] : ['latency', undefined];
    const chart = { x, y: score === undefined ? y : `score:${score}` };
    setView((now) => ({
      ...now,
      tab: 'results',
      chart: now.chart.x === undefined ? chart : { x: undefined, y: undefined },
    }));
  };
}

function openFilters(): void {
  document.getElementById(filterButtonId)?.click();
}

/** The menu of items that do not fit into a narrow line. */
function MoreMenu({
  compareHref,
  matrixHref,
  onFilters,
  onAddColumns,
  onSettings,
}: {
  compareHref: string;
  /** Absent for a run without a group. */
  matrixHref: string | undefined;
  /** If the line has no room for filters. */
  onFilters: (() => void) | undefined;
  /** If the line has no room for columns. */
  onAddColumns: (() => void) | undefined;
  onSettings: () => void;
}) {
  const { run } = useShown();
  const [, navigate] = useLocation();
  const toggleChart = useToggleChart();
  const isCompact = useMedia('(max-width: 900px)');
  const hasWorkers = useHasWorkers();
  return (
    <IconMenu icon="more" label="More" hasExport>
      {onFilters && (
        <MenuItem keys="f" onClick={onFilters}>
          Filters
        </MenuItem>
      )}
      <MenuItem onClick={toggleChart}>Chart</MenuItem>
      {compareHref && <MenuItem onClick={() => navigate(compareHref)}>Compare</MenuItem>}
      {matrixHref && <MenuItem onClick={() => navigate(matrixHref)}>Matrix of its group</MenuItem>}
      {run.state !== 'not_started' && !isReport && (
        <>
          <MenuItem onClick={() => navigate(reviewAddress(run.run_id))}>Review</MenuItem>
          <MenuItem onClick={() => navigate(trendsAddress(run.session_name))}>Trends</MenuItem>
        </>
      )}
      {hasWorkers && <MenuItem onClick={() => navigate('/workers')}>Workers</MenuItem>}
      {!isReport && <MenuItem onClick={onSettings}>Settings</MenuItem>}
      {isCompact && <MenuItem onClick={flipTheme}>Light or dark theme</MenuItem>}
      {onAddColumns && (
        <>
          <MenuLine />
          <MenuCaption>columns</MenuCaption>
          <ColumnItems onAdd={onAddColumns} />
        </>
      )}
      <SessionGroup />
      <ConfigGroup />
      <MenuLine />
      <ExportItems />
    </IconMenu>
  );
}

/** The session picker as menu items, where the line is too narrow for it. */
function SessionGroup() {
  const isHidden = useMedia('(max-width: 900px)');
  const sessions = useSessionNames();
  if (!isHidden || sessions.length < 2) return null;
  return (
    <>
      <MenuLine />
      <SessionItems />
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
