import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { unlessAborted } from '../../src/runner/unless-aborted.js';

describe('work that a signal may give up', () => {
  it('resolves and rejects as it does without a signal', async () => {
    const { signal } = new AbortController();
    expect(await unlessAborted(Promise.resolve(1), signal)).to.equal(1);
    const failed = unlessAborted(Promise.reject(new Error('no')), signal).catch(String);
    expect(await failed).to.equal('Error: no');
  });

  it('is given up when the signal is aborted', async () => {
    const controller = new AbortController();
    const given = unlessAborted(new Promise(() => undefined), controller.signal).catch(String);
    controller.abort(new Error('closed'));
    expect(await given).to.equal('Error: closed');
  });

  it('may fail after it was given up, without an unhandled rejection', async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    process.prependListener('unhandledRejection', note);
    try {
      const signal = AbortSignal.abort(new Error('closed'));
      const work = setTimeout(5).then(() => Promise.reject(new Error('late')));
      expect(() => unlessAborted(work, signal)).to.throw('closed');
      await setTimeout(50);
      expect(unhandled).to.deep.equal([]);
    } finally {
      process.off('unhandledRejection', note);
    }
  });
});
