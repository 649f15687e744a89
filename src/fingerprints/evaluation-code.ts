import type { EvaluationCode, Piece } from '../model/code/evaluation-code.js';
import { shortHash } from '../text/short-hash.js';
import { type CodeGraph, type CodeModule, withoutVersion } from './code-graph.js';
import { closedBuiltins, hazards, isStatelessPackage } from './known-names.js';
import type { ModuleFacts } from './module-facts.js';
import { ownValue, ReachedCode } from './reached-code.js';

/** An evaluation of an eval file. */
interface EvaluationPlace {
  readonly exportName: string;
  /** It names the files that its code depends on in ways that cannot be followed. */
  readonly hasInputs?: boolean;
}

/** Finds the code of the evaluations of an eval file. The path is a key of the graph's modules. */
export function evaluationCodes(
  graph: CodeGraph,
  path: string,
): (place: EvaluationPlace) => EvaluationCode {
  const { modules, packages, runtime } = graph;
  const facts = modules.get(path)?.facts;
  if (facts === undefined) {
    return () => ({ target: [], grading: [], isClosed: false, hazard: 'was not analysed' });
  }
  const loaded = loadedBy(graph, path);
  const files = loaded.filter((file) => modules.has(file));
  const ofAll = new ReachedCode(graph, (code) => {
    for (const file of files) code.takeRest(file);
  });
  const shared = [
    ...runtime,
    ...files.map((file) => restOf(graph, file)),
    ...piecesOf(ofAll),
    ...packages.pieces(new Set(loaded)),
  ];
  const hazard = hazardIn(graph, files);
  const reach = (begin: (code: ReachedCode) => void) => new ReachedCode(graph, begin);
  const codeOf = (exportName: string): EvaluationCode => {
    const name = ownValue(facts.exports, exportName);
    if (typeof name !== 'string' || !Object.hasOwn(facts.evaluations, name)) {
      // All of a file that is not inert is in `shared`.
      const isInRest = typeof name === 'string' && !facts.isInert;
      const rest = isInRest
        ? []
        : piecesOf(
            reach((code) => code.takeExport(path, '*')),
            ofAll,
          );
      return { target: [...shared, ...rest], grading: [], isClosed: false };
    }
    const target = reach((code) => code.takeEvaluation(path, name, 'target'));
    const grading = reach((code) => code.takeEvaluation(path, name, 'grading'));
    const isWritten = !isMixed(facts.evaluations, name) && !ofAll.changes.has('global');
    return {
      target: [...shared, ...piecesOf(target, ofAll)],
      grading: piecesOf(grading, ofAll, target),
      isClosed: isWritten && isClosed(graph, target, grading),
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
  const edges = imports.map(
    ([specifier, target]) => `${specifier}>${modules.get(target)?.name ?? fileInPackage(target)}`,
  );
  const hash = shortHash([facts.rest.hash, settings, ...edges.sort()].join('\0'));
  rests.set(module, { name, hash });
  return { name, hash };
}

/** Wherever the package is installed. */
function fileInPackage(file: string): string {
  return file.replaceAll('\\', '/').replace(/^.*\/node_modules\//, '');
}

/** The parts that others have not reached. */
function piecesOf({ parts }: ReachedCode, ...others: readonly ReachedCode[]): Piece[] {
  return [...parts].flatMap(([key, { module, name, text }]) =>
    others.some((other) => other.parts.has(key))
      ? []
      : [{ name: `${module.name} (${name})`, hash: text.hash }],
  );
}

/** True if something that grades an evaluation, or what it was made with, is not in its grading. */
function isMixed(evaluations: ModuleFacts['evaluations'], name: string): boolean {
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
