import { expect } from 'chai';
import { listItem, parseList, unknownNames } from '../../src/text/list-text.js';

const names = [
  ...['a', 'a b', 'a,b', ',', ' a ', '  a', ' ', '"a"', '"', "'a'", "it's", '"a,b"', 'a\\', '\\a'],
  ...['a\\,b', '\\\\', '\\"', '*', '[a]', '-a', '!a', 'a=b', 'é', '\n'],
];

describe('a list of names with commas', () => {
  for (const [text, items] of [
    ['a,b', ['a', 'b']],
    [' a , b ', ['a', 'b']],
    ['a\\,b,c', ['a,b', 'c']],
    ['"a, b",c', ['a, b', 'c']],
    ["'a,b'", ['a,b']],
    ['"a"b', ['"a"b']],
    ['"a', ['"a']],
    ['a\\b\\', ['a\\b\\']],
    ['', ['']],
    [',a,', ['', 'a', '']],
  ] as const) {
    it(`reads ${text}`, () => {
      expect(parseList(text)).to.deep.equal(items);
    });
  }

  it('can have any name', () => {
    for (const name of names) {
      expect(parseList(listItem(name)), name).to.deep.equal([name]);
      expect(parseList(`x, ${listItem(name)},y`), name).to.deep.equal(['x', name, 'y']);
    }
  });

  it('is told in the form in which it can be given', () => {
    expect(unknownNames('label', ['a', 'b'], ['c', 'a,b', 'c'])).to.equal(
      'label a or b; there are: c, "a\\,b"',
    );
    expect(unknownNames('label', ['a'], [])).to.equal('label a; there are: none');
  });
});
