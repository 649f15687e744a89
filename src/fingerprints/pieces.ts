import type { Piece } from '../model/code/evaluation-code.js';
import { shortHash } from '../text/short-hash.js';
import type { LinkedGraph } from './linked-graph.js';
import type { CodeNode } from './module-facts.js';
import type { Slice } from './slice.js';

type Code = Pick<CodeNode, 'hash' | 'label' | 'unordered' | 'inert'>;

/**
 * The pieces of a slice: by name for the eval file and the modules that it imports, one for each module below, and one
 * for each package in the dependency closure.
 */
export function piecesOf(graph: LinkedGraph, evalFile: number, slice: Slice): Piece[] {
  const near = new Set([evalFile, ...graph.evaluated(evalFile).flatMap(({ modules }) => modules)]);
  const pieces: Piece[] = [];
  const byModule = new Map<number, Code[]>();
  for (const module of slice.modules) byModule.set(module, []);
  for (const node of [...slice.nodes].sort((a, b) => a - b)) {
    const code = graph.nodes[node] as CodeNode;
    byModule.get(graph.moduleOf[node] ?? 0)?.push(withIdentity(code, graph.identityOf(node)));
  }
  for (const [module, nodes] of byModule) {
    const name = graph.modules[module]?.name ?? '';
    if (near.has(module)) pieces.push(...namedPieces(name, nodes));
    const rest = near.has(module) ? nodes.filter(({ label }) => label === undefined) : nodes;
    const exported = slice.whole.has(module) ? exportsOf(graph, module) : [];
    const imported = orderOfImports(graph, module);
    const lines = [...inOrder(rest), ...order(nodes), ...imported, ...exported];
    if (lines.length > 0) pieces.push({ name, hash: shortHash(lines.join('\n')) });
  }
  for (const name of packagesWith(graph, slice.packages)) pieces.push({ name, hash: name });
  return pieces;
}

function withIdentity({ label, unordered, inert }: CodeNode, hash: string): Code {
  return {
    hash,
    ...(label && { label }),
    ...(unordered && { unordered }),
    ...(inert && { inert }),
  };
}

/** A piece for each name; several nodes of a name are one. */
function namedPieces(module: string, nodes: readonly Code[]): Piece[] {
  const byLabel = new Map<string, Code[]>();
  for (const node of nodes) {
    if (node.label === undefined) continue;
    const known = byLabel.get(node.label);
    if (known === undefined) byLabel.set(node.label, [node]);
    else known.push(node);
  }
  return [...byLabel].map(([label, same]) => ({
    name: `${module} (${label})`,
    hash: shortHash(inOrder(same).join('\n')),
  }));
}

/** The hashes of nodes: functions sorted, because their order does not matter, then the others in order. */
function inOrder(nodes: readonly Code[]): string[] {
  const functions = nodes.filter(({ unordered }) => unordered).map(({ hash }) => hash);
  return [
    ...functions.sort(),
    ...nodes.filter(({ unordered }) => !unordered).map(({ hash }) => hash),
  ];
}

/** The order in which values are made. */
function order(nodes: readonly Code[]): string[] {
  const ordered = nodes.filter(({ unordered, inert }) => !unordered && !inert);
  return ordered.length < 2 ? [] : ordered.map(({ label, hash }) => label ?? hash);
}

/** The order of imports that have effects. */
function orderOfImports(graph: LinkedGraph, module: number): string[] {
  const names: string[] = [];
  for (const { modules } of graph.evaluated(module)) {
    for (const one of modules) {
      if (graph.isEffectful(one)) names.push(graph.modules[one]?.name ?? '');
    }
  }
  return names.length < 2 ? [] : names;
}

/** Which names a module exports, and of what. */
function exportsOf(graph: LinkedGraph, module: number): string[] {
  const { exports = {}, stars = [] } = graph.modules[module]?.facts ?? {};
  const names = Object.entries(exports).map(([name, fact]) => `${name}=${JSON.stringify(fact)}`);
  return [...names.sort(), ...stars];
}

function packagesWith(graph: LinkedGraph, packages: ReadonlySet<string>): ReadonlySet<string> {
  const all = new Set(packages);
  for (const name of all) for (const one of graph.packagesOf(name)) all.add(one);
  return all;
}
