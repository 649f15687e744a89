import { expect } from 'chai';
import type { Json } from '../../../src/model/result.js';
import { outputDifference } from '../../../src/server/compare/output-difference.js';

const long = 'word '.repeat(100);

describe('the difference of outputs', () => {
  const cases: readonly [string, readonly (Json | undefined)[], ReturnType<typeof shown>][] = [
    [
      'paths in document order, however deep, and what is equal',
      [
        { a: 1, b: { c: [1, { d: 'x' }] }, e: true },
        { e: true, b: { c: [1, { d: 'y' }] }, a: 2 },
      ],
      ['2 of 4', 'a: 1 | 2', 'b.c[1].d: "x" | "y"'],
    ],
    [
      'a missing key, null and another type',
      [
        { a: null, b: 1, 'c d': { x: 1 } },
        { b: '1', 'c d': [] },
      ],
      ['0 of 3', 'a: null | not there', 'b: 1 | "1"', '["c d"]: {"x":1} | []'],
    ],
    [
      'an item more as one difference',
      [
        [1, 2, 3],
        [1, 9, 2, 3],
      ],
      ['3 of 4', '[1]: not there | 9'],
    ],
    ['an item less', [[{ a: 1 }, { a: 2 }], [{ a: 2 }]], ['1 of 2', '[0]: {"a":1} | not there']],
    [
      'another order of keys',
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      ['2 of 2'],
    ],
    ['JSON in a text', ['{"a":1}', { a: 2 }], ['0 of 1', 'a: 1 | 2']],
    [
      'runs that have nothing to compare',
      [{ a: 1 }, undefined, { a: 2 }],
      ['0 of 1', 'a: 1 | not there | 2'],
    ],
    [
      'keys that objects have by themselves',
      [{}, { toString: 1 }],
      ['0 of 1', 'toString: not there | 1'],
    ],
    ['short texts, which rows have', ['one', 'two'], undefined],
    ['nothing without a base', [undefined, { a: 1 }, { a: 2 }], undefined],
  ];
  for (const [name, outputs, expected] of cases) {
    it(`has ${name}`, () => {
      expect(shown(outputs)).to.deep.equal(expected);
    });
  }

  it('has excerpts of texts and of long values about the first difference', () => {
    const text = outputDifference([`${long}one`, `${long}two ${long}`]);
    const lead = long.slice(-40);
    expect(text).to.deep.equal({
      kind: 'text',
      at: 460,
      texts: [
        { text: `${lead}one`, cut: false },
        { text: `${lead}two ${long}`.slice(0, 300), cut: true },
      ],
    });
    const json = outputDifference([{ a: `${long}one` }, { a: `${long}two` }]);
    expect(json?.kind === 'json' && json.paths[0]?.values).to.deep.equal([
      `…${long.slice(-15)}one"`,
      `…${long.slice(-15)}two"`,
    ]);
    // Not within a pair of surrogates.
    const faces = outputDifference([`${'👍'.repeat(200)}a`, `${'👍'.repeat(200)}b`]);
    expect(faces?.kind === 'text' && faces.texts[0]?.text.isWellFormed()).to.equal(true);
  });

  it('has the first six paths, and how many more there are', () => {
    const list = (value: number) => Array.from({ length: 9 }, (_, n) => n + value);
    const found = outputDifference([list(0), list(100)]);
    expect(found).to.include({ kind: 'json', more: 3, equal: 0, total: 9 });
    expect(found?.kind === 'json' && found.paths.length).to.equal(6);
  });
});

function shown(outputs: readonly (Json | undefined)[]): readonly string[] | undefined {
  const found = outputDifference(outputs);
  if (found?.kind !== 'json') return undefined;
  const text = (value: string | null) => value ?? 'not there';
  return [
    `${found.equal} of ${found.total}`,
    ...found.paths.map(({ path, values }) => `${path}: ${values.map(text).join(' | ')}`),
  ];
}
