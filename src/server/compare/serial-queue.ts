import { setImmediate } from 'node:timers/promises';

/** A queue that runs one task at a time, and lets requests run between two tasks. */
export type SerialQueue = <T>(work: () => Promise<T>) => Promise<T>;

/** Creates an empty queue. */
export function serialQueue(): SerialQueue {
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
