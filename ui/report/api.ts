import { savedRunRoutes } from '../../src/server/api/saved-run-routes.js';
import {
  bugRefusal,
  ProblemError,
  problemDocument,
  refusalOf,
} from '../../src/server/http/problem.js';
import { parseParams, parseQuery } from '../../src/server/http/read-request.js';
import { type Answer, type MountedRoute, routeTable } from '../../src/server/http/route.js';
import type { Workspace } from '../../src/server/workspace/workspace.js';
import { Store } from '../../src/store/store.js';
import type { StoredRun } from '../../src/store/stored-run.js';
import { root } from './disk.js';

/** What the page asks the server for that a report has not: there is no project beside it. */
const without: Readonly<Record<string, unknown>> = {
  '/api/views': { views: [] },
  '/api/config/file': { redis: null },
  '/api/configs': { names: [], active: '' },
};

/** Answers requests as the server does, with the runs of the report. `active`: the run that it opens with. */
export function reportApi(active: string, why: string): typeof fetch {
  const workspace = reportWorkspace(active, why);
  const { mounted } = routeTable(savedRunRoutes(workspace));
  const routes = mounted.filter(({ route }) => route.method === 'GET');
  return async (input, { method = 'GET', signal } = {}) => {
    const [path = '', query = ''] = String(input).split(/\?(.*)/s);
    const found = routes.find(({ pattern }) => pattern.test(path));
    try {
      if (method !== 'GET') throw new ProblemError(409, why);
      if (path in without) return jsonOf(without[path]);
      if (found === undefined) throw new ProblemError(404, `A report has nothing at ${path}.`);
      return await answer(found, path, query, signal ?? new AbortController().signal);
    } catch (error) {
      if (signal?.aborted === true) throw error;
      const refusal = refusalOf(error);
      if (refusal === undefined) console.error(error);
      const problem = problemDocument(refusal ?? bugRefusal());
      return jsonOf(problem, problem.status);
    }
  };
}

async function answer(
  { route, pattern }: MountedRoute,
  path: string,
  query: string,
  signal: AbortSignal,
): Promise<Response> {
  const ends: (() => void)[] = [];
  try {
    const request = {
      ...{ params: parseParams(route, pattern, path), query: parseQuery(route, query) },
      ...{ body: undefined, ifMatch: undefined, signal },
      onEnd: (act: () => void) => ends.push(act),
    };
    return await responseOf(await route.handle(request as Parameters<typeof route.handle>[0]));
  } finally {
    for (const end of ends) end();
  }
}

async function responseOf(given: Answer): Promise<Response> {
  if (given.kind === 'json') return jsonOf(given.body);
  if (given.kind === 'events') throw new ProblemError(404, 'A report does not change.');
  const pieces: string[] = [];
  for await (const piece of given.pieces) pieces.push(piece);
  return new Response(pieces.join(''), { headers: { 'Content-Type': given.contentType } });
}

function jsonOf(body: unknown, status = 200): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'Content-Type': 'application/json' },
  });
}

/** The part of a workspace that reading runs needs. */
function reportWorkspace(active: string, why: string): Workspace {
  const store = new Store(root);
  const open = new Map<string, Promise<StoredRun>>();
  const read = (runId = active) => {
    const run = open.get(runId) ?? store.openRun(runId);
    open.set(runId, run);
    return run;
  };
  const workspace: Partial<Record<keyof Workspace, unknown>> = {
    store,
    read,
    active: read,
    activeId: active,
    listRuns: (session?: string) => store.listRuns(session),
    using: async <T>(runId: string | undefined, act: (run: StoredRun) => Promise<T>) =>
      act(await read(runId)),
    isDraft: () => false,
    isPaused: () => false,
    viewOnlyReason: async () => why,
    discoveryProblem: () => undefined,
    slot: { started: undefined },
    project: { checks: { changedRows: () => Promise.reject(new ProblemError(409, why)) } },
  };
  return workspace as unknown as Workspace;
}
