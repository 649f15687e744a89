import { expect } from 'chai';
import { type DiffPart, diffWords } from '../../../src/text/word-diff.js';
import { shorten, withoutCutEnd } from '../../../ui/src/compare/pairs/short-diff.js';

const marks = { same: ['', ''], removed: ['[-', '-]'], added: ['{+', '+}'] } as const;
const show = (parts: readonly DiffPart[] | undefined) =>
  parts?.map(({ kind, text }) => marks[kind].join(text)).join('');
const without = (parts: readonly DiffPart[], kind: DiffPart['kind']) =>
  parts
    .filter((part) => part.kind !== kind)
    .map(({ text }) => text)
    .join('');

describe('word diff', () => {
  it('marks words', () => {
    expect(show(diffWords('a return label instead.', 'a return slip instead.'))).to.equal(
      'a return [-label-]{+slip+} instead.',
    );
    expect(show(diffWords('one two', 'one two three'))).to.equal('one two{+ three+}');
    expect(show(diffWords('', 'new'))).to.equal('{+new+}');
    expect(show(diffWords('same', 'same'))).to.equal('same');
  });

  it('takes a number for one word', () => {
    expect(show(diffWords('€42.50 back', '€85.00 back'))).to.equal('€[-42.50-]{+85.00+} back');
  });

  it('joins changes with next to nothing between them', () => {
    expect(
      show(diffWords('{"eligible":false,"reason":"30 days"}', '{"eligible":true,"until":"May"}')),
    ).to.equal('{"eligible":[-false,"reason":"30 days-]{+true,"until":"May+}"}');
  });

  it('goes by words in any script', () => {
    expect(show(diffWords('Привет, мир', 'Привет, друг'))).to.equal('Привет, [-мир-]{+друг+}');
    expect(show(diffWords('東京都', '東北都'))).to.equal('東[-京-]{+北+}都');
    expect(show(diffWords('👍🏽 ok', '👎 ok'))).to.contain(' ok');
  });

  it('holds both texts whole', () => {
    const base = 'Second router failed after the swap in October. Line test was fine.\n\nBye';
    const other = 'A second router failed  after the swap on 3 November.\nBye, and thanks';
    const parts = diffWords(base, other) ?? [];
    expect(without(parts, 'added')).to.equal(base);
    expect(without(parts, 'removed')).to.equal(other);
  });

  it('gives up on very long texts', () => {
    expect(diffWords('a '.repeat(150_000), 'b')).to.equal(undefined);
  });

  it('says nothing of what follows a cut', () => {
    const parts = diffWords('a b c d e', 'x a b c') ?? [];
    expect(show(parts)).to.equal('{+x +}a b c[- d e-]');
    expect(show(withoutCutEnd(parts, { base: true, other: true }))).to.equal('{+x +}a b c');
    expect(show(withoutCutEnd(parts, { base: true, other: false }))).to.equal(
      '{+x +}a b c[- d e-]',
    );
  });

  it('shortens what is the same and what is gone, never what is new', () => {
    const long = 'word '.repeat(60);
    const parts: DiffPart[] = [
      { kind: 'same', text: long },
      { kind: 'removed', text: long },
      { kind: 'added', text: long },
      { kind: 'same', text: long },
      { kind: 'added', text: 'end' },
    ];
    const [start, gone, fresh, middle, end] = shorten(parts);
    expect(start?.text).to.match(/^… word/);
    expect(gone?.text.length).to.be.lessThan(100);
    expect(fresh?.text).to.equal(long);
    expect(middle?.text).to.match(/^word.* … .*word $/);
    expect(end?.text).to.equal('end');
  });
});
