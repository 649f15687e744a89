import { isThenable } from '../../authoring/thenable.js';

/** Steps whose yielded promises are awaited, see {@link runCoroutine}. */
export type Steps<Result> = Generator<unknown, Result, unknown>;

/**
 * Runs the steps of a generator and awaits yielded promises (anything with a `then`). If there are none, everything
 * has run when this returns `undefined`, without a promise. Otherwise returns a promise of the end, which rejects
 * with the error that the generator throws.
 */
export function runCoroutine(steps: Steps<void>): Promise<void> | undefined {
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

async function walkOn(steps: Steps<void>, first: unknown): Promise<void> {
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
