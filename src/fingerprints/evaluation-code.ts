import type { Piece } from '../model/code/evaluation-code.js';
import type { SharedCode } from '../model/code/pack-code.js';
import type { CodeGraph, CodeModule } from './code-graph.js';
import { closedModules, isStatelessPackage } from './known-names.js';
import { gradingOf, ownValue, targetOf } from './module-facts.js';
import { loading, type Reached, reachedFrom } from './reached-code.js';

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
