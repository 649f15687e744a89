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

// A step over this many items takes about a millisecond; sorting or merging them, a few.
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

/** Sorts texts in ascending order, like `sort` without a compare function. */
export function* sortInSteps(texts: readonly string[]): Steps<readonly string[]> {
  let lists: (readonly string[])[] = [];
  for (let from = 0; from < texts.length; from += itemsInStep) {
    lists.push(texts.slice(from, from + itemsInStep).sort());
    yield;
  }
  while (lists.length > 1) {
    const merged: (readonly string[])[] = [];
    for (let at = 0; at < lists.length; at += 2) {
      merged.push(yield* merge(lists[at] ?? [], lists[at + 1] ?? []));
    }
    lists = merged;
  }
  return lists[0] ?? [];
}

function* merge(one: readonly string[], two: readonly string[]): Steps<readonly string[]> {
  const merged: string[] = [];
  let [left, right] = [one[0], two[0]];
  for (let [i, j] = [0, 0]; left !== undefined || right !== undefined; ) {
    if (left !== undefined && (right === undefined || left <= right)) {
      merged.push(left);
      i += 1;
      left = one[i];
    } else if (right !== undefined) {
      merged.push(right);
      j += 1;
      right = two[j];
    }
    if (merged.length % itemsInStep === 0) yield;
  }
  return merged;
}
