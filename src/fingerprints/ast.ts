import type { AnyNode, Expression } from 'acorn';

/** The names of `a.b['c']`, from the first; `undefined` for anything else. */
export function memberPath(node: AnyNode): string[] | undefined {
  const path: string[] = [];
  let at: AnyNode = node;
  while (at.type === 'MemberExpression') {
    const { property } = at;
    if (!at.computed && property.type === 'Identifier') path.unshift(property.name);
    else if (property.type === 'Literal') path.unshift(String(property.value));
    else return undefined;
    at = at.object;
  }
  if (at.type !== 'Identifier') return undefined;
  path.unshift(at.name);
  return path;
}

/** The name at the left end of members and calls: `state` of `state.get(key).list[0]`. */
export function rootName(node: AnyNode): string | undefined {
  let at: AnyNode = node;
  for (;;) {
    if (at.type === 'MemberExpression') at = at.object;
    else if (at.type === 'CallExpression') at = at.callee;
    else if (at.type === 'ChainExpression' || at.type === 'ParenthesizedExpression')
      at = at.expression;
    else if (at.type === 'AwaitExpression') at = at.argument;
    else return at.type === 'Identifier' ? at.name : undefined;
  }
}

/** An expression without what compilers put around it: `(0, module.name)`, parentheses. */
export function unwrapped(node: AnyNode): AnyNode {
  let at: AnyNode = node;
  for (;;) {
    if (
      at.type === 'SequenceExpression' &&
      at.expressions.length === 2 &&
      isZero(at.expressions[0])
    ) {
      at = at.expressions[1] as Expression;
    } else if (at.type === 'ChainExpression' || at.type === 'ParenthesizedExpression') {
      at = at.expression;
    } else return at;
  }
}

function isZero(node: AnyNode | undefined): boolean {
  return node?.type === 'Literal' && node.value === 0;
}

/** The name of a property that is not computed. */
export function keyName(property: {
  readonly computed: boolean;
  readonly key: AnyNode;
}): string | undefined {
  if (property.computed) return undefined;
  if (property.key.type === 'Identifier') return property.key.name;
  return property.key.type === 'Literal' ? String(property.key.value) : undefined;
}

/** True for values that JSON shows exactly: strings, finite numbers, booleans, null, and lists and objects of them. */
export function isPlainData(node: AnyNode): boolean {
  switch (node.type) {
    case 'Literal':
      return node.value === null
        ? node.raw === 'null'
        : ['string', 'number', 'boolean'].includes(typeof node.value) &&
            Number.isFinite(typeof node.value === 'number' ? node.value : 0);
    case 'TemplateLiteral':
      return node.expressions.length === 0;
    case 'UnaryExpression':
      return (
        node.operator === '-' &&
        node.argument.type === 'Literal' &&
        typeof node.argument.value === 'number' &&
        node.argument.value !== 0
      );
    case 'ArrayExpression':
      return node.elements.every((item) => item !== null && isPlainData(item));
    case 'ObjectExpression':
      return node.properties.every(
        (property) =>
          property.type === 'Property' &&
          property.kind === 'init' &&
          ![undefined, '__proto__', 'toJSON'].includes(keyName(property)) &&
          isPlainData(property.value),
      );
    default:
      return false;
  }
}

/** True for constants that cannot change and hold no other value. */
export function isPrimitive(node: AnyNode): boolean {
  if (node.type === 'Literal') return !node.regex || !/[gy]/.test(node.regex.flags);
  return (
    (node.type === 'TemplateLiteral' && node.expressions.length === 0) ||
    (node.type === 'UnaryExpression' && node.argument.type === 'Literal')
  );
}

/** All nodes below a node, and itself. */
export function* nodesOf(node: AnyNode): Generator<AnyNode> {
  const pending: unknown[] = [node];
  while (pending.length > 0) {
    const at = pending.pop();
    if (typeof at !== 'object' || at === null) continue;
    if (!Array.isArray(at) && 'type' in at) yield at as AnyNode;
    pending.push(...Object.values(at));
  }
}

export function identifiersOf(node: AnyNode): ReadonlySet<string> {
  const names = new Set<string>();
  for (const one of nodesOf(node)) if (one.type === 'Identifier') names.add(one.name);
  return names;
}

/** True for expressions that call something, or contain functions. */
export function runsCode(node: AnyNode): boolean {
  for (const { type } of nodesOf(node)) {
    if (
      /^(?:Call|New|Function|ArrowFunction|TaggedTemplate|Await|Import|Class|Assignment|Update)Expression$/.test(
        type,
      )
    ) {
      return true;
    }
  }
  return false;
}
