import { setImmediate } from 'node:timers/promises';
import type { Steps } from '../model/steps.js';

/** Milliseconds of work before other requests get a turn. */
const turn = 10;

/** Does long work so that the server answers others meanwhile: no turn is longer than 10 ms and the last step in it. */
export async function inTurns<T>(work: Steps<T>): Promise<T> {
  for (;;) {
    const until = performance.now() + turn;
    do {
      const { done, value } = work.next();
      if (done) return value;
    } while (performance.now() < until);
    await setImmediate();
  }
}
