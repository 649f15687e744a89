import { mock } from 'node:test';
import { expect } from 'chai';
import { throttle } from '../../../ui/src/api/throttle.js';

describe('throttle', () => {
  let now = 0;
  let acts = 0;
  let finish: (fault?: Error) => void = () => {};
  const act = () => {
    acts += 1;
    return new Promise<void>((resolve, reject) => {
      finish = (fault) => (fault === undefined ? resolve() : reject(fault));
    });
  };
  let timers: { readonly act: () => void; readonly at: number }[] = [];
  const pass = (milliseconds: number) => {
    now += milliseconds;
    const due = timers.filter(({ at }) => at <= now);
    timers = timers.filter(({ at }) => at > now);
    for (const { act } of due) act();
  };
  const ended = async (fault?: Error) => {
    finish(fault);
    await new Promise((resolve) => setImmediate(resolve));
  };

  beforeEach(() => {
    acts = 0;
    timers = [];
    mock.method(globalThis, 'setTimeout', (act: () => void, milliseconds: number) => {
      timers.push({ act, at: now + milliseconds });
    });
    mock.method(performance, 'now', () => now);
  });
  afterEach(() => mock.restoreAll());

  it('acts at once, and however often it is asked meanwhile once more', async () => {
    const ask = throttle(act, 30);
    ask();
    expect(acts).to.equal(1);
    for (let n = 0; n < 20; n += 1) ask();
    await ended();
    pass(29);
    expect(acts).to.equal(1);
    pass(1);
    expect(acts).to.equal(2);
    await ended();
    pass(1000);
    expect(acts).to.equal(2);
  });

  it('waits longer for what takes longer, and goes on after a failure', async () => {
    const ask = throttle(act, 1);
    ask();
    pass(25);
    ask();
    await ended(new Error('no'));
    // Four times the 25 ms of work.
    pass(99);
    expect(acts).to.equal(1);
    pass(1);
    expect(acts).to.equal(2);
  });
});
