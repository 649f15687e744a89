import type { z } from 'zod';
import type { StoredRun } from '../../store/stored-run.js';
import type { Comparisons } from '../compare/comparisons.js';
import { PairCache, type PairQuery } from '../compare/pair-cache.js';
import { readPairPage } from '../compare/pair-page.js';
import { compareRuns } from '../compare/run-comparison.js';
import { atThisMoment, type RunAtMoment } from '../compare/run-moment.js';
import { json } from '../http/answer.js';
import { defineRoute, type Route } from '../http/route.js';
import type { RowTableCache } from '../rows/row-table-cache.js';
import { pairPage, runComparison } from '../schemas/compare.js';
import { compareQuery, pairsQuery } from '../schemas/compare-query.js';
import { rowFilterOf } from '../schemas/row-query.js';

/** The source of runs. */
interface Runs {
  read(runId: string, onEnd: OnEnd): Promise<StoredRun>;
}

type OnEnd = (act: () => void) => void;

const tag = 'Comparing runs';

/** Two to four runs side by side. */
export function compareRoutes(
  runs: Runs,
  tables: RowTableCache,
  comparisons: Comparisons,
): Route[] {
  const pairTables = new PairCache(comparisons);
  return [
    defineRoute({
      method: 'GET',
      path: '/api/compare',
      operation: 'compareRuns',
      tag,
      summary: 'The differences between runs, and whether they are beyond chance.',
      description:
        'The figures of each run, and the comparison of each run with the base: the numbers of `assay sessions compare`. They are explained in [Statistics](statistics.md#comparing-runs).',
      query: compareQuery,
      answer: { description: 'The comparison.', schema: runComparison, headers: ['ETag'] },
      problems: [404],
      handle: async ({ query, onEnd }) => {
        const read = await readAll(runs, tables, query.run, onEnd);
        const version = versionOf(read);
        return json(await compareRuns(comparisons, read), version);
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/compare/rows',
      operation: 'getPairs',
      tag,
      summary: 'A page of the cases of runs, side by side.',
      description:
        'Cases are paired by id, with folded trials. The filters are those of the rows of a run: a case matches if one of its results, in any of the runs, has all included values, and none of its results has an excluded one. `change` filters by the change of the case.',
      query: pairsQuery,
      answer: { description: 'A page of pairs.', schema: pairPage, headers: ['ETag'] },
      problems: [404],
      handle: async ({ query, signal, onEnd }) => {
        const read = await readAll(runs, tables, query.run, onEnd);
        const found = await pairTables.query(read, toQuery(query), signal);
        const version = versionOf(read);
        return json(await readPairPage(read, found, query), version);
      },
    }),
  ];
}

async function readAll(
  runs: Runs,
  tables: RowTableCache,
  runIds: readonly string[],
  onEnd: OnEnd,
): Promise<RunAtMoment[]> {
  const read = await Promise.all(runIds.map((runId) => runs.read(runId, onEnd)));
  return read.map((run) => atThisMoment(run, tables));
}

/** Includes the state of each run, which is not in its log alone. */
function versionOf(runs: readonly RunAtMoment[]): string {
  return runs.map(({ run, version }) => `${version} ${run.state}`).join(' ');
}

function toQuery({ sort, order, change, ...filters }: z.output<typeof pairsQuery>): PairQuery {
  return {
    filter: { rows: rowFilterOf(filters), change },
    order: { by: sort, descending: order === 'desc' },
  };
}
