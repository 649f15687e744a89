import type { Piece } from '../model/code/evaluation-code.js';
import type { CodeGraph, CodeModule } from './code-graph.js';
import { type ImportedName, ownValue, type Text } from './module-facts.js';

/** A name of a module's top level; '' for what counts for everybody who loads it. */
export type PlaceInCode = readonly [file: string, name: string];

/** The code that is reached by the names in texts. */
export class ReachedCode {
  readonly #graph: CodeGraph;
  /** What is reached by name, by file and name. */
  readonly parts = new Map<string, Piece>();
  /** Modules that are not inert, all of which counts. */
  readonly wholes = new Set<string>();
  /** Files of packages. */
  readonly packages = new Set<string>();
  /** Modules of Node, without `node:`, and whatever else leads to no file that is known. */
  readonly notFiles = new Set<string>();
  /** What its texts may change that is not their own: see {@link Text}. */
  changes = 0;
  /** Not recursion, because chains of modules may be long. */
  readonly #pending: PlaceInCode[];

  constructor(graph: CodeGraph, begin: readonly PlaceInCode[]) {
    this.#graph = graph;
    this.#pending = [...begin];
    const taken = new Set<string>();
    // Iterating an array includes items that are added meanwhile.
    for (const place of this.#pending) {
      const key = place.join('\0');
      if (!taken.has(key)) this.#take(key, place);
      taken.add(key);
    }
  }

  #take(key: string, [file, name]: PlaceInCode): void {
    const module = this.#graph.modules.get(file) as CodeModule;
    const { imports, parts } = module.facts;
    const text = ownValue(parts, name);
    const imported = ownValue(imports, name);
    if (text !== undefined) {
      const shown = `${module.name} (${name.replace(/^.* /, '')})`;
      if (text.hash !== '') this.parts.set(key, [shown, text.hash]);
      this.#takeText(file, text);
    } else if (imported !== undefined) this.#takeImport(module, imported);
    else if (name === '') this.#takeRest(file, module);
    else this.#pending.push([file, '']);
  }

  #takeText(file: string, { names, changes = 0 }: Text): void {
    this.changes = Math.max(this.changes, changes);
    for (const name of names) this.#pending.push([file, name]);
  }

  #takeRest(file: string, { facts, imports }: CodeModule): void {
    this.#takeText(file, facts.rest);
    if (!facts.isInert) this.wholes.add(file);
    // What only the loader saw.
    const named = new Set(Object.values(facts.imports).map(([specifier]) => specifier));
    for (const [specifier, target] of imports) {
      if (facts.loadsAny || !named.has(specifier)) this.#takeExport(target, '*');
    }
  }

  #takeImport({ imports }: CodeModule, [specifier, name]: ImportedName): void {
    const targets = imports.filter(([one]) => one === specifier);
    for (const [, target] of targets) this.#takeExport(target, name);
    if (targets.length === 0) this.notFiles.add(specifier.replace(/^node:/, ''));
  }

  /** What a module exports by a name, or all of it for `*`; or a file of a package. */
  #takeExport(file: string, name: string): void {
    const { facts } = this.#graph.modules.get(file) ?? {};
    if (facts === undefined) {
      this.packages.add(file);
      return;
    }
    const exported = name === '*' ? undefined : ownValue(facts.exports, name);
    const all = () => [...Object.keys(facts.parts), ...Object.values(facts.exports)];
    for (const one of exported === undefined ? all() : [exported]) this.#pending.push([file, one]);
    if (exported === undefined || !facts.isInert) this.#pending.push([file, '']);
  }
}
