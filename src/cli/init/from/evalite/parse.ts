import { createRequire } from 'node:module';

/** A node of the syntax tree that swc makes of TypeScript. */
export interface Node {
  readonly type: string;
  readonly span?: Span;
  readonly [field: string]: unknown;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** The statements of a module, and its text by the positions of nodes. */
export interface Module {
  readonly text: string;
  readonly body: readonly Node[];
  /** The text of a node, as it stands in the file. */
  textOf(node: Node): string;
  /** Where a node stands in the text. */
  placeOf(node: Node): { readonly start: number; readonly end: number };
}

/** Parses TypeScript or JavaScript. Throws what the parser throws. */
export function parseModule(text: string, path: string): Module {
  // Loaded for the first file.
  const { parseSync } = createRequire(import.meta.url)('@swc/core') as typeof import('@swc/core');
  const isJsx = /x$/.test(path);
  const { body } = parseSync(text, { syntax: 'typescript', tsx: isJsx, target: 'es2022' });
  // swc counts bytes, from 1.
  const bytes = Buffer.from(text);
  const isAscii = bytes.length === text.length;
  const at = (offset: number) =>
    isAscii ? offset - 1 : bytes.toString('utf8', 0, offset - 1).length;
  const placeOf = (node: Node) => {
    const { start, end } = spanOf(node);
    return { start: at(start), end: at(end) };
  };
  return {
    text,
    body: body as unknown as readonly Node[],
    placeOf,
    textOf: (node) => {
      const { start, end } = placeOf(node);
      return text.slice(start, end);
    },
  };
}

/** Properties and spreads have no span of their own, but their parts have. */
function spanOf({ span, spread, key, value, arguments: spreadOf }: Node): Span {
  if (span !== undefined) return span;
  const first = isSpan(spread) ? spread : isNode(key) ? spanOf(key) : undefined;
  const last = isNode(value) ? value : isNode(spreadOf) ? spreadOf : undefined;
  if (first === undefined || last === undefined) throw new TypeError('a node has no place');
  return { start: first.start, end: spanOf(last).end };
}

function isSpan(value: unknown): value is Span {
  return typeof value === 'object' && value !== null && 'start' in value;
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value;
}

/** The name of an identifier, or the text of a string. */
export function nameOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  const isName = node.type === 'Identifier' || node.type === 'StringLiteral';
  return isName && typeof node.value === 'string' ? node.value : undefined;
}

/** All nodes below a value, and itself. */
export function* nodesOf(root: unknown): Generator<Node> {
  const pending: unknown[] = [root];
  while (pending.length > 0) {
    const at = pending.pop();
    if (typeof at !== 'object' || at === null) continue;
    if (isNode(at)) yield at;
    pending.push(...Object.values(at));
  }
}
