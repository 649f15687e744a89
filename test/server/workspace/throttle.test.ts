import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { ChangeFeed } from '../../../src/server/workspace/feed.js';
import { Throttle } from '../../../src/server/workspace/throttle.js';
import type { Store } from '../../../src/store/store.js';
import { FakeClock } from '../../helpers/fake-clock.js';

describe('Throttle', () => {
  /** A throttle whose action takes as many milliseconds as it is told, and when it began. */
  function throttled() {
    const clock = FakeClock.install();
    const begun: number[] = [];
    const action = { takes: 0, meanwhile: () => {} };
    const start = performance.now();
    const throttle = new Throttle(
      async () => {
        begun.push(performance.now() - start);
        clock.pass(action.takes);
        action.meanwhile();
      },
      { interval: 100, rest: 20 },
    );
    return { clock, throttle, action, begun };
  }

  it('acts at once when nothing was done lately, else when the interval is over, once for all', async () => {
    const { clock, throttle, begun } = throttled();
    for (const _ of [1, 2]) throttle.request();
    clock.pass(0);
    await setImmediate();
    for (const _ of [1, 2]) throttle.request();
    clock.pass(99);
    expect(begun).to.deep.equal([0]);
    clock.pass(1);
    await setImmediate();
    expect(begun).to.deep.equal([0, 100]);
    clock.pass(1000);
    throttle.request();
    clock.pass(0);
    expect(begun).to.deep.equal([0, 100, 1100]);
  });

  for (const [takes, rest] of [
    [3, 100],
    [50, 1000],
    [400, 5000],
  ] as const) {
    it(`acts ${rest} ms after the beginning of what took ${takes} ms`, async () => {
      const { clock, throttle, action, begun } = throttled();
      action.takes = takes;
      throttle.request();
      clock.pass(0);
      await setImmediate();
      throttle.request();
      clock.pass(rest - takes - 1);
      expect(begun).to.deep.equal([0]);
      clock.pass(1);
      expect(begun).to.deep.equal([0, rest]);
    });
  }

  it('acts again when it is requested while it acts, and not when the request is dropped', async () => {
    const { clock, throttle, action, begun } = throttled();
    action.meanwhile = () => throttle.request();
    throttle.request();
    clock.pass(0);
    await setImmediate();
    action.meanwhile = () => {};
    clock.pass(100);
    await setImmediate();
    expect(begun).to.deep.equal([0, 100]);
    throttle.request();
    throttle.cancel();
    clock.pass(1000);
    expect(begun).to.deep.equal([0, 100]);
  });
});

describe('ChangeFeed', () => {
  it('looks for changes of other processes twice a second', async () => {
    const clock = FakeClock.install();
    const start = performance.now();
    const looks = new Set<number>();
    const feed = new ChangeFeed({
      // Nothing else of a store is looked at.
      store: { listingVersion: 1, watchListing: async () => 1 } as unknown as Store,
      activeId: '',
      isPaused: () => false,
      openRuns: () => {
        looks.add(performance.now() - start);
        return [];
      },
    });
    feed.subscribe(() => undefined);
    for (const ms of [0, 499, 1, 499, 1]) {
      clock.pass(ms);
      await setImmediate();
    }
    feed.close();
    clock.pass(1000);
    expect([...looks]).to.deep.equal([0, 500, 1000]);
  });
});
