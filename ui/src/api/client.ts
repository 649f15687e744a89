import type { StoredCalls } from '../../../src/model/calls/stored-calls.js';
import { type AnswerOf, call, type RequestBody, send } from './request.js';
import type { ResultPage, RowPage, RowSummary, RunStatus } from './schema.js';

/** A run without its results. */
export type Run = RunStatus;

/** The machines that run evaluations. */
export type ListedWorkers = AnswerOf<'listWorkers'>;

/** A page of rows, with a summary of all matching rows. */
export interface SummedRows extends RowPage {
  readonly summary: RowSummary;
}

/** A result as it was read. */
export interface ReadResult extends ResultPage {
  /** Identifies the version that was read; edits send it, so that they do not overwrite other changes. */
  readonly revision: string;
}

/** Reads a run without its results; `latest` is the active one. */
export const getRun = (run_id: string, signal?: AbortSignal): Promise<Run> =>
  run_id === 'latest'
    ? call('get', '/api/active-run', { signal })
    : call('get', '/api/runs/{run_id}', { path: { run_id }, signal });

/** Reads a page of rows and the summary of all matching rows; `query` as in the API. */
export const getRows = (run_id: string, query: URLSearchParams, signal?: AbortSignal) =>
  // The server includes the summary unless the query disables it.
  call('get', '/api/runs/{run_id}/rows', {
    path: { run_id },
    query,
    signal,
  }) as Promise<SummedRows>;

/** Reads a page of rows without the summary, which is several times as fast; `query` as in the API. */
export function getRowPage(run_id: string, query: URLSearchParams, signal?: AbortSignal) {
  const rowsOnly = new URLSearchParams(query);
  rowsOnly.set('summary', 'false');
  return call('get', '/api/runs/{run_id}/rows', { path: { run_id }, query: rowsOnly, signal });
}

/** Reads the indices of all rows that match, sorted. */
export const getRowIndices = (run_id: string, query: URLSearchParams, signal?: AbortSignal) =>
  call('get', '/api/runs/{run_id}/rows/indices', { path: { run_id }, query, signal });

/** Reads the groups of a run, compared with the previous run of its session. */
export const getRowGroups = (run_id: string, query: URLSearchParams, signal?: AbortSignal) =>
  call('get', '/api/runs/{run_id}/rows/groups', { path: { run_id }, query, signal });

/** Reads one result with all its values, but without its calls. */
export async function getResult(
  run_id: string,
  index: number,
  signal?: AbortSignal,
): Promise<ReadResult> {
  const response = await send('get', '/api/runs/{run_id}/results/{index}', {
    path: { run_id, index },
    query: new URLSearchParams({ calls: 'false' }),
    signal,
  });
  return { ...((await response.json()) as ResultPage), revision: revisionOf(response) };
}

/** Reads the HTTP calls of a result. */
export const getCalls = (run_id: string, index: number, signal?: AbortSignal) =>
  call('get', '/api/runs/{run_id}/results/{index}/calls', {
    path: { run_id, index },
    signal,
  }) as Promise<StoredCalls>;

/** Changes annotation or scores of a result. Error: 412 if it has another revision. */
export async function editResult(
  run_id: string,
  index: number,
  { result, revision }: { result: RequestBody<'editResult'>['result']; revision: string },
): Promise<Pick<ReadResult, 'result' | 'revision'>> {
  const response = await send('patch', '/api/runs/{run_id}/results/{index}', {
    path: { run_id, index },
    body: { result },
    ...(revision !== '' && { headers: { 'If-Match': `"${revision}"` } }),
  });
  const answer = (await response.json()) as AnswerOf<'editResult'>;
  return { result: answer.result, revision: revisionOf(response) };
}

/** The part of an `ETag` that identifies the result alone. */
function revisionOf({ headers }: Response): string {
  return /^(?:W\/)?"([^".]*)/.exec(headers.get('ETag') ?? '')?.[1] ?? '';
}

/** Saved runs of a session, newest first. */
export const listRuns = (session_name: string, signal?: AbortSignal) =>
  call('get', '/api/sessions/{session_name}/runs', { path: { session_name }, signal });

export const getSettings = (signal?: AbortSignal) => call('get', '/api/config', { signal });

export const getWorkers = (signal?: AbortSignal) => call('get', '/api/workers', { signal });

/** The download URL of a run. */
export const exportUrl = (run: string, format: 'json' | 'csv') =>
  `/api/runs/${encodeURIComponent(run)}/export/${format}`;

/** The Markdown report of the visible rows. */
export const exportMarkdown = async (run_id: string, body: RequestBody<'exportMarkdown'>) =>
  (await send('post', '/api/runs/{run_id}/export/markdown', { path: { run_id }, body })).blob();

/** Some results of a run, with their figures. */
export const exportJsonPart = async (run_id: string, body: RequestBody<'exportJsonPart'>) =>
  (await send('post', '/api/runs/{run_id}/export/part/json', { path: { run_id }, body })).blob();

/** Some results and columns of a run. */
export const exportCsvPart = async (run_id: string, body: RequestBody<'exportCsvPart'>) =>
  (await send('post', '/api/runs/{run_id}/export/part/csv', { path: { run_id }, body })).blob();
