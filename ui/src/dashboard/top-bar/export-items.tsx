import { exportMarkdown, exportUrl, getRowIndices, type Run } from '../../api/client.js';
import { indicesQuery, type RowFigures } from '../../api/row-queries.js';
import { notifyError } from '../../app/notices.js';
import { MenuCaption, MenuItem, MenuLine } from '../../components/controls/menu.js';
import { download } from '../../components/download.js';
import { count, counted } from '../../components/figures/figures.js';
import { type Columns, useColumns, visibleColumns } from '../table/columns.js';
import { useView } from '../use-view.js';
import { renderRowQuery, type View } from '../view-state.js';

/** The menu items for exports: of the whole run (JSON, CSV) or of what is shown (Markdown, PNG). */
export function ExportItems({ run, figures }: { run: Run; figures: RowFigures | undefined }) {
  const [view] = useView();
  const columns = useColumns();
  const { total = run.total_evaluations, filtered = total } = figures ?? {};
  const wide = visibleColumns(columns).length + 1;
  return (
    <>
      <MenuCaption>
        {count(filtered)} of {counted(total, 'result')} match the filter
      </MenuCaption>
      <MenuItem
        render={(props) => <a {...props} href={exportUrl(run.run_id, 'json')} download />}
        note={`the whole run, ${counted(total, 'result')}`}
      >
        JSON
      </MenuItem>
      <MenuItem
        render={(props) => <a {...props} href={exportUrl(run.run_id, 'csv')} download />}
        note={`the whole run, ${counted(total, 'result')}, one column per score`}
      >
        CSV
      </MenuItem>
      <MenuLine />
      <MenuItem
        disabled={figures === undefined}
        note={`${counted(filtered, 'row')}, ${counted(wide, 'visible column')}`}
        onClick={() => {
          if (figures) void saveMarkdown(run, figures, view, columns).catch(notifyError);
        }}
      >
        Markdown
      </MenuItem>
      <MenuItem
        disabled={figures === undefined}
        note={`the summary of ${counted(filtered, 'result')}`}
        onClick={() => {
          if (figures) void savePicture(run, figures).catch(notifyError);
        }}
      >
        PNG
      </MenuItem>
    </>
  );
}

async function saveMarkdown(
  run: Run,
  { total, filtered, summary }: RowFigures,
  view: View,
  columns: Columns,
): Promise<void> {
  const { indices } = await getRowIndices(run.run_id, indicesQuery(renderRowQuery(view)));
  const report = await exportMarkdown(run.run_id, {
    visible_indices: indices,
    visible_columns: ['eval', ...visibleColumns(columns)],
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

async function savePicture(run: Run, figures: RowFigures): Promise<void> {
  // Loaded on demand, because few need it.
  const { drawSummary } = await import('../summary/draw-summary.js');
  download(await drawSummary(run, figures), `${run.run_id}.png`);
}
