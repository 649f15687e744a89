import { expect } from 'chai';
import { Attempt, maxLogBytes } from '../../src/host/attempt/attempt.js';

function attempt(): Attempt {
  return new Attempt({ task: 1, id: 'a.eval.ts::one', timeout: 10 });
}

function texts({ logs }: Attempt): string[] {
  return logs.map((log) => log.text);
}

describe('Attempt', () => {
  it('keeps streams apart and in order', () => {
    const one = attempt();
    one.log('stdout', 'a\n');
    one.log('stderr', 'b\n');
    one.log('stdout', 'c\n');
    expect(one.logs.map(({ stream }) => stream)).to.deep.equal(['stdout', 'stderr', 'stdout']);
    expect(texts(one)).to.deep.equal(['a\n', 'b\n', 'c\n']);
  });

  it('makes one text of a line that comes in pieces, however long it takes', async () => {
    const one = attempt();
    one.log('stdout', 'first ');
    await new Promise((resolve) => setTimeout(resolve, 5));
    one.log('stdout', 'half\n');
    await new Promise((resolve) => setTimeout(resolve, 5));
    one.log('stdout', 'next\n');
    expect(texts(one)).to.deep.equal(['first half\n', 'next\n']);
  });

  it('keeps up to 256 KiB and says once what is missing', () => {
    const one = attempt();
    one.log('stdout', 'x'.repeat(maxLogBytes - 3));
    one.log('stdout', '€'.repeat(10));
    one.log('stdout', 'after');
    one.log('stderr', 'after');
    const all = texts(one).join('');
    expect(all).to.match(/x€… \[cut: more than 256 KiB printed\]\n$/);
    expect(all).not.to.include('after');
  });

  it('keeps exactly 256 KiB without a marker', () => {
    const one = attempt();
    one.log('stdout', 'x'.repeat(maxLogBytes));
    expect(texts(one).join('')).to.have.lengthOf(maxLogBytes);
  });

  it('ends with the first interruption and gives the signal', () => {
    const one = attempt();
    const { signal } = one;
    const ends: unknown[] = [];
    one.onEnd((interruption) => ends.push(interruption?.reason));
    expect(signal.aborted).to.equal(false);
    one.interrupt({ reason: 'timeout', error: new Error('first') });
    one.interrupt({ reason: 'stop', error: new Error('second') });
    one.end();
    expect(ends).to.deep.equal(['timeout']);
    expect(signal.aborted).to.equal(true);
    expect((signal.reason as Error).message).to.equal('first');
  });

  it('gives a signal that is looked at too late as one that was given', () => {
    const one = attempt();
    one.interrupt({ reason: 'timeout', error: new Error('first') });
    one.interrupt({ reason: 'stop', error: new Error('second') });
    expect(one.signal.aborted).to.equal(true);
    expect((one.signal.reason as Error).message).to.equal('first');
  });
});
