import { expect } from 'chai';
import { diffLinesOf, foldLines } from '../../../ui/src/prompts/line-diff.js';

describe('lines of two prompts', () => {
  const lines = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, n) => `rule ${from + n}`);
  const before = [...lines(1, 5), 'Answer in at most 200 words.', 'Gone.', ...lines(6, 8)];
  const after = [...lines(1, 5), 'Answer in at most 120 words.', ...lines(6, 8)];

  it('have both numbers, and the words of a changed line', () => {
    const found = diffLinesOf(before.join('\n'), after.join('\n'));
    expect(found[5]).to.deep.include({ a: 6, b: 6 });
    expect(found[5]?.parts.map(({ kind }) => kind)).to.deep.equal([
      ...['same', 'removed', 'added', 'same'],
    ]);
    expect(found[6]).to.deep.equal({
      ...{ a: 7, b: undefined, parts: [{ kind: 'removed', text: 'Gone.' }] },
    });
    expect(found.at(-1)).to.deep.include({ a: 10, b: 9 });
  });

  it('fold where they are equal, but for one beside each change', () => {
    const shown = foldLines(diffLinesOf(before.join('\n'), after.join('\n')));
    expect(shown.map((one) => (one.kind === 'fold' ? one.lines.length : 'line'))).to.deep.equal([
      ...[4, 'line', 'line', 'line', 'line', 'line', 'line'],
    ]);
  });
});
