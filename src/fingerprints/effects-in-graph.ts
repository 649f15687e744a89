import type { Edges } from './edges.js';
import { pureBuiltins } from './known-names.js';
import type { CodeNode } from './module-facts.js';

/** What a name that a node mentions leads to. */
type Lookup = (node: number, name: string) => Edges;

/** The nodes that have effects when their modules run: by themselves, or because of a function that they call. */
export function findEffects(
  nodes: readonly CodeNode[],
  lookup: Lookup,
  isStatelessPackage: (name: string) => boolean,
): ReadonlySet<number> {
  const calm = new Set<number>();
  const callers = new Map<number, number[]>();
  const isCalm = ({ nodes: called, packages, builtins, modules }: Edges) =>
    modules.length === 0 &&
    called.length + packages.length + builtins.length > 0 &&
    called.every((one) => calm.has(one)) &&
    packages.every(isStatelessPackage) &&
    builtins.every((name) => pureBuiltins.has(name));
  const areCalm = (node: number, names: readonly string[] = []) =>
    names.every((name) => isCalm(lookup(node, name)));

  // All functions that may be free of effects, less those that call one that is not.
  for (const [node, code] of nodes.entries()) {
    if (!code.calm) continue;
    calm.add(node);
    for (const name of code.calmIf ?? []) {
      for (const called of lookup(node, name).nodes) {
        const known = callers.get(called);
        if (known === undefined) callers.set(called, [node]);
        else known.push(node);
      }
    }
  }
  const pending = new Set(calm);
  for (const node of pending) {
    pending.delete(node);
    if (!calm.has(node) || areCalm(node, nodes[node]?.calmIf)) continue;
    calm.delete(node);
    for (const caller of callers.get(node) ?? []) pending.add(caller);
  }

  const effects = new Set<number>();
  for (const [node, { effect, effectIf }] of nodes.entries()) {
    if (effect || !areCalm(node, effectIf)) effects.add(node);
  }
  return effects;
}
