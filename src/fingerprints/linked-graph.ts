import { isBuiltin } from 'node:module';
import type { CodeGraph, CodeModule } from './code-graph.js';
import { EdgeSet, type Edges, nothing } from './edges.js';
import { findEffects } from './effects-in-graph.js';
import {
  hazardousBuiltins,
  hazardousPackages,
  isStatelessPackage,
  packageOf,
} from './known-names.js';
import type { CodeNode, ExportFact, SplitNodes } from './module-facts.js';

/** A module graph whose names are resolved to nodes, lazily. */
export class LinkedGraph {
  readonly nodes: CodeNode[] = [];
  /** The module of each node. */
  readonly moduleOf: number[] = [];
  readonly modules: CodeModule[] = [];
  readonly #graph: CodeGraph;
  readonly #indexes = new Map<string, number>();
  /** The first node of each module. */
  readonly #first: number[] = [];
  readonly #targets: Map<string, string[]>[] = [];
  readonly #exports: Map<string, Edges>[] = [];
  readonly #edges: (Edges | undefined)[] = [];
  readonly #identities: (string | undefined)[] = [];
  readonly #unknownLoads: (Edges | undefined)[] = [];
  #writers: Map<number, number[]> | undefined;
  #effects: ReadonlySet<number> | undefined;
  #effectful: ReadonlySet<number> | undefined;
  #effectsByModule: ReadonlyMap<number, readonly number[]> | undefined;
  readonly #evaluated: (readonly Edges[] | undefined)[] = [];

  constructor(graph: CodeGraph) {
    this.#graph = graph;
    for (const [path, module] of graph.modules) {
      const index = this.modules.push(module) - 1;
      this.#indexes.set(path, index);
      this.#first.push(this.nodes.length);
      this.#exports.push(new Map());
      for (const node of module.facts.nodes) {
        this.nodes.push(node);
        this.moduleOf.push(index);
      }
      const targets = new Map<string, string[]>();
      for (const [specifier, target] of module.imports) {
        const known = targets.get(specifier);
        if (known === undefined) targets.set(specifier, [target]);
        else if (!known.includes(target)) known.push(target);
      }
      this.#targets.push(targets);
    }
  }

  moduleAt(path: string): number | undefined {
    return this.#indexes.get(path);
  }

  nodesOf(module: number): number[] {
    const first = this.#first[module] ?? 0;
    return this.#module(module).facts.nodes.map((_, i) => first + i);
  }

  /** Node numbers of the graph, from those of a module. */
  inGraph(module: number, nodes: readonly number[]): number[] {
    const first = this.#first[module] ?? 0;
    return nodes.map((i) => first + i);
  }

  /** The names of packages of which the user or assay knows that they connect nothing. */
  isStatelessPackage(nameAndVersion: string): boolean {
    return isStatelessPackage(withoutVersion(nameAndVersion), this.#graph.statelessPackages);
  }

  packagesOf(nameAndVersion: string): readonly string[] {
    return this.#graph.packages.get(nameAndVersion) ?? [];
  }

  /** The module and its own name for an export that other modules may pass on. */
  declarationOf(module: number, name: string): { module: number; name: string } | undefined {
    const seen = new Set<string>();
    let at = { module, name };
    for (;;) {
      const key = `${at.module} ${at.name}`;
      if (seen.has(key)) return undefined;
      seen.add(key);
      const fact = this.#exportFact(at.module, at.name);
      if (fact === undefined) return undefined;
      if ('local' in fact) return { module: at.module, name: fact.local };
      const [next] = this.#resolve(at.module, fact.from[0]).modules;
      if (next === undefined) return undefined;
      at = { module: next, name: fact.from[1] };
    }
  }

  /** The parts of an evaluation that a module declares under a name of its own. */
  evaluationAt(module: number, name: string): SplitNodes | undefined {
    const nodes = ownValue(this.#module(module).facts.evaluations, name);
    return (
      nodes && {
        target: this.inGraph(module, nodes.target),
        grading: this.inGraph(module, nodes.grading),
      }
    );
  }

  /** What an import of a name from a module leads to. */
  exported(module: number, name: string): Edges {
    const known = this.#exports[module]?.get(name);
    if (known !== undefined) return known;
    const found = this.#findExport(module, name);
    this.#exports[module]?.set(name, found);
    return found;
  }

  /** The hash of a node with its name and with what its imported names lead to, which other modules decide. */
  identityOf(node: number): string {
    const known = this.#identities[node];
    if (known !== undefined) return known;
    const module = this.moduleOf[node] ?? 0;
    const { hash, label = '', uses, reads = [] } = this.#node(node);
    const { names } = this.#module(module).facts;
    const links = [...uses, ...reads]
      .filter((name) => !Object.hasOwn(names, name))
      .map((name) => `${name}>${this.#textOf(this.#used(module, name))}`);
    const identity = [label, hash, ...links].join(' ');
    this.#identities[node] = identity;
    return identity;
  }

  #textOf({ nodes, packages, builtins, modules }: Edges): string {
    return [
      ...nodes.map((one) => {
        const { name } = this.#module(this.moduleOf[one] ?? 0);
        return `${name}#${this.#node(one).label ?? ''}`;
      }),
      ...modules.map((one) => this.#module(one).name),
      ...packages.map(withoutVersion),
      ...builtins,
    ].join('+');
  }

  /** All of a module, and what it exports of others. */
  wholeOf(module: number): Edges {
    const { exports, stars } = this.#module(module).facts;
    const found = new EdgeSet();
    found.addNodes(this.nodesOf(module));
    for (const [name, fact] of Object.entries(exports)) {
      if ('from' in fact) found.add(this.exported(module, name));
    }
    for (const specifier of stars) found.add(this.#resolve(module, specifier));
    return found.finish();
  }

  /** What a node uses directly. */
  edges(node: number): Edges {
    const known = this.#edges[node];
    if (known !== undefined) return known;
    const module = this.moduleOf[node] ?? 0;
    const code = this.#node(node);
    const found = new EdgeSet();
    for (const name of code.uses) found.add(this.#used(module, name));
    for (const name of code.reads ?? []) {
      const edges = this.#used(module, name);
      if (!this.#isData(edges)) found.add(edges);
    }
    found.addNodes(this.inGraph(module, code.also ?? []));
    for (const specifier of code.loads ?? []) found.add(this.#resolve(module, specifier));
    if (code.loadsUnknown || this.#hasNoOpener(module)) found.add(this.#loadedUnknown(module));
    const edges = found.finish();
    this.#edges[node] = edges;
    return edges;
  }

  /** The modules and packages that run before a module, in order. */
  evaluated(module: number): readonly Edges[] {
    const known = this.#evaluated[module];
    if (known !== undefined) return known;
    const edges = this.#module(module).facts.evaluates.map((one) => this.#resolve(module, one));
    this.#evaluated[module] = edges;
    return edges;
  }

  /** Packages that are imported for their effects, or that may have some. */
  evaluatedPackages(module: number): string[] {
    const evaluated = this.evaluated(module);
    if (evaluated.every(({ packages }) => packages.length === 0)) return [];
    const { facts } = this.#module(module);
    const named = new Set(Object.values(facts.imports).map(([specifier]) => specifier));
    return facts.evaluates.flatMap((specifier, i) =>
      (evaluated[i] as Edges).packages.filter(
        (name) => !named.has(specifier) || !this.isStatelessPackage(name),
      ),
    );
  }

  /** The nodes that may change the value of what a node declares. */
  writersOf(node: number): readonly number[] {
    this.#writers ??= this.#findWriters();
    return this.#writers.get(node) ?? [];
  }

  /** The nodes of a module that have effects when the module runs. */
  effectsOf(module: number): readonly number[] {
    this.#effectsByModule ??= this.#groupByModule(this.#allEffects());
    return this.#effectsByModule.get(module) ?? [];
  }

  /** True if running the module and what it imports has effects. */
  isEffectful(module: number): boolean {
    this.#effectful ??= this.#findEffectful();
    return this.#effectful.has(module);
  }

  hazardOf({ builtins, packages }: Pick<Edges, 'builtins' | 'packages'>): string | undefined {
    for (const name of builtins) {
      const hazard = ownValue(hazardousBuiltins, name);
      if (hazard) return `${hazard} (node:${name})`;
    }
    for (const name of packages) {
      const hazard = ownValue(hazardousPackages, withoutVersion(name));
      if (hazard) return `${hazard} (${name})`;
    }
    return undefined;
  }

  #module(index: number): CodeModule {
    return this.modules[index] as CodeModule;
  }

  #node(index: number): CodeNode {
    return this.nodes[index] as CodeNode;
  }

  #resolve(module: number, specifier: string): Edges {
    const targets = this.#targets[module]?.get(specifier);
    if (targets === undefined) {
      if (!isBuiltin(specifier)) return nothing;
      return { ...nothing, builtins: [specifier.replace(/^node:/, '')] };
    }
    return this.#targetEdges(targets);
  }

  #targetEdges(targets: readonly string[]): Edges {
    const found = new EdgeSet();
    for (const target of targets) {
      const index = this.#indexes.get(target);
      if (index !== undefined) found.addModule(index);
      else if (isBuiltin(target)) found.addBuiltin(target.replace(/^node:/, ''));
      else found.addPackage(target);
    }
    return found.finish();
  }

  /** What a name in a module leads to; `namespace.name` for one export of an imported module. */
  #used(module: number, use: string): Edges {
    const { facts } = this.#module(module);
    const own = ownValue(facts.names, use);
    if (own !== undefined) return { ...nothing, nodes: this.inGraph(module, own) };
    const dot = use.indexOf('.');
    const imported = ownValue(facts.imports, dot < 0 ? use : use.slice(0, dot));
    if (imported === undefined) return nothing;
    const [specifier, original] = imported;
    const name = original === '*' && dot >= 0 ? use.slice(dot + 1) : original;
    return this.#imported(module, specifier, name);
  }

  #imported(module: number, specifier: string, name: string): Edges {
    const target = this.#resolve(module, specifier);
    const found = new EdgeSet();
    found.add({ ...target, modules: [] });
    for (const one of target.modules) found.add(this.exported(one, name));
    return found.finish();
  }

  #exportFact(module: number, name: string): ExportFact | undefined {
    return ownValue(this.#module(module).facts.exports, name);
  }

  /** Follows re-exports; what cannot be found by name is all of the module. */
  #findExport(module: number, name: string): Edges {
    const found = new EdgeSet();
    const seen = new Set<string>();
    const pending = [{ module, name }];
    for (const at of pending) {
      const key = `${at.module} ${at.name}`;
      if (seen.has(key)) continue;
      seen.add(key);
      const { facts } = this.#module(at.module);
      const fact = at.name === '*' ? undefined : this.#exportFact(at.module, at.name);
      if (fact === undefined) {
        this.#addUnnamed(at, found, pending);
      } else if ('local' in fact) {
        const own = ownValue(facts.names, fact.local);
        if (own === undefined) found.addModule(at.module);
        else found.addNodes(this.inGraph(at.module, own));
      } else {
        const target = this.#resolve(at.module, fact.from[0]);
        found.add({ ...target, modules: [] });
        pending.push(...target.modules.map((one) => ({ module: one, name: fact.from[1] })));
      }
    }
    return found.finish();
  }

  #addUnnamed(
    at: { readonly module: number; readonly name: string },
    found: EdgeSet,
    pending: { module: number; name: string }[],
  ): void {
    const { facts } = this.#module(at.module);
    // With `export *`, the name can come from any of them; the module that has it not adds nothing.
    const stars = facts.stars.map((specifier) => this.#resolve(at.module, specifier));
    const isNamed = at.name !== '*' && at.name !== 'default';
    for (const target of stars) {
      found.add({ ...target, modules: [] });
      for (const one of target.modules) {
        if (!isNamed || this.#mayExport(one, at.name)) pending.push({ module: one, name: at.name });
      }
    }
    const isOfStar =
      isNamed && stars.some(({ modules }) => modules.some((one) => this.#mayExport(one, at.name)));
    if (!isOfStar) found.addModule(at.module);
  }

  /** True if a module, or one that it exports all of, has an export of the name. */
  #mayExport(module: number, name: string): boolean {
    const seen = new Set([module]);
    for (const at of seen) {
      const { exports, stars } = this.#module(at).facts;
      if (Object.hasOwn(exports, name) || Object.hasOwn(exports, '*')) return true;
      for (const specifier of stars)
        for (const one of this.#resolve(at, specifier).modules) seen.add(one);
    }
    return false;
  }

  /** Modules that the loader saw, and no specifier of the code names. */
  #loadedUnknown(module: number): Edges {
    const known = this.#unknownLoads[module];
    if (known !== undefined) return known;
    const { facts } = this.#module(module);
    const named = new Set(facts.evaluates);
    for (const { loads = [] } of facts.nodes) for (const specifier of loads) named.add(specifier);
    const targets = this.#module(module).imports.filter(([specifier]) => !named.has(specifier));
    const edges = this.#targetEdges(targets.map(([, target]) => target));
    this.#unknownLoads[module] = edges;
    return edges;
  }

  #hasNoOpener(module: number): boolean {
    const { nodes, imports } = this.#module(module).facts;
    // A function that `createRequire` has made may have any name.
    if (Object.values(imports).some(([from]) => /^(?:node:)?module$/.test(from))) return true;
    return !nodes.some(({ loadsUnknown }) => loadsUnknown);
  }

  #isData({ nodes, modules, packages, builtins }: Edges): boolean {
    const all = [...nodes, ...modules.flatMap((module) => this.nodesOf(module))];
    if (packages.length + builtins.length > 0 || all.length === 0) return false;
    return all.every((node) => this.#node(node).data && this.writersOf(node).length === 0);
  }

  #findWriters(): Map<number, number[]> {
    const writers = new Map<number, number[]>();
    const effects = this.#allEffects();
    for (const [node, { writes = [], uses }] of this.nodes.entries()) {
      const module = this.moduleOf[node] ?? 0;
      // A call at the top level may change, or connect, all that it mentions.
      const isEffect = effects.has(node);
      for (const name of isEffect ? [...writes, ...uses] : writes) {
        const { nodes, modules } = this.#used(module, name);
        for (const written of [...nodes, ...modules.flatMap((one) => this.nodesOf(one))]) {
          if (written === node || (!writes.includes(name) && this.#node(written).inert)) continue;
          const known = writers.get(written);
          if (known === undefined) writers.set(written, [node]);
          else if (known.at(-1) !== node) known.push(node);
        }
      }
    }
    return writers;
  }

  #allEffects(): ReadonlySet<number> {
    this.#effects ??= new Set([
      ...findEffects(
        this.nodes,
        (node, name) => this.#used(this.moduleOf[node] ?? 0, name),
        (name) => this.isStatelessPackage(name),
      ),
      ...this.#importedForEffects(),
    ]);
    return this.#effects;
  }

  /** What runs in modules that are imported without a name: somebody imports them for that. */
  #importedForEffects(): number[] {
    const modules = new Set<number>();
    for (const [module, { facts }] of this.modules.entries()) {
      const sources = Object.values(facts.exports).flatMap((one) =>
        'from' in one ? one.from[0] : [],
      );
      const named = new Set([
        ...Object.values(facts.imports).map(([specifier]) => specifier),
        ...[...sources, ...facts.stars],
      ]);
      for (const specifier of facts.evaluates) {
        if (named.has(specifier)) continue;
        for (const one of this.#resolve(module, specifier).modules) modules.add(one);
      }
    }
    return [...modules]
      .flatMap((module) => this.nodesOf(module))
      .filter((node) => !this.#node(node).inert && !this.#node(node).data);
  }

  #groupByModule(nodes: Iterable<number>): ReadonlyMap<number, readonly number[]> {
    const groups = new Map<number, number[]>();
    for (const node of nodes) {
      const module = this.moduleOf[node] ?? 0;
      const known = groups.get(module);
      if (known === undefined) groups.set(module, [node]);
      else known.push(node);
    }
    return groups;
  }

  #findEffectful(): ReadonlySet<number> {
    const importers = new Map<number, number[]>();
    const effectful = new Set<number>();
    for (const module of this.modules.keys()) {
      if (this.effectsOf(module).length > 0) effectful.add(module);
      for (const { modules } of this.evaluated(module)) {
        for (const one of modules) {
          const known = importers.get(one);
          if (known === undefined) importers.set(one, [module]);
          else known.push(module);
        }
      }
    }
    for (const module of effectful)
      for (const one of importers.get(module) ?? []) effectful.add(one);
    return effectful;
  }
}

/** The name of `name@version`. */
function withoutVersion(nameAndVersion: string): string {
  return packageOf(nameAndVersion.replace(/(?<=.)@.*$/, ''));
}

/** A property of the record itself: names of code may be `constructor` and `toString`. */
function ownValue<Value>(record: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
