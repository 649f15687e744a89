import { useQueries, useQuery } from '@tanstack/react-query';
import { keys } from '../api/keys.js';
import { call } from '../api/request.js';
import type { PromptDiff, TracesPage } from '../api/schema.js';
import { useUrlView } from '../app/url-view.js';
import {
  appendChoice,
  type ChosenValues,
  isChosen,
  noChoice,
  parseChoice,
} from '../dashboard/view-state.js';

/** The state of the page that is kept in the URL. */
interface PromptsView {
  /** Two run ids, the base first. */
  readonly runs: readonly string[];
  readonly parts: ChosenValues;
  readonly change: ChosenValues;
  /** The id of the only case that is listed. */
  readonly case: string | undefined;
}

function parsePromptsView(search: string): PromptsView {
  const params = new URLSearchParams(search);
  return {
    runs: [...new Set(params.getAll('run'))].slice(0, 2),
    parts: parseChoice(params.getAll('parts')),
    change: parseChoice(params.getAll('change')),
    case: params.get('case') || undefined,
  };
}

function renderPromptsView(view: PromptsView): string {
  return `?${paramsOf(view)}`;
}

function paramsOf({ runs, parts, change, case: only }: PromptsView): URLSearchParams {
  const params = new URLSearchParams(runs.map((run): [string, string] => ['run', run]));
  appendChoice(params, 'parts', parts);
  appendChoice(params, 'change', change);
  if (only !== undefined) params.append('case', only);
  return params;
}

const path = '/compare/prompts';

export const usePromptsView = () => useUrlView(path, parsePromptsView, renderPromptsView);

/** The address of the prompts of two runs. `only`: the id of the only case that is listed. */
export function promptsHref(runs: readonly string[], only?: string): string {
  const view = { runs: runs.slice(0, 2), parts: noChoice, change: noChoice, case: only };
  return `${path}${renderPromptsView(view)}`;
}

/** Only traces that part, unless something else, or one case, is chosen. */
export function tracesQuery(view: PromptsView): string {
  const isOpen = view.case === undefined && !isChosen(view.parts);
  const parts = isOpen ? { include: [], exclude: ['nowhere'] } : view.parts;
  return String(paramsOf({ ...view, parts }));
}

export type ShownPart = PromptDiff['parts'][number];
export type TracedCase = TracesPage['cases'][number];
export type ShownSide = TracedCase['sides'][number];

/** What differs once for the runs. */
export const usePromptDiff = (runs: readonly string[]) =>
  useQuery({
    queryKey: [...keys.comparison(runs), 'prompts'],
    queryFn: ({ signal }) =>
      call('get', '/api/compare/prompts', {
        query: new URLSearchParams(runs.map((run): [string, string] => ['run', run])),
        signal,
      }),
    enabled: runs.length === 2,
  });

/** Cases per request. */
const pageSize = 50;

/** The first page of cases; keeps the previous answer until there is a new one. */
export const useTraceFigures = (runs: readonly string[], query: string) =>
  useQuery({
    ...pageOptions(runs, query, 0),
    enabled: runs.length === 2,
    placeholderData: (before: TracesPage | undefined) => before,
  });

/** The cases at some positions. */
export function useTraces(
  runs: readonly string[],
  query: string,
  positions: readonly number[],
): (position: number) => TracedCase | undefined {
  const pages = [...new Set(positions.map((position) => Math.floor(position / pageSize)))];
  return useQueries({
    queries: pages.map((page) => ({ ...pageOptions(runs, query, page), gcTime: 60_000 })),
    combine: (answers) => (position: number) =>
      answers[pages.indexOf(Math.floor(position / pageSize))]?.data?.cases[position % pageSize],
  });
}

function pageOptions(runs: readonly string[], query: string, page: number) {
  return {
    queryKey: [...keys.comparison(runs), 'traces', query, page],
    queryFn: ({ signal }: { readonly signal: AbortSignal }): Promise<TracesPage> => {
      const params = new URLSearchParams(query);
      params.set('offset', String(page * pageSize));
      params.set('limit', String(pageSize));
      return call('get', '/api/compare/traces', { query: params, signal });
    },
  };
}
