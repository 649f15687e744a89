import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import { pathWord, shellWord } from '../../src/text/shell-word.js';

/** Words and their form. Double quotes are the ones that bash, zsh, PowerShell and cmd read alike. */
const words = [
  ['faq', 'faq'],
  ['evals/a.eval.ts::faq', 'evals/a.eval.ts::faq'],
  ['faq[q5]', '"faq[q5]"'],
  ['faq[two words]~1', '"faq[two words]~1"'],
  ["faq[it's]", `"faq[it's]"`],
  ['C:\\my runs', '"C:\\my runs"'],
  ['a,b & <c>', '"a,b & <c>"'],
  ['@scope', '"@scope"'],
  ['', '""'],
  ['faq[say "hi"]', `'faq[say "hi"]'`],
  ['faq[$5 `x`]', "'faq[$5 `x`]'"],
  ['now!', "'now!'"],
  ['“so”', "'“so”'"],
  ['C:\\runs\\', "'C:\\runs\\'"],
  [`it's "so"`, `'it'\\''s "so"'`],
  ["a\n'b'", String.raw`$'a\x0a\'b\''`],
] as const;

describe('a word for a shell', () => {
  it('has the quotes that its text allows', () => {
    expect(words.map(([text]) => shellWord(text))).to.deep.equal(words.map(([, word]) => word));
  });

  it('is what it was, for bash', () => {
    const script = `printf '%s\\0' ${words.map(([, word]) => word).join(' ')}`;
    const read = execFileSync('bash', ['-c', script], { encoding: 'utf8' }).split('\0');
    expect(read.slice(0, -1)).to.deep.equal(words.map(([text]) => text));
  });

  it('is no flag where it is a path', () => {
    expect(['-a', 'a'].map(pathWord)).to.deep.equal(['./-a', 'a']);
  });
});
