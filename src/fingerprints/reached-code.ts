import type { Piece } from '../model/code/evaluation-code.js';
import { shortHash } from '../text/short-hash.js';
import type { CodeGraph, CodeModule } from './code-graph.js';
import { type ImportedName, ownValue, type Text } from './module-facts.js';

/** A name of a module's top level; '' for what counts for everybody who loads it. */
type PlaceInCode = readonly [file: string, name: string];

/** In place of a name: a file is loaded, with all that it imports. */
export const loading = ' ';

export type Reached = readonly ReachedCode[];

const closures = new WeakMap<CodeGraph, Map<string, ReachedCode>>();

/** What is reached in the module of a place, then from each place of other modules: evaluations share most of that. */
export function reachedFrom(graph: CodeGraph, place: PlaceInCode): Reached {
  const known = closures.get(graph) ?? new Map<string, ReachedCode>();
  closures.set(graph, known);
  const own = new ReachedCode(graph, place, place[0]);
  const others = [...own.others].map(([key, other]) => {
    const closure = known.get(key) ?? new ReachedCode(graph, other);
    known.set(key, closure);
    return closure;
  });
  return [own, ...others];
}

/** The code that is reached by the names in texts. */
class ReachedCode {
  readonly #graph: CodeGraph;
  readonly pieces: Piece[] = [];
  /** What is reached outside of the module, if nothing else is to be followed there. */
  readonly others = new Map<string, PlaceInCode>();
  hazard: string | undefined;
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

  /** `within`: the only module in which anything is followed; default: all. */
  constructor(graph: CodeGraph, begin: PlaceInCode, within?: string) {
    this.#graph = graph;
    this.#pending = [begin];
    const taken = new Set<string>();
    // Iterating an array includes items that are added meanwhile.
    for (const place of this.#pending) {
      const key = place.join('\0');
      if (taken.has(key)) continue;
      taken.add(key);
      if (within === undefined || within === place[0]) this.#take(place);
      else this.others.set(key, place);
    }
  }

  #take([file, name]: PlaceInCode): void {
    const module = this.#graph.modules.get(file);
    if (module === undefined || name === loading) {
      this.#load(file, module);
      return;
    }
    const { imports, parts } = module.facts;
    const text = ownValue(parts, name);
    const imported = ownValue(imports, name);
    if (text !== undefined) {
      const shown = `${module.name} (${name.replace(/^.* /, '')})`;
      if (text.hash !== '') this.pieces.push([shown, text.hash]);
      this.#takeText(file, text);
    } else if (imported !== undefined) this.#takeImport(module, imported);
    else if (name === '') this.#takeRest(file, module);
    else this.#pending.push([file, '']);
  }

  #load(file: string, module: CodeModule | undefined): void {
    if (module === undefined) this.pieces.push(...this.#graph.packages.pieces(file));
    else this.#pending.push([file, '']);
    for (const [, target] of module?.imports ?? []) this.#pending.push([target, loading]);
  }

  #takeText(file: string, { names, changes = 0 }: Text): void {
    this.changes = Math.max(this.changes, changes);
    for (const name of names) this.#pending.push([file, name]);
  }

  #takeRest(file: string, module: CodeModule): void {
    const { facts, imports } = module;
    this.pieces.push(restOf(this.#graph, module));
    this.hazard ??= facts.hazard;
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

const rests = new WeakMap<CodeModule, Piece>();

/** What of a module counts for everybody, with what its imports lead to. */
function restOf({ modules }: CodeGraph, module: CodeModule): Piece {
  const known = rests.get(module);
  if (known !== undefined) return known;
  const { name, facts, settings = '', imports } = module;
  // Wherever a package is installed.
  const inPackage = (target: string) => target.replace(/^.*[\\/]node_modules[\\/]/, '');
  const edges = imports.map(([specifier, target]) => {
    // A specifier that only the loader saw has the path of this machine in it.
    const asked = specifier.replace(target, '');
    return `${asked}>${modules.get(target)?.name ?? inPackage(target)}`;
  });
  const hash = shortHash([facts.rest.hash, settings, ...edges.sort()].join('\0'));
  const piece = [name, hash] as const;
  rests.set(module, piece);
  return piece;
}
