import type { AnyNode, Expression } from 'acorn';
import { keyName, memberPath, unwrapped } from './ast.js';

/** The specifier of `require('x')`, also within the helpers of compilers: `_interop_require_default(require('x'))`. */
export function requiredModule(node: AnyNode): string | undefined {
  const at = unwrapped(node);
  if (at.type !== 'CallExpression' || at.callee.type !== 'Identifier') return undefined;
  const [first] = at.arguments;
  if (first === undefined) return undefined;
  if (at.callee.name === 'require') {
    return first.type === 'Literal' && typeof first.value === 'string' ? first.value : undefined;
  }
  const isHelper = /^(?:_interop_require_\w+|_interopRequire\w+|__import(?:Default|Star))$/;
  return isHelper.test(at.callee.name) ? requiredModule(first) : undefined;
}

/**
 * The exports that compilers define as getters: `_export(exports, { a: () => a })` and
 * `Object.defineProperty(exports, 'a', { get: () => a })`.
 */
export function exportedGetters(node: AnyNode): [name: string, value: AnyNode][] | undefined {
  // `0 && (module.exports = { a: null })` tells Node the names and never runs.
  if (node.type === 'LogicalExpression' && node.operator === '&&') {
    return node.left.type === 'Literal' && node.left.value === 0 ? [] : undefined;
  }
  // `exports.a = exports.b = void 0` comes before the values.
  if (node.type === 'AssignmentExpression' && commonJsExport(node) !== undefined) {
    if (node.right.type === 'UnaryExpression' && node.right.operator === 'void') return [];
    return node.right.type === 'AssignmentExpression' ? exportedGetters(node.right) : undefined;
  }
  if (node.type !== 'CallExpression') return undefined;
  const [object, second, third] = node.arguments;
  if (object?.type !== 'Identifier' || object.name !== 'exports') return undefined;
  if (node.callee.type === 'Identifier' && node.callee.name === '_export') {
    return second && gettersOf(second);
  }
  if (memberPath(node.callee)?.join('.') !== 'Object.defineProperty') return undefined;
  if (second?.type !== 'Literal' || third?.type !== 'ObjectExpression') return undefined;
  if (second.value === '__esModule') return [];
  const getter = gettersOf(third)?.find(([name]) => name === 'get');
  return getter && [[String(second.value), getter[1]]];
}

/** `exports.name = value`; without a name `module.exports = value`. */
export function commonJsExport(
  node: AnyNode,
): { readonly name: string | undefined; readonly value: Expression } | undefined {
  if (node.type !== 'AssignmentExpression' || node.operator !== '=') return undefined;
  const path = memberPath(node.left);
  if (path === undefined) return undefined;
  const names = path[0] === 'module' && path[1] === 'exports' ? path.slice(2) : path.slice(1);
  const isExport = path[0] === 'exports' || (path[0] === 'module' && path[1] === 'exports');
  if (!isExport || names.length > 1) return undefined;
  return { name: names[0], value: node.right };
}

/** The results of functions that only return a name, by key. */
function gettersOf(node: AnyNode): [string, AnyNode][] | undefined {
  if (node.type !== 'ObjectExpression') return undefined;
  return node.properties.flatMap((property): [string, AnyNode][] => {
    if (property.type !== 'Property') return [];
    const name = keyName(property);
    const value = returned(property.value);
    return name !== undefined && value !== undefined ? [[name, value]] : [];
  });
}

function returned(node: AnyNode): AnyNode | undefined {
  if (node.type !== 'FunctionExpression' && node.type !== 'ArrowFunctionExpression')
    return undefined;
  if (node.body.type !== 'BlockStatement') return node.body;
  const [first] = node.body.body;
  return first?.type === 'ReturnStatement' ? (first.argument ?? undefined) : undefined;
}
