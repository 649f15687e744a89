import { z } from 'zod';
import { besideParts } from '../../model/calls/run-usage.js';
import { resultStatuses } from '../../model/result.js';
import { fieldText, longestFieldText, type ResultField } from '../../model/result-field.js';
import { textPlaces } from '../../model/selection/result-texts.js';
import { hitLengths, type SearchHit, searchHit } from '../../model/selection/search-hit.js';
import {
  parseSearch,
  parseSearchLine,
  type SearchLine,
} from '../../model/selection/search-line.js';
import { groupByText, rowGroup, rowsByKey, sortGroups } from '../../model/summary/row-groups.js';
import type { StoredRun } from '../../store/stored-run.js';
import type { Comparisons } from '../compare/comparisons.js';
import { PreviousRuns, type SessionRuns } from '../compare/previous-runs.js';
import { defineRoute, json, type Route } from '../http/route.js';
import { knownFields, mostKnownFields, sampledResults } from '../rows/fields.js';
import {
  cutFields,
  type LightRow,
  lightRowLimits,
  lightRowsOf,
  rowFlags,
  sourceEntries,
} from '../rows/light-row.js';
import { scoreHistograms } from '../rows/row-summary.js';
import type { RowTable, RowTables } from '../rows/row-table.js';
import { callsIn } from '../rows/row-texts.js';
import { toFold } from '../rows/trials.js';
import { progressOf } from '../workspace/progress.js';
import type { RunChecks } from '../workspace/run-checks.js';
import type { OnEnd } from '../workspace/workspace.js';
import { spentTotals } from './call.js';
import { byIndex, type OpenRows, problemOf } from './opened-rows.js';
import { cluster, origin, reason, resultStanding } from './result.js';
import { rowFiguresRoute } from './row-figures.js';
import {
  conditionFieldText,
  rowFilterOf,
  rowGroupsQuery,
  rowIndicesQuery,
  rowsQuery,
  rowValuesQuery,
  searchLineQuery,
} from './row-query.js';
import { rowReasonsRoute } from './row-reasons.js';
import { mostGroups, rowGroups, rowSummary } from './row-summary.js';
import { score, scoreChip } from './score.js';
import { checkProblem, count, flagParameter, runIdParams, seconds } from './values.js';

/** Maximum values of an answer. */
const mostListedValues = 200;

/** The source of runs. */
interface Runs extends SessionRuns {
  read(runId: string, onEnd?: OnEnd): Promise<StoredRun>;
  readonly project: { readonly checks: Pick<RunChecks, 'changedRows'> };
}

const tag = 'Rows';

const pageQuery = rowsQuery.extend({
  summary: flagParameter(
    '`false`: omit `summary`, which takes longest; further pages of a list do not need it. Default: true.',
  ),
  wait: flagParameter(
    'Wait until `summary.previous` is up to date, even for long runs. Default: false.',
  ),
});

/** Tables over the results of a run, for runs of any size. */
export function rowsRoutes(runs: Runs, tables: RowTables, comparisons: Comparisons): Route[] {
  const previousRuns = new PreviousRuns(runs, tables, comparisons);

  /** The table of a run, and the filter of a request for it, with the results that are out of date if it asks for them. */
  const open: OpenRows = async (runId, query, onEnd) => {
    const run = await runs.read(runId, onEnd);
    const filter = rowFilterOf(query);
    if (filter.changed === undefined) return { run, filter, table: tables.current(run), more: '' };
    const outdated = await runs.project.checks.changedRows(run);
    const more = ` ${outdated.version}`;
    return { run, filter: { ...filter, outdated }, table: tables.current(run), more };
  };
  return [
    defineRoute({
      method: 'GET',
      path: '/api/runs/{run_id}/rows',
      operation: 'getRows',
      tag,
      summary: 'A page of the results of a run, filtered, sorted and summarised.',
      description:
        'Long values are cut to one line of text. Filters of one kind are combined with OR, those of different kinds with AND; excluded values never match. `\\!` at the start of a value stands for a literal `!`. The summary covers all matching rows, not only the page.',
      params: runIdParams,
      query: pageQuery,
      answer: { description: 'A page of rows.', schema: rowPage, headers: ['ETag'] },
      problems: [409],
      handle: async ({ params, query, signal, onEnd }) => {
        const { run, table, filter, more } = await open(params.run_id, query, onEnd);
        // At once, so that what a client shows of both is of one moment.
        const progress = progressOf(run);
        const asked = { filter, order: orderOf(query) };
        const matching = await table.query(asked, signal);
        const grouped = query.by && (await table.grouped(asked, query.by, signal));
        // After scrolling on, nobody waits for the rows that were visible before.
        signal.throwIfAborted();
        const fold = query.fold !== false;
        const list = grouped?.list(fold) ?? (fold ? matching.folded() : matching.indices);
        const page = {
          total: table.rows.length,
          filtered: matching.indices.length,
          count: list.length,
          offset: query.offset,
          rows: await readRows(table, list, query),
          ...problemOf(filter),
        };
        const version = `${table.version}${more}`;
        if (query.summary === false) return json(page, version);
        const corrected = run.corrected();
        const previous = await previousRuns.of(table, query.wait === true);
        const summary = {
          ...matching.summary(),
          ...(grouped && { groups: grouped.groups(fold) }),
          ...(query.histogram && {
            histograms: scoreHistograms(table.rows, matching.indices, query.histogram),
          }),
          progress,
          ...previous,
          ...(corrected.length > 0 && { corrected }),
        };
        return json({ ...page, summary }, `${version} ${JSON.stringify([progress, previous])}`);
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/runs/{run_id}/rows/groups',
      operation: 'getRowGroups',
      tag,
      summary:
        'The figures of the results of a run by dataset, label, evaluation, file or any value in them.',
      description:
        'Counts the matching rows; each group has the figures that a run of its results alone would have. Values other than text are grouped by their JSON, and by their first 200 characters. The filter `group` selects the rows of a group. `difference` compares a group with the previous run of the session, over all results of both runs, regardless of filters.',
      params: runIdParams,
      query: rowGroupsQuery,
      answer: { description: 'The groups.', schema: rowGroups, headers: ['ETag'] },
      problems: [409],
      handle: async ({ params, query, signal, onEnd }) => {
        const { table, filter, more } = await open(params.run_id, query, onEnd);
        const { by, sort, order } = query;
        const keysOf = await table.keysBy(by, signal);
        const { differences, version, ...previous } = await previousRuns.groups(table, by, keysOf);
        const { indices, countsOnly } = await table.query({ filter, order: byIndex }, signal);
        const figures = {
          scales: table.scales,
          countsOnly: countsOnly || !(await table.isPlanned(by)),
          beside: besideParts(table.rows, table.unlisted),
        };
        const groups = [...rowsByKey(table.rows, indices, keysOf)].map(([key, rows]) => {
          const difference = differences.get(key);
          return { ...rowGroup(key, rows, figures), ...(difference && { difference }) };
        });
        const sorted = sortGroups(groups, { by: sort, descending: order === 'desc' });
        const body = {
          by: groupByText(by),
          total: table.rows.length,
          filtered: indices.length,
          count: groups.length,
          ...previous,
          groups: sorted.slice(0, mostGroups),
          ...problemOf(filter),
        };
        return json(body, `${table.version} ${version}${more}`);
      },
    }),
    rowReasonsRoute(open, previousRuns),
    rowFiguresRoute(open),
    defineRoute({
      method: 'GET',
      path: '/api/runs/{run_id}/rows/fields',
      operation: 'getRowFields',
      tag,
      summary: 'The fields that the results of a run have.',
      description: `Names in metadata, input, output and reference that lead to text, numbers or truth values, found in up to ${sampledResults} results. Rows are sorted and grouped by fields, and show them.`,
      params: runIdParams,
      answer: { description: 'The fields.', schema: fieldList, headers: ['ETag'] },
      handle: async ({ params, onEnd }) => {
        const table = tables.current(await runs.read(params.run_id, onEnd));
        return json({ fields: await knownFields(table) }, table.version);
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/runs/{run_id}/rows/values',
      operation: 'getRowValues',
      tag,
      summary: 'The values of a field, and how many matching results have each.',
      description:
        'Conditions (`where`) about the field itself are left out, as for the facets of `/rows`. Values of 200 characters or more are not listed.',
      params: runIdParams,
      query: rowValuesQuery,
      answer: { description: 'The values.', schema: valueList, headers: ['ETag'] },
      problems: [409],
      handle: async ({ params, query, signal, onEnd }) => {
        const { table, filter, more } = await open(params.run_id, query, onEnd);
        const values = await table.values(query.of, filter, signal);
        const body = {
          field: conditionFieldText(query.of),
          values: values.slice(0, mostListedValues),
          different: values.length,
        };
        return json(body, `${table.version}${more}`);
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/search-line',
      operation: 'readSearchLine',
      tag,
      summary: 'Splits a line of search into conditions and words.',
      description:
        'In `metadata.tier=pro refund`, the first is a condition and the rest is searched for. What is in quotes is never a condition.',
      query: searchLineQuery,
      answer: { description: 'The parts of the line.', schema: searchLine },
      handle: async ({ query }) => json(parseSearchLine(query.text)),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/runs/{run_id}/rows/indices',
      operation: 'getRowIndices',
      tag,
      summary: 'The indices of all results of a run that match, sorted.',
      description:
        'Use it to select all matches, and to find the next and the previous one. Trials are never folded. Each index comes once, also with `by`.',
      params: runIdParams,
      query: rowIndicesQuery,
      answer: { description: 'The indices.', schema: rowIndices, headers: ['ETag'] },
      problems: [409],
      handle: async ({ params, query, signal, onEnd }) => {
        const { table, filter, more } = await open(params.run_id, query, onEnd);
        const asked = { filter, order: orderOf(query) };
        const { indices } = await table.query(asked, signal);
        const grouped = query.by && (await table.grouped(asked, query.by, signal));
        const groups = grouped?.indices.map((group) => Array.from(group));
        const body = {
          indices: groups === undefined ? Array.from(indices) : [...new Set(groups.flat())],
          total: table.rows.length,
          filtered: indices.length,
          ...(groups && { groups }),
          ...problemOf(filter),
        };
        return json(body, `${table.version}${more}`);
      },
    }),
  ];
}

function orderOf({ sort, order }: Pick<z.output<typeof rowIndicesQuery>, 'sort' | 'order'>) {
  return { by: sort, descending: order === 'desc' };
}

/** The rows of a page of a list. */
async function readRows(
  table: RowTable,
  list: Uint32Array,
  { offset, limit, fold, field, search }: z.output<typeof rowsQuery>,
) {
  const indices = Array.from(list.slice(offset, offset + limit));
  const rows = await lightRowsOf(table, indices);
  const fields = field.length === 0 ? undefined : await fieldsOf(table, indices, field);
  const [text] = search.include;
  const hits = text === undefined ? undefined : await hitsOf(table, indices, text);
  return rows.map((row) => {
    const group = row.trial_of === undefined ? undefined : table.groups.get(row.trial_of);
    const texts = fields?.get(row.index);
    const found = hits?.get(row.index);
    return {
      ...row,
      ...(texts && { fields: texts }),
      ...(found && { found }),
      ...(fold && group !== undefined && { fold: toFold(table, group) }),
    };
  });
}

/** The texts of fields of some rows. */
async function fieldsOf(
  table: RowTable,
  indices: readonly number[],
  fields: readonly ResultField[],
): Promise<ReadonlyMap<number, readonly (string | null)[]>> {
  const texts = new Map<number, readonly (string | null)[]>();
  for await (const { index, entry } of sourceEntries(table, indices)) {
    texts.set(
      index,
      fields.map((field) => fieldText(entry.result, field)),
    );
  }
  return texts;
}

/** Where some rows say what was searched for. */
async function hitsOf(table: RowTable, indices: readonly number[], text: string) {
  const words = parseSearch(text);
  const hits = new Map<number, SearchHit>();
  for await (const { index, entry } of sourceEntries(table, indices)) {
    const hit = searchHit(entry, callsIn(table, index), words);
    if (hit !== undefined) hits.set(index, hit);
  }
  return hits;
}

const preview = z.string().nullable();
const flag = z.enum(rowFlags);

const fields = {
  index: count.meta({ description: 'Position of the result in the run, from 0.' }),
  id: z.string(),
  function: z.string(),
  dataset: z.string(),
  labels: z.array(z.string()),
  trial: z.int().positive().exactOptional(),
  trial_of: z.string().exactOptional(),
  cluster,
  regradable: z.literal(true).exactOptional(),
  inexact: z.literal(true).exactOptional().meta({
    description: 'Its values are not stored as they were, so that a regrade leaves it as it is.',
  }),
  pruned: z.literal(true).exactOptional(),
  status: z.enum(resultStatuses),
  passed: z.boolean().nullable().meta({ description: 'The verdict; `null` if there is none.' }),
  latency: seconds,
  origin: origin.exactOptional(),
  reason: reason.exactOptional(),
  replayed: z.literal(true).exactOptional().meta({
    description: 'The latency comes from recordings, and counts in no figure.',
  }),
  usage: spentTotals.exactOptional(),
  scores: z.array(score).meta({
    description: `At most ${lightRowLimits.scores}, with notes of at most ${lightRowLimits.notes} characters.`,
  }),
  input: preview,
  output: preview,
  reference: preview,
  error: preview,
  annotation: z.string(),
  has: z.array(flag),
  cut: z.array(z.enum(cutFields)).meta({
    description: 'Names of the shortened fields.',
  }),
};

const lightRow = z.object(fields).meta({
  id: 'LightRow',
  description: `A result with its long values as text on one line, of at most ${lightRowLimits.preview} characters: strings unchanged, anything else as compact JSON.`,
});
lightRow satisfies z.ZodType<LightRow>;

const foldSchema = z
  .object({
    id: z.string().meta({ description: 'Id of the case, without the trial.' }),
    indices: z.array(count).meta({ description: 'Indices of all its trials, matching or not.' }),
    trials: count,
    finished: count,
    passed: count,
    flaky: z.boolean().meta({ description: 'Some trials passed and some did not.' }),
    standings: z
      .array(resultStanding)
      .meta({ description: 'The state of each trial, in the order of `indices`.' }),
    distinct_outputs: count.meta({
      description: 'The number of distinct outputs of the completed trials; 0 if one is unknown.',
    }),
    chips: z.array(scoreChip),
    average_latency: seconds,
    usage: spentTotals.exactOptional(),
  })
  .meta({ id: 'Fold', description: 'The trials behind a row that represents all of them.' });
foldSchema satisfies z.ZodType<ReturnType<typeof toFold>>;

const searchHitSchema = z
  .object({
    in: z.enum(textPlaces),
    of: z
      .string()
      .exactOptional()
      .meta({ description: 'The score of a note, the tool of an answer.' }),
    before: z.string(),
    match: z.string(),
    after: z.string(),
  })
  .meta({
    id: 'SearchHit',
    description: `Where a row says what was searched for, on one line: a word as it stands there, at most ${hitLengths.before} characters before it, and ${hitLengths.after} after it. Only with \`search\`.`,
  });
searchHitSchema satisfies z.ZodType<SearchHit>;

/** A page of the rows of a run. */
export const rowPage = z
  .object({
    total: count.meta({ description: 'Results of the run.' }),
    filtered: count.meta({ description: 'Results that match.' }),
    count: count.meta({
      description: 'Rows of the list: less than `filtered` if trials are folded.',
    }),
    offset: count,
    rows: z.array(
      z
        .object({
          ...fields,
          fields: z
            .array(preview)
            .exactOptional()
            .meta({
              description: `The values of each \`field\` asked for, as text of at most ${longestFieldText} characters; \`null\` where there is none. Of one result, also where trials are folded.`,
            }),
          fold: foldSchema.exactOptional(),
          found: searchHitSchema.exactOptional(),
        })
        .meta({ id: 'TableRow' }),
    ),
    summary: rowSummary.exactOptional(),
    problem: checkProblem,
  })
  .meta({ id: 'RowPage' });

const rowIndices = z
  .object({
    indices: z.array(count),
    total: count,
    filtered: count,
    groups: z.array(z.array(count)).exactOptional().meta({
      description: 'The indices of each group; present with `by`.',
    }),
    problem: checkProblem,
  })
  .meta({ id: 'RowIndices' });

/** The values of a field. */
const valueList = z
  .object({
    field: z.string(),
    values: z
      .array(z.object({ value: z.string(), results: count }))
      .max(mostListedValues)
      .meta({ description: 'The most frequent ones first.' }),
    different: count.meta({ description: 'The number of different values, listed or not.' }),
  })
  .meta({ id: 'FieldValues' });

const searchLine = z
  .object({
    conditions: z.array(z.string()).meta({ description: 'For the parameter `where`.' }),
    search: z.string().meta({ description: 'The rest, for the parameter `search`.' }),
    problems: z.array(z.string()).meta({
      description:
        'What looks like a condition and is none, with what may be meant: `search` has it as text.',
    }),
  })
  .meta({ id: 'SearchLine' });
searchLine satisfies z.ZodType<SearchLine>;

/** The fields that the results of a run have. */
const fieldList = z
  .object({
    fields: z
      .array(
        z
          .object({
            field: z
              .string()
              .meta({ description: 'Such as `metadata.tier` or `output.order.id`.' }),
            results: count.meta({ description: 'Sampled results with a value.' }),
            values: count.meta({ description: 'Different values among them.' }),
          })
          .meta({ id: 'KnownField' }),
      )
      .max(mostKnownFields),
  })
  .meta({ id: 'KnownFields' });
