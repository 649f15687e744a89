import { expect } from 'chai';
import { forScreen } from '../../../src/cli/terminal/screen-text.js';

async function shown(text: string, inJson: boolean): Promise<string> {
  let all = '';
  for await (const piece of forScreen(
    (async function* () {
      yield text;
    })(),
    inJson,
  )) {
    all += piece;
  }
  return all;
}

describe('forScreen', () => {
  it('keeps lines and shows what would steer the terminal', async () => {
    expect(await shown('a,b\r\n\u001b[31m\tc\rd\u009b\u202e\n', false)).to.equal(
      'a,b\r\n\\u{1b}[31m\tc\\rd\\u{9b}\\u{202e}\n',
    );
  });

  it('leaves JSON the document it is', async () => {
    const value = { 'a\u007f': ['\u202e', '\u001b\n', '\u{e0001}', 'é 日本 🦦', '\\u{1b}'] };
    const text = await shown(`${JSON.stringify(value)}\n`, true);
    expect(JSON.parse(text)).to.deep.equal(value);
    expect(text).to.include('\\u202e').and.include('é 日本 🦦');
    expect(text).to.not.match(/[\u007f\u202e\u{e0001}]/u);
  });
});
