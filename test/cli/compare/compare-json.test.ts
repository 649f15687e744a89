import { expect } from 'chai';
import { toComparisonJson } from '../../../src/cli/compare/compare-json.js';
import { readShown } from '../../../src/cli/compare/compare-shown.js';
import { compareRuns } from '../../../src/compare/compare-runs.js';
import { openForComparison } from '../../../src/compare/open-for-comparison.js';
import {
  type GivenResult,
  judged,
  type ServedRuns,
  serveRuns,
} from '../../server/compare/served-runs.js';

const names = Array.from({ length: 14 }, (_, n) => `case_${n}`);
const trials = (name: string, passes: number): GivenResult[] =>
  Array.from({ length: 5 }, (_, n) => ({ ...judged(name, n < passes), trial: n + 1 }));
const sized = (name: string, passed: boolean, value: number): GivenResult =>
  judged(name, passed, {
    latency: value / 4,
    usage: { calls: 1, input: 10 * value, output: 1, cost: value / 100, by_role: {} },
    scores: [
      { key: 'exact', passed },
      { key: 'size', value },
    ],
  });

const before: readonly GivenResult[] = [
  ...names.map((name, n) => sized(name, true, n)),
  ...trials('often', 5),
  judged('gone', true),
  judged('left', true),
];
const after: readonly GivenResult[] = [
  ...names.map((name, n) => sized(name, n > 9, n + 1)),
  ...trials('often', 0),
  judged('new', false),
  { name: 'left' },
];

/** What `assay sessions compare --json` prints. */
async function printed({ store }: ServedRuns, ids: readonly string[]) {
  const opened = [];
  for (const id of ids) opened.push(await openForComparison(store, id, { cwd: '/' }));
  const [base, ...others] = opened;
  if (base === undefined) throw new Error('nothing to compare');
  try {
    const runs = compareRuns(base, others);
    const shown = await readShown(runs, { limit: 10, columns: 100 });
    return JSON.parse(JSON.stringify(toComparisonJson(runs, shown)));
  } finally {
    for (const run of opened) await run.close();
  }
}

describe('a comparison as JSON', () => {
  it('says the same in the same words on the command line and in the API', async () => {
    const served = await serveRuns();
    const owners = [
      await served.run(before, 'main'),
      await served.run(after, 'prompt-a'),
      await served.run(before, 'prompt-b'),
    ];
    const ids = owners.map(({ run }) => run.runId);
    const { runs, comparisons } = await printed(served, ids);
    const api = await served.ask(`/api/compare?${ids.map((id) => `run=${id}`).join('&')}`);

    expect(runs).to.deep.equal(api.runs);
    // Evaluations one by one are another answer of the API: they come in pages.
    const withoutRows = comparisons.map(({ rows: _, ...rest }: { rows: unknown }) => rest);
    expect(withoutRows).to.deep.equal(api.comparisons);

    const { gates } = api.comparisons[0];
    expect(Object.keys(gates)).to.deep.equal(['regression', 'new_failures', 'missing']);
    for (const gate of Object.values(gates)) expect(gate).to.include({ verdict: 'no' });
  });

  it('calls changes by the names that the pairs of the API have', async () => {
    const served = await serveRuns();
    const ids = [await served.run(before), await served.run(after)].map(({ run }) => run.runId);
    const { comparisons } = await printed(served, ids);
    const { pairs } = await served.ask(
      `/api/compare/rows?run=${ids[0]}&run=${ids[1]}&change=regressed`,
    );
    const regressed = comparisons[0].rows.filter(
      ({ change }: { change: string }) => change === 'regressed',
    );
    expect(regressed).to.have.lengthOf(10);
    const known = new Map<string, string>(
      pairs.map(({ id, runs }: { id: string; runs: { change: string }[] }) => [
        id,
        runs[1]?.change,
      ]),
    );
    for (const { id, change } of regressed) expect(known.get(id)).to.equal(change);
  });
});
