import type { EvaluationCode } from '../model/changes/evaluation-code.js';
import { gradingIsClosed } from './closed-grading.js';
import type { CodeGraph } from './code-graph.js';
import { LinkedGraph } from './linked-graph.js';
import type { SplitNodes } from './module-facts.js';
import { piecesOf } from './pieces.js';
import { sliceFrom } from './slice.js';

const linked = new WeakMap<CodeGraph, LinkedGraph>();

/**
 * Finds the code of the evaluations of an eval file, by the name of the export and, in an exported array, the index.
 * The path is a key of the graph's modules.
 */
export function evaluationCodes(
  graph: CodeGraph,
  path: string,
): (exportName: string, index?: number) => EvaluationCode {
  const links = linked.get(graph) ?? new LinkedGraph(graph);
  linked.set(graph, links);
  const module = links.moduleAt(path);
  if (module === undefined) {
    return () => ({ target: [], grading: [], isClosed: false, hazard: 'was not analysed' });
  }
  return (exportName, index) =>
    codeOf(graph, links, module, partsOf(links, module, exportName, index));
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
