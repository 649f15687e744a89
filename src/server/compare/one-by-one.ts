import { setImmediate } from 'node:timers/promises';

/** Takes work that begins when all before it has ended, and lets requests in between have their turn. */
export type OneByOne = <T>(work: () => Promise<T>) => Promise<T>;

/** Makes a queue of its own. */
export function oneByOne(): OneByOne {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(async () => {
      await setImmediate();
      return work();
    });
    last = done.catch(() => undefined);
    return done;
  };
}
