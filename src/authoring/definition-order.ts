// On globalThis, so that two copies of the package in one process count together.
const orderKey = Symbol.for('assay.evaluation.order');

/** The place of the next evaluation among those of the process. */
export function nextOrder(): number {
  const order = definedSoFar();
  (globalThis as { [orderKey]?: number })[orderKey] = order + 1;
  return order;
}

/** The number of evaluations that have been defined in this process. */
export function definedSoFar(): number {
  return (globalThis as { [orderKey]?: number })[orderKey] ?? 0;
}
