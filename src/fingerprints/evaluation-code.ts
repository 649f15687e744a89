import type { EvaluationCode, Piece } from '../model/code/evaluation-code.js';
import { shortHash } from '../text/short-hash.js';
import { type CodeGraph, type CodeModule, withoutVersion } from './code-graph.js';
import { closedBuiltins, hazards, isStatelessPackage } from './known-names.js';
import type { ModuleFacts } from './module-facts.js';
import { ReachedCode, type ReachedPart } from './reached-code.js';

/** An evaluation of an eval file. */
interface EvaluationPlace {
  readonly exportName: string;
  /** Its position in an exported array. */
  readonly index?: number | undefined;
  /** It names the files that its code depends on in ways that cannot be followed. */
  readonly hasInputs?: boolean;
}

/** Finds the code of the evaluations of an eval file. The path is a key of the graph's modules. */
export function evaluationCodes(
  graph: CodeGraph,
  path: string,
): (place: EvaluationPlace) => EvaluationCode {
  if (!graph.modules.has(path)) {
    return () => ({ target: [], grading: [], isClosed: false, hazard: 'was not analysed' });
  }
  const files = loadedBy(graph, path);
  const ofAll = new ReachedCode(graph);
  for (const file of files) ofAll.takeRest(file);
  const imported = new Set(files.flatMap((file) => importsOf(graph, file)));
  const shared = [
    ...graph.runtime,
    ...files.map((file) => restOf(graph, file)),
    ...ofAll.parts.map(pieceOf),
    ...graph.packages.pieces(imported),
  ];
  const hazard = hazardIn(graph, files);
  return ({ exportName, index, hasInputs = false }) => {
    const of = index === undefined ? evaluationAt(graph, path, exportName) : 'in rest';
    const code = codeOf(graph, { path, shared, ofAll }, of);
    if (hazard === undefined) return code;
    // What its processes leave behind is not followed, so grading may depend on it.
    return hasInputs ? { ...code, isClosed: false } : { ...code, hazard };
  };
}

/** The modules that a file loads, with itself. */
function loadedBy({ modules }: CodeGraph, path: string): string[] {
  const loaded = new Set([path]);
  // Iterating a set includes items that are added meanwhile.
  for (const file of loaded) {
    for (const [, target] of modules.get(file)?.imports ?? []) {
      if (modules.has(target)) loaded.add(target);
    }
  }
  return [...loaded];
}

function importsOf({ modules }: CodeGraph, file: string): string[] {
  const { imports = [] } = modules.get(file) ?? {};
  return imports.flatMap(([, target]) => (modules.has(target) ? [] : target));
}

const rests = new WeakMap<CodeModule, Piece>();

/** What of a module counts for everybody, with what its imports lead to. */
function restOf({ modules }: CodeGraph, file: string): Piece {
  const module = modules.get(file) as CodeModule;
  const known = rests.get(module);
  if (known !== undefined) return known;
  const { name, facts, settings = '', imports } = module;
  const edges = imports.map(([specifier, target]) => {
    return `${specifier}>${modules.get(target)?.name ?? fileInPackage(target)}`;
  });
  const hash = shortHash([facts.rest.hash, settings, ...edges.sort()].join('\0'));
  rests.set(module, { name, hash });
  return { name, hash };
}

/** Wherever the package is installed. */
function fileInPackage(file: string): string {
  return file.replaceAll('\\', '/').replace(/^.*\/node_modules\//, '');
}

function pieceOf({ module, name, text }: ReachedPart): Piece {
  return { name: `${module.name} (${name})`, hash: text.hash };
}

interface FileCode {
  readonly path: string;
  /** The pieces of all its evaluations. */
  readonly shared: readonly Piece[];
  readonly ofAll: ReachedCode;
}

type Place = readonly [file: string, name: string] | 'in rest' | undefined;

/** Where the literal of an evaluation stands; `in rest` if all of it counts for the file; `undefined` if that is unknown. */
function evaluationAt({ modules }: CodeGraph, path: string, exportName: string): Place {
  const seen = new Set<string>();
  for (let file = path, name = exportName; !seen.has(`${file}\0${name}`); ) {
    seen.add(`${file}\0${name}`);
    const { facts, imports } = modules.get(file) as CodeModule;
    const exported = Object.hasOwn(facts.exports, name) ? facts.exports[name] : undefined;
    if (exported === undefined) return undefined;
    if (typeof exported === 'string') {
      if (Object.hasOwn(facts.evaluations, exported)) return [file, exported];
      return facts.isInert ? undefined : 'in rest';
    }
    const [, target = ''] = imports.find(([specifier]) => specifier === exported[0]) ?? [];
    if (!modules.has(target)) return undefined;
    file = target;
    name = exported[1];
  }
  return undefined;
}

function codeOf(graph: CodeGraph, { path, shared, ofAll }: FileCode, place: Place): EvaluationCode {
  if (place === undefined || place === 'in rest') {
    const reached = new ReachedCode(graph, ofAll);
    if (place === undefined) reached.takeEverything(path);
    return { target: [...shared, ...reached.parts.map(pieceOf)], grading: [], isClosed: false };
  }
  const [file, name] = place;
  const target = new ReachedCode(graph, ofAll).takeEvaluation(file, name, 'target');
  const grading = new ReachedCode(graph, target).takeEvaluation(file, name, 'grading');
  const own = new ReachedCode(graph).takeEvaluation(file, name, 'target');
  const graded = new ReachedCode(graph).takeEvaluation(file, name, 'grading');
  return {
    target: [...shared, ...target.parts.map(pieceOf)],
    grading: grading.parts.map(pieceOf),
    isClosed:
      !isMixed(graph.modules.get(file)?.facts.evaluations, name) &&
      !ofAll.changes.has('global') &&
      isClosed(graph, own, graded),
  };
}

/** True if something that grades an evaluation, or what it was made with, is not in its grading. */
function isMixed(evaluations: ModuleFacts['evaluations'] = {}, name: string): boolean {
  const { isMixed: isSo, base } = evaluations[name] ?? {};
  return isSo === true || (base !== undefined && isMixed(evaluations, base));
}

/**
 * True if grading again gives the same as grading after the target: it shares with the target no module and no package
 * that can hold state, and neither changes anything that is not its own.
 */
function isClosed(graph: CodeGraph, target: ReachedCode, grading: ReachedCode): boolean {
  if (target.changes.size + grading.changes.size > 0) return false;
  if ([...grading.builtins].some((name) => !closedBuiltins.has(name))) return false;
  if ([...grading.wholes].some((file) => target.wholes.has(file))) return false;
  const ofTarget = statefulOf(graph, target.packages);
  return ![...statefulOf(graph, grading.packages)].some((id) => ofTarget.has(id));
}

function statefulOf({ packages, statelessPackages }: CodeGraph, files: Iterable<string>) {
  const ids = [...files].flatMap((file) => {
    const [id = '', ...others] = packages.idsOf(file);
    // A stateless package keeps none in those that it depends on.
    return isStatelessPackage(withoutVersion(id), statelessPackages) ? [] : [id, ...others];
  });
  return new Set(ids.filter((id) => !isStatelessPackage(withoutVersion(id), statelessPackages)));
}

function hazardIn({ modules }: CodeGraph, files: readonly string[]): string | undefined {
  for (const file of files) {
    const { name, facts } = modules.get(file) as CodeModule;
    if (name.endsWith('.node')) return 'loads an addon';
    if (facts.hazard !== undefined) return facts.hazard;
    for (const specifier of [...facts.loads, ...Object.values(facts.imports).map(([of]) => of)]) {
      const module = specifier.replace(/^node:/, '');
      if (Object.hasOwn(hazards, module)) return `${hazards[module]} (${specifier})`;
    }
  }
  return undefined;
}
