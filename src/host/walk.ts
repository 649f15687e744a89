import { isThenable } from '../authoring/thenable.js';

/**
 * Goes through the steps of a generator. What it yields is waited for only when it is a promise (anything with a
 * `then`): steps that wait for nothing are through when this returns, and no promise is made. Otherwise a promise of
 * the end, rejected with what the generator throws.
 */
export function walk(steps: Generator<unknown, void, unknown>): Promise<void> | undefined {
  let step = steps.next();
  while (step.done !== true) {
    let waits: boolean;
    try {
      waits = isThenable(step.value);
    } catch (error) {
      step = steps.throw(error);
      continue;
    }
    if (waits) return walkOn(steps, step.value);
    step = steps.next(step.value);
  }
  return undefined;
}

async function walkOn(steps: Generator<unknown, void, unknown>, first: unknown): Promise<void> {
  let step: IteratorResult<unknown, void> = { done: false, value: first };
  while (step.done !== true) {
    let value: unknown;
    try {
      value = await step.value;
    } catch (error) {
      step = steps.throw(error);
      continue;
    }
    step = steps.next(value);
  }
}
