import { expect } from 'chai';
import { AssayError } from '../../../src/errors.js';
import type { Descriptor } from '../../../src/protocol/messages.js';
import { type Selection, select } from '../../../src/runner/discovery/select-evaluations.js';
import { descriptor } from '../descriptors.js';

const all = [
  descriptor('a.ts::one', { labels: ['x'] }),
  descriptor('a.ts::two[p]', { dataset: 'e', labels: ['x', 'y'] }),
  descriptor('a.ts::two[q]', { dataset: 'e' }),
  descriptor('b.ts::one', { labels: ['y'] }),
];

function given(selection: Partial<Selection>): Selection {
  return { empty: [], names: new Map(), datasets: [], labels: [], ...selection };
}

function ids(descriptors: readonly Descriptor[], selection: Partial<Selection>): string[] {
  return select(descriptors, given(selection)).evaluations.map((one) => one.id);
}

function refusal(descriptors: readonly Descriptor[], selection: Partial<Selection>): AssayError {
  try {
    select(descriptors, given(selection));
  } catch (error) {
    if (error instanceof AssayError) return error;
  }
  return expect.fail('nothing is refused');
}

describe('select', () => {
  it('takes everything, in order, when nothing is asked for', () => {
    expect(ids(all, {})).to.deep.equal(all.map((one) => one.id));
  });

  it('takes names within their file and leaves other files whole', () => {
    const names = new Map([['a.ts', ['two[q]', 'one']]]);
    expect(ids(all, { names })).to.deep.equal(['a.ts::one', 'a.ts::two[q]', 'b.ts::one']);
    expect(ids(all, { names: new Map([['a.ts', ['two']]]) })).to.deep.equal([
      'a.ts::two[p]',
      'a.ts::two[q]',
      'b.ts::one',
    ]);
  });

  it('compares names whole, whatever characters they have', () => {
    const odd = [
      descriptor('a::b.ts::x', { evaluation: 'a::b.ts::x', function: 'x' }),
      descriptor('a.ts::f[1][2]', { evaluation: 'a.ts::f[1]', function: 'f[1][2]' }),
      descriptor('a.ts::f[1]', { evaluation: 'a.ts::f[1]', function: 'f[1]' }),
    ];
    expect(
      ids(odd, {
        names: new Map([
          ['a::b.ts', ['x']],
          ['a.ts', ['f[1][2]']],
        ]),
      }),
    ).to.deep.equal(['a::b.ts::x', 'a.ts::f[1][2]']);
  });

  it('joins kinds with and, the values of a kind with or', () => {
    expect(ids(all, { labels: ['y', 'z'] })).to.deep.equal(['a.ts::two[p]', 'b.ts::one']);
    expect(ids(all, { datasets: ['d', 'e'], labels: ['x'] })).to.deep.equal([
      'a.ts::one',
      'a.ts::two[p]',
    ]);
    expect(ids(all, { datasets: ['d'], labels: ['y'] })).to.deep.equal(['b.ts::one']);
  });

  it('leaves skipped ones out before it counts to the limit', () => {
    const some = all.map((one, index) => ({ ...one, skip: index === 0 }));
    const selected = select(some, given({ limit: 2 }));
    expect(selected.evaluations.map((one) => one.id)).to.deep.equal([
      'a.ts::two[p]',
      'a.ts::two[q]',
    ]);
    expect(selected.skipped).to.equal(1);
  });

  it('takes just those marked only among what is asked for', () => {
    const some = all.map((one, index) => ({ ...one, only: index === 2 }));
    expect(select(some, given({}))).to.deep.include({ onlyMarked: true });
    expect(ids(some, {})).to.deep.equal(['a.ts::two[q]']);
    expect(ids(some, { labels: ['x'] })).to.deep.equal(['a.ts::one', 'a.ts::two[p]']);
    expect(select(some, given({ labels: ['x'] })).onlyMarked).to.equal(false);
  });

  it('runs no evaluation that is marked both only and skip', () => {
    const some = [descriptor('a.ts::one', { only: true, skip: true }), descriptor('a.ts::two')];
    expect(ids(some, {})).to.deep.equal(['a.ts::two']);
  });

  it('suggests near names for one that is not there', () => {
    const { code, message, hints } = refusal(all, { names: new Map([['a.ts', ['twoo']]]) });
    expect(code).to.equal('nothing-selected');
    expect(message).to.equal('a.ts has no evaluation named twoo. Did you mean two?');
    expect(hints).to.deep.equal(['It has: one, two']);
  });

  it('says what there is when filters match nothing', () => {
    const { code, hints } = refusal(all, { datasets: ['f'], labels: ['z'] });
    expect(code).to.equal('nothing-selected');
    expect(hints).to.deep.equal(['dataset f; there are: d, e', 'label z; there are: x, y']);
  });

  it('tells files without evaluations and skipped ones apart', () => {
    const reason = 'exports nothing';
    const files = (count: number) =>
      Array.from({ length: count }, (_, n) => ({ file: `${n}.ts`, reason }));
    expect(refusal([], { empty: files(1) }).message).to.equal(
      '0.ts has no evaluations: it exports nothing.',
    );
    expect(refusal([], { empty: files(2) }).message).to.equal(
      'None of these 2 files has evaluations: 0.ts exports nothing; 1.ts exports nothing.',
    );
    expect(refusal([], { empty: files(7) }).message).to.match(
      /7 files .*: 0.ts exports nothing; .*4.ts exports nothing; …$/,
    );
    const skipped = all.map((one) => ({ ...one, skip: true }));
    expect(refusal(skipped, {}).message).to.match(/All 4 selected evaluations are skipped/);
  });
});
