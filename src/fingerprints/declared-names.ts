import type { AnyNode, Pattern, Statement } from 'acorn';

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
  const pending: (AnyNode | null | undefined)[] = [...statements];
  for (const node of pending) if (node != null) declare(node, names, pending);
  return names;
}

function declare(
  node: AnyNode,
  names: string[],
  pending: (AnyNode | Statement | null | undefined)[],
): void {
  switch (node.type) {
    case 'VariableDeclaration':
      for (const { id } of node.declarations) names.push(...patternNames(id));
      break;
    case 'FunctionDeclaration':
    case 'ClassDeclaration':
      if (node.id) names.push(node.id.name);
      break;
    case 'ExportNamedDeclaration':
    case 'ExportDefaultDeclaration':
      pending.push(node.declaration);
      break;
    case 'BlockStatement':
    case 'StaticBlock':
      pending.push(...node.body);
      break;
    case 'IfStatement':
      pending.push(node.consequent, node.alternate);
      break;
    case 'ForStatement':
      pending.push(node.init, node.body);
      break;
    case 'ForInStatement':
    case 'ForOfStatement':
      pending.push(node.left, node.body);
      break;
    case 'WhileStatement':
    case 'DoWhileStatement':
    case 'LabeledStatement':
    case 'WithStatement':
      pending.push(node.body);
      break;
    case 'SwitchStatement':
      for (const { consequent } of node.cases) pending.push(...consequent);
      break;
    case 'TryStatement':
      pending.push(node.block, node.handler?.body, node.finalizer);
      if (node.handler?.param) names.push(...patternNames(node.handler.param));
      break;
    default:
  }
}
