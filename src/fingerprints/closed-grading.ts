import { isBuiltin } from 'node:module';
import { closedBuiltins } from './known-names.js';
import type { LinkedGraph } from './linked-graph.js';
import type { SplitNodes } from './module-facts.js';
import { type Slice, sliceFrom } from './slice.js';

/**
 * True if grading again gives the same as grading after the target: it shares with the target nothing that can hold
 * state, and uses nothing else through which a target could reach it.
 */
export function gradingIsClosed(graph: LinkedGraph, parts: SplitNodes): boolean {
  const target = sliceFrom(graph, parts.target);
  const grading = sliceFrom(graph, parts.grading);
  for (const node of target.nodes) if (changesBuiltin(graph, node)) return false;
  // Setting up a test may replace `fetch` or the time for both.
  const module = graph.moduleOf[parts.target[0] ?? 0] ?? 0;
  for (const node of sliceFrom(graph, parts.target, [module]).nodes) {
    if (graph.nodes[node]?.setsGlobals) return false;
  }
  for (const node of grading.nodes) {
    if (isOpen(graph, node)) return false;
    if (target.nodes.has(node) && !isInert(graph, node)) return false;
  }
  if ([...grading.builtins].some((name) => !closedBuiltins.has(name))) return false;
  return !sharePackages(graph, target, grading);
}

function isOpen(graph: LinkedGraph, node: number): boolean {
  const code = graph.nodes[node];
  if (code === undefined || code.open || code.setsGlobals || code.hazard || code.loadsUnknown)
    return true;
  const { imports } = graph.modules[graph.moduleOf[node] ?? 0]?.facts ?? { imports: {} };
  return (code.writes ?? []).some((name) => Object.hasOwn(imports, name));
}

function changesBuiltin(graph: LinkedGraph, node: number): boolean {
  const imports = graph.modules[graph.moduleOf[node] ?? 0]?.facts.imports ?? {};
  return (graph.nodes[node]?.writes ?? []).some(
    (name) => Object.hasOwn(imports, name) && isBuiltin(imports[name]?.[0] ?? ''),
  );
}

/** Parts of evaluations hold no state themselves: they only refer to what does. */
function isInert(graph: LinkedGraph, node: number): boolean {
  const code = graph.nodes[node];
  return code?.inert === true && graph.writersOf(node).length === 0;
}

function sharePackages(graph: LinkedGraph, target: Slice, grading: Slice): boolean {
  const ofTarget = closureOf(graph, target.packages);
  return [...closureOf(graph, grading.packages)].some((name) => ofTarget.has(name));
}

/** Packages and their dependencies; those that connect nothing are left out with what they depend on. */
function closureOf(graph: LinkedGraph, packages: Iterable<string>): ReadonlySet<string> {
  const closure = new Set([...packages].filter((name) => !graph.isStatelessPackage(name)));
  for (const name of closure) {
    for (const one of graph.packagesOf(name)) if (!graph.isStatelessPackage(one)) closure.add(one);
  }
  return closure;
}
