import { expect } from 'chai';
import fc from 'fast-check';
import { renderAnnotation } from '../../../src/cli/reporters/github.js';

/** Reads a command back as the runner does: `src/Runner.Common/ActionCommand.cs` of actions/runner. */
function readBack(line: string) {
  const [, level, given = '', data = ''] = /^::(\w+) (.*?)::(.*)\n$/.exec(line) ?? [];
  const decode = (text: string) =>
    text.replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%25', '%');
  const properties = given.split(',').map((one): [string, string] => {
    const at = one.indexOf('=');
    const value = one
      .slice(at + 1)
      .replaceAll('%3A', ':')
      .replaceAll('%2C', ',');
    return [one.slice(0, at), decode(value)];
  });
  return { level, ...Object.fromEntries(properties), message: decode(data) };
}

describe('renderAnnotation', () => {
  it('is a workflow command with file, line and title', () => {
    const place = { file: 'evals/a.eval.ts', line: 3 };
    expect(
      renderAnnotation({ level: 'error', title: 'refund', message: 'exact: no', ...place }),
    ).to.equal('::error file=evals/a.eval.ts,line=3,title=refund::exact: no\n');
  });

  it('escapes what would end a property, the command or the line', () => {
    const line = renderAnnotation({
      level: 'warning',
      title: 'a,b::c%0A',
      message: 'x\r\n::error::y 100 %',
      file: 'a,line=9:b.ts',
    });
    expect(line).to.equal(
      '::warning file=a%2Cline=9%3Ab.ts,title=a%2Cb%3A%3Ac%250A::x%0D%0A::error::y 100 %25\n',
    );
  });

  it('stays one line and is read back as what it was, whatever stands in it', () => {
    const text = fc.stringMatching(/^[ -~\r\n]*$/);
    fc.assert(
      fc.property(text, text, text, (title, message, file) => {
        const line = renderAnnotation({ level: 'error', title, message, file });
        expect(line.slice(0, -1)).to.not.match(/[\r\n]/);
        expect(readBack(line)).to.deep.equal({ level: 'error', file, title, message });
      }),
    );
  });

  it('shows control characters and those that turn the direction of text', () => {
    const line = renderAnnotation({
      level: 'notice',
      title: 't',
      message: '\u001b[2J\u202e\u2028',
    });
    expect(line).to.equal('::notice title=t::\\u{1b}[2J\\u{202e}\\u{2028}\n');
  });
});
