import { rowsRoutes } from '../../../src/server/api/rows.js';
import { Comparisons } from '../../../src/server/compare/comparisons.js';
import { RowTables } from '../../../src/server/rows/row-table.js';
import type { FinishedRow, PlannedRow, RunOwner } from '../../../src/store/run-owner.js';
import { type CheckedResponse, checkResponse } from '../../helpers/check-response.js';
import { finished, newRun, plan, temporaryStore } from '../../store/builders.js';
import { askServer, startServer } from '../http/running-server.js';

/** A row of a run: what is planned, and what it came to, if anything. */
export interface GivenRow {
  readonly plan?: Partial<PlannedRow>;
  readonly finish?: Partial<FinishedRow>;
}

/** A run behind a real server. */
export interface ServedRows {
  readonly owner: RunOwner;
  /** A page of rows; any other status than 200 fails. */
  rows(query?: string): Promise<CheckedResponse['body']>;
  /** Groups of rows; any other status than 200 fails. */
  groups(query: string): Promise<CheckedResponse['body']>;
  /** Indices of matching rows; any other status than 200 fails. */
  indices(query?: string): Promise<number[]>;
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<CheckedResponse>;
}

/** Nothing is out of date. */
export const checks = { changedRows: async () => ({ version: '', indices: new Set<number>() }) };

/** Serves a run of these rows; what has no outcome stays pending. */
export async function serveRows(
  given: readonly GivenRow[],
  tables = new RowTables(),
): Promise<ServedRows> {
  const store = await temporaryStore();
  const owner = await store.createRun(newRun());
  owner.plan(given.map((row, index) => plan(index, row.plan)));
  owner.schedule({ kind: 'run', rows: 'all' });
  owner.finish(
    given.flatMap(({ finish }, index) => (finish === undefined ? [] : [finished(index, finish)])),
  );
  const runs = { read: async () => owner.run, listRuns: async () => [], project: { checks } };
  const server = await startServer(rowsRoutes(runs, tables, new Comparisons()));
  const get: ServedRows['get'] = async (path, headers = {}) => {
    const target = `/api/runs/${owner.run.runId}/${path}`;
    return checkResponse('GET', target, await askServer(server, target, headers));
  };
  const ask = async (path: string) => {
    const { status, body, text } = await get(path);
    if (status !== 200) throw new Error(`GET ${path} answered ${status}: ${text}`);
    return body;
  };
  return {
    owner,
    get,
    rows: (query = '') => ask(`rows?${query}`),
    groups: (query) => ask(`rows/groups?${query}`),
    indices: async (query = '') => (await ask(`rows/indices?${query}`)).indices,
  };
}
