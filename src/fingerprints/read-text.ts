import type { AnyNode } from 'acorn';
import { shortHash } from '../text/short-hash.js';
import { isName, isNode, nodesOf } from './ast.js';
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
  /^(?:global|globalThis|prototype|__proto__|getPrototypeOf|setPrototypeOf|__define[GS]etter__)$/;

/** Objects that code can leave something in by calls. */
const stateful = new Set(['process', 'performance', 'localStorage', 'sessionStorage']);

/** Functions of `Object` and `Reflect` that do not change what they get. */
const onlyReading =
  /^(?:is|keys|ownKeys|values|entries|fromEntries|create|has|hasOwn|get.*|groupBy)$/;

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
  let changes: Text['changes'];
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
      if (changes !== 'global') changes = changeBy(value, top) ?? changes;
      for (const [key, child] of Object.entries(value)) if (!positions.has(key)) visit(child);
    }
  };
  for (const node of nodes) visit(node);
  for (const name of [...names].sort()) {
    const from = imports.get(name);
    if (from !== undefined) tokens.push(name, ...from);
  }
  const hash = shortHash(tokens.join('\0'));
  return { hash, names: [...names], ...(changes && { changes }) };
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

/** What a node may change, or reach, that is not its own. */
function changeBy(node: AnyNode, { declared, imports, isState }: TopLevel): Text['changes'] {
  /** Whatever is named in what is changed, as in `[a.b, c[d]] = e`. */
  const changeOf = (target: AnyNode): Text['changes'] => {
    let found: Text['changes'];
    for (const one of nodesOf(target)) {
      if (one.type === 'MetaProperty') found ??= 'other';
      if (one.type !== 'Identifier') continue;
      if (declared.has(one.name) ? !isState : imports.has(one.name)) found ??= 'other';
      else if (!declared.has(one.name) && Object.hasOwn(globalThis, one.name)) return 'global';
    }
    return found;
  };
  switch (node.type) {
    case 'Identifier':
      if (openWords.test(node.name)) return 'global';
      return stateful.has(node.name) ? 'other' : undefined;
    case 'MemberExpression':
      // The last match of all regular expressions.
      return isName(node.property, 'constructor') || isName(node.object, 'RegExp')
        ? 'other'
        : undefined;
    case 'ImportExpression':
      return 'other';
    case 'AssignmentExpression':
    case 'ForInStatement':
    case 'ForOfStatement':
      return changeOf(node.left);
    case 'UpdateExpression':
      return changeOf(node.argument);
    case 'UnaryExpression':
      return node.operator === 'delete' ? changeOf(node.argument) : undefined;
    case 'CallExpression':
      return changesArgument(node.callee) && node.arguments[0]
        ? changeOf(node.arguments[0])
        : undefined;
    default:
      return undefined;
  }
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
