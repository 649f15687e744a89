import type { EvaluationCode, Piece } from '../model/code/evaluation-code.js';
import { shortHash } from '../text/short-hash.js';
import type { CodeGraph, CodeModule } from './code-graph.js';
import { closedModules, isStatelessPackage } from './known-names.js';
import { gradingOf, ownValue, targetOf } from './module-facts.js';
import { ReachedCode } from './reached-code.js';

/**
 * Finds the code of the evaluations of an eval file. The path is a key of the graph's modules; an evaluation that
 * `hasInputs` names the files that its code depends on in ways that cannot be followed.
 */
export function evaluationCodes(
  graph: CodeGraph,
  path: string,
): (place: { readonly exportName: string; readonly hasInputs?: boolean }) => EvaluationCode {
  const { modules, packages, runtime } = graph;
  const { facts } = modules.get(path) as CodeModule;
  const loaded = loadedBy(graph, path);
  const files = loaded.filter((file) => modules.has(file));
  const ofAll = new ReachedCode(
    graph,
    files.map((file) => [file, '']),
  );
  const shared = [
    ...runtime,
    ...files.map((file) => restOf(graph, file)),
    ...piecesOf(ofAll),
    ...packages.pieces(new Set(loaded)),
  ];
  const hazard = [graph.hazard, ...files.map((file) => modules.get(file)?.facts.hazard)].find(
    Boolean,
  );
  const reach = (...names: readonly string[]) =>
    new ReachedCode(
      graph,
      names.map((name) => [path, name]),
    );
  const codeOf = (exportName: string): EvaluationCode => {
    const name = ownValue(facts.exports, exportName) ?? '';
    const isSplit = Object.hasOwn(facts.parts, gradingOf(name));
    const target = reach(isSplit ? targetOf(name) : name);
    const grading = isSplit ? reach(gradingOf(name)) : reach();
    return {
      target: [...shared, ...piecesOf(target, ofAll)],
      grading: piecesOf(grading, ofAll, target),
      isClosed: isSplit && ofAll.changes < 2 && isClosed(graph, target, grading),
    };
  };
  return ({ exportName, hasInputs = false }) => {
    const code = codeOf(exportName);
    if (hazard === undefined) return code;
    // What its processes leave behind is not followed, so grading may depend on it.
    return hasInputs ? { ...code, isClosed: false } : { ...code, hazard };
  };
}

/** The files that a file loads, with itself; of packages, those that modules of the project import. */
function loadedBy({ modules }: CodeGraph, path: string): string[] {
  const loaded = new Set([path]);
  // Iterating a set includes items that are added meanwhile.
  for (const file of loaded) {
    for (const [, target] of modules.get(file)?.imports ?? []) loaded.add(target);
  }
  return [...loaded];
}

const rests = new WeakMap<CodeModule, Piece>();

/** What of a module counts for everybody, with what its imports lead to. */
function restOf({ modules }: CodeGraph, file: string): Piece {
  const module = modules.get(file) as CodeModule;
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

/** The parts that others have not reached. */
function piecesOf({ parts }: ReachedCode, ...others: readonly ReachedCode[]): Piece[] {
  const isNew = (key: string) => !others.some((other) => other.parts.has(key));
  return [...parts].flatMap(([key, piece]) => (isNew(key) ? [piece] : []));
}

/**
 * True if grading again gives the same as grading after the target: it shares with the target no module and no package
 * that can hold state, and neither changes anything that is not its own.
 */
function isClosed(graph: CodeGraph, target: ReachedCode, grading: ReachedCode): boolean {
  if (target.changes + grading.changes > 0) return false;
  if ([...grading.notFiles].some((name) => !closedModules.has(name))) return false;
  if ([...grading.wholes].some((file) => target.wholes.has(file))) return false;
  const ofTarget = statefulOf(graph, target.packages);
  return ![...statefulOf(graph, grading.packages)].some((id) => ofTarget.has(id));
}

function statefulOf({ packages, statelessPackages }: CodeGraph, files: Iterable<string>) {
  const isStateful = (id: string) => !isStatelessPackage(id, statelessPackages);
  const ids = [...files].flatMap((file) => {
    const [id = '', ...others] = packages.idsOf(file);
    // A stateless package keeps none in those that it depends on.
    return isStateful(id) ? [id, ...others] : [];
  });
  return new Set(ids.filter(isStateful));
}
