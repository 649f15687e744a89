import type { AnyNode, Class, Expression } from 'acorn';
import { keyName, nodesOf } from './ast.js';

/** The list of statements that do nothing but declare names; what is not on it has effects. */
export function isInert(statement: AnyNode): boolean {
  switch (statement.type) {
    case 'ImportDeclaration':
      return statement.specifiers.length > 0;
    case 'ExportNamedDeclaration':
      return statement.declaration
        ? isInert(statement.declaration)
        : !statement.source || statement.specifiers.length > 0;
    case 'ExportDefaultDeclaration':
      return /^(?:Function|Class)Declaration$/.test(statement.declaration.type)
        ? isInert(statement.declaration)
        : false;
    case 'FunctionDeclaration':
    case 'EmptyStatement':
      return true;
    case 'ClassDeclaration':
      return isInertClass(statement);
    case 'VariableDeclaration':
      return (
        statement.kind === 'const' &&
        statement.declarations.every(
          ({ id, init }) => id.type === 'Identifier' && init != null && isInertValue(init),
        )
      );
    default:
      return false;
  }
}

function isInertValue(value: Expression): boolean {
  if (isFunction(value)) {
    // In CommonJS, the `this` of an arrow function of the top level is all that the module exports.
    return value.type === 'FunctionExpression' || !usesThis(value);
  }
  if (value.type === 'UnaryExpression') {
    return value.operator === '-' && isNumber(value.argument);
  }
  return isPrimitive(value);
}

function isInertClass({ superClass, body }: Class): boolean {
  if (superClass && superClass.type !== 'Identifier') return false;
  return body.body.every((member) => {
    if (member.type === 'StaticBlock' || member.static || member.computed) return false;
    if (member.type !== 'PropertyDefinition') return true;
    const { value } = member;
    return value == null || value.type === 'Literal' || isFunction(value);
  });
}

/** True for functions without a name of the top level. */
function isFunction(node: AnyNode) {
  return node.type === 'FunctionExpression' || node.type === 'ArrowFunctionExpression';
}

function usesThis(node: AnyNode): boolean {
  for (const { type } of nodesOf(node)) if (type === 'ThisExpression') return true;
  return false;
}

function isNumber(node: AnyNode): boolean {
  return node.type === 'Literal' && (typeof node.value === 'number' || node.bigint != null);
}

/** True for strings, numbers, booleans and `null`. */
function isPrimitive(node: AnyNode): boolean {
  if (node.type === 'TemplateLiteral') return node.expressions.length === 0;
  return node.type === 'Literal' && !node.regex;
}

/**
 * True for values that run no code when they are made: data, names and functions, and calls that `isAllowed` allows.
 * `functions`: whether functions are among them; those that make cases run while the file is imported.
 */
export function isQuiet(
  node: AnyNode | null,
  isAllowed: (call: AnyNode) => boolean,
  functions = true,
): boolean {
  const isQuietOne = (one: AnyNode | null) => isQuiet(one, isAllowed, functions);
  switch (node?.type) {
    case undefined:
    case 'Identifier':
    case 'Literal':
      return true;
    case 'TemplateLiteral':
      return node.expressions.length === 0;
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      return functions;
    case 'UnaryExpression':
      return /^[-+!]$/.test(node.operator) && node.argument.type === 'Literal';
    case 'MemberExpression':
      return node.object.type === 'MetaProperty' && !node.computed;
    case 'ArrayExpression':
      return node.elements.every(isQuietOne);
    case 'ObjectExpression':
      return node.properties.every(
        (one) =>
          one.type === 'Property' &&
          one.kind === 'init' &&
          keyName(one) !== undefined &&
          isQuietOne(one.value),
      );
    case 'CallExpression':
    case 'NewExpression':
      return isAllowed(node) && node.arguments.every(isQuietOne);
    default:
      return false;
  }
}

/** True for values that JSON shows exactly: strings, finite numbers, booleans, null, and lists and objects of them. */
export function isPlainData(node: AnyNode): boolean {
  switch (node.type) {
    case 'ArrayExpression':
      return node.elements.every((item) => item !== null && isPlainData(item));
    case 'ObjectExpression':
      return node.properties.every(
        (one) =>
          one.type === 'Property' &&
          one.kind === 'init' &&
          ![undefined, '__proto__', 'toJSON'].includes(keyName(one)) &&
          isPlainData(one.value),
      );
    case 'UnaryExpression':
      return node.operator === '-' && isNumber(node.argument) && isPlainData(node.argument);
    default:
      return isPrimitive(node) && isJson(node);
  }
}

function isJson(node: AnyNode): boolean {
  if (node.type !== 'Literal') return true;
  return node.bigint == null && Number.isFinite(typeof node.value === 'number' ? node.value : 0);
}
