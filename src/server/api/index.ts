import type { Route } from '../http/route.js';
import type { Operations } from '../workspace/operations.js';
import type { Workspace } from '../workspace/workspace.js';
import { changesRoutes } from './changes.js';
import { eventRoutes } from './events.js';
import { runningRoutes } from './running.js';
import { savedRunRoutes } from './saved-run-routes.js';
import { serviceRoutes } from './service.js';
import { settingsRoutes } from './settings.js';
import { viewRoutes } from './views.js';
import { workerRoutes } from './workers.js';

/** All operations of the API, in the order of the documentation. */
export function allRoutes(workspace: Workspace, operations: Operations): Route[] {
  const routes: Route[] = [
    ...runningRoutes(workspace, operations),
    ...changesRoutes(workspace),
    ...savedRunRoutes(workspace),
    ...settingsRoutes(workspace),
    ...workerRoutes(workspace),
    ...viewRoutes(workspace),
    ...eventRoutes(workspace),
    ...serviceRoutes(() => routes),
  ];
  return routes;
}
