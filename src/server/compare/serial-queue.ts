import { setImmediate } from 'node:timers/promises';

/** A queue that runs one piece of work at a time, with a turn for requests between two. */
export type SerialQueue = <T>(work: () => Promise<T>) => Promise<T>;

/** Makes an empty queue. */
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
