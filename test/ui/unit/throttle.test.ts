import { setTimeout as rest } from 'node:timers/promises';
import { expect } from 'chai';
import { throttle } from '../../../ui/src/api/throttle.js';

describe('throttle', () => {
  it('acts at once, and however often it is asked meanwhile once more', async () => {
    let acts = 0;
    let finish = () => {};
    const ask = throttle(() => {
      acts += 1;
      return new Promise<void>((resolve) => {
        finish = resolve;
      });
    }, 30);
    ask();
    expect(acts).to.equal(1);
    for (let n = 0; n < 20; n += 1) ask();
    await rest(60);
    expect(acts).to.equal(1);
    finish();
    while (acts === 1) await rest(5);
    finish();
    await rest(60);
    expect(acts).to.equal(2);
  });

  it('waits longer for what takes longer, and goes on after a failure', async () => {
    const starts: number[] = [];
    const ask = throttle(async () => {
      starts.push(performance.now());
      await rest(25);
      throw new Error('no');
    }, 1);
    ask();
    await rest(5);
    ask();
    while (starts.length === 1) await rest(5);
    // 25 ms of work, then four times that.
    expect((starts[1] ?? 0) - (starts[0] ?? 0)).to.be.greaterThan(110);
  });
});
