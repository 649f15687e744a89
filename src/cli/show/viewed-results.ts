import { AssayError } from '../../errors.js';
import { selectResults } from '../../model/select-results.js';
import { countsOfSummary, newestOnly } from '../../model/summary/counts-only.js';
import type { GroupBy } from '../../model/summary/row-groups.js';
import { scoreScales } from '../../model/summary/score-values.js';
import { besideRows, summarise } from '../../model/summary/summary.js';
import { rowFilterOf, rowIndicesQuery } from '../../server/api/row-query.js';
import { RowTables } from '../../server/rows/row-table.js';
import type { Settings } from '../../settings/settings.js';
import type { SavedView } from '../../settings/views.js';
import { countOf, renderCount } from '../../text/count-text.js';
import { quotedName } from '../../text/name-text.js';
import { didYouMean } from '../../text/near-names.js';
import type { ShownRun } from './shown-run.js';

/** The results of a run that a saved view of the dashboard shows. */
export interface ViewedResults {
  /** Name of the view. */
  readonly name: string;
  /** Positions in the run, in the order of the view. */
  readonly indices: readonly number[];
  /** The number of results of the run. */
  readonly total: number;
  /** The view selects by what came of results: no rate of them says anything. */
  readonly countsOnly: boolean;

  /** What the view groups by. */
  readonly by: GroupBy | undefined;
}

/** Finds a view in the settings file. Error: `usage` with the views that there are. */
export function findView({ views, fileName }: Settings, name: string): SavedView {
  const found = views.find((view) => view.name === name);
  if (found !== undefined) return found;
  const names = views.map((view) => view.name);
  const known = names.slice(0, mostNamed).map(quotedName).join(', ');
  const more = names.length - mostNamed;
  throw new AssayError('usage', `There is no view ${quotedName(name)} in ${fileName}.`, {
    hints:
      names.length === 0
        ? ['It has no views. Save one in the web UI: assay serve, then v.']
        : [
            ...[didYouMean(name, names) ?? []].flat(),
            `The views are ${known}${more > 0 ? ` and ${more} more` : ''}.`,
          ],
  });
}

const mostNamed = 20;

/** The results that a view shows. Error: `usage` for a run outside the results directory, or a filter that is none. */
export async function viewedResults(view: SavedView, shown: ShownRun): Promise<ViewedResults> {
  const { name } = view;
  if (shown.stored === undefined) {
    throw new AssayError('usage', '--view shows runs of the results directory and run folders.', {
      hints: ['Import an exported run first: assay sessions import FILE'],
    });
  }
  const { by, sort, order, ...filters } = parseQuery(view);
  const table = new RowTables().current(shown.stored);
  const { indices, countsOnly } = await table.query({
    filter: rowFilterOf(filters),
    order: { by: sort, descending: order === 'desc' },
  });
  return { name, indices: Array.from(indices), total: table.rows.length, countsOnly, by };
}

/** Folded groups and trials are a matter of the screen. */
function parseQuery({ name, query }: SavedView) {
  const params = new URLSearchParams(query);
  const known = Object.keys(rowIndicesQuery.shape).filter((key) => params.has(key));
  const parsed = rowIndicesQuery.safeParse(
    Object.fromEntries(known.map((key) => [key, params.getAll(key)])),
  );
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new AssayError(
    'usage',
    `The view ${quotedName(name)} cannot be shown: ${String(issue?.path[0])} ${issue?.message}.`,
    { hints: ['Save it again in the web UI, or edit its query in the settings file.'] },
  );
}

/** `view slow: 12 of 340 results`. */
export function viewText({ name, indices, total, countsOnly }: ViewedResults): string {
  const text = `view ${name}: ${renderCount(indices.length)} of ${countOf(total, 'result')}`;
  return countsOnly ? `${text}, counts only` : text;
}

/** The results of a view as a run of their own, with their figures. */
export function partOfShown(shown: ShownRun, { indices, countsOnly }: ViewedResults): ShownRun {
  const part = selectResults(shown.readable(), indices, countsOnly);
  const rows = countsOnly ? newestOnly(part.rows) : part.rows;
  const all = summarise(rows, scoreScales(shown.run.rows), besideRows(part.head));
  const summary = countsOnly ? countsOfSummary(all) : all;
  const at = (position: number) => indices[position] ?? -1;
  return {
    ...shown,
    run: {
      rows: part.rows,
      summary: () => summary,
      head: () => part.head,
      entry: (position) => shown.run.entry(at(position)),
      attempts: (position) => shown.run.attempts(at(position)),
      trace: part.trace,
    },
    readable: () => part,
  };
}
