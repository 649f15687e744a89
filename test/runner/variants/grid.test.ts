import { expect } from 'chai';
import { AssayError } from '../../../src/errors.js';
import type { Json } from '../../../src/model/json.js';
import { gridOf, nameVariants } from '../../../src/runner/variants/grid.js';

const values = (of: Record<string, Json[]>) => new Map(Object.entries(of));

describe('a grid of variants', () => {
  it('has all combinations, named by what differs; the last param varies first', () => {
    const grid = gridOf(values({ model: ['large', 'swift'], prompt: ['v14', 'v15'], top: [1] }));
    expect(nameVariants(grid)).to.deep.equal([
      { name: 'large v14', params: { model: 'large', prompt: 'v14', top: 1 } },
      { name: 'large v15', params: { model: 'large', prompt: 'v15', top: 1 } },
      { name: 'swift v14', params: { model: 'swift', prompt: 'v14', top: 1 } },
      { name: 'swift v15', params: { model: 'swift', prompt: 'v15', top: 1 } },
    ]);
  });

  it('combines run configs with params', () => {
    const grid = gridOf(values({ top: [1, 2] }), ['fast', 'good']);
    expect(nameVariants(grid).map(({ name }) => name)).to.deep.equal([
      'fast top=1',
      'fast top=2',
      'good top=1',
      'good top=2',
    ]);
  });

  it('is one variant of single values', () => {
    expect(nameVariants(gridOf(values({ model: ['swift'] })))).to.deep.equal([
      { name: 'default', params: { model: 'swift' } },
    ]);
    expect(gridOf(new Map())).to.deep.equal([{ params: {} }]);
  });

  it('has at most 12, which is said before any is made', () => {
    const thirteen = Array.from({ length: 13 }, (_, n) => n);
    expect(() => gridOf(values({ n: thirteen }))).to.throw(
      AssayError,
      'This makes 13 variants; at most 12 can be compared at once.',
    );
    const many = Array.from({ length: 1000 }, (_, n) => n);
    expect(() => gridOf(values({ a: many, b: many, c: many, d: many }))).to.throw(
      AssayError,
      'at most 12',
    );
  });

  it('has names on one line, of values that are no text too', () => {
    const named = nameVariants([
      { params: { system: 'Be brief.\nBe kind, and always say what you are not sure of.' } },
      { params: { system: '' } },
      { params: { system: null } },
      { params: {} },
    ]);
    expect(named.map(({ name }) => name)).to.deep.equal([
      'Be brief. Be kind, and always…',
      'system=""',
      'system=null',
      'default',
    ]);
  });

  for (const [what, variants, message] of [
    [
      'equal',
      [{ params: { a: 1 } }, { params: {} }, { params: { a: 1 } }],
      'The variants 1 and 3 are equal: both have a=1.',
    ],
    [
      'equal by their run config',
      [
        { runConfig: 'hot', params: {} },
        { runConfig: 'hot', params: {} },
      ],
      'The variants 1 and 2 are equal: both have run config hot.',
    ],
    [
      'equal, with names',
      [
        { name: 'x', params: { a: 1 } },
        { name: 'y', params: { a: 1 } },
      ],
      'The variants 1 and 2 (x, y) are equal: both have a=1.',
    ],
    [
      'of one name',
      [
        { name: 'x', params: { a: 1 } },
        { name: 'x', params: { a: 2 } },
      ],
      'Two variants have the name x.',
    ],
    [
      'of one name that is made',
      [{ params: { a: 'x' } }, { name: 'x', params: { a: 'y' } }],
      'Two variants have the name x.',
    ],
  ] as const) {
    it(`has none that are ${what}`, () => {
      expect(() => nameVariants(variants)).to.throw(AssayError, message);
    });
  }
});
