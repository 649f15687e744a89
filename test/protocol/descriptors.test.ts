import { expect } from 'chai';
import { descriptorsOf, groupDescriptors } from '../../src/protocol/descriptors.js';
import type { Descriptor } from '../../src/protocol/messages.js';

function descriptor(evaluation: string, of: string, own: Partial<Descriptor> = {}): Descriptor {
  return {
    id: `a.eval.ts::${evaluation}${of}`,
    evaluation: `a.eval.ts::${evaluation}`,
    function: `${evaluation}${of}`,
    dataset: 'a',
    labels: [],
    hasTarget: true,
    skip: false,
    only: false,
    ...own,
  };
}

function regrouped(descriptors: readonly Descriptor[], size = 100): Descriptor[] {
  const sent = JSON.stringify([...groupDescriptors(descriptors, size)]);
  return (JSON.parse(sent) as Parameters<typeof descriptorsOf>[0][]).flatMap((group) => [
    ...descriptorsOf(group),
  ]);
}

describe('groupDescriptors', () => {
  it('says once what cases share', () => {
    const cases = ['[1]', '[2]', '[3]'].map((of) => descriptor('refund', of, { labels: ['x'] }));
    const groups = [...groupDescriptors(cases, 100)];
    expect(groups).to.have.lengthOf(1);
    expect(groups[0]).to.deep.include({ name: 'refund', cases: ['[1]', '[2]', '[3]'] });
    const rows = cases.map((one, index) => ({ ...one, line: index + 1, lineFile: 'cases.csv' }));
    expect([...groupDescriptors(rows, 100)]).to.have.lengthOf(1);
  });

  it('keeps descriptors and their order, whatever they differ in', () => {
    const descriptors = [
      descriptor('refund', ''),
      descriptor('order', '[a]'),
      descriptor('order', '[b]', { dataset: 'other' }),
      descriptor('order', '[c]', { labels: ['slow'] }),
      descriptor('order', '[d]', { labels: ['slow', 'new'] }),
      descriptor('order', '[e]', { trials: 3 }),
      descriptor('order', '[f]', { timeout: 0.5 }),
      descriptor('order', '[g]', { hasTarget: false }),
      descriptor('order', '[h]', { skip: true }),
      descriptor('order', '[i]', { only: true }),
      descriptor('order', '[j]', { line: 7 }),
      descriptor('order', '[k]', { line: 7 }),
      descriptor('order', '[l]', { line: 7, scoreRules: { a: { threshold: 1 } } }),
      descriptor('order', '[m]', { line: 7, scoreRules: { a: { better: 'lower' } } }),
      descriptor('order', '[n]', { line: 3, lineFile: 'cases.csv' }),
      descriptor('order', '[o]', { line: 5, lineFile: 'cases.csv' }),
      descriptor('order', '[p]', { line: 5, lineFile: 'other.csv' }),
      descriptor('order', '[refund]'),
    ];
    expect(regrouped(descriptors)).to.deep.equal(descriptors);
  });

  it('makes groups no larger than asked', () => {
    const cases = Array.from({ length: 25 }, (_, n) => descriptor('refund', `[${n}]`));
    expect([...groupDescriptors(cases, 10)].map((group) => group.cases.length)).to.deep.equal([
      10, 10, 5,
    ]);
    expect(regrouped(cases, 10)).to.deep.equal(cases);
  });
});
