import { expect } from 'chai';
import fc from 'fast-check';
import { shortDiff } from '../../src/text/short-diff.js';
import type { DiffPart } from '../../src/text/word-diff.js';

function shown(pieces: readonly DiffPart[]): string {
  const marks = { same: ['', ''], removed: ['[-', '-]'], added: ['{+', '+}'] } as const;
  return pieces.map(({ kind, text }) => `${marks[kind][0]}${text}${marks[kind][1]}`).join('');
}

describe('shortDiff', () => {
  it('marks the words that differ', () => {
    const pieces = shortDiff('the cat sat on the mat', 'the dog sat on the mat', 200);
    expect(shown(pieces)).to.equal('the [-cat-]{+dog+} sat on the mat');
  });

  it('takes changed words with next to nothing between them for one change', () => {
    const pieces = shortDiff('it was very good indeed', 'it is not good indeed', 200);
    expect(shown(pieces)).to.equal('it [-was very-]{+is not+} good indeed');
  });

  it('leaves out what is the same far from what differs', () => {
    const long = 'word '.repeat(5000);
    const text = shown(shortDiff(`${long}one ${long}`, `${long}two ${long}`, 300));
    expect(text).to.match(/^…word word .*\[-one-\]\{\+two\+\} word word .*…/);
    expect(text.length).to.be.below(200);
  });

  it('gives what was removed and what was added half of the room each', () => {
    const pieces = shortDiff('a'.repeat(5000), 'b'.repeat(5000), 100);
    expect(pieces.map(({ kind, text }) => [kind, text.length])).to.deep.equal([
      ['removed', 51],
      ['added', 51],
    ]);
  });

  it('shows of equal texts as much as there is room for', () => {
    expect(shortDiff('x'.repeat(20), 'x'.repeat(20), 10)).to.deep.equal([
      { kind: 'same', text: `${'x'.repeat(10)}…` },
    ]);
  });

  it('loses and invents nothing while texts are short', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 70 }), fc.string({ maxLength: 70 }), (a, b) => {
        const pieces = shortDiff(a, b, 1000);
        const side = (gone: DiffPart['kind']) =>
          pieces
            .filter(({ kind }) => kind !== gone)
            .map(({ text }) => text)
            .join('');
        if (!pieces.some(({ text }) => text.includes('…'))) {
          expect([side('added'), side('removed')]).to.deep.equal([a, b]);
        }
      }),
    );
  });
});
