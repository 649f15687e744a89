import { expect } from 'chai';
import type { RunOwner } from '../../../src/store/run-owner.js';
import { type GivenResult, judged, type ServedRuns, serveRuns } from './served-runs.js';

const placed = (given: GivenResult, dataset: string, ...labels: string[]): GivenResult => ({
  ...given,
  plan: { dataset, labels },
});
const trials = (name: string, verdicts: readonly boolean[]): GivenResult[] =>
  verdicts.map((passed, n) => ({ ...judged(name, passed), trial: n + 1 }));

const before: readonly GivenResult[] = [
  placed(judged('kept', true), 'a', 'smoke'),
  placed(judged('fell', true, { latency: 2 }), 'a', 'smoke', 'slow'),
  placed(judged('rose', false), 'b'),
  judged('gone', true),
  ...trials('often', [true, false, true]),
  { name: 'waiting' },
];
const after: readonly GivenResult[] = [
  ...trials('often', [true, false, false]),
  placed(judged('fell', false, { latency: 9 }), 'b', 'slow'),
  placed(judged('kept', true), 'a', 'smoke'),
  placed(judged('rose', true), 'b', 'smoke'),
  placed(judged('new', true, { scores: [{ key: 'size', value: 3 }] }), 'c'),
  judged('waiting', true),
];
const later: readonly GivenResult[] = [
  placed(judged('fell', true), 'a'),
  placed(judged('latest', false), 'c', 'slow'),
];

describe('the facets of pairs', () => {
  let served: ServedRuns;
  let runs: readonly RunOwner[];

  // Stores are removed after each test.
  beforeEach(async () => {
    served = await serveRuns();
    runs = [await served.run(before), await served.run(after), await served.run(later)];
  });

  const ask = (query: string, count = 3) => {
    const ids = runs.slice(0, count).map(({ run }) => `run=${run.runId}`);
    return served.ask(`/api/compare/rows?${ids.join('&')}&${query}`);
  };

  it('count evaluations, each once, in however many runs and trials it has a value', async () => {
    const { facets } = await ask('', 2);
    expect(facets.change).to.deep.equal([
      { value: 'regressed', count: 2 },
      { value: 'fixed', count: 1 },
      { value: 'changed', count: 0 },
      { value: 'same', count: 1 },
      { value: 'only_base', count: 1 },
      { value: 'only_other', count: 1 },
      { value: 'not_paired', count: 1 },
    ]);
    const datasets = new Map(
      facets.dataset.map(({ value, count }: { value: string; count: number }) => [value, count]),
    );
    // One was moved from a to b.
    expect(datasets.get('b')).to.equal(2);
    expect(datasets.get('c')).to.equal(1);
    expect(facets.label).to.deep.equal([
      { value: 'smoke', count: 6 },
      { value: 'slow', count: 1 },
    ]);
    expect(facets.score).to.deep.equal([
      { key: 'exact', passed: 6, failed: 3, valued: 0 },
      { key: 'size', passed: 0, failed: 0, valued: 1 },
    ]);
    expect(facets.flaky).to.deep.equal([
      { value: true, count: 1 },
      { value: false, count: 6 },
    ]);
    expect(facets.cut).to.deep.equal([]);
  });

  it('say what their filters leave, whatever else is asked for', async () => {
    for (const given of [
      '',
      'search=fell',
      'label=!slow',
      'change=!same',
      'flaky=!true&status=passed',
    ]) {
      const { facets } = await ask(given);
      for (const kind of ['change', 'dataset', 'label', 'status', 'flaky'] as const) {
        // What is given of the same kind does not count.
        const others = given.split('&').filter((part) => !part.startsWith(`${kind}=`));
        for (const { value, count } of facets[kind]) {
          const { filtered } = await ask([...others, `${kind}=${value}`].join('&'));
          expect(filtered, `${given} and ${kind} ${value}`).to.equal(count);
        }
      }
      for (const { key, passed, failed } of facets.score) {
        expect((await ask(`${given}&score=${key}:passed`)).filtered).to.equal(passed);
        expect((await ask(`${given}&score=${key}:failed`)).filtered).to.equal(failed);
      }
    }
  });

  it('are the same whatever the order and the page', async () => {
    const { facets } = await ask('status=passed');
    expect((await ask('status=passed&sort=function&offset=2&limit=1')).facets).to.deep.equal(
      facets,
    );
  });
});
