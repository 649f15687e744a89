import { isCount, isObject } from './json.js';

/** The stored values that may be kept as they were. */
export const keptNames = ['input', 'output', 'reference', 'metadata'] as const;
export type KeptName = (typeof keptNames)[number];

/**
 * Values that JSON does not keep, as they were: `undefined`, or the Base64 of what `v8.serialize` makes of them. Only
 * the processes that run evaluations read them, and never anything else of a stored file.
 */
export type KeptValues = {
  /** The major version of the Node that wrote them; older ones cannot read them. */
  readonly node: number;
} & { readonly [Name in KeptName]?: string };

/** The major version of this Node. */
export function nodeVersion(): number {
  return Number.parseInt(process.versions.node, 10);
}

/** The values of this Node that are kept; `undefined` for none. */
export function keptValues(
  values: Partial<Record<KeptName, string | undefined>>,
): KeptValues | undefined {
  const kept = keptNames.flatMap((name) => {
    const value = values[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return kept.length === 0 ? undefined : { node: nodeVersion(), ...Object.fromEntries(kept) };
}

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

/** Why this Node cannot read values that are kept; `undefined` if it can. */
export function whyUnreadable(kept: KeptValues | undefined): string | undefined {
  return kept !== undefined && kept.node > nodeVersion()
    ? `written by Node ${kept.node}, this is ${nodeVersion()}`
    : undefined;
}

export function isKeptValues(value: unknown): value is KeptValues {
  return (
    isObject(value) &&
    isCount(value.node) &&
    keptNames.every((name) => value[name] === undefined || typeof value[name] === 'string')
  );
}
