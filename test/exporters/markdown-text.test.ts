import { expect } from 'chai';
import { escapeCell, escapeMarkdown, maxCellLength } from '../../src/exporters/markdown-text.js';

const escaped: readonly (readonly [string, string])[] = [
  ['plain words, 12 (of "20")', 'plain words, 12 (of "20")'],
  ['', ''],
  ['a|b', 'a\\|b'],
  ['\\|', '\\\\\\|'],
  ['ends \\', 'ends \\\\'],
  ['`code`', '\\`code\\`'],
  ['**b** _i_ ~~s~~', '\\*\\*b\\*\\* \\_i\\_ \\~\\~s\\~\\~'],
  ['[x](javascript:alert)', '\\[x\\](javascript:alert)'],
  ['![i](//x/a)', '!\\[i\\](//x/a)'],
  ['[^1]', '\\[\\^1\\]'],
  ['<script>', '&lt;script&gt;'],
  ['<!-- c -->', '&lt;!-- c --&gt;'],
  ['a<br>b', 'a&lt;br&gt;b'],
  ['&lt; &#60;', '&amp;lt; &amp;\\#&#8203;60;'],
  ['http://x', 'http:&#8203;//x'],
  ['HTTPS://X', 'HTTPS:&#8203;//X'],
  ['www.x.org', 'www&#8203;\\.x\\.org'],
  ['example.com', 'example\\.com'],
  ['me@x.org', 'me@&#8203;x\\.org'],
  ['@octocat', '@&#8203;octocat'],
  ['#12', '\\#&#8203;12'],
  ['GH-12', 'GH&#8203;-12'],
  ['!12', '!&#8203;12'],
  [':smile:', ':&#8203;smile:'],
  [':a_b:', ':&#8203;a\\_b:'],
  ['$x$', '\\$x\\$'],
  ['{{ x }} {% y %}', '\\{\\{ x }} \\{% y %}'],
  ['# head', '\\# head'],
  ['a\nb\r\nc\rd\u2028e', 'a<br>b<br>c<br>d<br>e'],
  ['\ta', ' a'],
  ['\u001b[31m', '\\\\u\\{1b}\\[31m'],
  ['\u0000\u007f\u009b', '\\\\u\\{0}\\\\u\\{7f}\\\\u\\{9b}'],
  ['\u202eabc\u2066', '\\\\u\\{202e}abc\\\\u\\{2066}'],
  ['日本語 😀', '日本語 😀'],
  ['1.5 and e.g. this', '1.5 and e\\.g. this'],
];

describe('text in Markdown', () => {
  for (const [text, markdown] of escaped) {
    it(`writes ${JSON.stringify(text)} as ${JSON.stringify(markdown)}`, () => {
      expect(escapeMarkdown(text)).to.equal(markdown);
    });
  }

  it('never has a character of markup or HTML that is not escaped, nor more than one line', () => {
    const ascii = String.fromCharCode(...Array.from({ length: 256 }, (_, code) => code));
    for (const text of [ascii, [...ascii].reverse().join(''), ascii.replace(/./gs, '$&$&')]) {
      const markdown = escapeMarkdown(text);
      const left = markdown.replace(/\\[!-/:-@[-`{-~]|&(amp|lt|gt|#8203);|<br>/g, '');
      expect(left).not.to.match(/[\\`*_~[\]|{$^#<>&\p{Cc}]/u);
    }
  });
});

describe('text in a cell', () => {
  it('is whole up to the longest length', () => {
    expect(escapeCell('x'.repeat(maxCellLength))).to.equal('x'.repeat(maxCellLength));
  });

  it('is cut when longer, and says how long it is', () => {
    const cell = escapeCell('x'.repeat(12_345));
    expect(cell).to.equal(`${'x'.repeat(maxCellLength)}… (12,345 characters)`);
  });

  it('counts characters and never cuts one in two', () => {
    expect(escapeCell('😀'.repeat(maxCellLength))).to.equal('😀'.repeat(maxCellLength));
    expect(escapeCell(`a${'😀'.repeat(maxCellLength)}`)).to.equal(
      `a${'😀'.repeat(maxCellLength - 1)}… (201 characters)`,
    );
  });

  it('is cut before it is escaped', () => {
    expect(escapeCell('|'.repeat(300))).to.equal(`${'\\|'.repeat(200)}… (300 characters)`);
  });
});
