/** What a node, an import or an export leads to. Nodes and modules are positions in the graph. */
export interface Edges {
  readonly nodes: readonly number[];
  /** `name@version`. */
  readonly packages: readonly string[];
  /** Node's modules, without `node:`. */
  readonly builtins: readonly string[];
  /** Modules that are loaded, all of which counts. */
  readonly modules: readonly number[];
}

export const nothing: Edges = { nodes: [], packages: [], builtins: [], modules: [] };

/** Collects edges, each once. */
export class EdgeSet {
  readonly #nodes = new Set<number>();
  readonly #packages = new Set<string>();
  readonly #builtins = new Set<string>();
  readonly #modules = new Set<number>();

  add({ nodes, packages, builtins, modules }: Edges): void {
    this.addNodes(nodes);
    for (const one of packages) this.#packages.add(one);
    for (const one of builtins) this.#builtins.add(one);
    for (const one of modules) this.#modules.add(one);
  }

  addNodes(nodes: readonly number[]): void {
    for (const one of nodes) this.#nodes.add(one);
  }

  addModule(module: number): void {
    this.#modules.add(module);
  }

  addPackage(name: string): void {
    this.#packages.add(name);
  }

  addBuiltin(name: string): void {
    this.#builtins.add(name);
  }

  finish(): Edges {
    return {
      nodes: [...this.#nodes],
      packages: [...this.#packages],
      builtins: [...this.#builtins],
      modules: [...this.#modules],
    };
  }
}
