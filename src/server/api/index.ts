import { Comparisons } from '../compare/comparisons.js';
import { PreviousRuns } from '../compare/previous-runs.js';
import type { Route } from '../http/route.js';
import { RowTableCache } from '../rows/row-table.js';
import type { Operations } from '../workspace/operations.js';
import { SavedRuns, type Workspace } from '../workspace/workspace.js';
import { changesRoutes } from './changes.js';
import { compareRoutes } from './compare.js';
import { eventRoutes } from './events.js';
import { exportRoutes } from './exports.js';
import { resultRoutes } from './results.js';
import { rowsRoutes } from './rows.js';
import { runningRoutes } from './running.js';
import { serviceRoutes } from './service.js';
import { sessionRoutes } from './sessions.js';
import { settingsRoutes } from './settings.js';
import { viewRoutes } from './views.js';
import { workerRoutes } from './workers.js';

/** All operations of the API, in the order of the documentation. */
export function allRoutes(workspace: Workspace, operations: Operations): Route[] {
  const saved = new SavedRuns(workspace);
  const tables = new RowTableCache();
  const comparisons = new Comparisons();
  const previousRuns = new PreviousRuns(workspace, tables, comparisons);
  const routes: Route[] = [
    ...runningRoutes(workspace, operations, saved),
    ...changesRoutes(workspace),
    ...resultRoutes(workspace, saved),
    ...rowsRoutes(workspace, tables, previousRuns, (run) =>
      workspace.project.checks.changedRows(run),
    ),
    ...compareRoutes(workspace, tables, comparisons),
    ...exportRoutes(workspace),
    ...sessionRoutes(workspace, saved),
    ...settingsRoutes(workspace),
    ...workerRoutes(workspace),
    ...viewRoutes(workspace),
    ...eventRoutes(workspace),
    ...serviceRoutes(() => routes),
  ];
  return routes;
}
