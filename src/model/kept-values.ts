import { isCount, isObject } from './json.js';

/** The stored values that may be kept as they were. */
export const keptNames = ['input', 'output', 'reference', 'metadata', 'trace_data'] as const;
export type KeptName = (typeof keptNames)[number];

/**
 * Values that JSON does not keep, as they were: `undefined`, or the Base64 of what `v8.serialize` makes of them. Only
 * the processes that run evaluations read them, and never anything else of a stored file.
 */
export type KeptValues = {
  /** The major version of the Node that wrote them; older ones cannot read them. */
  readonly node: number;
} & { readonly [Name in KeptName]?: string };

/** What is kept of `before` and of `after`, which replaces the values named in `replaced`. */
export function mergeKept(
  before: KeptValues | undefined,
  after: KeptValues | undefined,
  replaced: readonly KeptName[] = [],
): KeptValues | undefined {
  if (before === undefined) return after;
  const { node, ...values } = before;
  for (const name of replaced) delete values[name];
  const { node: newer = 0, ...others } = after ?? {};
  const all = { ...values, ...others };
  return Object.keys(all).length === 0 ? undefined : { node: Math.max(node, newer), ...all };
}

/** True for values that are kept, as a file or a message has them. */
export function isKeptValues(value: unknown): value is KeptValues {
  return (
    isObject(value) &&
    isCount(value.node) &&
    keptNames.every((name) => value[name] === undefined || typeof value[name] === 'string')
  );
}
