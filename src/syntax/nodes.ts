import type { AnyNode } from 'acorn';

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
