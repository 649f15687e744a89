import { AssayError } from '../../errors.js';
import type { ReadableRun } from '../../model/readable-run.js';
import {
  fieldText,
  type ResultField,
  resultFieldText,
  valueOfField,
} from '../../model/result-field.js';
import { renderPercent } from '../../model/summary/figure-text.js';
import {
  type GroupBy,
  type GroupOrder,
  groupByText,
  groupForms,
  groupSorts,
  keysBy,
  parseGroupBy,
  type RowGroup,
  rowGroup,
  rowsByKey,
  sortGroups,
} from '../../model/summary/row-groups.js';
import { scoreScales } from '../../model/summary/score-values.js';
import { renderCount } from '../../text/count-text.js';
import { renderLatency } from '../../text/duration-text.js';
import { didYouMean } from '../../text/near-names.js';
import { boundsText } from '../../text/share-text.js';
import { renderCost } from '../../text/usage-text.js';
import { type FittedColumn, renderFittedColumns } from '../terminal/fitted-columns.js';
import { escapeTerminal } from '../terminal/terminal-text.js';

/** The groups of a run, as `assay show --by --json` prints them. */
export interface ShownGroups {
  readonly run_id: string;
  readonly run_name: string;
  /** `dataset`, `label`, `evaluation`, `file` or a field such as `metadata.tier`. */
  readonly by: string;
  readonly groups: readonly RowGroup[];
}

/** Parses `--by`. */
export function groupByOf(text: string): GroupBy {
  const by = parseGroupBy(text);
  if (by !== undefined) return by;
  throw new AssayError('usage', `--by must be one of ${groupForms}, not "${text}".`);
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
  const keys = typeof by === 'object' ? await fieldTexts(run, by) : [];
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

/** The text of a field of each result, by index. Error: `usage` if no result has it. */
async function fieldTexts(run: ReadableRun, field: ResultField): Promise<(string | null)[]> {
  const texts: (string | null)[] = [];
  const others = new Set<string>();
  for await (const { index, entry } of run.entries()) {
    texts[index] = fieldText(entry.result, field);
    const parent = valueOfField(entry.result, { ...field, path: field.path.slice(0, -1) });
    if (typeof parent === 'object') for (const name in parent) others.add(name);
  }
  if (texts.some((text) => text !== null)) return texts;
  const hint = didYouMean(String(field.path.at(-1)), others) ?? knownText([...others]);
  throw new AssayError(
    'usage',
    `No result of ${run.head.run_name} has ${resultFieldText(field)}.`,
    { hints: hint === undefined ? [] : [hint] },
  );
}

const mostNamed = 10;

function knownText(names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  const more = names.length - mostNamed;
  const shown = names.slice(0, mostNamed).join(', ');
  return `There are ${shown}${more > 0 ? ` and ${more} more` : ''}.`;
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
