import type { Steps } from './steps.js';

// Sorting or merging this many takes a few milliseconds.
const itemsInStep = 4096;

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
