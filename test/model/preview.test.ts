import { expect } from 'chai';
import { cutText, previewOf } from '../../src/model/preview.js';
import type { Json } from '../../src/model/result.js';

describe('previewOf', () => {
  it('leaves short text and null as they are', () => {
    expect(previewOf('yes', 10)).to.deep.equal({ text: 'yes', cut: false });
    expect(previewOf(null, 10)).to.deep.equal({ text: null, cut: false });
    expect(previewOf('', 10)).to.deep.equal({ text: '', cut: false });
  });

  it('shows structures as JSON.stringify writes them', () => {
    const values: Json[] = [
      { a: 1, b: [true, null, 'x"y'], c: {}, d: [] },
      [],
      {},
      [[], [{}], ''],
      1.5,
      false,
      JSON.parse('{"__proto__":{"x":1},"a\\nb":2}'),
    ];
    for (const value of values) {
      expect(previewOf(value, 300)).to.deep.equal({ text: JSON.stringify(value), cut: false });
    }
  });

  it('cuts and says so', () => {
    expect(previewOf('abcdef', 3)).to.deep.equal({ text: 'abc', cut: true });
    expect(previewOf({ key: 'value' }, 8)).to.deep.equal({ text: '{"key":"', cut: true });
    const list = Array.from({ length: 1000 }, (_, i) => ({ i }));
    expect(previewOf(list, 40)).to.deep.equal({
      text: JSON.stringify(list).slice(0, 40),
      cut: true,
    });
  });

  it('makes one line of several, and keeps other blanks', () => {
    expect(previewOf('a  b\n  c\r\n\r\nd\t e\u2028f ', 50).text).to.equal('a  b c d\t e f');
    expect(previewOf('\n\n first', 50).text).to.equal('first');
  });

  it('says that a text goes on when only blanks were left out', () => {
    expect(previewOf(`${' \n'.repeat(100)}end`, 10)).to.deep.equal({ text: '', cut: true });
  });

  it('never ends in half a character', () => {
    expect(previewOf('ab😀', 3)).to.deep.equal({ text: 'ab', cut: true });
    expect(cutText('ab😀', 4)).to.equal('ab😀');
  });

  it('reads little of a huge structure, and of a deep one', () => {
    let deep: Json = 'end';
    for (let depth = 0; depth < 100_000; depth += 1) deep = [deep];
    expect(previewOf(deep, 300)).to.deep.equal({ text: '['.repeat(300), cut: true });
    let read = 0;
    const wide = new Proxy(Array<Json>(1_000_000).fill('word'), {
      get: (items, key) => {
        read += 1;
        return Reflect.get(items, key);
      },
    });
    expect(previewOf(wide, 300).cut).to.equal(true);
    expect(read).to.be.within(10, 1000);
  });
});
