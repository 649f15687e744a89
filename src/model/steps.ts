/**
 * Long work, split into steps of a few milliseconds. The caller decides what happens between steps. Returns the
 * result of the work.
 */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Runs all steps without a pause. */
export function finish<T>(work: Steps<T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

// One step over this many items takes about a millisecond.
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
