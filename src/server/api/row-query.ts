import { z } from 'zod';
import { originKinds, resultStatuses } from '../../model/result.js';
import { parseResultField, type ResultField, resultFieldForms } from '../../model/result-field.js';
import { verdicts } from '../../model/scores/verdict.js';
import {
  type GroupBy,
  type GroupOrder,
  groupForms,
  groupSorts,
  parseGroupBy,
} from '../../model/summary/row-groups.js';
import { mostTableGroups } from '../rows/groups.js';
import { rowFlags } from '../rows/light-row.js';
import {
  type Choice,
  type CostRange,
  codeAges,
  type GroupChoice,
  type LatencyRange,
  type RowFilter,
  type ScoreCondition,
} from '../rows/row-filter.js';
import { type RowOrder, sortFields } from '../rows/row-order.js';
import { shownAs } from './values.js';

/** Maximum length of a search text, in characters. */
const longestSearch = 1000;
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

/** A parameter that may occur once. `read` returns the value, or a description of valid ones. */
function single<T>(
  fallback: T,
  expected: string,
  read: (text: string) => T | undefined,
  { description, ...shown }: Shown,
) {
  return z
    .array(z.string())
    .max(1, { error: 'must be given once' })
    .optional()
    .transform((texts, context): T => {
      const [text] = texts ?? [];
      if (text === undefined) return fallback;
      const value = read(text);
      if (value !== undefined) return value;
      context.addIssue({ code: 'custom', message: `must be ${expected}, not ${quote(text)}` });
      return z.NEVER;
    })
    .meta({ description, override: shownAs(shown) });
}

/** A filter that may be repeated; a leading `!` excludes a value, and `\` escapes a leading `!` or `\`. */
function choice<T>(expected: string, read: (text: string) => T | undefined, description: string) {
  return z
    .array(z.string())
    .max(mostValues, { error: `must be given at most ${mostValues} times` })
    .optional()
    .transform((texts, context): Choice<T> => {
      const found = { include: [] as T[], exclude: [] as T[] };
      for (const text of texts ?? []) {
        const isExcluded = text.startsWith('!');
        const rest = isExcluded ? text.slice(1) : text;
        const value = read(rest.startsWith('\\') ? rest.slice(1) : rest);
        if (value !== undefined) found[isExcluded ? 'exclude' : 'include'].push(value);
        else
          context.addIssue({ code: 'custom', message: `must be ${expected}, not ${quote(text)}` });
      }
      return found;
    })
    .meta({
      description: `${description} May repeat, and exclude with \`!\` before the value.`,
      override: shownAs({ type: 'array', items: { type: 'string' } }),
    });
}

const any = (text: string): string => text;

/** The filters of rows: one property per parameter. */
const filters = {
  dataset: choice('a dataset', any, 'Rows of a dataset.'),
  label: choice('a label', any, 'Rows with a label.'),
  status: choice(
    `one of ${[...resultStatuses, ...verdicts, 'pruned'].join(', ')}`,
    oneOf([...resultStatuses, ...verdicts, 'pruned'] as const),
    `Rows with a status, or completed ones with a verdict: ${verdicts.join(', ')}; or \`pruned\` ones, which have no other.`,
  ),
  score: choice(
    'KEY:passed, KEY:failed, KEY:>=NUMBER or KEY:<=NUMBER',
    readScoreRule,
    'Rows with a score that passed (`exact:passed`), failed (`exact:failed`), or has a value of at least or at most a number (`size:>=5`, `size:<=5`).',
  ),
  has: choice(
    `one of ${rowFlags.join(', ')}`,
    oneOf(rowFlags),
    `Rows that have something: ${rowFlags.join(', ')}.`,
  ),
  flaky: choice(
    'true or false',
    (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
    '`true`: trials of cases with trials that passed and trials that did not; `false`: all others.',
  ),
  code: choice(
    `one of ${codeAges.join(', ')}`,
    oneOf(codeAges),
    'Rows graded by the newest version of the code of their eval file, or by an `older` one.',
  ),
  origin: choice(
    `one of ${originKinds.join(', ')}`,
    oneOf(originKinds),
    'Rows whose output comes from another run: `carried` over as they were, or `regraded`.',
  ),
  changed: choice(
    'true or false',
    (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
    '`true`: results that edits of the project can have changed, as `/changes` lists them; `false`: all others. Waits until that is known. While the run is in progress: what was out of date before; 409 if that is not known.',
  ),
  latency: choice(
    'FROM..TO in seconds, FROM or TO may be omitted',
    readRange,
    'Rows with a latency in seconds that is not of recordings: `0.5..2` (2 is exclusive), `2..`, `..0.5`.',
  ),
  cost: choice(
    'FROM..TO in US dollars (FROM or TO may be omitted), unknown or replayed',
    (text): CostRange | undefined =>
      text === 'unknown' || text === 'replayed' ? text : readRange(text),
    'Rows by what the run spent on their calls in US dollars, in the format of `latency`: 0 for results that were carried over; a cost of which only a part is known is in ranges without TO alone; `unknown`: with calls of the run whose price is not known; `replayed`: with calls answered from recordings, which cost nothing.',
  ),
  group: choice(
    'FIELD=VALUE, or FIELD alone',
    readGroup,
    `Rows of a group of \`/rows/groups\`: \`file=refunds.eval.ts\`, \`metadata.tier=gold\`; the field alone (\`label\`) for rows without a value. Fields: ${groupForms}.`,
  ),
  search: single('', `at most ${longestSearch} characters`, readSearch, {
    type: 'string',
    maxLength: longestSearch,
    description:
      'Text in the function, input, output, reference, error or annotation, ignoring case.',
  }),
};

/** The filter of a query, without its other parameters. */
export function rowFilterOf(query: RowFilter): RowFilter {
  const { dataset, label, status, score, has, flaky, code, origin, latency, cost } = query;
  const { group, search, changed } = query;
  return {
    ...{ dataset, label, status, score, has, flaky, code, origin, latency, cost, group, search },
    ...(changed && { changed }),
  };
}

const order = {
  sort: single<RowOrder['by']>(
    'index',
    `${sortFields.join(', ')}, score:KEY or field:FIELD`,
    readSort,
    {
      type: 'string',
      default: 'index',
      description: `\`${sortFields.join('`, `')}\`, \`score:KEY\` or \`field:FIELD\` (see \`field\`). \`calls\`, \`tokens\` and \`cost\` are what the run spent, as far as it is known: 0 for results that were carried over. Equal rows are in order of index; rows without the value come last.`,
    },
  ),
  order: single('asc', 'asc or desc', oneOf(['asc', 'desc'] as const), {
    type: 'string',
    enum: ['asc', 'desc'],
    default: 'asc',
    description: 'Ascending or descending.',
  }),
};

const fold = single(false, 'trials', (text) => (text === 'trials' ? true : undefined), {
  type: 'string',
  enum: ['trials'],
  description: 'One row for all trials of a case: the first match in the sort order.',
});

const field = z
  .array(z.string())
  .max(mostFields, { error: `must be given at most ${mostFields} times` })
  .optional()
  .transform((texts = [], context): readonly ResultField[] =>
    texts.map((text) => {
      const read = parseResultField(text);
      if (read !== undefined) return read;
      const message = `must be one of ${resultFieldForms}, not ${quote(text)}`;
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    }),
  )
  .meta({
    description: `A value to show of each row, in \`fields\`: ${resultFieldForms}, with names after dots, and positions or quoted names in brackets, such as \`output.items[0]["due date"]\`. May repeat.`,
    override: shownAs({ type: 'array', items: { type: 'string' } }),
  });

const groupBy = z
  .array(z.string())
  .length(1, { error: 'must be given once' })
  .transform(([text = ''], context): GroupBy => {
    const by = parseGroupBy(text);
    if (by !== undefined) return by;
    const message = `must be one of ${groupForms}, not ${quote(text)}`;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  })
  .meta({
    description: `What rows are grouped by: ${groupForms}. A row with several labels is in several groups.`,
    override: shownAs({ type: 'string' }),
  });

const by = groupBy.optional().meta({
  description: `List the rows in groups: ${groupForms}. Groups are sorted by the figure that \`sort\` names: by pass rate for \`index\` and \`status\`, by key for texts; equal ones by their number of results. Results that share their value with no other, or with too few to be among the ${mostTableGroups} largest groups, come last. A row with several labels is in several groups.`,
  override: shownAs({ type: 'string' }),
});

const histogram = z
  .array(z.string())
  .max(mostFields, { error: `must be given at most ${mostFields} times` })
  .optional()
  .meta({
    description: 'The key of a score whose values the summary counts, in `histograms`. May repeat.',
    override: shownAs({ type: 'array', items: { type: 'string' } }),
  });

/** Parameters of the rows of a run. */
export const rowsQuery = z.strictObject({
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
  sort: single<GroupOrder['by']>('passed', `${groupSortNames} or score:KEY`, readGroupSort, {
    type: 'string',
    default: 'passed',
    description: `\`${groupSorts.join('`, `')}\` or \`score:KEY\`: the pass rate, the p50 of the latencies, the share or mean of a score. Groups without the figure come last, and results without a value after them.`,
  }),
  order: order.order,
  ...filters,
});

/** Parameters of the indices of rows. */
export const rowIndicesQuery = z.strictObject({ ...order, ...filters, by });

function oneOf<T extends string>(values: readonly T[]) {
  return (text: string): T | undefined => values.find((value) => value === text);
}

function readCount(most: number) {
  return (text: string): number | undefined =>
    /^\d{1,16}$/.test(text) && Number(text) <= most ? Number(text) : undefined;
}

function readSearch(text: string): string | undefined {
  return text.length <= longestSearch ? text : undefined;
}

function readGroupSort(text: string): GroupOrder['by'] | undefined {
  return readScoreKey(text) ?? oneOf(groupSorts)(text);
}

/** The first `=` after a field separates it from the value: quoted names in a field may have one. */
function readGroup(text: string): GroupChoice | undefined {
  for (let at = text.indexOf('='); at !== -1; at = text.indexOf('=', at + 1)) {
    const by = parseGroupBy(text.slice(0, at));
    if (by !== undefined) return { by, key: text.slice(at + 1) };
  }
  const by = parseGroupBy(text);
  return by && { by, key: null };
}

function readSort(text: string): RowOrder['by'] | undefined {
  const field = text.startsWith('field:') ? parseResultField(text.slice(6)) : undefined;
  return field === undefined ? (readScoreKey(text) ?? oneOf(sortFields)(text)) : { field };
}

/** Reads `score:KEY`. */
export function readScoreKey(text: string): { readonly score: string } | undefined {
  const score = text.startsWith('score:') ? text.slice('score:'.length) : '';
  return score === '' ? undefined : { score };
}

/** The rule follows the last colon, because keys may contain colons. */
function readScoreRule(text: string): ScoreCondition | undefined {
  const [, key, rule = ''] = /^(.+):([^:]*)$/su.exec(text) ?? [];
  if (key === undefined) return undefined;
  if (rule === 'passed' || rule === 'failed') return { key, passed: rule === 'passed' };
  const value = readNumber(rule.slice(2));
  if (value === undefined) return undefined;
  if (rule.startsWith('>=')) return { key, atLeast: value };
  return rule.startsWith('<=') ? { key, atMost: value } : undefined;
}

function readRange(text: string): LatencyRange | undefined {
  const [first, last, ...others] = text.split('..');
  if (first === undefined || last === undefined || others.length > 0) return undefined;
  const from = first === '' ? 0 : readNumber(first);
  const to = last === '' ? Number.MAX_VALUE : readNumber(last);
  return from === undefined || to === undefined || text === '..' ? undefined : { from, to };
}

function readNumber(text: string): number | undefined {
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) && Number.isFinite(Number(text))
    ? Number(text)
    : undefined;
}

function quote(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);
}
