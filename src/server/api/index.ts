import { Comparisons } from '../compare/comparisons.js';
import { PairFinder } from '../compare/pairs.js';
import type { Route } from '../http/route.js';
import { RowTables } from '../rows/row-table.js';
import type { Operations } from '../workspace/operations.js';
import type { Workspace } from '../workspace/workspace.js';
import { calibrationRoutes } from './calibration.js';
import { changesRoutes } from './changes.js';
import { compareRoutes } from './compare.js';
import { eventRoutes } from './events.js';
import { exportRoutes } from './exports.js';
import { matrixRoutes } from './matrix.js';
import { promptRoutes } from './prompts.js';
import { resultRoutes } from './results.js';
import { reviewRoutes } from './review.js';
import { rowsRoutes } from './rows.js';
import { runCallsRoutes } from './run-calls.js';
import { runningRoutes } from './running.js';
import { serviceRoutes } from './service.js';
import { sessionRoutes } from './sessions.js';
import { settingsRoutes } from './settings.js';
import { viewRoutes } from './views.js';
import { workerRoutes } from './workers.js';

/** All operations of the API, in the order of the documentation. */
export function allRoutes(workspace: Workspace, operations: Operations): Route[] {
  const tables = new RowTables();
  const comparisons = new Comparisons();
  const finder = new PairFinder(comparisons);
  const routes: Route[] = [
    ...runningRoutes(workspace, operations),
    ...changesRoutes(workspace),
    ...resultRoutes(workspace),
    ...rowsRoutes(workspace, tables, comparisons),
    ...runCallsRoutes(workspace),
    ...compareRoutes(workspace, tables, comparisons, finder),
    ...matrixRoutes(workspace, tables, comparisons, finder),
    ...promptRoutes(workspace, tables, finder),
    ...reviewRoutes(workspace),
    ...calibrationRoutes(workspace),
    ...exportRoutes(workspace),
    ...sessionRoutes(workspace),
    ...settingsRoutes(workspace),
    ...workerRoutes(workspace),
    ...viewRoutes(workspace),
    ...eventRoutes(workspace),
    ...serviceRoutes(() => routes),
  ];
  return routes;
}
