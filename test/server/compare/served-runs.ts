import { compareRoutes } from '../../../src/server/api/compare.js';
import { matrixRoutes } from '../../../src/server/api/matrix.js';
import { promptRoutes } from '../../../src/server/api/prompts.js';
import { rowsRoutes } from '../../../src/server/api/rows.js';
import { runCallsRoutes } from '../../../src/server/api/run-calls.js';
import { Comparisons } from '../../../src/server/compare/comparisons.js';
import { PairFinder } from '../../../src/server/compare/pairs.js';
import { RowTables } from '../../../src/server/rows/row-table.js';
import type { FinishedRow, PlannedRow, RunOwner } from '../../../src/store/run-owner.js';
import type { Store } from '../../../src/store/store.js';
import type { StoredRun } from '../../../src/store/stored-run.js';
import { type CheckedResponse, checkResponse } from '../../helpers/check-response.js';
import { finished, newRun, plan, temporaryStore } from '../../store/builders.js';
import { askServer, startServer } from '../http/running-server.js';
import { checks } from '../rows/served-rows.js';

/** A row by the name of its evaluation: what is planned, and what it came to, if anything. */
export interface GivenResult {
  readonly name: string;
  /** Number of the trial. */
  readonly trial?: number;
  readonly plan?: Partial<PlannedRow>;
  readonly finish?: Partial<FinishedRow>;
}

/** Runs behind a real server. */
export interface ServedRuns {
  readonly store: Store;
  readonly bugs: readonly unknown[];
  /** Makes a run of these rows. */
  run(given: readonly GivenResult[], name?: string, session?: string): Promise<RunOwner>;
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<CheckedResponse>;
  /** The body; any other status than 200 fails. */
  ask(path: string): Promise<CheckedResponse['body']>;
}

/** Serves what compares runs, and the rows of runs. */
export async function serveRuns(): Promise<ServedRuns> {
  const store = await temporaryStore();
  const open = new Map<string, StoredRun>();
  const runs = {
    read: async (id: string) => {
      const run = open.get(id) ?? (await store.openRun(id));
      open.set(id, run);
      await run.refresh();
      return run;
    },
    listRuns: (session: string) => store.listRuns(session),
    project: { checks },
  };
  const tables = new RowTables();
  const comparisons = new Comparisons();
  const finder = new PairFinder(comparisons);
  const server = await startServer([
    ...rowsRoutes(runs, tables, comparisons),
    ...compareRoutes(runs, tables, comparisons, finder),
    ...matrixRoutes(runs, tables, comparisons, finder),
    ...runCallsRoutes(runs),
    ...promptRoutes(runs, tables, finder),
  ]);
  // Runs that start one after the other have times of their own, and all are older than those that tests start themselves.
  let nextStart = Date.now() - 60_000;
  const get: ServedRuns['get'] = async (path, headers = {}) =>
    checkResponse('GET', path, await askServer(server, path, headers));
  return {
    store,
    bugs: server.bugs,
    get,
    ask: async (path) => {
      const { status, body, text } = await get(path);
      if (status !== 200) throw new Error(`GET ${path} answered ${status}: ${text}`);
      return body;
    },
    run: async (given, name = 'brisk-otter', session = 'default') => {
      nextStart += 1;
      const names = { run_name: name, session_name: session };
      const owner = await store.createRun(newRun({ ...names, created_at_ms: nextStart }));
      owner.plan(given.map((row, index) => plan(index, planOf(row))));
      owner.schedule({ kind: 'run', rows: 'all', paramsInEffect: { model: 'large' } });
      owner.finish(
        given.flatMap(({ finish }, index) =>
          finish === undefined ? [] : [finished(index, finish)],
        ),
      );
      await owner.close('finished');
      open.set(owner.run.runId, owner.run);
      return owner;
    },
  };
}

function planOf({ name, trial, plan: more }: GivenResult): Partial<PlannedRow> {
  const id = `evals/a.eval.ts::${name}`;
  return {
    id: trial === undefined ? id : `${id}~${trial}`,
    ...(trial === undefined ? {} : { trial, trial_of: id }),
    evaluation: id,
    function: name,
    ...more,
  };
}

/** A finished result with one verdict. */
export function judged(
  name: string,
  passed: boolean,
  finish: Partial<FinishedRow> = {},
): GivenResult {
  return {
    name,
    finish: { output: `${name} ${passed}`, scores: [{ key: 'exact', passed }], ...finish },
  };
}
