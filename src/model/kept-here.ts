// Apart from the type: the page has no Node.
import { type KeptName, type KeptValues, keptNames } from './kept-values.js';

/** The major version of this Node. */
function nodeVersion(): number {
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

/** Why this Node cannot read values that are kept; `undefined` if it can. */
export function whyUnreadable(kept: KeptValues | undefined): string | undefined {
  return kept !== undefined && kept.node > nodeVersion()
    ? `written by Node ${kept.node}, this is ${nodeVersion()}`
    : undefined;
}
