import { expect } from 'chai';
import { forStdout } from '../../../src/cli/terminal/screen-text.js';

const shown = (text: string, isJson: boolean) => forStdout(text, isJson, true);

describe('forStdout', () => {
  it('keeps lines and shows what would steer the terminal', () => {
    expect(shown('a,b\r\n\u001b[31m\tc\rd\u009b\u202e\n', false)).to.equal(
      'a,b\r\n\\u{1b}[31m\tc\\rd\\u{9b}\\u{202e}\n',
    );
  });

  it('leaves JSON the document it is', () => {
    const value = { 'a\u007f': ['\u202e', '\u001b\n', '\u{e0001}', 'é 日本 🦦', '\\u{1b}'] };
    const text = shown(`${JSON.stringify(value)}\n`, true);
    expect(JSON.parse(text)).to.deep.equal(value);
    expect(text).to.include('\\u202e').and.include('é 日本 🦦');
    expect(text).to.not.match(/[\u007f\u202e\u{e0001}]/u);
  });

  it('gives CI services no commands in JSON, which stays the document it is', () => {
    const value = { '##vso[a]': ['##teamcity[buildStop]', '##[error]x', 'section_end:1:a'] };
    const text = forStdout(JSON.stringify(value), true, false);
    expect(JSON.parse(text)).to.deep.equal(value);
    expect(text).to.not.match(/##|section_/);
  });
});
