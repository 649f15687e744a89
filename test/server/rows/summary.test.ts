import { expect } from 'chai';
import { usageOf } from '../../../src/model/calls/usage.js';
import { wilsonInterval } from '../../../src/statistics/wilson-interval.js';
import { type GivenRow, serveRows } from './served-rows.js';

function row(dataset: string, passed: boolean, value: number, latency = 1): GivenRow {
  return {
    plan: { dataset, labels: passed ? ['good'] : [] },
    finish: {
      latency,
      scores: [
        { key: 'exact', passed },
        { key: 'size', value },
      ],
    },
  };
}

const mixed: readonly GivenRow[] = [
  row('a', true, 1, 1),
  row('a', true, 2, 2),
  row('a', false, 3, 4),
  row('b', false, 4, 8),
  { plan: { dataset: 'b' }, finish: { status: 'error', error: 'Error: no', scores: [] } },
  { plan: { dataset: 'c' }, finish: { scores: [{ key: 'size', value: 9 }], latency: null } },
  { plan: { dataset: 'c' } },
];

describe('the summary of rows', () => {
  it('counts how the results that match stand', async () => {
    const { rows } = await serveRows(mixed);
    const { counts } = (await rows('limit=1')).summary;
    expect(counts).to.deep.equal({
      results: 7,
      passed: 2,
      failed: 2,
      errors: 1,
      no_verdict: 1,
      unfinished: 1,
      pruned: 0,
      cases: 7,
      functions: 1,
      pass_rate: { passed: 2, total: 5, ...wilsonInterval(2, 5) },
    });
    const { summary } = await rows('dataset=b');
    expect(summary.counts).to.include({ results: 2, passed: 0, failed: 1, errors: 1 });
    expect(summary.counts.pass_rate).to.deep.equal({
      passed: 0,
      total: 2,
      ...wilsonInterval(0, 2),
    });
  });

  it('has chips with intervals', async () => {
    const { rows } = await serveRows(mixed);
    const { chips } = (await rows('dataset=a')).summary;
    const { low, high } = wilsonInterval(2, 3);
    expect(chips[0]).to.deep.equal({
      key: 'exact',
      type: 'ratio',
      passed: 2,
      total: 3,
      interval: { low, high },
    });
    expect(chips[1]).to.deep.include({ key: 'size', type: 'avg', avg: 2, count: 3 });
    // Of three values no interval of their mean is told.
    expect(chips[1].interval).to.deep.equal({ low: null, high: null });
  });

  it('shows values under a filter, and of the trials of a case, as those of the whole run', async () => {
    const seconds = (value: number, trial: number, dataset = 'a'): GivenRow => ({
      plan: { dataset, trial_of: dataset, trial },
      finish: { scores: [{ key: 'seconds', value }] },
    });
    const { rows } = await serveRows([
      seconds(0.2, 1),
      seconds(0.3, 2),
      seconds(1, 3),
      seconds(7.5, 1, 'b'),
    ]);
    const percentiles = { p50: 0.3, p95: 0.93 };
    const found = await rows('dataset=a&fold=trials');
    expect(found.rows).to.have.length(1);
    expect(found.summary.counts).to.include({ results: 3, cases: 1 });
    for (const chip of [found.summary.chips[0], found.rows[0].fold.chips[0]]) {
      expect(chip).to.deep.include({ key: 'seconds', type: 'avg', count: 3, avg: 0.5 });
      expect(chip.percentiles.p50).to.equal(percentiles.p50);
      expect(chip.percentiles.p95).to.be.closeTo(percentiles.p95, 1e-12);
    }
  });

  it('has quantiles and a histogram of the latencies that match', async () => {
    const { rows } = await serveRows(mixed);
    const { latency } = (await rows('dataset=a')).summary;
    expect(latency).to.include({ count: 3, p50: 2 });
    expect(latency.average).to.be.closeTo(7 / 3, 1e-12);
    expect(latency.p95).to.be.closeTo(3.8, 1e-12);
    const filled = latency.histogram.filter(({ count }: { count: number }) => count > 0);
    expect(filled.map(({ from }: { from: number }) => from)).to.deep.equal([1, 2, 4]);
    expect(latency.histogram).to.have.lengthOf(9);
  });

  it('leaves latencies of recordings out, and counts them', async () => {
    const ofCall = (replayed: boolean): GivenRow => ({
      finish: {
        latency: replayed ? null : 1,
        usage: usageOf([{ role: 'target', replayed, model_call: {} }]),
      },
    });
    const { rows } = await serveRows([ofCall(true), ofCall(false), ofCall(true), { finish: {} }]);
    const { rows: listed, summary } = await rows();
    expect(summary.latency).to.include({ count: 2, replayed: 2 });
    expect(listed.map((one: { replayed?: true }) => one.replayed)).to.deep.equal([
      true,
      undefined,
      true,
      undefined,
    ]);
  });

  it('does not know what results cost whose file made calls at import that another result has', async () => {
    const used = usageOf([{ role: 'file', cost: 1, model_call: {} }]);
    const { rows } = await serveRows([
      { plan: { dataset: 'a' }, finish: { ...(used && { usage: used }) } },
      { plan: { dataset: 'b' }, finish: {} },
    ]);
    const cost = async (query?: string) => (await rows(query)).summary.usage.cost;
    expect([await cost(), await cost('dataset=a'), await cost('dataset=b')]).to.deep.equal([
      ...[1, 1, null],
    ]);
  });

  it('counts for each filter what it would leave, whatever is chosen of its own kind', async () => {
    const { rows } = await serveRows(mixed);
    const { facets } = (await rows('dataset=a&status=!passed')).summary;
    expect(facets.dataset).to.deep.equal([
      { value: 'a', count: 1 },
      { value: 'b', count: 2 },
      { value: 'c', count: 2 },
    ]);
    const statuses = facets.status.filter(({ count }: { count: number }) => count > 0);
    expect(statuses).to.deep.equal([
      { value: 'completed', count: 3 },
      { value: 'passed', count: 2 },
      { value: 'failed', count: 1 },
    ]);
    expect(facets.label).to.deep.equal([
      { value: 'good', count: 0 },
      { value: 'smoke', count: 0 },
    ]);
    expect(facets.score).to.deep.equal([
      { key: 'exact', passed: 0, failed: 1, valued: 0 },
      { key: 'size', passed: 0, failed: 0, valued: 1 },
    ]);
    expect(facets.cut).to.deep.equal([]);
  });

  it('leaves what a facet says', async () => {
    const { rows, owner } = await serveRows([...mixed, row('a', true, 1, 1)]);
    owner.prune([mixed.length]);
    const given = 'search=in&latency=1..';
    const { facets } = (await rows(given)).summary;
    // Not the pruned one.
    expect(facets.status).to.deep.include({ value: 'completed', count: 4 });
    for (const name of ['dataset', 'label', 'status', 'flaky'] as const) {
      for (const { value, count } of facets[name]) {
        const page = await rows(`${given}&${name}=${value}`);
        expect(page.filtered, `${name} ${value}`).to.equal(count);
      }
    }
    for (const { key, passed, failed } of facets.score) {
      expect((await rows(`${given}&score=${key}:passed`)).filtered).to.equal(passed);
      expect((await rows(`${given}&score=${key}:failed`)).filtered).to.equal(failed);
    }
  });

  it('lists the 200 most frequent of very many values, and says so', async () => {
    const { rows } = await serveRows(
      Array.from({ length: 401 }, (_, index) => ({
        plan: { dataset: `d${Math.max(0, index - 200)}` },
      })),
    );
    const { facets } = (await rows('limit=0')).summary;
    expect(facets.dataset).to.have.lengthOf(200);
    expect(facets.dataset[0]).to.deep.equal({ value: 'd0', count: 201 });
    expect(facets.cut).to.deep.equal(['dataset']);
  });

  it('says how far the whole run has come, regardless of the filter', async () => {
    const { rows } = await serveRows(mixed);
    const progress = { state: 'running', selected_total: 7, unfinished: 1, running: 0 };
    expect((await rows()).summary.progress).to.deep.equal(progress);
    expect((await rows('dataset=a')).summary.progress).to.deep.equal(progress);
  });

  it('has trial figures over all trials of the evaluations that are left', async () => {
    const trial = (name: string, number: number, passed: boolean): GivenRow => ({
      plan: {
        id: `e::${name}~${number}`,
        evaluation: `e::${name}`,
        trial: number,
        trial_of: `e::${name}`,
      },
      finish: { scores: [{ key: 'exact', passed }] },
    });
    const { rows } = await serveRows([
      trial('one', 1, true),
      trial('one', 2, false),
      trial('two', 1, true),
      trial('two', 2, true),
    ]);
    const { trials } = (await rows()).summary;
    expect(trials).to.include({ trials: 2, pass_at_k: 1, pass_all_k: 0.5 });
    const one = (await rows('group=evaluation=e::one')).summary;
    expect(one.trials).to.include({ trials: 2, pass_at_k: 1, pass_all_k: 0 });
    expect(one.trials.trial_statistics.flaky).to.equal(1);
    const failed = (await rows('status=failed')).summary;
    expect(failed).to.include({ flaky: 1, counts_only: true }).and.not.to.have.property('trials');
    expect((await rows('dataset=none')).summary).not.to.have.property('trials');
  });

  it('has counts alone where what came of results decides which match', async () => {
    const tier = (index: number, more: object) => ({
      plan: { metadata: { tier: index < 2 ? 'gold' : 'free', set: 1 }, input: { city: 'Ulm' } },
      finish: { scores: [{ key: 'exact', passed: index === 1 }], output: { is: index }, ...more },
    });
    const { rows, groups } = await serveRows([
      ...[0, 1, 2].map((index) => tier(index, {})),
      tier(3, { metadata: { tier: 'free', set: 2, steps: 5 } }),
    ]);
    const isCount = async (query: string) => {
      const { counts, chips, counts_only } = (await rows(query)).summary;
      expect(counts.results, query).to.be.greaterThan(0);
      const { low, high } = chips[0].interval;
      expect([counts.pass_rate === null, low === null, high === null]).to.deep.equal(
        Array(3).fill(counts_only === true),
        query,
      );
      return counts_only === true;
    };
    const planned = [
      'dataset=a',
      'label=!x',
      'group=file=evals/a.eval.ts',
      'group=metadata.tier=gold',
    ];
    const byValue = [
      'group=input.city=Ulm',
      'group=reference',
      'group=evaluation=evals/a.eval.ts::refund',
    ];
    for (const query of ['', 'sort=latency', ...planned, ...byValue]) {
      expect(await isCount(query), query).to.equal(false);
    }
    const outcome = [
      'status=failed',
      'status=!running',
      'score=exact:failed',
      'has=!error',
      'search=refund',
    ];
    const more = [
      'latency=0..',
      'flaky=false',
      'origin=!carried',
      'group=output.is=1',
      'group=!output.is=1',
    ];
    const late = ['group=metadata.steps', 'group=!metadata.set=2', 'dataset=a&status=failed'];
    for (const query of [...outcome, ...more, ...late]) {
      expect(await isCount(query), query).to.equal(true);
    }
    const rates = async (query: string) =>
      (await groups(query)).groups.map((group: { pass_rate: unknown }) => group.pass_rate !== null);
    expect(await rates('by=metadata.tier')).to.deep.equal([true, true]);
    expect(await rates('by=metadata.tier&status=failed')).to.deep.equal([false, false]);
    expect(await rates('by=output.is')).to.deep.equal([false, false, false, false]);
    const [group] = (await rows('by=metadata.tier&status=failed')).summary.groups;
    expect(group).to.include({ pass_rate: null, counts_only: true, failed: 2 });
  });

  it('counts the values of scores that are asked for', async () => {
    const { rows } = await serveRows(mixed);
    const { histograms } = (await rows('histogram=size&histogram=exact&dataset=!c')).summary;
    expect(histograms).to.deep.equal([
      { key: 'size', from: 1, to: 4, counts: [1, 0, 0, 1, 0, 0, 1, 0, 0, 1] },
    ]);
    expect((await rows('')).summary).to.not.have.property('histograms');
  });
});
