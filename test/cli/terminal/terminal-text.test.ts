import { expect } from 'chai';
import fc from 'fast-check';
import stringWidth from 'string-width';
import {
  escapeLines,
  escapeTerminal,
  fitWidth,
  isNarrow,
  padEnd,
  widthOf,
  wrapLine,
} from '../../../src/cli/terminal/terminal-text.js';
import { anyText } from '../../properties/hostile-values.js';

describe('escapeTerminal', () => {
  it('shows what a CI service would take for a command', () => {
    expect(escapeTerminal('::error file=a.ts::x')).to.equal('\\u{3a}:error file=a.ts::x');
    expect(escapeTerminal('   ::set-output name=a::b')).to.equal('   \\u{3a}:set-output name=a::b');
    expect(escapeTerminal('see ##[error]x')).to.equal('see \\u{23}#[error]x');
    expect(escapeTerminal('evals/a.eval.ts::refund ## [x]')).to.equal(
      'evals/a.eval.ts::refund ## [x]',
    );
  });

  it('leaves ordinary text as it is, in any script', () => {
    const texts = ['plain', 'Zürich · 日本語', 'नमस्ते', 'مرحبا', '👨‍👩‍👧 👍🏽 ❤️', 'می‌خواهم', 'क्‍ष'];
    expect(texts.map(escapeTerminal)).to.deep.equal(texts);
  });

  it('shows line ends and tabs as escapes', () => {
    expect(escapeTerminal('a\nb\r\tc')).to.equal(String.raw`a\nb\r\tc`);
  });

  it('shows C0, C1 and DEL', () => {
    expect(escapeTerminal('\x00\x07\x1b[2J\x7f\x9b31m')).to.equal(
      String.raw`\u{0}\u{7}\u{1b}[2J\u{7f}\u{9b}31m`,
    );
  });

  it('shows marks that turn the direction of text', () => {
    const marks = [
      ...['\u200e', '\u200f', '\u061c'],
      ...['\u202a', '\u202b', '\u202c', '\u202d', '\u202e'],
      ...['\u2066', '\u2067', '\u2068', '\u2069'],
    ];
    for (const mark of marks) {
      const code = mark.charCodeAt(0).toString(16);
      expect(escapeTerminal(`a${mark}b`)).to.equal(`a\\u{${code}}b`);
    }
  });

  it('shows lone surrogates, other line ends and what is invisible', () => {
    expect(escapeTerminal('a\ud83db')).to.equal(String.raw`a\u{d83d}b`);
    expect(escapeTerminal('a\u2028b\u200bc\ufeffd\u{e0041}e')).to.equal(
      String.raw`a\u{2028}b\u{200b}c\u{feff}d\u{e0041}e`,
    );
    expect(escapeTerminal('a\u200db')).to.equal(String.raw`a\u{200d}b`);
  });

  it('does not let marks pile up', () => {
    const mark = '\u0301';
    expect(escapeTerminal(`e${mark.repeat(10)}`)).to.equal(
      `e${mark.repeat(8)}${String.raw`\u{301}\u{301}`}`,
    );
  });

  it('leaves nothing that a terminal obeys, whatever comes in', () => {
    fc.assert(
      fc.property(fc.array(anyText()), (pieces) => {
        expect(escapeTerminal(pieces.join(''))).not.to.match(
          /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u,
        );
      }),
    );
  });
});

describe('escapeLines', () => {
  it('keeps lines and widens tabs', () => {
    expect(escapeLines('a\r\n\tb\x1b\n')).to.deep.equal(['a', String.raw`  b\u{1b}`, '']);
  });
});

describe('fitWidth', () => {
  it('keeps what fits and cuts the rest', () => {
    expect(fitWidth('abc', 3)).to.equal('abc');
    expect(fitWidth('abcd', 3)).to.equal('ab…');
    expect(fitWidth('abcd', 1)).to.equal('…');
    expect(fitWidth('abcd', 0)).to.equal('');
  });

  it('cuts at the start when asked', () => {
    expect(fitWidth('evals/a.eval.ts::refund', 10, 'start')).to.equal('…s::refund');
    expect(fitWidth('日本語', 5, 'start')).to.equal('…本語');
    expect(fitWidth('日本', 4, 'start')).to.equal('日本');
  });

  it('cuts in the middle when asked, and keeps more of the end', () => {
    const [one, other] = ['history_of_returns_day_30', 'history_of_returns_day_31'];
    expect(fitWidth(one, 12, 'middle')).to.equal('his…s_day_30');
    expect(fitWidth(other, 12, 'middle')).to.equal('his…s_day_31');
    expect(fitWidth('日本語の長い名前', 7, 'middle')).to.equal('日…名前');
    expect(fitWidth('abc', 3, 'middle')).to.equal('abc');
    expect(fitWidth('abcd', 1, 'middle')).to.equal('…');
  });

  it('counts columns, not characters, and takes none apart', () => {
    expect(fitWidth('日本語', 5)).to.equal('日本…');
    expect(fitWidth('日本語', 4)).to.equal('日…');
    expect(fitWidth('👨‍👩‍👧👨‍👩‍👧', 3)).to.equal('👨‍👩‍👧…');
    expect(fitWidth('e\u0301e\u0301e\u0301', 2)).to.equal('e\u0301…');
  });

  it('never gives more columns than it may', () => {
    const cuts = fc.constantFrom('end' as const, 'start' as const, 'middle' as const);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(12), cuts, (text, columns, cut) => {
        expect(stringWidth(fitWidth(text, columns, cut))).to.be.at.most(columns);
      }),
    );
  });
});

describe('wrapLine', () => {
  it('breaks at spaces, and words that are longer than a line', () => {
    expect(wrapLine('the quick  brown fox', 9)).to.deep.equal(['the quick', 'brown fox']);
    expect(wrapLine('a 日本語日本語 b', 5)).to.deep.equal(['a', '日本', '語日', '本語', 'b']);
    expect(wrapLine('any length', Number.POSITIVE_INFINITY)).to.deep.equal(['any length']);
    expect(wrapLine('', 5)).to.deep.equal(['']);
  });

  it('loses nothing but spaces, and never gives longer lines', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.integer({ min: 4, max: 12 }),
        (text, columns) => {
          const line = escapeTerminal(text);
          const lines = wrapLine(line, columns);
          expect(lines.join('').replace(/\s/g, '')).to.equal(line.replace(/\s/g, ''));
          for (const one of lines) expect(stringWidth(one)).to.be.at.most(columns);
        },
      ),
    );
  });
});

describe('widthOf', () => {
  it('knows wide characters, marks and colours', () => {
    expect(widthOf('日本')).to.equal(4);
    expect(widthOf('🫠')).to.equal(2);
    expect(widthOf('e\u0301')).to.equal(1);
    expect(widthOf('\x1b[31m●\x1b[39m')).to.equal(1);
  });

  it('agrees with the full measure wherever it takes the short way', () => {
    for (let code = 0x20; code < 0x10000; code += 1) {
      const text = String.fromCharCode(code);
      if (isNarrow(text)) expect(stringWidth(text), code.toString(16)).to.equal(1);
    }
  });
});

describe('padEnd', () => {
  it('fills up by columns', () => {
    expect(padEnd('日', 4)).to.equal('日  ');
    expect(padEnd('abcde', 4)).to.equal('abcde');
  });
});
