/**
 * Long work in steps that take a few milliseconds each: who asks for the next one decides what is done meanwhile. It
 * returns what comes of the work.
 */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Does the whole work at a stretch. */
export function finish<T>(work: Steps<T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

// A step over so many items takes about a millisecond.
const itemsInStep = 4096;

/** Calls `each` for every item and its position, in steps. */
export function* eachInSteps<T>(
  items: ArrayLike<T>,
  each: (item: T, position: number) => void,
): Steps<void> {
  for (let from = 0; from < items.length; from += itemsInStep) {
    const to = Math.min(from + itemsInStep, items.length);
    // Positions are below the length.
    for (let at = from; at < to; at += 1) each(items[at] as T, at);
    yield;
  }
}
