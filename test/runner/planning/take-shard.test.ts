import { expect } from 'chai';
import { takeShard } from '../../../src/runner/planning/take-shard.js';
import type { ResolvedRunConfig } from '../../../src/settings/resolve-run-config.js';
import { descriptor } from '../descriptors.js';

const all = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => descriptor(`x.ts::one[${id}]`));
const settings: ResolvedRunConfig = {
  name: 'default',
  concurrency: 8,
  timeout: { base: 60 },
  trials: { base: 2 },
  params: {},
  calls: { capture: 'full' },
};

interface Given {
  readonly part?: number;
  readonly of?: number;
  readonly evaluations?: typeof all;
  readonly code?: string;
  readonly config?: Partial<ResolvedRunConfig>;
  readonly latencies?: ReadonlyMap<string, number>;
}

function take({ part = 1, of = 3, evaluations = all, code = 'c', config, latencies }: Given) {
  const shard = { part, of };
  const request = { paths: [], ignore: [], datasets: [], labels: [], shard };
  const options = { request, config: { ...settings, ...config }, latencies };
  const taken = takeShard({ evaluations, code }, options);
  return { ids: taken.evaluations.map(({ id }) => id.slice(-2, -1)).join(''), shard: taken.shard };
}

describe('a part of a run', () => {
  it('has every n-th case, and knows the whole', () => {
    const parts = [1, 2, 3].map((part) => take({ part }));
    expect(parts.map(({ ids }) => ids)).to.deep.equal(['ad', 'be', 'cf']);
    for (const [at, { shard }] of parts.entries()) {
      expect(shard).to.deep.equal({ ...parts[0]?.shard, part: at + 1 });
    }
    expect(take({ part: 9, of: 9 })).to.deep.include({ ids: '' });
  });

  it('has neighbours that take about as long as those of the others, where latencies are known', () => {
    const latencies = new Map([
      ['x.ts::one[a]', 5],
      ...all.slice(1).map(({ id }) => [id, 1] as const),
    ]);
    const parts = [1, 2].map((part) => take({ part, of: 2, latencies }));
    expect(parts.map(({ ids }) => ids)).to.deep.equal(['a', 'bcdef']);
    expect(parts[0]?.shard?.balance).to.match(/^[0-9a-f]{16}$/);
    expect(take({ latencies: new Map([['other', 3]]) }).shard).not.to.have.property('balance');
  });

  const wholes: readonly [what: string, changed: Given, fields: readonly string[]][] = [
    ['the number of parts', { of: 2 }, ['of']],
    ['the cases', { evaluations: all.slice(1) }, ['cases', 'plan']],
    ['the trials', { config: { trials: { flag: 4, base: 2 } } }, ['config', 'plan']],
    ['the run config', { config: { name: 'two' } }, ['config']],
    ['params', { config: { params: { a: 2 } } }, ['config']],
    ['the timeout', { config: { timeout: { flag: 7, base: 60 } } }, ['config']],
    ['the code', { code: 'd' }, ['code']],
    ['latencies', { latencies: new Map([['x.ts::one[a]', 5]]) }, ['balance']],
    ['the concurrency', { config: { concurrency: 1, maxCost: 3 } }, []],
  ];
  for (const [what, changed, fields] of wholes) {
    it(`belongs to ${fields.length === 0 ? 'the same' : 'another'} whole with other ${what.replace('the ', '')}`, () => {
      const [before, after] = [take({}), take(changed)].map(({ shard }) => Object(shard));
      const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
      const differ = keys.filter((key) => before[key] !== after[key]).sort();
      expect(differ).to.deep.equal(fields);
    });
  }
});
