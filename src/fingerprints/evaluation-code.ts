import type { Piece } from '../model/code/evaluation-code.js';
import type { SharedCode } from '../model/code/pack-code.js';
import { shortHash } from '../text/short-hash.js';
import { closedModules, isStatelessPackage } from './known-names.js';
import {
  gradingOf,
  type ImportedName,
  type ModuleFacts,
  ownValue,
  type Text,
  targetOf,
} from './module-facts.js';

/**
 * Finds the code of the evaluations of an eval file. The path is a key of the graph's modules; an evaluation that
 * `hasInputs` names the files that its code depends on in ways that cannot be followed.
 */
export function evaluationCodes(
  graph: CodeGraph,
  path: string,
): (place: { readonly exportName: string; readonly hasInputs?: boolean }) => SharedCode {
  const { modules, runtime } = graph;
  const { facts } = modules.get(path) as CodeModule;
  const reach = (name: string) => reachedFrom(graph, [path, name]);
  const ofAll = reach(loading);
  const shared = [runtime, ...piecesOf(ofAll)];
  const hazard = [graph, ...ofAll].map((one) => one.hazard).find(Boolean);
  const codeOf = (exportName: string): SharedCode => {
    const name = ownValue(facts.exports, exportName) ?? '';
    const isSplit = Object.hasOwn(facts.parts, gradingOf(name));
    const target = reach(isSplit ? targetOf(name) : name);
    const grading = isSplit ? reach(gradingOf(name)) : [];
    return {
      target: [...shared, ...piecesOf(target)],
      grading: piecesOf(grading),
      isClosed: isSplit && changesOf(ofAll) < 2 && isClosed(graph, target, grading),
    };
  };
  return ({ exportName, hasInputs = false }) => {
    const code = codeOf(exportName);
    if (hazard === undefined) return code;
    // What its processes leave behind is not followed, so grading may depend on it.
    return hasInputs ? { ...code, isClosed: false } : { ...code, hazard };
  };
}

function piecesOf(code: Reached): (readonly Piece[])[] {
  return code.map(({ pieces }) => pieces);
}

function changesOf(code: Reached): number {
  return Math.max(...code.map(({ changes }) => changes));
}

/**
 * True if grading again gives the same as grading after the target: it shares with the target no module and no package
 * that can hold state, and neither changes anything that is not its own.
 */
function isClosed(graph: CodeGraph, target: Reached, grading: Reached): boolean {
  if (changesOf(target) + changesOf(grading) > 0) return false;
  const isInTarget = (file: string) => target.some(({ wholes }) => wholes.has(file));
  const ofTarget = statefulOf(graph, target);
  return (
    grading.every(({ notFiles }) => [...notFiles].every((name) => closedModules.has(name))) &&
    !grading.some(({ wholes }) => [...wholes].some(isInTarget)) &&
    ![...statefulOf(graph, grading)].some((id) => ofTarget.has(id))
  );
}

function statefulOf({ packages, statelessPackages }: CodeGraph, code: Reached) {
  const isStateful = (id: string) => !isStatelessPackage(id, statelessPackages);
  const files = new Set(code.flatMap((one) => [...one.packages]));
  const ids = [...files].flatMap((file) => {
    const [id = '', ...others] = packages.idsOf(file);
    // A stateless package keeps none in those that it depends on.
    return isStateful(id) ? [id, ...others] : [];
  });
  return new Set(ids.filter(isStateful));
}

/** A name of a module's top level; '' for what counts for everybody who loads it. */
type PlaceInCode = readonly [file: string, name: string];

/** In place of a name: a file is loaded, with all that it imports. */
const loading = ' ';

type Reached = readonly ReachedCode[];

const closures = new WeakMap<CodeGraph, Map<string, ReachedCode>>();

/** What is reached in the module of a place, then from each place of other modules: evaluations share most of that. */
function reachedFrom(graph: CodeGraph, place: PlaceInCode): Reached {
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

/** The modules of a project as they were loaded, with what the analysis found in each. */
export interface CodeGraph {
  /** By absolute real path. Linked packages are included. */
  readonly modules: ReadonlyMap<string, CodeModule>;
  readonly packages: CodePackages;
  /** What every target depends on: the versions of Node and of assay, the time zone. */
  readonly runtime: readonly Piece[];
  /** Why nothing may be carried over, whatever it loads. */
  readonly hazard?: string | undefined;
  /** Names of packages that keep no state between target and grading, beside the known ones. */
  readonly statelessPackages?: readonly string[];
}

export interface CodeModule {
  /** Path relative to the project, with slashes. */
  readonly name: string;
  readonly facts: ModuleFacts;
  /** What else decides what its text means, such as the type of its package. */
  readonly settings?: string;
  /**
   * Everything that the loader resolved for this module, `require()` and `import()` included: keys of `modules`, or files
   * of packages. Builtins and `assay` may be missing.
   */
  readonly imports: readonly (readonly [specifier: string, file: string])[];
}

export interface CodePackages {
  /** `name@version` of the package of a file, then of all on which it depends; none for other files. */
  idsOf(file: string): readonly string[];
  /** The packages that are loaded with a file; none for other files. */
  pieces(file: string): readonly Piece[];
}
