import { AssayError } from '../../errors.js';
import type { ReadableRun } from '../../model/readable-run.js';
import { selectResults } from '../../model/select-results.js';
import { countsOfSummary, newestOnly } from '../../model/summary/counts-only.js';
import type { GroupBy } from '../../model/summary/row-groups.js';
import { scoreScales } from '../../model/summary/score-values.js';
import { besideRows, summarise } from '../../model/summary/summary.js';
import { savedRunRows } from '../../runner/planning/saved-run-rows.js';
import { rowFilterOf, rowIndicesQuery } from '../../server/api/row-query.js';
import { RowTables } from '../../server/rows/row-table.js';
import type { Settings } from '../../settings/settings.js';
import type { SavedView } from '../../settings/views.js';
import type { StoredRun } from '../../store/stored-run.js';
import { countOfAll } from '../../text/count-text.js';
import { quotedName } from '../../text/name-text.js';
import { didYouMean } from '../../text/near-names.js';
import { outcomeCondition } from '../outcome-conditions.js';
import { askedOf, type SelectionFlags } from '../selection-flags.js';
import type { ShownRun } from './shown-run.js';

/** The results of a run that a saved view of the dashboard shows, or that flags select. */
export interface ChosenResults {
  /** Name of the view; absent for flags. */
  readonly name?: string;
  /** Positions in the run, in the order of the view. */
  readonly indices: readonly number[];
  /** The number of results of the run. */
  readonly total: number;
  /** What came of results decided which they are: no rate of them says anything. */
  readonly countsOnly: boolean;
  /** What the view groups by. */
  readonly by?: GroupBy | undefined;
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
export async function viewedResults(view: SavedView, shown: ShownRun): Promise<ChosenResults> {
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

/**
 * The results that flags select; `undefined` if they leave nothing out. `stored`: where the run is read from, unless it is a
 * file. Errors: those of `savedRunRows`.
 */
export async function selectedResults(
  run: ReadableRun,
  stored: StoredRun | undefined,
  flags: SelectionFlags,
): Promise<ChosenResults | undefined> {
  const asked = askedOf(flags);
  const where = { runName: run.head.run_name, cwd: process.cwd(), only: [], paths: [] };
  const indices = await savedRunRows(run, { ...asked, ...where });
  if (indices === 'all') return undefined;
  const countsOnly = (await outcomeCondition(asked.where, stored ?? run)) !== undefined;
  return { indices, total: run.rows.length, countsOnly };
}

/** `view slow: 12 of 340 results`. */
export function chosenText({ name, indices, total, countsOnly }: ChosenResults): string {
  const view = name === undefined ? '' : `view ${name}: `;
  const text = `${view}${countOfAll(indices.length, total, 'result')}`;
  return countsOnly ? `${text}, counts only` : text;
}

/** Chosen results as a run of their own, with their figures. */
export function partOfShown(shown: ShownRun, { indices, countsOnly }: ChosenResults): ShownRun {
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
