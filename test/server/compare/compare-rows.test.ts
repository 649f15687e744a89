import { expect } from 'chai';
import type { z } from 'zod';
import type { pairPage } from '../../../src/server/api/compare.js';
import type { RunOwner } from '../../../src/store/run-owner.js';
import { type GivenResult, judged, type ServedRuns, serveRuns } from './served-runs.js';

type Pair = z.output<typeof pairPage>['pairs'][number];
type PairSide = Pair['runs'][number];

const target = (runs: readonly RunOwner[], query = '') =>
  `/api/compare/rows?${runs.map(({ run }) => `run=${run.runId}`).join('&')}&${query}`;

const before: readonly GivenResult[] = [
  judged('kept', true, { output: 'one', latency: 1 }),
  judged('fell', true, { latency: 2 }),
  judged('rose', false, { latency: 3 }),
  judged('moved', true, { output: 'one', latency: 4 }),
  judged('gone', true),
  { name: 'waiting' },
];
const after: readonly GivenResult[] = [
  judged('new', true),
  judged('moved', true, { output: 'two', latency: 3 }),
  judged('rose', true, { latency: 3 }),
  { ...judged('fell', false, { latency: 7 }), plan: { dataset: 'b', labels: ['slow'] } },
  judged('kept', true, { output: 'one', latency: 1.5 }),
  judged('waiting', true),
];
const later: readonly GivenResult[] = [
  judged('fell', true, { latency: 2 }),
  judged('latest', true, { output: 'Fell from the sky' }),
];

describe('GET /api/compare/rows', () => {
  let served: ServedRuns;
  let two: readonly RunOwner[];
  let three: readonly RunOwner[];

  // Stores are removed after each test.
  beforeEach(async () => {
    served = await serveRuns();
    two = [await served.run(before), await served.run(after)];
    three = [...two, await served.run(later)];
  });

  const namesOf = async (runs: readonly RunOwner[], query = '') =>
    (await served.ask(target(runs, query))).pairs.map((pair: Pair) => pair.function);

  it('pairs by id: in the order of the base, then what is new', async () => {
    const page = await served.ask(target(two));
    expect(page).to.include({ total: 7, filtered: 7, offset: 0 });
    expect(
      page.pairs.map((pair: Pair) => [pair.function, pair.runs[0]?.change, pair.runs[1]?.change]),
    ).to.deep.equal([
      ['kept', null, 'same'],
      ['fell', null, 'regressed'],
      ['rose', null, 'fixed'],
      ['moved', null, 'changed'],
      ['gone', null, 'only_base'],
      ['waiting', null, 'not_paired'],
      ['new', null, 'only_other'],
    ]);
    expect(page.changes).to.deep.equal([
      null,
      {
        regressed: 1,
        fixed: 1,
        changed: 1,
        same: 1,
        only_base: 1,
        only_other: 1,
        not_paired: 1,
      },
    ]);
  });

  it('has for each run the row that stands there, and its index', async () => {
    const { pairs } = await served.ask(target(two, 'change=regressed'));
    expect(pairs).to.have.length(1);
    const [{ id, runs }] = pairs;
    expect(id).to.equal('evals/a.eval.ts::fell');
    expect(runs.map(({ indices }: PairSide) => indices)).to.deep.equal([[1], [3]]);
    expect(runs[0].row).to.deep.include({ index: 1, passed: true, output: 'fell true' });
    expect(runs[1].row).to.deep.include({ index: 3, passed: false, dataset: 'b' });
    const rows = await served.ask(`/api/runs/${two[1]?.run.runId}/rows`);
    expect(runs[1].row).to.deep.equal(rows.rows[3]);
  });

  it('says where outputs differ, of the same trial and of completed results', async () => {
    const runs = [
      await served.run([judged('deep', true, { output: { a: [1, 2] } }), judged('kept', true)]),
      await served.run([judged('deep', false, { output: { a: [1, 3] } }), judged('kept', true)]),
      await served.run([judged('deep', false, { status: 'error', error: 'no', output: null })]),
    ];
    const { pairs } = await served.ask(target(runs));
    expect(pairs[0].output_difference).to.deep.equal({
      kind: 'json',
      paths: [{ path: 'a[1]', values: ['2', '3', null] }],
      more: 0,
      equal: 1,
      total: 2,
    });
    expect(pairs[1]).to.not.have.property('output_difference');
  });

  it('has nothing where a run does not have the evaluation', async () => {
    const { pairs } = await served.ask(target(three, 'search=sky'));
    expect(pairs[0].runs.slice(0, 2)).to.deep.equal([
      { change: null, moved_scores: [], same_output: false, indices: [], row: null },
      { change: null, moved_scores: [], same_output: false, indices: [], row: null },
    ]);
    expect(pairs[0].runs[2]).to.deep.include({ change: 'only_other', indices: [1] });
  });

  it('folds trials', async () => {
    const trials = (name: string, verdicts: readonly boolean[]): GivenResult[] =>
      verdicts.map((passed, n) => ({ ...judged(name, passed), trial: n + 1 }));
    const runs = [
      await served.run([judged('first', true), ...trials('often', [true, true, false])]),
      await served.run([...trials('often', [false, true, false]), judged('first', true)]),
    ];
    const { pairs, total } = await served.ask(target(runs));
    expect(total).to.equal(2);
    const [, often] = pairs;
    expect(often.id).to.equal('evals/a.eval.ts::often');
    expect(often.runs[1].change).to.equal('regressed');
    expect(often.runs.map(({ indices }: PairSide) => indices)).to.deep.equal([
      [1, 2, 3],
      [0, 1, 2],
    ]);
    expect(often.runs[0].row.fold).to.deep.include({ trials: 3, passed: 2, flaky: true });
    expect(often.runs[1].row.fold).to.deep.include({ trials: 3, passed: 1 });
    expect(pairs[0].runs[0].row).to.not.have.property('fold');
    expect(await namesOf(runs, 'flaky=true')).to.deep.equal(['often']);
    expect(await namesOf(runs, 'flaky=!true')).to.deep.equal(['first']);
  });

  it('shows the trial that changed, the same one in all runs', async () => {
    const trials = (name: string, outputs: readonly string[], fails: readonly number[]) =>
      outputs.map((output, n) => {
        const row = judged(name, !fails.includes(n + 1));
        return { ...row, trial: n + 1, finish: { ...row.finish, output } };
      });
    const runs = [
      await served.run([
        ...trials('fell', ['a', 'b', 'c'], [1]),
        ...trials('moved', ['a', 'b', 'c'], []),
        ...trials('alike', ['a', 'b', 'c'], [2]),
      ]),
      await served.run([
        ...trials('fell', ['A', 'B', 'C', 'D'], [1, 3]),
        ...trials('moved', ['a', 'B', 'c'], []),
        ...trials('alike', ['a', 'b', 'c'], [2]),
      ]),
      await served.run(trials('fell', ['a', 'b'], [])),
    ];
    const { pairs } = await served.ask(target(runs, 'sort=index'));
    const shown = pairs.map(({ runs: sides }: { runs: readonly PairSide[] }) =>
      sides.map(({ row }) => row?.trial ?? null),
    );
    expect(shown).to.deep.equal([
      [3, 3, 1],
      [2, 2, null],
      [1, 1, null],
    ]);
  });

  it('filters by change: in any run, in one, and in none', async () => {
    expect(await namesOf(two, 'change=regressed&change=fixed')).to.deep.equal(['fell', 'rose']);
    expect(await namesOf(two, 'change=!same&change=!not_paired')).to.deep.equal([
      'fell',
      'rose',
      'moved',
      'gone',
      'new',
    ]);
    expect(await namesOf(three, 'change=regressed')).to.deep.equal(['fell']);
    expect(await namesOf(three, 'change=regressed:1')).to.deep.equal(['fell']);
    expect(await namesOf(three, 'change=regressed:2')).to.deep.equal([]);
    expect(await namesOf(three, 'change=same:2')).to.deep.equal(['fell']);
    expect(await namesOf(three, 'change=only_other:2')).to.deep.equal(['latest']);
    expect(await namesOf(three, 'change=!only_base:2')).to.deep.equal(['fell', 'new', 'latest']);
  });

  it('filters by what a result is in any of the runs', async () => {
    expect(await namesOf(two, 'dataset=b')).to.deep.equal(['fell']);
    expect(await namesOf(two, 'label=slow')).to.deep.equal(['fell']);
    expect(await namesOf(two, 'status=failed')).to.deep.equal(['fell', 'rose']);
    expect(await namesOf(two, 'score=exact:failed')).to.deep.equal(['fell', 'rose']);
    expect(await namesOf(two, 'latency=..1.2')).to.deep.equal(['kept', 'gone', 'waiting', 'new']);
    expect(await namesOf(two, 'search=TWO')).to.deep.equal(['moved']);
    // Failed in one run and in dataset b in the other is not failed in dataset b.
    expect(await namesOf(two, 'dataset=b&status=passed')).to.deep.equal([]);
    expect(await namesOf(two, 'dataset=b&status=failed')).to.deep.equal(['fell']);
  });

  it('filters by what a measure changed by, in any of the runs', async () => {
    const rules: readonly [string, readonly string[]][] = [
      ['passed:lower', ['fell']],
      ['passed:other', ['fell', 'rose']],
      ['score:exact:higher', ['rose']],
      ['latency:>=0.5', ['kept', 'fell']],
      ['latency:<=-1', ['moved']],
      ['!latency:other', ['rose', 'gone', 'waiting', 'new']],
      ['score:none:other', []],
    ];
    for (const [rule, names] of rules) {
      expect(await namesOf(two, `difference=${rule}`), rule).to.deep.equal(names);
    }
    expect(await namesOf(three, 'difference=latency:>=5')).to.deep.equal(['fell']);
    // Everything else is counted over what is left.
    const { changes, facets } = await served.ask(target(two, 'difference=passed:other'));
    expect(changes[1]).to.include({ regressed: 1, fixed: 1, changed: 0, same: 0 });
    expect(facets.dataset.find(({ value }: { value: string }) => value === 'b').count).to.equal(1);
    for (const rule of ['latency', 'index:lower', 'latency:>=x', 'score:exact:passed']) {
      const { status } = await served.get(target(two, `difference=${rule}`));
      expect(status, rule).to.equal(400);
    }
  });

  it('leaves out what is excluded in any of the runs', async () => {
    expect(await namesOf(two, 'status=!failed')).to.deep.equal([
      'kept',
      'moved',
      'gone',
      'waiting',
      'new',
    ]);
    expect(await namesOf(two, 'dataset=!b&status=!pending')).to.deep.equal([
      'kept',
      'rose',
      'moved',
      'gone',
      'new',
    ]);
    expect(await namesOf(two, 'search=two&status=!failed')).to.deep.equal(['moved']);
  });

  it('counts changes over what the other filters leave', async () => {
    const page = await served.ask(target(two, 'status=failed&change=fixed'));
    expect(page).to.include({ total: 7, filtered: 1 });
    expect(page.changes[1]).to.include({ regressed: 1, fixed: 1, same: 0 });
    expect((await served.ask(target(three))).changes[2]).to.include({
      same: 1,
      only_base: 5,
      only_other: 1,
      regressed: 0,
    });
  });

  it('sorts, with pairs without the value last either way', async () => {
    expect(await namesOf(two, 'sort=change')).to.deep.equal([
      'fell',
      'rose',
      'moved',
      'kept',
      'gone',
      'new',
      'waiting',
    ]);
    expect(await namesOf(two, 'sort=function&order=desc')).to.deep.equal([
      'waiting',
      'rose',
      'new',
      'moved',
      'kept',
      'gone',
      'fell',
    ]);
    expect(await namesOf(two, 'order=desc')).to.deep.equal(
      ['kept', 'fell', 'rose', 'moved', 'gone', 'waiting', 'new'].reverse(),
    );
    expect(await namesOf(two, 'sort=latency')).to.deep.equal([
      'moved',
      'rose',
      'kept',
      'fell',
      'gone',
      'waiting',
      'new',
    ]);
    expect(await namesOf(two, 'sort=latency&order=desc')).to.deep.equal([
      'fell',
      'kept',
      'rose',
      'moved',
      'gone',
      'waiting',
      'new',
    ]);
    expect((await namesOf(two, 'sort=passed')).slice(0, 2)).to.deep.equal(['fell', 'kept']);
    expect((await namesOf(two, 'sort=score:exact&order=desc'))[0]).to.equal('rose');
    expect(await namesOf(two, 'sort=score:none')).to.deep.equal(await namesOf(two));
  });

  it('sorts by what calls used, as the mean over trials', async () => {
    const used = (name: string, cost: number | null, tokens: number, trial?: number) => {
      const totals = { calls: 2, input: tokens, cost, ...(cost === null && { unpriced: 1 }) };
      const usage = { ...totals, by_role: { target: totals } };
      return { ...judged(name, true, { usage }), ...(trial && { trial }) };
    };
    const runs = [
      await served.run([
        used('twice', 0.01, 10, 1),
        used('twice', 0.01, 10, 2),
        used('more', 0.01, 10),
        used('unpriced', 0.01, 10),
        used('less', 0.01, 10),
      ]),
      await served.run([
        used('twice', 0.011, 11, 1),
        used('more', 0.03, 12),
        used('unpriced', null, 13),
        used('less', 0.001, 14),
      ]),
    ];
    expect(await namesOf(runs, 'sort=cost&order=desc')).to.deep.equal([
      'more',
      'twice',
      'less',
      'unpriced',
    ]);
    expect(await namesOf(runs, 'sort=tokens')).to.deep.equal(['twice', 'more', 'unpriced', 'less']);
    expect(await namesOf(runs, 'sort=calls')).to.deep.equal(['twice', 'more', 'unpriced', 'less']);
  });

  it('pages', async () => {
    expect(await namesOf(two, 'offset=1&limit=2')).to.deep.equal(['fell', 'rose']);
    const beyond = await served.ask(target(two, 'offset=50'));
    expect(beyond).to.deep.include({ pairs: [], total: 7, filtered: 7, offset: 50 });
    expect((await served.ask(target(two, 'limit=0'))).pairs).to.deep.equal([]);
  });

  it('follows edits, and has another version then', async () => {
    const { headers } = await served.get(target(two));
    const etag = headers.get('etag') ?? '';
    expect((await served.get(target(two), { 'if-none-match': etag })).status).to.equal(304);
    await two[1]?.run.edit(4, { scores: [{ key: 'exact', passed: false }] });
    const { status, body } = await served.get(target(two), { 'if-none-match': etag });
    expect(status).to.equal(200);
    expect(body.pairs[0].runs[1].change).to.equal('regressed');
  });
});
