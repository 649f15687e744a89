import { useLocation } from 'wouter';
import { useSearchLine } from '../api/row-queries.js';
import type { VariantFigures } from '../api/schema.js';
import { useShortcut } from '../app/shortcuts.js';
import { flipTheme } from '../app/theme.js';
import { download } from '../browser/download.js';
import { AddRun } from '../compare/add-run.js';
import barStyles from '../compare/compare-bar.module.css';
import { classNames } from '../components/class-names.js';
import { BackLink, Bar, BarSpace, BarTools, Slash } from '../components/controls/bar.js';
import { IconButton } from '../components/controls/button.js';
import { CopyButton } from '../components/controls/copy-button.js';
import { IconMenu, MenuItem } from '../components/controls/menu.js';
import { SearchField } from '../components/controls/search-field.js';
import { counted } from '../components/figures/figures.js';
import { withCondition } from '../dashboard/view-state.js';
import { useMatrixView } from './use-matrix-view.js';
import { maxMatrixRuns } from './view-state.js';

/** Id of the filter line, which takes the focus. */
export const filterLineId = 'filters';

/** The top bar: back link, search, and actions. */
export function MatrixBar({
  runs,
  session,
  figures,
  total,
}: {
  runs: readonly string[];
  session: string | undefined;
  figures: VariantFigures | undefined;
  /** Cases of the runs, once known. */
  total: number | undefined;
}) {
  const [view, setView] = useMatrixView();
  const readLine = useSearchLine();
  const [, navigate] = useLocation();
  const [base] = runs;
  const back = base === undefined ? '/' : `/?run=${encodeURIComponent(base)}`;
  useShortcut('back', () => navigate(back));
  const focusFilters = () =>
    document.getElementById(filterLineId)?.querySelector('button')?.focus();
  useShortcut('filters', focusFilters);
  return (
    <Bar>
      <BackLink href={back} />
      {session !== undefined && (
        <>
          <Slash className={barStyles.wide} />
          <span className={classNames('quiet', 'cut', barStyles.wide)}>{session}</span>
        </>
      )}
      <Slash className={barStyles.wide} />
      <span className={barStyles.wide}>matrix</span>
      <BarSpace />
      {total !== undefined && (
        <SearchField
          search={view.search}
          placeholder={`Search ${counted(total, 'case')}`}
          className={barStyles.search}
          onSearch={(search, conditions) =>
            setView((now) => ({ ...conditions.reduce(withCondition, now), search }), {
              replace: conditions.length === 0,
            })
          }
          readLine={readLine}
        />
      )}
      <BarTools className={barStyles.tools}>
        {total !== undefined && <IconButton icon="filter" label="Filters" onClick={focusFilters} />}
        {figures && (
          <IconMenu icon="export" label="Export" hasExport>
            <MenuItem
              note="The figures of the runs, as the API answers"
              onClick={() =>
                download(
                  new Blob([`${JSON.stringify(figures, null, 2)}\n`], { type: 'application/json' }),
                  'matrix.json',
                )
              }
            >
              JSON
            </MenuItem>
          </IconMenu>
        )}
        <CopyButton label="Copy link" icon="chain" text={() => location.href} />
        <IconButton icon="theme" label="Theme" onClick={flipTheme} />
      </BarTools>
      {runs.length > 0 && (
        <AddRun
          runs={runs}
          session={session}
          most={maxMatrixRuns}
          onPick={(id) => setView((now) => ({ ...now, runs: [...now.runs, id] }))}
        />
      )}
    </Bar>
  );
}
