import { scoreName } from '../../../../../src/text/score-name.js';
import type { TableRow } from '../../../api/schema.js';

/** How wide a column is: a share of what columns of text have, or pixels. */
interface ColumnSize {
  readonly share?: number;
  readonly pixels?: number;
  /** Pixels below which its text cannot be read. Default: 140. */
  readonly least?: number;
}

interface BuiltIn extends ColumnSize {
  readonly name: string;
  /** The width of the narrowest window that has room for it. */
  readonly from: number;
}

/** The columns that every table can have, besides selection, status and evaluation, which are always there. */
type BuiltInColumn =
  | 'input'
  | 'reference'
  | 'output'
  | 'scores'
  | 'error'
  | UsageColumn
  | 'latency';

const builtIn: Readonly<Record<BuiltInColumn, BuiltIn>> = {
  input: { name: 'Input', share: 1.02, from: 901 },
  reference: { name: 'Reference', share: 0.7, least: 90, from: 901 },
  output: { name: 'Output', share: 1.16, from: 0 },
  // As wide as its chips need, up to a limit.
  scores: { name: 'Scores', from: 0 },
  error: { name: 'Error', share: 1, from: 641 },
  calls: { name: 'Calls', pixels: 34, from: 901 },
  tokens: { name: 'Tokens', pixels: 42, from: 901 },
  cost: { name: 'Cost $', pixels: 62, from: 641 },
  latency: { name: 'Latency s', pixels: 56, from: 0 },
};
const columnIds = Object.keys(builtIn) as readonly BuiltInColumn[];

/** A score, or a value in the results such as `field:metadata.tier`. */
type AddedColumn = `score:${string}` | `field:${string}`;
export type ColumnId = BuiltInColumn | AddedColumn;

/** Whether a column has been added for a score or a value. */
export function isAdded(id: ColumnId): id is AddedColumn {
  return id.startsWith('score:') || id.startsWith('field:');
}

/** The key of the score in a column; `undefined` for other columns. */
export function scoreOf(id: ColumnId): string | undefined {
  return id.startsWith('score:') ? id.slice('score:'.length) : undefined;
}

/** The field in a column; `undefined` for other columns. */
export function fieldOf(id: ColumnId): string | undefined {
  return id.startsWith('field:') ? id.slice('field:'.length) : undefined;
}

/** Columns of usage, which the table has only if the run has calls. */
const usageColumns = ['calls', 'tokens', 'cost'] as const;
type UsageColumn = (typeof usageColumns)[number];

/** True for columns of usage. */
export function isUsageColumn(id: string): id is UsageColumn {
  return (usageColumns as readonly string[]).includes(id);
}

/** Columns of numbers, which are aligned right and sort the highest first. */
export type FigureColumn = UsageColumn | 'latency';

export function isFigureColumn(id: string): id is FigureColumn {
  return id === 'latency' || isUsageColumn(id);
}

/** The name of a column in the table head. */
export function columnName(id: ColumnId): string {
  if (!isAdded(id)) return builtIn[id].name;
  const key = scoreOf(id);
  return key === undefined ? (fieldOf(id) ?? id) : scoreName(key);
}

/** The arrangement of the columns, stored per browser and project. */
export interface Columns {
  /** All columns, in order. */
  readonly order: readonly ColumnId[];
  readonly hidden: readonly ColumnId[];
  /** Widths set by hand, in pixels. */
  readonly widths: Readonly<Partial<Record<ColumnId, number>>>;
  /** Of the run on the page, not stored: without calls there are no columns of usage. */
  readonly hasUsage: boolean;
  /** Of the rows on the page, not stored: the columns that say the same in all of them. */
  readonly same: readonly ColumnId[];
}

/** The error column is hidden initially, because the output cell shows errors. */
export const defaultColumns: Columns = {
  order: columnIds,
  hidden: ['error'],
  widths: {},
  hasUsage: false,
  same: [],
};

/** Reads an arrangement from outside; what does not belong there is left out. */
export function readKept(kept: Partial<Columns>): Columns {
  const known = (ids: unknown): ColumnId[] =>
    Array.isArray(ids) ? columnIds.filter((id) => ids.includes(id)) : [];
  const isColumn = (id: unknown): id is ColumnId =>
    typeof id === 'string' &&
    ((columnIds as readonly string[]).includes(id) || isAdded(id as ColumnId));
  const order = Array.isArray(kept.order)
    ? kept.order.filter((id, n, all) => isColumn(id) && all.indexOf(id) === n)
    : [];
  return {
    order: [...order, ...columnIds.filter((id) => !order.includes(id))],
    hidden: known(kept.hidden),
    widths: readWidths(kept.widths),
    hasUsage: false,
    same: [],
  };
}

function readWidths(kept: unknown): Columns['widths'] {
  if (typeof kept !== 'object' || kept === null) return {};
  const entries = Object.entries(kept).filter(
    ([, width]) => typeof width === 'number' && width >= 40,
  );
  return Object.fromEntries(entries) as Columns['widths'];
}

/** The columns with those of a saved view visible, in its order; what is no column is left out. */
export function withVisible(columns: Columns, ids: readonly string[]): Columns {
  const hidden = columnIds.filter((id) => !ids.includes(id));
  const { order } = readKept({ order: ids as ColumnId[] });
  return { ...columns, order, hidden };
}

/** The columns that a view saves: also those that this run or window has no room or values for. */
export function chosenColumns({ order, hidden }: Columns): readonly ColumnId[] {
  return order.filter((id) => !hidden.includes(id));
}

/** The visible columns, in order. Columns of scores replace the chips. */
export function visibleColumns({ order, hidden, hasUsage }: Columns): readonly ColumnId[] {
  const hasScores = order.some((id) => scoreOf(id) !== undefined);
  return order.filter(
    (id) =>
      !hidden.includes(id) && (hasUsage || !isUsageColumn(id)) && !(hasScores && id === 'scores'),
  );
}

/** The fields in the columns, as parameters of the API. */
export function columnQuery(visible: readonly ColumnId[]): string {
  const fields = visible.flatMap((id) => fieldOf(id) ?? []);
  const scores = visible.flatMap((id) => scoreOf(id) ?? []);
  return String(
    new URLSearchParams([
      ...fields.map((field): [string, string] => ['field', field]),
      ...scores.map((key): [string, string] => ['histogram', key]),
    ]),
  );
}

/** The column that has the pass rate of groups: a wide one. */
export function rateColumn(visible: readonly ColumnId[]): ColumnId | undefined {
  const wide = ['output', 'input', 'reference', 'error'] as const;
  return wide.find((id) => visible.includes(id));
}

/** The columns that have room in a window of a width in pixels, each wide enough to be read. */
export function fitColumns(columns: Columns, width: number): Columns {
  const hasPlace = (id: ColumnId) => {
    if (!isAdded(id)) return builtIn[id].from <= width;
    // Chips replace the columns of scores; rows of several lines have none for values either.
    return width > 900 || (width > 640 && scoreOf(id) === undefined);
  };
  return fitTexts({ ...columns, order: columns.order.filter(hasPlace) }, width);
}

/** What a column says of a row, to tell whether it says the same of all. */
const saidOf = {
  input: ({ input }) => input,
  reference: ({ reference }) => reference,
  error: ({ error }) => error,
  calls: ({ usage }) => usage?.calls,
  tokens: ({ usage }) => usage && [usage.input, usage.output].join(),
  cost: ({ usage }) => usage?.cost,
} satisfies Partial<Record<ColumnId, (row: TableRow) => unknown>>;

/** The columns that may give way and say the same of all rows; of a single row, none does. */
export function sameColumns(rows: readonly TableRow[]): readonly ColumnId[] {
  const [first, ...others] = rows;
  if (first === undefined || others.length === 0) return [];
  return Object.entries(saidOf).flatMap(([id, read]) => {
    const said = read(first);
    return others.every((row) => read(row) === said) ? [id as keyof typeof saidOf] : [];
  });
}

/** What gives way before added columns, and after them; the first one first. */
const beforeAdded: readonly ColumnId[] = ['reference', 'input', 'error'];
const afterAdded: readonly ColumnId[] = usageColumns;

/** Leaves out columns until no column of text is too narrow to be read. */
function fitTexts(columns: Columns, width: number): Columns {
  let fitted = columns;
  for (;;) {
    const visible = visibleColumns(fitted);
    const gone = hasRoom(visible, width) ? undefined : leastOf(visible, columns.same);
    if (gone === undefined) return fitted;
    fitted = { ...fitted, order: fitted.order.filter((id) => id !== gone) };
  }
}

function leastOf(visible: readonly ColumnId[], same: readonly ColumnId[]): ColumnId | undefined {
  const isVisible = (id: ColumnId) => visible.includes(id);
  const saysNothing = (id: ColumnId) => isVisible(id) && same.includes(id);
  const without = [...beforeAdded, ...afterAdded].find(saysNothing);
  return (
    without ??
    beforeAdded.find(isVisible) ??
    visible.findLast(isAdded) ??
    afterAdded.find(isVisible)
  );
}

/** Whether no column of a table is too narrow. */
function hasRoom(visible: readonly ColumnId[], width: number): boolean {
  // Evaluation, selection, status and the padding.
  let [fixed, shares, perShare] = [28 + 32 + 28, 1.5, 0];
  for (const id of visible) {
    const {
      share = 0,
      pixels = share > 0 ? 0 : Math.min(262, width * 0.2),
      least = 140,
    } = sizeOf(id);
    fixed += pixels + 14;
    shares += share;
    if (share > 0) perShare = Math.max(perShare, least / share);
  }
  return width - fixed >= perShare * shares;
}

function sizeOf(id: ColumnId): ColumnSize {
  if (!isAdded(id)) return builtIn[id];
  return scoreOf(id) === undefined ? { share: 0.55, least: 90 } : { pixels: 74 };
}

/** The track of a column whose width was not set by hand. */
function trackOf(id: ColumnId): string {
  const { share, pixels } = sizeOf(id);
  if (share !== undefined) return `minmax(0, ${share}fr)`;
  return pixels === undefined ? 'minmax(0, min(262px, 20vw))' : `${pixels}px`;
}

/** Minimum width of a column in pixels. */
const minWidth = 40;

/** The grid columns: selection, status, evaluation, then the visible ones. */
export function columnTracks(columns: Columns): string {
  const rest = visibleColumns(columns).map((id) => {
    const width = columns.widths[id];
    return width === undefined ? trackOf(id) : `minmax(0, ${Math.round(width)}px)`;
  });
  return ['14px', '14px', 'minmax(150px, 1.5fr)', ...rest].join(' ');
}

/** Moves a column before or after its visible neighbour. */
export function moveColumn(columns: Columns, id: ColumnId, by: -1 | 1): Columns {
  const visible = visibleColumns(columns);
  const neighbour = visible[visible.indexOf(id) + by];
  if (neighbour === undefined) return columns;
  const order = columns.order.filter((other) => other !== id);
  order.splice(order.indexOf(neighbour) + (by === 1 ? 1 : 0), 0, id);
  return { ...columns, order };
}

/**
 * Moves the edge between two columns: one gets wider by as much as the other gets narrower. `left` is absent for
 * the evaluation, which takes the remaining width.
 */
export function moveEdge(
  columns: Columns,
  left: readonly [ColumnId, number] | undefined,
  right: readonly [ColumnId, number] | undefined,
  by: number,
): Columns {
  const most = right === undefined ? 0 : right[1] - minWidth;
  const least = left === undefined ? -400 : minWidth - left[1];
  const step = Math.max(least, Math.min(most, by));
  return {
    ...columns,
    widths: {
      ...columns.widths,
      ...(left && { [left[0]]: left[1] + step }),
      ...(right && { [right[0]]: right[1] - step }),
    },
  };
}

/** Columns without widths set by hand. */
export function withoutWidths(columns: Columns, ids: readonly (ColumnId | undefined)[]): Columns {
  const widths = Object.fromEntries(
    Object.entries(columns.widths).filter(([id]) => !(ids as readonly string[]).includes(id)),
  );
  return { ...columns, widths };
}

/** Adds a column before the last one, or removes it. */
export function toggleAdded(columns: Columns, id: ColumnId): Columns {
  const others = columns.order.filter((other) => other !== id);
  if (others.length < columns.order.length) return { ...columns, order: others };
  const usage = others.findIndex((other) => isUsageColumn(other) || other === 'latency');
  return { ...columns, order: others.toSpliced(usage === -1 ? others.length : usage, 0, id) };
}
