import type { AnyNode, Pattern } from 'acorn';

/** The name of a property that is not computed. */
export function keyName(property: {
  readonly computed: boolean;
  readonly key: AnyNode;
}): string | undefined {
  if (property.computed) return undefined;
  if (property.key.type === 'Identifier') return property.key.name;
  return property.key.type === 'Literal' ? String(property.key.value) : undefined;
}

/** All nodes below a node, and itself. */
export function* nodesOf(node: AnyNode): Generator<AnyNode> {
  const pending: unknown[] = [node];
  while (pending.length > 0) {
    const at = pending.pop();
    if (typeof at !== 'object' || at === null) continue;
    if (isNode(at)) yield at;
    pending.push(...Object.values(at));
  }
}

export function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && 'type' in value;
}

export function isName(node: AnyNode, name: string): boolean {
  return node.type === 'Identifier' && node.name === name;
}

/** The names that a pattern binds. */
export function patternNames(pattern: Pattern): string[] {
  const names: string[] = [];
  const pending: (AnyNode | null)[] = [pattern];
  for (const node of pending) {
    if (node === null) continue;
    if (node.type === 'Identifier') names.push(node.name);
    else if (node.type === 'ObjectPattern') pending.push(...node.properties);
    else if (node.type === 'Property') pending.push(node.value);
    else if (node.type === 'ArrayPattern') pending.push(...node.elements);
    else if (node.type === 'RestElement') pending.push(node.argument);
    else if (node.type === 'AssignmentPattern') pending.push(node.left);
  }
  return names;
}

/** The names that statements declare, in their blocks too but not in the functions inside. */
export function declaredNames(statements: readonly AnyNode[]): string[] {
  const names: string[] = [];
  const pending: unknown[] = [...statements];
  for (const at of pending) {
    if (Array.isArray(at)) pending.push(...at);
    if (!isNode(at)) continue;
    if (at.type === 'FunctionDeclaration' || at.type === 'ClassDeclaration') {
      if (at.id) names.push(at.id.name);
    } else if (!/Function|Class/.test(at.type)) {
      if (at.type === 'VariableDeclarator') names.push(...patternNames(at.id));
      if (at.type === 'CatchClause' && at.param) names.push(...patternNames(at.param));
      pending.push(...Object.values(at));
    }
  }
  return names;
}
