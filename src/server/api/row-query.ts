import { z } from 'zod';
import {
  parseResultField,
  type ResultField,
  resultFieldForms,
  resultFieldText,
} from '../../model/result-field.js';
import { type CallFact, isCallFact } from '../../model/selection/condition.js';
import {
  type GroupBy,
  type GroupOrder,
  groupForms,
  groupSorts,
  parseGroupBy,
} from '../../model/summary/row-groups.js';
import {
  type Choice,
  type FilterName,
  filterKinds,
  filterNames,
  isSet,
  type KindValue,
  longestSearch,
  type RowFilter,
} from '../rows/filters.js';
import { mostTableGroups } from '../rows/groups.js';
import { type RowFigure, type RowOrder, rowFigures, sortFields } from '../rows/row-order.js';
import { shownAs } from './values.js';

/** Maximum values of one filter. */
const mostValues = 200;
/** Maximum fields of an answer. */
const mostFields = 20;
/** Maximum rows of an answer. */
const mostRows = 500;

/** A parameter as it is documented. */
interface Shown {
  readonly description: string;
  readonly [keyword: string]: unknown;
}

/** A parameter that may occur once. `read` returns the value, or `undefined` for one that is not `expected`. */
export function single<T, F>(
  fallback: F,
  expected: string,
  read: (text: string) => T | undefined,
  { description, ...shown }: Shown,
) {
  return z
    .array(z.string())
    .max(1, { error: 'must be given once' })
    .optional()
    .transform((texts, context): T | F => {
      const [text] = texts ?? [];
      if (text === undefined) return fallback;
      return read(text) ?? refuse(context, expected, text);
    })
    .meta({ description, override: shownAs(shown) });
}

/** The texts of a parameter that may be repeated. */
function texts(most: number) {
  return z
    .array(z.string())
    .max(most, { error: `must be given at most ${most} times` })
    .optional();
}

function shownList(description: string) {
  return { description, override: shownAs({ type: 'array', items: { type: 'string' } }) };
}

/** A filter that may be repeated; a leading `!` excludes a value, and `\` escapes a leading `!` or `\`. */
export function choice<T>(
  expected: string,
  read: (text: string) => T | undefined,
  description: string,
) {
  return texts(mostValues)
    .transform((given = [], context): Choice<T> => {
      const found = { include: [] as T[], exclude: [] as T[] };
      for (const text of given) {
        const isExcluded = text.startsWith('!');
        const rest = isExcluded ? text.slice(1) : text;
        const value = read(rest.startsWith('\\') ? rest.slice(1) : rest);
        if (value === undefined) refuse(context, expected, text);
        else found[isExcluded ? 'exclude' : 'include'].push(value);
      }
      return found;
    })
    .meta(shownList(`${description} May repeat, and exclude with \`!\` before the value.`));
}

/** Adds an issue for a text that is not what a parameter expects. */
function refuse(context: z.RefinementCtx, expected: string, text: string): never {
  const quoted = JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);
  context.addIssue({ code: 'custom', message: `must be ${expected}, not ${quoted}` });
  return z.NEVER;
}

type Filters = {
  readonly [K in FilterName]: z.ZodType<Choice<KindValue<K>>, string[] | undefined>;
};

/** The filters of rows: one property per parameter. */
const filters = {
  ...(Object.fromEntries(
    filterNames.map((name) => {
      const { expected, read, description } = filterKinds[name];
      return [name, choice<unknown>(expected, read, description)];
    }),
    // Each is made from its kind.
  ) as unknown as Filters),
  search: single({ include: [], exclude: [] }, filterKinds.search.expected, readSearch, {
    type: 'string',
    maxLength: longestSearch,
    description: filterKinds.search.description,
  }),
};

/** The filter of a query, without its other parameters. */
export function rowFilterOf(query: RowFilter): RowFilter {
  const set = filterNames.filter((name) => isSet(query[name]));
  return Object.fromEntries(set.map((name) => [name, query[name]]));
}

/** The direction of a sort. */
export const sortOrder = single('asc', 'asc or desc', oneOf(['asc', 'desc'] as const), {
  type: 'string',
  enum: ['asc', 'desc'],
  default: 'asc',
  description: 'Ascending or descending.',
});

const order = {
  sort: single<RowOrder['by'], 'index'>(
    'index',
    `${sortFields.join(', ')}, score:KEY or field:FIELD`,
    readSort,
    {
      type: 'string',
      default: 'index',
      description: `\`${sortFields.join('`, `')}\`, \`score:KEY\` or \`field:FIELD\` (see \`field\`). \`calls\`, \`tokens\` and \`cost\` are what the run spent, as far as it is known: 0 for results that were carried over. Equal rows are in order of index; rows without the value come last.`,
    },
  ),
  order: sortOrder,
};

const fold = single(false, 'trials', (text) => (text === 'trials' ? true : undefined), {
  type: 'string',
  enum: ['trials'],
  description: 'One row for all trials of a case: the first match in the sort order.',
});

const field = texts(mostFields)
  .transform((given = [], context): readonly ResultField[] =>
    given.map(
      (text) => parseResultField(text) ?? refuse(context, `one of ${resultFieldForms}`, text),
    ),
  )
  .meta(
    shownList(
      `A value to show of each row, in \`fields\`: ${resultFieldForms}, with names after dots, and positions or quoted names in brackets, such as \`output.items[0]["due date"]\`. May repeat.`,
    ),
  );

const groupBy = z
  .array(z.string())
  .length(1, { error: 'must be given once' })
  .transform(
    ([text = ''], context): GroupBy =>
      parseGroupBy(text) ?? refuse(context, `one of ${groupForms}`, text),
  )
  .meta({
    description: `What rows are grouped by: ${groupForms}. A row with several labels is in several groups.`,
    override: shownAs({ type: 'string' }),
  });

const by = groupBy.optional().meta({
  description: `List the rows in groups: ${groupForms}. Groups are sorted by the figure that \`sort\` names: by pass rate for \`index\` and \`status\`, by key for texts; equal ones by their number of results. Results that share their value with no other, or with too few to be among the ${mostTableGroups} largest groups, come last. A row with several labels is in several groups.`,
  override: shownAs({ type: 'string' }),
});

const histogram = texts(mostFields).meta(
  shownList('The key of a score whose values the summary counts, in `histograms`. May repeat.'),
);

/** The part of a list that is asked for. */
export const pageRange = {
  offset: single(0, 'a whole number from 0', readCount(Number.MAX_SAFE_INTEGER), {
    type: 'integer',
    minimum: 0,
    default: 0,
    description: 'The number of rows to skip.',
  }),
  limit: single(100, `a whole number from 0 to ${mostRows}`, readCount(mostRows), {
    type: 'integer',
    minimum: 0,
    maximum: mostRows,
    default: 100,
    description: 'Maximum number of rows on the page.',
  }),
};

/** Parameters of the rows of a run. */
export const rowsQuery = z.strictObject({
  ...pageRange,
  ...order,
  ...filters,
  fold,
  by,
  field,
  histogram,
});

const groupSortNames = groupSorts.join(', ');

/** Parameters of the groups of rows. */
export const rowGroupsQuery = z.strictObject({
  by: groupBy,
  sort: single<GroupOrder['by'], 'passed'>(
    'passed',
    `${groupSortNames} or score:KEY`,
    (text) => readScoreKey(text) ?? oneOf(groupSorts)(text),
    {
      type: 'string',
      default: 'passed',
      description: `\`${groupSorts.join('`, `')}\` or \`score:KEY\`: the pass rate, the p50 of the latencies, the share or mean of a score. Groups without the figure come last, and results without a value after them.`,
    },
  ),
  order: order.order,
  ...filters,
});

/** Parameters of the numbers of rows. */
export const rowFiguresQuery = z.strictObject({
  ...filters,
  figure: z
    .array(z.string())
    .min(1, { error: 'must be given' })
    .max(2, { error: 'must be given at most twice' })
    .transform((given, context): readonly RowFigure[] =>
      given.map(
        (text) =>
          readScoreKey(text) ??
          oneOf(rowFigures)(text) ??
          refuse(context, `${rowFigures.join(', ')} or score:KEY`, text),
      ),
    )
    .meta(
      shownList(
        `A number to read of each row: \`${rowFigures.join('`, `')}\` or \`score:KEY\`. \`calls\`, \`tokens\` and \`cost\` are what the run spent, as far as it is known: 0 for results that were carried over. May be given twice.`,
      ),
    ),
});

/** Parameters of the reasons why rows failed. */
export const rowReasonsQuery = z.strictObject(filters);

/** Parameters of the indices of rows. */
export const rowIndicesQuery = z.strictObject({ ...order, ...filters, by });

/** Parameters of the values of a field. */
export const rowValuesQuery = z.strictObject({
  of: z
    .array(z.string())
    .length(1, { error: 'must be given once' })
    .transform(
      ([text = ''], context): ListedField =>
        (isCallFact(text) ? text : parseResultField(text)) ??
        refuse(context, `one of tool, model, ${resultFieldForms}`, text),
    )
    .meta({
      description: `The field: tool, model, ${resultFieldForms}.`,
      override: shownAs({ type: 'string' }),
    }),
  ...filters,
});

/** A field whose values can be listed. */
type ListedField = CallFact | ResultField;

/** The name of a field in conditions. */
export function conditionFieldText(field: ListedField): string {
  return isCallFact(field) ? field : resultFieldText(field);
}

/** A line of search. */
export const searchLineQuery = z.strictObject({
  text: single('', filterKinds.search.expected, filterKinds.search.read, {
    type: 'string',
    maxLength: longestSearch,
    description: 'The line.',
  }),
});

/** Reads one of some words. */
export function oneOf<T extends string>(values: readonly T[]) {
  return (text: string): T | undefined => values.find((value) => value === text);
}

function readCount(most: number) {
  return (text: string): number | undefined =>
    /^\d{1,16}$/.test(text) && Number(text) <= most ? Number(text) : undefined;
}

/** An empty text searches for nothing. */
function readSearch(text: string): Choice<string> | undefined {
  const found = filterKinds.search.read(text);
  return found === undefined
    ? undefined
    : { include: found.trim() === '' ? [] : [found], exclude: [] };
}

function readSort(text: string): RowOrder['by'] | undefined {
  const found = text.startsWith('field:') ? parseResultField(text.slice(6)) : undefined;
  return found === undefined ? (readScoreKey(text) ?? oneOf(sortFields)(text)) : { field: found };
}

/** Reads `score:KEY`. */
export function readScoreKey(text: string): { readonly score: string } | undefined {
  const score = text.startsWith('score:') ? text.slice('score:'.length) : '';
  return score === '' ? undefined : { score };
}
