import { setImmediate } from 'node:timers/promises';
import { afterEachTest } from './clean-up.js';

interface FakeTimer {
  readonly at: number;
  readonly act: () => void;
  unref(): FakeTimer;
}

let restore = () => {};

afterEachTest(() => restore());

/** Stands in for `setTimeout` and `performance.now` until the test ends: no time passes but what the test lets pass. */
export class FakeClock {
  #now = 1000;
  readonly #timers = new Set<FakeTimer>();

  private constructor() {}

  static install(): FakeClock {
    const clock = new FakeClock();
    const { setTimeout, clearTimeout } = globalThis;
    const { now } = performance;
    restore = () => {
      Object.assign(globalThis, { setTimeout, clearTimeout });
      performance.now = now;
      restore = () => {};
    };
    performance.now = () => clock.#now;
    Object.assign(globalThis, {
      setTimeout: (act: () => void, ms = 0) => clock.#start(act, ms),
      clearTimeout: (timer: FakeTimer | NodeJS.Timeout | undefined) => {
        if (!clock.#timers.delete(timer as FakeTimer)) clearTimeout(timer as NodeJS.Timeout);
      },
    });
    return clock;
  }

  /** Lets so many milliseconds pass: what falls due is done, in order. */
  pass(ms: number): void {
    const end = this.#now + ms;
    for (let next = this.#next(); next !== undefined && next.at <= end; next = this.#next()) {
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.act();
    }
    this.#now = Math.max(this.#now, end);
  }

  /** Lets time pass, and others have their turn, until something is so. */
  async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) {
      this.pass(50);
      await setImmediate();
    }
  }

  #start(act: () => void, ms: number): FakeTimer {
    const timer: FakeTimer = { at: this.#now + ms, act, unref: () => timer };
    this.#timers.add(timer);
    return timer;
  }

  #next(): FakeTimer | undefined {
    return [...this.#timers].sort((one, other) => one.at - other.at)[0];
  }
}
