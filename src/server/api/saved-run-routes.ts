import { Comparisons } from '../compare/comparisons.js';
import { PairFinder } from '../compare/pairs.js';
import type { Route } from '../http/route.js';
import { RowTables } from '../rows/row-table.js';
import type { Workspace } from '../workspace/workspace.js';
import { calibrationRoutes } from './calibration.js';
import { compareRoutes } from './compare.js';
import { exportRoutes } from './exports.js';
import { matrixRoutes } from './matrix.js';
import { promptRoutes } from './prompts.js';
import { resultRoutes } from './results.js';
import { reviewRoutes } from './review.js';
import { rowsRoutes } from './rows.js';
import { runCallsRoutes } from './run-calls.js';
import { sessionRoutes } from './sessions.js';

/** The operations on saved runs, in the order of the documentation. A report has those that read. */
export function savedRunRoutes(workspace: Workspace): Route[] {
  const tables = new RowTables();
  const comparisons = new Comparisons();
  const finder = new PairFinder(comparisons);
  return [
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
  ];
}
