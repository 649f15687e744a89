import { leftOutText } from '../../../../src/text/usage-text.js';
import {
  exportCsvPart,
  exportJsonPart,
  exportMarkdown,
  exportUrl,
  getRowIndices,
  type Run,
} from '../../api/client.js';
import { indicesQuery, type RowFigures } from '../../api/row-queries.js';
import { notifyError } from '../../app/notices.js';
import { isReport } from '../../app/report-mode.js';
import { download } from '../../browser/download.js';
import { copyText } from '../../components/controls/copy-button.js';
import { exportStart, MenuCaption, MenuItem, MenuLine } from '../../components/controls/menu.js';
import { count, counted } from '../../components/figures/figures.js';
import { useShown } from '../dashboard-state.js';
import { useColumns } from '../table/columns/column-store.js';
import { type Columns, fieldOf, scoreOf, visibleColumns } from '../table/columns/columns.js';
import { useView } from '../use-view.js';
import { renderRowQuery, type View } from '../view-state.js';

/** The menu items for exports of the filtered results, in their order and columns, and of the whole run. */
export function ExportItems() {
  const { run, figures } = useShown();
  const [view] = useView();
  const columns = useColumns();
  const { total = run.total_evaluations, filtered = total } = figures ?? {};
  const wide = counted(exportedColumns(columns, figures).length, 'visible column');
  const shown = counted(filtered, 'result');
  const save = (format: PartFormat) => () => {
    if (figures) void savePart(format, run, figures, view, columns).catch(notifyError);
  };
  return (
    <>
      <MenuCaption>
        {count(filtered)} of {counted(total, 'result')} match the filter
      </MenuCaption>
      <MenuItem
        {...exportStart}
        needsServer={!isReport}
        disabled={figures === undefined}
        note={shown}
        onClick={save('json')}
      >
        JSON
      </MenuItem>
      <MenuItem
        needsServer={!isReport}
        disabled={figures === undefined}
        note={filtered === total ? withLeftOut(run, `${shown}, ${wide}`) : `${shown}, ${wide}`}
        onClick={save('csv')}
      >
        CSV
      </MenuItem>
      <MenuItem
        needsServer={!isReport}
        disabled={figures === undefined}
        note={`${shown}, ${wide}`}
        onClick={save('md')}
      >
        Markdown
      </MenuItem>
      {!isReport && <MenuLine />}
      <MenuItem
        needsServer
        render={(props) => <a {...props} href={exportUrl(run.run_id, 'json')} download />}
        note={counted(total, 'result')}
      >
        Whole run as JSON
      </MenuItem>
      <MenuItem
        needsServer
        render={(props) => <a {...props} href={exportUrl(run.run_id, 'csv')} download />}
        note={withLeftOut(run, `${counted(total, 'result')}, all columns`)}
      >
        Whole run as CSV
      </MenuItem>
      {!isReport && (
        <>
          <MenuLine />
          <MenuItem keys="y" onClick={() => void copyText(location.href, 'The link')}>
            Copy the link to this view
          </MenuItem>
        </>
      )}
    </>
  );
}

/** The note of a table of all results, which has no row for attempts that were stopped. */
function withLeftOut({ usage }: Run, note: string): string {
  const left = leftOutText({ ...(usage?.unlisted && { unlisted: usage.unlisted }) });
  return left === undefined ? note : `${note}. ${left}`;
}

/** The visible columns, in their order. Columns of scores that no result has are left out. */
function exportedColumns(columns: Columns, figures: RowFigures | undefined): string[] {
  const keys = new Set(figures?.summary.chips.map(({ key }) => key));
  const isEmpty = (key: string | undefined) => key !== undefined && !keys.has(key);
  return [
    'eval',
    ...visibleColumns(columns)
      .filter((id) => !isEmpty(scoreOf(id)))
      .map((id) => fieldOf(id) ?? id),
  ];
}

type PartFormat = 'json' | 'csv' | 'md';

async function savePart(
  format: PartFormat,
  run: Run,
  figures: RowFigures,
  view: View,
  columns: Columns,
): Promise<void> {
  const { total, filtered, summary } = figures;
  const { indices } = await getRowIndices(run.run_id, indicesQuery(renderRowQuery(view)));
  const chosen = { visible_indices: indices };
  const rated = { ...chosen, with_rates: summary.counts_only !== true };
  const table = { ...chosen, visible_columns: exportedColumns(columns, figures) };
  if (format === 'json') {
    download(await exportJsonPart(run.run_id, rated), `${run.run_id}-part.json`);
    return;
  }
  if (format === 'csv') {
    download(await exportCsvPart(run.run_id, table), `${run.run_id}-part.csv`);
    return;
  }
  const report = await exportMarkdown(run.run_id, {
    ...table,
    ...rated,
    stats: {
      total,
      filtered,
      avgLatency: summary.latency.average ?? 0,
      chips: summary.chips.map(({ interval: _, ...chip }) => chip),
    },
    run_name: run.run_name,
    session_name: run.session_name,
  });
  download(report, `${run.run_id}.md`);
}
