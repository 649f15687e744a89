import { expect } from 'chai';
import { besideParts } from '../../../src/model/calls/run-usage.js';
import { usageOf } from '../../../src/model/calls/usage.js';
import type { RowFacts } from '../../../src/model/result.js';
import { passRate } from '../../../src/model/summary/pass-rate.js';
import {
  type GroupBy,
  type GroupOrder,
  groupByText,
  keysBy,
  parseGroupBy,
  rowGroup,
  rowsByKey,
  sortGroups,
} from '../../../src/model/summary/row-groups.js';
import { renderCost } from '../../../src/text/usage-text.js';
import { rowFacts, trialRows } from '../row-facts.js';

const passed = [{ key: 'exact', passed: true }];
const failed = [{ key: 'exact', passed: false }];

const rows = [
  rowFacts({ dataset: 'refunds', labels: ['smoke', 'de'], scores: passed, latency: 3 }),
  rowFacts({ dataset: 'tone', labels: ['smoke'], scores: failed, latency: 1 }),
  rowFacts({ dataset: 'refunds', status: 'error', latency: 1 }),
  rowFacts({ dataset: 'refunds' }),
  rowFacts({ dataset: 'empty', status: 'pending' }),
  rowFacts({ dataset: 'refunds', scores: passed, pruned: true, latency: 9 }),
];

function groupsOf(
  by: GroupBy,
  order: GroupOrder = { by: 'passed', descending: false },
  all: readonly RowFacts[] = rows,
) {
  const keysOf = keysBy(by, (index) => (index < 2 ? String(index) : null));
  const groups = [...rowsByKey(all, all.keys(), keysOf)];
  const whole = { scales: new Map(), countsOnly: false, beside: besideParts(all, undefined) };
  return sortGroups(
    groups.map(([key, its]) => rowGroup(key, its, whole)),
    order,
  );
}

const keys = (...args: Parameters<typeof groupsOf>) => groupsOf(...args).map(({ key }) => key);

describe('groups of rows', () => {
  it('have the figures of their rows, which add up', () => {
    const [, refunds] = groupsOf('dataset');
    expect(refunds).to.deep.equal({
      key: 'refunds',
      results: 4,
      passed: 1,
      failed: 0,
      errors: 1,
      no_verdict: 1,
      pruned: 1,
      unfinished: 0,
      pass_rate: passRate(rows.filter(({ dataset }) => dataset === 'refunds')),
      chips: [{ key: 'exact', type: 'ratio', passed: 1, total: 1 }],
      latency: { count: 2, p50: 2, p95: 2.9 },
    });
    for (const group of groupsOf('dataset')) {
      const { results, passed, failed, errors, no_verdict, pruned, unfinished } = group;
      expect(passed + failed + errors + no_verdict + pruned + unfinished).to.equal(results);
    }
  });

  it('count trials by case', () => {
    const all = [...trialRows('mixed', '+-'), ...trialRows('good', '++')];
    const [mixed, good] = groupsOf('evaluation', undefined, all);
    expect([mixed?.key, mixed?.flaky, good?.flaky]).to.deep.equal(['a.eval.ts::mixed', 1, 0]);
    const [whole] = groupsOf('file', undefined, all);
    expect([whole?.key, whole?.pass_rate]).to.deep.equal(['a.eval.ts', passRate(all)]);
  });

  it('do not look free without the result that has the calls at import', () => {
    const used = (role: 'file' | 'target') => usageOf([{ role, cost: 1, model_call: {} }]);
    const [both, one] = ['both', 'one'];
    const all = [
      rowFacts({ labels: [both], usage: used('file') }),
      rowFacts({ labels: [both, one], usage: used('target') }),
      rowFacts({ labels: [one] }),
      rowFacts({ dataset: 'none' }),
    ];
    const costs = (by: GroupBy, of = all) =>
      groupsOf(by, { by: 'results', descending: true }, of).map(({ key, usage }) => [
        key,
        usage && renderCost(usage),
      ]);
    expect(costs('label')).to.deep.equal([
      [both, '$2.00'],
      [one, '≥ $1.00'],
      [null, 'unknown'],
    ]);
    expect(costs('file')).to.deep.equal([['a.eval.ts', '$2.00']]);
    expect(costs('label', all.slice(1))).to.deep.include([one, '$1.00']);
  });

  it('have a row in each of its labels, and rows without a value in a group of their own, last', () => {
    expect(keys('label')).to.deep.equal(['smoke', 'de', null]);
    expect(groupsOf('label').map(({ results }) => results)).to.deep.equal([2, 1, 4]);
    expect(keys({ of: 'metadata', path: ['tier'] })).to.deep.equal(['1', '0', null]);
  });

  it('are sorted by a figure, those without it last in both directions', () => {
    expect(keys('dataset')).to.deep.equal(['tone', 'refunds', 'empty']);
    expect(keys('dataset', { by: 'passed', descending: true })).to.deep.equal([
      'refunds',
      'tone',
      'empty',
    ]);
    expect(keys('dataset', { by: 'latency', descending: true })).to.deep.equal([
      'refunds',
      'tone',
      'empty',
    ]);
    expect(keys('dataset', { by: { score: 'exact' }, descending: false })).to.deep.equal([
      'tone',
      'refunds',
      'empty',
    ]);
    const named = ['a10', 'a9', 'b'].map((dataset) => rowFacts({ dataset }));
    expect(keys('dataset', { by: 'key', descending: false }, named)).to.deep.equal([
      'a9',
      'a10',
      'b',
    ]);
    expect(keys('dataset', { by: 'results', descending: true })).to.deep.equal([
      'refunds',
      'empty',
      'tone',
    ]);
  });

  it('are named by texts', () => {
    for (const text of ['dataset', 'label', 'evaluation', 'file', 'metadata.a.b']) {
      expect(groupByText(parseGroupBy(text) as GroupBy)).to.equal(text);
    }
    for (const text of ['', 'metadata', 'metadata.', 'constructor', 'Dataset']) {
      expect(parseGroupBy(text)).to.equal(undefined);
    }
  });
});
