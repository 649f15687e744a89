import type { StoredCalls } from '../../../src/model/calls/stored-calls.js';
import { type AnswerOf, call, path, type RequestBody, send } from './request.js';
import type { ResultPage, RowPage, RowSummary, RunComparison, RunStatus } from './schema.js';

/** A run without its results. */
export type Run = RunStatus;

/** A page of rows, with a summary of all matching rows. */
export interface SummedRows extends RowPage {
  readonly summary: RowSummary;
}

/** A result as it was read. */
export interface ReadResult extends ResultPage {
  /** Identifies the version that was read; edits send it, so that they do not overwrite other changes. */
  readonly revision: string;
}

type Signal = AbortSignal | undefined;
const abortable = (signal: Signal) => (signal === undefined ? {} : { signal });

/** Reads a run without its results; `latest` is the active one. */
export function getRun(run: string, signal?: Signal): Promise<Run> {
  return run === 'latest'
    ? call<'getActiveRunStatus'>('GET', '/api/active-run', abortable(signal))
    : call<'getRunStatus'>('GET', path`/api/runs/${run}`, abortable(signal));
}

/** Reads a page of rows and the summary of all matching rows; `query` as in the API. */
export async function getRows(
  run: string,
  query: URLSearchParams,
  signal?: Signal,
): Promise<SummedRows> {
  const page = await call<'getRows'>('GET', path`/api/runs/${run}/rows`, {
    query,
    ...abortable(signal),
  });
  // The server includes the summary unless the query disables it.
  return page as SummedRows;
}

/** Reads a page of rows without the summary, which is several times as fast; `query` as in the API. */
export function getRowPage(run: string, query: URLSearchParams, signal?: Signal): Promise<RowPage> {
  const rowsOnly = new URLSearchParams(query);
  rowsOnly.set('summary', 'false');
  return call<'getRows'>('GET', path`/api/runs/${run}/rows`, {
    query: rowsOnly,
    ...abortable(signal),
  });
}

/** Reads the indices of all rows that match, sorted. */
export function getRowIndices(
  run: string,
  query: URLSearchParams,
  signal?: Signal,
): Promise<AnswerOf<'getRowIndices'>> {
  return call<'getRowIndices'>('GET', path`/api/runs/${run}/rows/indices`, {
    query,
    ...abortable(signal),
  });
}

/** Reads the groups of a run, compared with the previous run of its session. */
export function getRowGroups(
  run: string,
  query: URLSearchParams,
  signal?: Signal,
): Promise<AnswerOf<'getRowGroups'>> {
  return call<'getRowGroups'>('GET', path`/api/runs/${run}/rows/groups`, {
    query,
    ...abortable(signal),
  });
}

/** Reads the fields that the results of a run have. */
export function getRowFields(run: string, signal?: Signal): Promise<AnswerOf<'getRowFields'>> {
  return call<'getRowFields'>('GET', path`/api/runs/${run}/rows/fields`, abortable(signal));
}

/** Reads which results of a run are out of date. */
export function getChanges(run: string, signal?: Signal): Promise<AnswerOf<'getChanges'>> {
  return call<'getChanges'>('GET', path`/api/runs/${run}/changes`, abortable(signal));
}

/** Reads one result with all its values, but without its calls. */
export async function getResult(run: string, index: number, signal?: Signal): Promise<ReadResult> {
  const address = path`/api/runs/${run}/results/${index}`;
  const query = new URLSearchParams({ calls: 'false' });
  const response = await send('GET', address, { query, ...abortable(signal) });
  const page = (await response.json()) as AnswerOf<'getResult'>;
  return { ...page, revision: revisionOf(response) };
}

/** Reads the HTTP calls of a result. */
export function getCalls(run: string, index: number, signal?: Signal): Promise<StoredCalls> {
  return call<'getCalls'>(
    'GET',
    path`/api/runs/${run}/results/${index}/calls`,
    abortable(signal),
  ) as Promise<StoredCalls>;
}

/** Changes annotation or scores of a result. Error: 412 if it has another revision. */
export async function editResult(
  run: string,
  index: number,
  { result, revision }: { result: RequestBody<'editResult'>['result']; revision: string },
): Promise<Pick<ReadResult, 'result' | 'revision'>> {
  const response = await send('PATCH', path`/api/runs/${run}/results/${index}`, {
    body: { result },
    ...(revision === '' ? {} : { headers: { 'If-Match': `"${revision}"` } }),
  });
  const answer = (await response.json()) as AnswerOf<'editResult'>;
  return { result: answer.result, revision: revisionOf(response) };
}

/** Annotates many results, sets or clears a score of them, or takes that back. */
export const editResults = (run: string, body: RequestBody<'editResults'>) =>
  call<'editResults'>('PATCH', path`/api/runs/${run}/results`, { body });

/** The part of an `ETag` that identifies the result alone. */
function revisionOf({ headers }: Response): string {
  return /^(?:W\/)?"([^".]*)/.exec(headers.get('ETag') ?? '')?.[1] ?? '';
}

/** Reads the comparison of runs; the first is the base. */
export function getComparison(
  runs: readonly string[],
  signal: AbortSignal,
): Promise<RunComparison> {
  const query = new URLSearchParams(runs.map((run): [string, string] => ['run', run]));
  return call<'compareRuns'>('GET', '/api/compare', { query, signal });
}

/** Reads a page of pairs; `query` as in the API. */
export const getPairs = (query: URLSearchParams, signal: AbortSignal) =>
  call<'getPairs'>('GET', '/api/compare/rows', { query, signal });

/** Names of the sessions that have saved runs. */
export function listSessions(signal?: Signal): Promise<AnswerOf<'listSessions'>> {
  return call<'listSessions'>('GET', '/api/sessions', abortable(signal));
}

/** Saved runs of a session, newest first. */
export function listRuns(session: string, signal?: Signal): Promise<AnswerOf<'listRuns'>> {
  return call<'listRuns'>('GET', path`/api/sessions/${session}/runs`, abortable(signal));
}

/** Runs in progress, of all sessions and processes. */
export function listRunsInProgress(signal?: Signal): Promise<AnswerOf<'listRunsInProgress'>> {
  return call<'listRunsInProgress'>('GET', '/api/runs-in-progress', abortable(signal));
}

export const renameRun = (run: string, run_name: string) =>
  call<'renameRun'>('PATCH', path`/api/runs/${run}`, { body: { run_name } });

export const deleteRun = (run: string) => call<'deleteRun'>('DELETE', path`/api/runs/${run}`);

export const deleteSession = (session: string) =>
  call<'deleteSession'>('DELETE', path`/api/sessions/${session}`);

export const activateRun = (run: string) =>
  call<'activateRun'>('POST', path`/api/runs/${run}/activate`);

export const rerun = (body: RequestBody<'rerun'>) =>
  call<'rerun'>('POST', '/api/runs/rerun', { body });

export const startRun = (body: RequestBody<'startRun'>) =>
  call<'startRun'>('POST', '/api/runs/new', { body });

export const regrade = (body: RequestBody<'regrade'>) =>
  call<'regrade'>('POST', '/api/runs/regrade', { body });

export const pause = () => call<'pause'>('POST', '/api/runs/pause');

export const resume = (body?: RequestBody<'resume'>) =>
  call<'resume'>('POST', '/api/runs/resume', body && { body });

export const stop = () => call<'stop'>('POST', '/api/runs/stop');

export const restart = () => call<'restart'>('POST', '/api/server/restart');

export const getSettings = (signal?: Signal) =>
  call<'getSettings'>('GET', '/api/config', abortable(signal));

export const getSettingsFile = (signal?: Signal) =>
  call<'getSettingsFile'>('GET', '/api/config/file', abortable(signal));

/** The machines that run evaluations. */
export type ListedWorkers = AnswerOf<'listWorkers'>;

export const getWorkers = (signal?: Signal) =>
  call<'listWorkers'>('GET', '/api/workers', abortable(signal));

export const saveSettings = (body: RequestBody<'saveSettings'>) =>
  call<'saveSettings'>('PUT', '/api/config', { body });

export const listConfigs = (signal?: Signal) =>
  call<'listConfigs'>('GET', '/api/configs', abortable(signal));

export const selectConfig = (name: string) =>
  call<'selectConfig'>('POST', '/api/configs/select', { body: { name } });

export const listViews = (signal?: Signal) =>
  call<'listViews'>('GET', '/api/views', abortable(signal));

export const saveView = ({ name, ...body }: { name: string } & RequestBody<'saveView'>) =>
  call<'saveView'>('PUT', path`/api/views/${name}`, { body });

export const renameView = ({ name, to }: { name: string; to: string }) =>
  call<'renameView'>('PATCH', path`/api/views/${name}`, { body: { name: to } });

export const deleteView = (name: string) => call<'deleteView'>('DELETE', path`/api/views/${name}`);

/** The download URL of a run. */
export const exportUrl = (run: string, format: 'json' | 'csv') =>
  `${path`/api/runs/${run}/export/`}${format}`;

/** The Markdown report of the visible rows. */
export const exportMarkdown = (run: string, body: RequestBody<'exportMarkdown'>) =>
  postForFile(path`/api/runs/${run}/export/markdown`, body);

/** Some results of a run, with their figures. */
export const exportJsonPart = (run: string, body: RequestBody<'exportJsonPart'>) =>
  postForFile(path`/api/runs/${run}/export/part/json`, body);

/** Some results and columns of a run. */
export const exportCsvPart = (run: string, body: RequestBody<'exportCsvPart'>) =>
  postForFile(path`/api/runs/${run}/export/part/csv`, body);

async function postForFile(target: string, body: object): Promise<Blob> {
  return (await send('POST', target, { body })).blob();
}
