import { createRequire } from 'node:module';
import type { AnyNode, FunctionExpression, Program } from 'acorn';
import { declaredNames, nodesOf, patternNames } from '../../syntax/nodes.js';

type Acorn = typeof import('acorn');

const require = createRequire(import.meta.url);

/** A namespace with code; those that only declare are left out. */
const namespaces =
  /(?<!\bdeclare\s+)(?<![.\w$])(?:namespace|module)\s+([A-Za-z_$][\w$]*)[\w$.\s]*\{/g;

/** The function to which a namespace was compiled. */
interface Block {
  /** Its names from the outermost namespace: `A.B`. */
  readonly path: string;
  /** The name of its namespace in it. */
  readonly parameter: string;
  readonly body: FunctionExpression;
}

/** True if a source has several namespaces of one name, each of which may use what the others export. */
export function mergesNamespaces(source: string): boolean {
  const names = [...source.matchAll(namespaces)].map(([, name]) => name);
  return new Set(names).size < names.length;
}

/**
 * Lets namespaces of one name use what the others export, in code that SWC has compiled: `member` becomes
 * `Namespace.member`, as TypeScript compiles it.
 */
export function mergeNamespaces(code: string): string {
  const { parse } = require('acorn') as Acorn;
  const program = parse(code, { ecmaVersion: 'latest', sourceType: 'module' });
  const blocks = blocksIn(program, '');
  const edits = new Map<number, { readonly end: number; readonly text: string }>();
  for (const block of blocks) {
    const members = new Set(
      blocks.filter((other) => other.path === block.path && other !== block).flatMap(exportsOf),
    );
    if (members.size === 0) continue;
    for (const { start, end, name, isShort } of freeIn(block.body, members)) {
      const text = `${block.parameter}.${name}`;
      edits.set(start, { end, text: isShort ? `${name}: ${text}` : text });
    }
  }
  let merged = code;
  for (const [start, { end, text }] of [...edits].sort(([a], [b]) => b - a)) {
    merged = merged.slice(0, start) + text + merged.slice(end);
  }
  return merged;
}

/** The calls `(function(N) { … })(N || (N = {}))` in statements of a program or a namespace. */
function blocksIn(scope: Program | FunctionExpression, above: string): Block[] {
  const statements = scope.type === 'Program' ? scope.body : scope.body.body;
  return statements.flatMap((statement): Block[] => {
    if (statement.type !== 'ExpressionStatement') return [];
    const call = statement.expression;
    if (call.type !== 'CallExpression' || call.callee.type !== 'FunctionExpression') return [];
    const [parameter] = call.callee.params;
    const [given] = call.arguments;
    if (parameter?.type !== 'Identifier' || given?.type !== 'LogicalExpression') return [];
    const { name } = parameter;
    const path = `${above}${name}`;
    const block = { path, parameter: name, body: call.callee };
    return [block, ...blocksIn(call.callee, `${path}.`)];
  });
}

/** The names that statements of a block assign to the namespace, also by destructuring. */
function exportsOf({ parameter, body }: Block): string[] {
  return body.body.body.flatMap((statement) => {
    if (statement.type !== 'ExpressionStatement') return [];
    const assigned = [...nodesOf(statement)].flatMap((node) =>
      node.type === 'AssignmentExpression' ? [...nodesOf(node.left)] : [],
    );
    return assigned.flatMap((node) => memberOf(parameter, node) ?? []);
  });
}

function memberOf(namespace: string, node: AnyNode): string | undefined {
  if (node.type !== 'MemberExpression' || node.computed) return undefined;
  const { object, property } = node;
  const isOwn = object.type === 'Identifier' && object.name === namespace;
  return isOwn && property.type === 'Identifier' ? property.name : undefined;
}

interface Reference {
  readonly start: number;
  readonly end: number;
  readonly name: string;
  /** A property written as `{ name }`. */
  readonly isShort: boolean;
}

/** The references to names that the functions around them do not declare. */
function* freeIn(node: AnyNode, names: ReadonlySet<string>, isShort = false): Generator<Reference> {
  if (node.type === 'Identifier') {
    if (names.has(node.name)) yield { start: node.start, end: node.end, name: node.name, isShort };
    return;
  }
  const hidden = hiddenBy(node);
  const free =
    hidden.length === 0 ? names : new Set([...names].filter((name) => !hidden.includes(name)));
  for (const [key, child] of childrenOf(node)) {
    if (!isName(node, key)) yield* freeIn(child, free, node.type === 'Property' && node.shorthand);
  }
}

/** The names that a function or a block declares. */
function hiddenBy(node: AnyNode): string[] {
  switch (node.type) {
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression': {
      const own = node.type === 'FunctionExpression' && node.id ? [node.id.name] : [];
      return [...own, ...node.params.flatMap(patternNames), ...declaredNames([node.body])];
    }
    case 'CatchClause':
      return node.param ? patternNames(node.param) : [];
    case 'ClassExpression':
      return node.id ? [node.id.name] : [];
    default:
      return [];
  }
}

/** True for a child that is a name of something else: a property, a label. */
function isName(node: AnyNode, key: string): boolean {
  if (node.type === 'MemberExpression') return key === 'property' && !node.computed;
  if (node.type === 'Property') return key === 'key' && !node.computed;
  if (node.type === 'MethodDefinition' || node.type === 'PropertyDefinition') {
    return key === 'key' && !node.computed;
  }
  return key === 'label' || key === 'meta';
}

function* childrenOf(node: AnyNode): Generator<[string, AnyNode]> {
  for (const [key, value] of Object.entries(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child === 'object' && child !== null && 'type' in child) {
        yield [key, child as AnyNode];
      }
    }
  }
}
