import { expect } from 'chai';
import fc from 'fast-check';
import { type ParseOptions, parseDocument, stringify } from 'yaml';
import { parsePlainYaml } from '../../../src/authoring/case-files/plain-yaml.js';
import { patience, rounds } from '../../helpers/rounds.js';

const wholeLanguage: ParseOptions & { merge: boolean } = { merge: true };

/** Fails when the quick reader takes a text that the reader of the whole language refuses or takes differently. */
function expectSame(text: string): void {
  const value = parsePlainYaml(text);
  if (value === undefined) return;
  const document = parseDocument(text, wholeLanguage);
  expect(document.errors, JSON.stringify(text)).to.deep.equal([]);
  expect(value, JSON.stringify(text)).to.deep.equal(document.toJS());
}

const words = [
  ...['a', 'the order', "it's", '"x"', 'yes', 'True', '~', 'null', '- b', ',', ': c', '# d'],
  ...['x: y', '<<', '__proto__', '1', '-0', '0o7', '0x1F', '1_000', '1e3', '1e999', '-1.50'],
  ...['.5', '+1.', '.inf', '.nan', '2024-01-01', '1'.repeat(310), '\n', '\n\n', '\n  ', '\n    '],
  ...['\n- ', '\n  b: ', '  ', '\t', '\r', '\r\n', '\u2028', '\u0085', '\uFEFF', '\u0007', '"'],
  ...["'", '#', '|', '>', '|-', '>+', '|2', '[', ']', '{', '}', '?', '? ', '-', ':', ': ', '!'],
  ...['!!str ', '&a ', '*a', '%YAML 1.1\n', '@', '`', '\\', '\\n', '\\u00e9', 'é', '😀', '='],
  ...['---', '---\n', '...', '\n...\n'],
  'words that go on and on until the line is so full that they are folded into another one',
];
const word = fc.constantFrom(...words);
const text = fc
  .array(fc.oneof(word, fc.constant(' ')), { maxLength: 8 })
  .map((some) => some.join(''));
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    text,
    fc.oneof(fc.double(), fc.integer(), fc.boolean(), fc.constant(null)),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(fc.constantFrom('id', 'input', 'reference'), text), tie('value'), {
      maxKeys: 4,
    }),
  ),
}));
const written = fc
  .tuple(
    fc.array(value, { maxLength: 4 }),
    fc.record({
      lineWidth: fc.constantFrom(0, 20, 40, 80),
      indent: fc.constantFrom(1, 2, 4),
      indentSeq: fc.boolean(),
      collectionStyle: fc.constantFrom('any', 'block', 'flow'),
      defaultStringType: fc.constantFrom(
        'PLAIN',
        'QUOTE_SINGLE',
        'QUOTE_DOUBLE',
        'BLOCK_LITERAL',
        'BLOCK_FOLDED',
      ),
    }),
    fc.boolean(),
  )
  .map(([rows, options, withReturns]) => {
    const document = stringify(rows, { ...options, aliasDuplicateObjects: false });
    return withReturns ? document.replace(/\r?\n/g, '\r\n') : document;
  });
const change = fc.record({
  at: fc.nat(),
  cut: fc.nat({ max: 3 }),
  word: fc.oneof(word, fc.constant('')),
});
const changed = fc
  .tuple(written, fc.array(change, { minLength: 1, maxLength: 3 }))
  .map(([document, changes]) =>
    changes.reduce((now, { at, cut, word: inserted }) => {
      const offset = at % (now.length + 1);
      return now.slice(0, offset) + inserted + now.slice(offset + cut);
    }, document),
  );

const row = '- input: a\n  reference: b\n';

describe('the quick reader of YAML', () => {
  const plain: readonly (readonly [what: string, text: string, value: unknown])[] = [
    ['rows', row, [{ input: 'a', reference: 'b' }]],
    [
      'rows below a start and comments',
      `# cases\n---\n${row}# end\n`,
      [{ input: 'a', reference: 'b' }],
    ],
    [
      'quotes and flow',
      `- {id: a, input: "x\\n\\u00e9", labels: ['it''s', y z]}`,
      [{ id: 'a', input: 'x\né', labels: ["it's", 'y z'] }],
    ],
    [
      'block texts',
      '- |\n  one\n\n    two: *x &y !z\n- >-\n  on\n  and on\n',
      ['one\n\n  two: *x &y !z\n', 'on and on'],
    ],
    [
      'values of YAML 1.2',
      '[yes, 0o17, 1_000, 017, 2024-01-01, .inf, ~, 12:30]',
      ['yes', 15, '1_000', 17, '2024-01-01', Number.POSITIVE_INFINITY, null, '12:30'],
    ],
    ['signs in texts', '- what? a & b! 2 * 3 < 4 > 1 %', ['what? a & b! 2 * 3 < 4 > 1 %']],
  ];
  for (const [what, document, expected] of plain) {
    it(`takes ${what}`, () => {
      expect(parsePlainYaml(document)).to.deep.equal(expected);
      expectSame(document);
    });
  }

  const others: readonly (readonly [what: string, text: string])[] = [
    ['anchors', '- &a x\n- y\n'],
    ['aliases', '- &a x\n- *a\n'],
    ['tags', '- !!str 1\n'],
    ['merges', '- <<: {a: 1}\n  b: 2\n'],
    ['directives', '%YAML 1.1\n---\n- yes\n'],
    ['keys that are no texts', '- {1: a, ~: b}\n'],
    ['keys that are there twice', '- {a: 1, "a": 2}\n'],
    ['several documents', '- a\n---\n- b\n'],
    ['numbers that are too large', '- 1e999\n'],
    ['what is wrong', '- "a\n'],
    ['nothing', ''],
  ];
  for (const [what, document] of others) {
    it(`leaves ${what} to the other`, () => {
      expect(parsePlainYaml(document)).to.equal(undefined);
    });
  }

  it('takes every list that the other writes in quotes', () => {
    const lists = fc.array(fc.array(text, { maxLength: 4 }), { maxLength: 4 });
    fc.assert(
      fc.property(lists, (list) => {
        const document = JSON.stringify(list).replace(/[\uFEFF\u2028\u2029|>]/g, '');
        expect(parsePlainYaml(document)).to.deep.equal(JSON.parse(document));
      }),
      rounds(300),
    );
  });

  it('takes nothing otherwise than the other: what is written, changed and thrown together', function () {
    this.timeout(patience);
    const pile = fc.array(word, { maxLength: 14 }).map((some) => `- ${some.join('')}`);
    fc.assert(fc.property(fc.oneof(written, changed, pile), expectSame), rounds(400));
  });
});
