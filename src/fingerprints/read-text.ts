import type { AnyNode } from 'acorn';
import { isName, isNode, nodesOf } from '../syntax/nodes.js';
import { shortHash } from '../text/short-hash.js';
import type { ImportedName, Text } from './module-facts.js';

/** The names of a module's top level. */
export interface TopLevel {
  readonly declared: ReadonlySet<string>;
  readonly imports: ReadonlyMap<string, ImportedName>;
  /** What they stand for may change as the state of the module, all of which counts. */
  readonly isState?: boolean;
}

const positions = new Set(['type', 'start', 'end', 'loc', 'range', 'raw', 'sourceFile']);

/** Words with which code reaches what it shares with other code. */
const openWords =
  /^(?:global|globalThis|prototype|__proto__|[gs]etPrototypeOf|__define[GS]etter__)$/;

/** Objects that code can leave something in by calls. */
const stateful = /^(?:process|performance|localStorage|sessionStorage)$/;

/** Functions of `Object` and `Reflect` that do not change what they get. */
const onlyReading =
  /^(?:is|keys|ownKeys|values|entries|fromEntries|create|has|hasOwn|get.*|groupBy)$/;

export const noText: Text = { hash: '', names: [] };

/**
 * Reads nodes as one text, without those that are skipped. Layout and comments do not count; an identifier that equals a
 * name of the top level names it, wherever it stands.
 */
export function readText(
  nodes: readonly AnyNode[],
  top: TopLevel,
  skipped: ReadonlySet<AnyNode> = new Set(),
): Text {
  const { declared, imports } = top;
  const tokens: string[] = [];
  const names = new Set<string>();
  let changes = 0;
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) {
      tokens.push('[');
      for (const item of value) visit(item);
      tokens.push(']');
    } else if (!isNode(value)) {
      tokens.push(JSON.stringify(value) ?? '-');
    } else if (isEnvironment(value) && !declared.has('process') && !imports.has('process')) {
      tokens.push('process.env');
    } else if (!skipped.has(value)) {
      tokens.push(value.type);
      if (value.type === 'Literal') {
        // However a text is quoted.
        tokens.push(typeof value.value === 'string' ? JSON.stringify(value.value) : `${value.raw}`);
        return;
      }
      if (value.type === 'Identifier') {
        if (declared.has(value.name) || imports.has(value.name)) names.add(value.name);
      }
      changes = Math.max(changes, changeBy(value, top));
      for (const [key, child] of Object.entries(value)) if (!positions.has(key)) visit(child);
    }
  };
  for (const node of nodes) visit(node);
  for (const name of [...names].sort()) {
    const from = imports.get(name);
    if (from !== undefined) tokens.push(name, ...from);
  }
  const hash = tokens.length === 0 ? '' : shortHash(tokens.join('\0'));
  return { hash, names: [...names], changes };
}

/** What code reads of it is noticed. */
function isEnvironment(node: AnyNode): boolean {
  return (
    node.type === 'MemberExpression' &&
    !node.computed &&
    isName(node.object, 'process') &&
    isName(node.property, 'env')
  );
}

/** What a node may change, or reach, that is not its own: see {@link Text}. */
function changeBy(node: AnyNode, top: TopLevel): number {
  switch (node.type) {
    case 'Identifier':
      return openWords.test(node.name) ? 2 : Number(stateful.test(node.name));
    case 'MemberExpression':
      // The last match of all regular expressions.
      return Number(isName(node.property, 'constructor') || isName(node.object, 'RegExp'));
    case 'ImportExpression':
      return 1;
    case 'AssignmentExpression':
    case 'ForInStatement':
    case 'ForOfStatement':
      return changeOf(node.left, top);
    case 'UpdateExpression':
      return changeOf(node.argument, top);
    case 'UnaryExpression':
      return node.operator === 'delete' ? changeOf(node.argument, top) : 0;
    case 'CallExpression':
      return changesArgument(node.callee) ? changeOf(node.arguments[0], top) : 0;
    default:
      return 0;
  }
}

/** Whatever is named in what is changed, as in `[a.b, c[d]] = e`. */
function changeOf(changed: AnyNode | undefined, { declared, imports, isState }: TopLevel): number {
  const changes = [...(changed ? nodesOf(changed) : [])].map((node) => {
    if (node.type !== 'Identifier') return Number(node.type === 'MetaProperty');
    if (declared.has(node.name)) return Number(!isState);
    if (imports.has(node.name)) return 1;
    return Object.hasOwn(globalThis, node.name) ? 2 : 0;
  });
  return Math.max(0, ...changes);
}

/** `Object.assign`, `Reflect.set` and their like. */
function changesArgument(callee: AnyNode): boolean {
  return (
    callee.type === 'MemberExpression' &&
    (isName(callee.object, 'Object') || isName(callee.object, 'Reflect')) &&
    !(callee.property.type === 'Identifier' && onlyReading.test(callee.property.name))
  );
}
