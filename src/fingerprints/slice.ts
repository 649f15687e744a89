import type { Edges } from './edges.js';
import type { LinkedGraph } from './linked-graph.js';

/** The code that some nodes can reach. */
export interface Slice {
  readonly nodes: ReadonlySet<number>;
  /** `name@version`. */
  readonly packages: ReadonlySet<string>;
  readonly builtins: ReadonlySet<string>;
  /** The modules that run; empty for what is reached by names alone. */
  readonly modules: ReadonlySet<number>;
  /** The modules all of whose exports count. */
  readonly whole: ReadonlySet<number>;
}

/**
 * Follows nodes to everything that they use by name, with the code that writes to it. With `runs`, also what runs
 * when the modules of these nodes, and of `runs`, are imported.
 */
export function sliceFrom(
  graph: LinkedGraph,
  starts: Iterable<number>,
  runs?: readonly number[],
): Slice {
  const nodes = new Set(starts);
  const packages = new Set<string>();
  const builtins = new Set<string>();
  const modules = new Set(runs);
  const whole = new Set<number>();
  const follow = (edges: Edges) => {
    for (const one of edges.nodes) nodes.add(one);
    for (const one of edges.packages) packages.add(one);
    for (const one of edges.builtins) builtins.add(one);
    for (const one of edges.modules) whole.add(one);
  };
  const takeNodes = () => {
    do {
      // Iterating a set includes items that are added meanwhile.
      for (const node of nodes) {
        if (taken.has(node)) continue;
        taken.add(node);
        follow(graph.edges(node));
        for (const one of graph.writersOf(node)) nodes.add(one);
        if (runs !== undefined) modules.add(graph.moduleOf[node] as number);
      }
      for (const module of whole) {
        if (takenWhole.has(module)) continue;
        takenWhole.add(module);
        follow(graph.wholeOf(module));
        if (runs !== undefined) modules.add(module);
      }
    } while (taken.size < nodes.size);
  };
  const takenWhole = new Set<number>();
  const taken = new Set<number>();
  const ran = new Set<number>();
  takeNodes();
  while (runs !== undefined && ran.size < modules.size) {
    for (const module of modules) {
      if (ran.has(module)) continue;
      ran.add(module);
      for (const node of graph.effectsOf(module)) nodes.add(node);
      for (const { modules: imported } of graph.evaluated(module)) {
        for (const one of imported) modules.add(one);
      }
      for (const name of graph.evaluatedPackages(module)) packages.add(name);
    }
    takeNodes();
  }
  return { nodes, packages, builtins, modules, whole };
}
