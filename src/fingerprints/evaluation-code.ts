import type { EvaluationCode } from '../model/code/evaluation-code.js';
import { gradingIsClosed } from './closed-grading.js';
import type { CodeGraph } from './code-graph.js';
import { LinkedGraph } from './linked-graph.js';
import type { SplitNodes } from './module-facts.js';
import { piecesOf } from './pieces.js';
import { sliceFrom } from './slice.js';

const linked = new WeakMap<CodeGraph, LinkedGraph>();

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
  const links = linked.get(graph) ?? new LinkedGraph(graph);
  linked.set(graph, links);
  const module = links.moduleAt(path);
  if (module === undefined) {
    return () => ({ target: [], grading: [], isClosed: false, hazard: 'was not analysed' });
  }
  return ({ exportName, index, hasInputs = false }) => {
    const parts = partsOf(links, module, exportName, index);
    const { hazard, ...code } = codeOf(graph, links, module, parts);
    if (hazard === undefined) return code;
    // What its processes leave behind is not followed, so grading may depend on it.
    return hasInputs ? { ...code, isClosed: false } : { ...code, hazard };
  };
}

function partsOf(
  links: LinkedGraph,
  module: number,
  exportName: string,
  index: number | undefined,
): SplitNodes {
  const found = links.declarationOf(module, exportName);
  if (found !== undefined) {
    const key = index === undefined ? found.name : `${found.name}[${index}]`;
    const parts = links.evaluationAt(found.module, key);
    if (parts !== undefined) return parts;
  }
  const { nodes, modules } = links.exported(module, exportName);
  return { target: [...nodes, ...modules.flatMap((one) => links.nodesOf(one))], grading: [] };
}

function codeOf(
  graph: CodeGraph,
  links: LinkedGraph,
  module: number,
  parts: SplitNodes,
): EvaluationCode {
  const target = sliceFrom(links, parts.target, [module]);
  const grading = sliceFrom(links, parts.grading, [module]);
  const isSplit = parts.grading.length > 0;
  const hazard = hazardIn(links, target) ?? hazardIn(links, grading);
  return {
    target: [
      ...graph.runtime.map((name) => ({ name, hash: name })),
      ...piecesOf(links, module, target),
    ],
    grading: isSplit ? piecesOf(links, module, grading) : [],
    isClosed: isSplit && gradingIsClosed(links, parts),
    ...(hazard !== undefined && { hazard }),
  };
}

function hazardIn(links: LinkedGraph, slice: ReturnType<typeof sliceFrom>): string | undefined {
  for (const node of slice.nodes) {
    const code = links.nodes[node];
    const hazard = code?.hazard ?? links.hazardOf(links.edges(node));
    if (hazard !== undefined) return hazard;
  }
  for (const module of slice.modules) {
    if (/\.node$/.test(links.modules[module]?.name ?? '')) return 'loads an addon';
  }
  return undefined;
}
