import { AssayError } from '../../errors.js';
import {
  type CallFigures,
  callFigures,
  callJson,
  highMarks,
} from '../../model/calls/call-figures.js';
import { type ListedCall, listedCalls, sortCalls } from '../../model/calls/listed-call.js';
import { readCallFacts } from '../../store/log/entry-reading.js';
import type { StoredRun } from '../../store/stored-run.js';
import { countOf, renderCount } from '../../text/count-text.js';
import { renderLatency } from '../../text/duration-text.js';
import { shellWord } from '../../text/shell-word.js';
import { renderCost, renderResultCost, renderTokens, renderUsage } from '../../text/usage-text.js';
import { type RunReportOptions, showCommand } from '../report/report-options.js';
import { type FittedColumn, renderFittedColumns } from '../terminal/fitted-columns.js';
import { escapeTerminal, wrapParts } from '../terminal/terminal-text.js';
import type { ShownRun } from './shown-run.js';

/** What the calls of a run can be ordered by. */
export const callOrders = ['cost', 'latency', 'tokens'] as const;
export type CallOrder = (typeof callOrders)[number];

export function callOrderOf(text: string): CallOrder | undefined {
  return callOrders.find((order) => order === text);
}

/** The order that `--by` names with `--calls`. Error: `usage` for one that needs the flag, or does not go with it. */
export function checkOrder({
  by,
  // A flag that is not given is undefined.
  calls = false,
}: {
  readonly by?: unknown;
  readonly calls?: boolean;
}) {
  const order = typeof by === 'string' ? callOrderOf(by) : undefined;
  if (by === undefined || calls === (order !== undefined)) return order;
  const message = calls
    ? `With --calls, --by must be one of ${callOrders.join(', ')}.`
    : `--by ${order} orders calls: use it with --calls, or --sort ${order} with a group.`;
  throw new AssayError('usage', message);
}

/** The calls of models of a run, as `assay show --calls --json` prints them. */
export interface ShownCalls extends Omit<CallFigures, 'dearest' | 'slowest'> {
  readonly run_id: string;
  readonly run_name: string;
  /** In the order of `--by`, the greatest first; without it in that of the run. */
  readonly calls: readonly ReturnType<typeof callJson>[];
}

/** Lists of a page without an order, and with one. */
const mostOfEach = 5;
const mostOfOrder = 20;

interface CallPage extends Pick<RunReportOptions, 'columns' | 'colours'> {
  readonly resultsDir: string | undefined;
}

/** The calls of the newest attempts of results. `indices`: those that are looked at; all by default. */
export function shownCalls(
  { run, stored }: Pick<ShownRun, 'run' | 'stored'>,
  {
    order,
    indices = [...run.rows.keys()],
  }: { readonly order: CallOrder | undefined; readonly indices?: readonly number[] | undefined },
) {
  const { rows } = run;
  const calls = indices.flatMap((index) => {
    const row = rows[index];
    if (row === undefined || row.pruned === true) return [];
    return listedCalls(stored ? factsOf(stored, index) : run.trace(index), index, row.origin);
  });
  const marks = highMarks(calls);
  const { dearest: _, slowest: __, ...figures } = callFigures(calls);
  const { run_id, run_name } = run.head();
  const sorted = (by: CallOrder) => sortCalls(calls, { by, descending: true }, rows);
  const json = (): ShownCalls => ({
    ...{ run_id, run_name, ...figures },
    calls: (order === undefined ? calls : sorted(order)).map((call) =>
      callJson(call, { rows, marks }),
    ),
  });
  const listsOf = (): readonly CallList[] => {
    if (order !== undefined)
      return [{ title: titles[order], calls: sorted(order), most: mostOfOrder }];
    return [
      {
        title: titles.latency,
        calls: sorted('latency').filter(({ failed }) => !failed),
        most: mostOfEach,
      },
      {
        title: titles.cost,
        calls: sorted('cost').filter(({ cost }) => cost !== null),
        most: mostOfEach,
      },
      { title: 'failed', calls: calls.filter(({ failed }) => failed), most: mostOfEach },
    ];
  };
  return {
    get json() {
      return json();
    },
    text: (page: CallPage) =>
      calls.length === 0
        ? '  No calls of models were seen.'
        : [
            ...wrapParts(summaryParts(figures), page.columns, '  '),
            '',
            renderModels(figures, page),
            ...listsOf()
              .filter((list) => list.calls.length > 0)
              .flatMap((list) => ['', ...renderList(list, run, page)]),
            '',
            ...commandLines(listsOf(), run, page),
          ].join('\n'),
  };
}

function factsOf(stored: StoredRun, index: number) {
  const row = stored.rows[index];
  return row === undefined ? { calls: [] } : readCallFacts(stored.log.file, { index, row });
}

interface CallList {
  readonly title: string;
  readonly calls: readonly ListedCall[];
  readonly most: number;
}

const titles = { latency: 'slowest', cost: 'dearest', tokens: 'most tokens' } as const;

function summaryParts({ usage, taken, tools }: Pick<CallFigures, 'usage' | 'taken' | 'tools'>) {
  const tooling = tools.reduce((sum, { calls }) => sum + calls, 0);
  return [
    ...(usage === undefined ? [] : renderUsage(usage).split(' · ')),
    ...(taken === undefined
      ? []
      : [`(${countOf(taken.calls, 'call')} of other runs or recordings: ${renderCost(taken)})`]),
    ...(tooling === 0 ? [] : [`${countOf(tooling, 'call')} of ${countOf(tools.length, 'tool')}`]),
  ].map((part) => escapeTerminal(part));
}

function renderModels({ models }: Pick<CallFigures, 'models'>, page: CallPage): string {
  const figure = (
    title: string,
    rank: number,
    read: (model: (typeof models)[number]) => string,
  ): FittedColumn => ({ title, align: 'right', rank, cells: models.map(read) });
  return renderFittedColumns(
    [
      { title: 'model', cells: models.map(({ model }) => escapeTerminal(model)), shrinkTo: 20 },
      figure('calls', 9, ({ usage, taken }) =>
        usage ? renderCount(usage.calls) : `(${renderCount(taken?.calls ?? 0)})`,
      ),
      figure('failed', 3, ({ usage }) => (usage?.failed ? renderCount(usage.failed) : '')),
      figure('in', 5, ({ usage = {} }) => tokens('input' in usage ? usage.input : undefined)),
      figure('out', 4, ({ usage = {} }) => tokens('output' in usage ? usage.output : undefined)),
      figure('cost', 8, ({ usage, taken }) =>
        usage ? renderResultCost(usage) : taken ? `(${renderResultCost(taken)})` : '',
      ),
      figure('p50', 6, ({ p50 }) => (p50 === null ? '' : renderLatency(p50))),
      figure('slowest', 7, ({ slowest }) => (slowest === null ? '' : renderLatency(slowest))),
    ],
    page.columns,
  );
}

function tokens(value: number | undefined): string {
  return value === undefined ? '' : renderTokens(value);
}

function renderList(
  { title, calls, most }: CallList,
  run: ShownRun['run'],
  page: CallPage,
): string[] {
  const shown = calls.slice(0, most);
  const text = (name: string, rank: number, read: (call: ListedCall) => string): FittedColumn => ({
    title: name,
    rank,
    cells: shown.map((call) => escapeTerminal(read(call))),
  });
  const number = (
    name: string,
    rank: number,
    read: (call: ListedCall) => string,
  ): FittedColumn => ({
    ...text(name, rank, read),
    align: 'right',
  });
  const more = calls.length - shown.length;
  const table = renderFittedColumns(
    [
      {
        title,
        cells: shown.map(({ index }) => escapeTerminal(run.rows[index]?.id ?? '')),
        shrinkTo: 32,
      },
      number('call', 6, (call) => String(call.number)),
      text('model', 7, ({ model }) => model),
      text('by', 5, ({ role }) => role.replace('evaluator:', '')),
      text('finish', 4, finishText),
      number('in', 3, ({ input }) => tokens(input)),
      number('out', 2, ({ output }) => tokens(output)),
      number('cost', 9, costText),
      number('time', 10, ({ time }) => (time === undefined ? 'unknown' : renderLatency(time))),
    ],
    page.columns,
  );
  return [table, ...(more > 0 ? [`  ${page.colours.dim(`${renderCount(more)} more`)}`] : [])];
}

/** The outcome, with the tools that were asked for: `→ orders.get`. */
function finishText({ tools, finish, taken, failed }: ListedCall): string {
  const names = tools.map(({ name }) => `→ ${name}`).join(', ');
  return [taken ?? '', failed || names === '' ? finish : names].filter(Boolean).join(', ');
}

function costText({ cost, taken, counted, failed }: ListedCall): string {
  if (failed && cost === 0) return '';
  const isCounted = counted.model_call?.usage?.input !== undefined;
  const text = cost !== null ? renderCost({ cost }) : isCounted ? 'not priced' : 'unknown';
  return taken === undefined ? text : `(${text})`;
}

/** The commands that open the cases of the first call of each list. */
function commandLines(lists: readonly CallList[], run: ShownRun['run'], page: CallPage): string[] {
  const repeatedFlags =
    page.resultsDir === undefined ? '' : `--results-dir ${shellWord(page.resultsDir)}`;
  const commands = new Map<string, string[]>();
  for (const { title, calls } of lists) {
    const [first] = calls;
    if (first === undefined) continue;
    const row = run.rows[first.index];
    if (row === undefined) continue;
    const command = showCommand(row, { ...page, run, repeatedFlags, cwd: '' });
    commands.set(command, [...(commands.get(command) ?? []), title]);
  }
  return [...commands].map(
    ([command, of]) => `  ${escapeTerminal(command)}   ${page.colours.dim(of.join(', '))}`,
  );
}
