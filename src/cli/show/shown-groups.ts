import { AssayError } from '../../errors.js';
import { renderPercent } from '../../exporters/figures.js';
import type { ReadableRun } from '../../model/readable-run.js';
import {
  type GroupBy,
  type GroupOrder,
  groupByText,
  groupFields,
  groupSorts,
  keysBy,
  metadataKey,
  parseGroupBy,
  type RowGroup,
  rowGroup,
  rowsByKey,
  sortGroups,
} from '../../model/summary/row-groups.js';
import { scoreScales } from '../../model/summary/score-values.js';
import { didYouMean } from '../../text/near-names.js';
import { boundsText } from '../../text/share-text.js';
import { renderCost } from '../../text/usage-text.js';
import { renderCount, renderLatency } from '../terminal/figures.js';
import { type FittedColumn, renderFittedColumns } from '../terminal/fitted-columns.js';
import { escapeTerminal } from '../terminal/terminal-text.js';

/** The groups of a run, as `assay show --by --json` prints them. */
export interface ShownGroups {
  readonly run_id: string;
  readonly run_name: string;
  /** `dataset`, `label`, `evaluation`, `file` or `metadata.KEY`. */
  readonly by: string;
  readonly groups: readonly RowGroup[];
}

/** Parses `--by`. */
export function groupByOf(text: string): GroupBy {
  const by = parseGroupBy(text);
  if (by !== undefined) return by;
  throw new AssayError(
    'usage',
    `--by must be ${groupFields.join(', ')} or metadata.KEY, not "${text}".`,
  );
}

/** Parses `--sort`. */
export function groupOrderOf(text: string): GroupOrder {
  if (text.startsWith('score:')) return { by: { score: text.slice(6) }, descending: false };
  const by = groupSorts.find((field) => field === text);
  if (by !== undefined) return { by, descending: by !== 'passed' && by !== 'key' };
  throw new AssayError(
    'usage',
    `--sort must be ${groupSorts.join(', ')} or score:KEY, not "${text}".`,
  );
}

/** Groups the results of a run; by default the group with the worst pass rate comes first. */
export async function groupRun(
  run: ReadableRun,
  by: GroupBy,
  order: GroupOrder = { by: 'passed', descending: false },
): Promise<ShownGroups> {
  const keys = typeof by === 'object' ? await metadataKeys(run, by.metadata) : [];
  const rows = rowsByKey(
    run.rows,
    run.rows.keys(),
    keysBy(by, (index) => keys[index] ?? null),
  );
  const scales = scoreScales(run.rows);
  const groups = [...rows].map(([key, its]) => rowGroup(key, its, scales));
  const { run_id, run_name } = run.head;
  return { run_id, run_name, by: groupByText(by), groups: sortGroups(groups, order) };
}

/** The metadata key of each result, by index. Error: `usage` if no result has it. */
async function metadataKeys(run: ReadableRun, name: string): Promise<(string | null)[]> {
  const keys: (string | null)[] = [];
  const others = new Set<string>();
  for await (const { index, entry } of run.entries()) {
    const { metadata } = entry.result;
    keys[index] = metadataKey(metadata, name);
    for (const other in metadata) others.add(other);
  }
  if (keys.some((key) => key !== null)) return keys;
  const hint = didYouMean(name, others) ?? knownText([...others]);
  throw new AssayError(
    'usage',
    `No result of ${run.head.run_name} has ${JSON.stringify(name)} in its metadata.`,
    { hints: [hint] },
  );
}

const mostNamed = 10;

function knownText(names: readonly string[]): string {
  if (names.length === 0) return 'Its results have no metadata.';
  const more = names.length - mostNamed;
  const shown = names.slice(0, mostNamed).join(', ');
  return `Its results have ${shown}${more > 0 ? ` and ${more} more` : ''}.`;
}

/** Renders groups as a table with a line each. */
export function renderGroups(
  { by, groups }: ShownGroups,
  page: { readonly columns: number | undefined },
): string {
  const has = (read: (group: RowGroup) => number | undefined) =>
    groups.some((group) => (read(group) ?? 0) > 0);
  const figures = (
    title: string,
    rank: number,
    read: (group: RowGroup) => string,
  ): FittedColumn => ({
    title,
    align: 'right',
    rank,
    cells: groups.map(read),
  });
  const columns: FittedColumn[] = [
    { title: by, cells: groups.map((group) => keyText(group, by)), shrinkTo: 20 },
    figures('results', 9, ({ results }) => renderCount(results)),
    ...(groups.some(({ results, pass_rate }) => results !== (pass_rate?.total ?? 0))
      ? [figures('judged', 5, ({ pass_rate }) => renderCount(pass_rate?.total ?? 0))]
      : []),
    figures('passed', 10, ({ pass_rate }) => (pass_rate ? renderPercent(pass_rate.estimate) : '–')),
    figures('95 %', 8, ({ pass_rate }) => (pass_rate ? boundsText(pass_rate) : '')),
    ...(has(({ errors }) => errors)
      ? [figures('errors', 4, ({ errors }) => renderCount(errors))]
      : []),
    ...(has(({ flaky }) => flaky)
      ? [figures('flaky', 3, ({ flaky }) => (flaky === undefined ? '' : renderCount(flaky)))]
      : []),
    ...(has(({ unfinished }) => unfinished)
      ? [figures('unfinished', 2, ({ unfinished }) => renderCount(unfinished))]
      : []),
    ...(groups.some(({ usage }) => usage !== undefined)
      ? [figures('cost', 7, ({ usage }) => (usage ? renderCost(usage) : ''))]
      : []),
    figures('p50', 6, ({ latency: { p50 } }) => (p50 === null ? '' : renderLatency(p50))),
  ];
  return renderFittedColumns(columns, page.columns);
}

/** `(no label)` for the results that do not have it. */
function keyText({ key }: RowGroup, by: string): string {
  return key === null ? `(no ${by})` : escapeTerminal(key);
}
