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

/** Words with which code reaches what it shares with other code, or in which it can leave something by calls. */
const openWords =
  /^(?:global|globalThis|prototype|__proto__|[gs]etPrototypeOf|__define[GS]etter__|process|performance|(?:local|session)Storage)$/;

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
  let changes = false;
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
        tokens.push(literalText(value));
        return;
      }
      if (value.type === 'Identifier') {
        if (declared.has(value.name) || imports.has(value.name)) names.add(value.name);
      }
      changes ||= isChange(value, top);
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

/** True if a node may change, or reach, something that is not its own. */
function isChange(node: AnyNode, top: TopLevel): boolean {
  switch (node.type) {
    case 'Identifier':
      return openWords.test(node.name);
    case 'MemberExpression':
      // The last match of all regular expressions.
      return isName(node.property, 'constructor') || isName(node.object, 'RegExp');
    case 'ImportExpression':
      return true;
    case 'AssignmentExpression':
    case 'ForInStatement':
    case 'ForOfStatement':
      return namesOthers(node.left, top);
    case 'UpdateExpression':
      return namesOthers(node.argument, top);
    case 'UnaryExpression':
      return node.operator === 'delete' && namesOthers(node.argument, top);
    case 'CallExpression':
      return (
        changesArgument(node.callee) &&
        node.arguments.slice(0, 1).some((one) => namesOthers(one, top))
      );
    default:
      return false;
  }
}

/** True if what is changed names, wherever, something that is not local, as in `[a.b, c[d]] = e`. */
function namesOthers(target: AnyNode, { declared, imports, isState }: TopLevel): boolean {
  for (const node of nodesOf(target)) {
    if (node.type === 'MetaProperty') return true;
    if (node.type !== 'Identifier') continue;
    const { name } = node;
    if (declared.has(name) ? !isState : imports.has(name) || Object.hasOwn(globalThis, name))
      return true;
  }
  return false;
}

/** `Object.assign`, `Reflect.set` and their like. */
function changesArgument(callee: AnyNode): boolean {
  return (
    callee.type === 'MemberExpression' &&
    (isName(callee.object, 'Object') || isName(callee.object, 'Reflect')) &&
    !(callee.property.type === 'Identifier' && onlyReading.test(callee.property.name))
  );
}

function literalText(node: Extract<AnyNode, { type: 'Literal' }>): string {
  if (node.regex) return `/${node.regex.pattern}/${node.regex.flags}`;
  if (node.bigint) return `${node.bigint}n`;
  // JSON has no word for the numbers that are too large.
  return typeof node.value === 'number' ? String(node.value) : JSON.stringify(node.value);
}
