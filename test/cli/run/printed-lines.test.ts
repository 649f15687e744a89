import { expect } from 'chai';
import { PrintedLines } from '../../../src/cli/run/run-view.js';

const secret = 'sk-canary-0001';

function lines(): PrintedLines {
  return new PrintedLines(
    (index) => `e${index}`,
    (text) => text.replaceAll(secret, '[redacted]'),
  );
}

describe('PrintedLines', () => {
  it('hands out whole lines with the name of the evaluation', () => {
    const printed = lines();
    expect(printed.add(1, 'stdout', 'one\ntw')).to.deep.equal(['e1 │ one']);
    expect(printed.add(2, 'stdout', 'other\n')).to.deep.equal(['e2 │ other']);
    expect(printed.add(1, 'stdout', 'o\n')).to.deep.equal(['e1 │ two']);
    expect(printed.finishAll()).to.deep.equal([]);
  });

  it('redacts a secret that comes in pieces', () => {
    const printed = lines();
    printed.add(1, 'stdout', `first ${secret.slice(0, 5)}`);
    expect(printed.add(1, 'stdout', `${secret.slice(5)}\n`)).to.deep.equal([
      'e1 │ first [redacted]',
    ]);
    printed.add(1, 'stderr', `second ${secret.slice(0, 5)}`);
    printed.add(1, 'stderr', secret.slice(5));
    expect(printed.finish(1)).to.deep.equal(['e1 │ second [redacted]']);
  });

  it('does not cut a secret where a line is too long to be kept', () => {
    for (let before = 8170; before < 8200; before += 1) {
      const printed = lines();
      const all = [
        ...printed.add(1, 'stdout', 'x'.repeat(before) + secret.slice(0, 7)),
        ...printed.add(1, 'stdout', `${secret.slice(7)}${'y'.repeat(3000)}`),
        ...printed.finishAll(),
      ];
      const text = all.map((line) => line.slice('e1 │ '.length)).join('');
      expect(text).to.equal(`${'x'.repeat(before)}[redacted]${'y'.repeat(3000)}`);
    }
  });
});
