import type { AnyNode, Class, Expression, Literal } from 'acorn';
import { keyName, nodesOf } from '../syntax/nodes.js';

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
      return (
        /^(?:Function|Class)Declaration$/.test(statement.declaration.type) &&
        isInert(statement.declaration)
      );
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
  // In CommonJS, the `this` of an arrow function of the top level is all that the module exports.
  if (value.type === 'ArrowFunctionExpression') return !usesThis(value);
  return value.type === 'FunctionExpression' || isPrimitive(value);
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
export function isFunction(node: AnyNode) {
  return node.type === 'FunctionExpression' || node.type === 'ArrowFunctionExpression';
}

function usesThis(node: AnyNode): boolean {
  for (const { type } of nodesOf(node)) if (type === 'ThisExpression') return true;
  return false;
}

/** True for strings, numbers, booleans and `null`. */
export function isPrimitive(node: AnyNode): boolean {
  if (node.type === 'TemplateLiteral') return node.expressions.length === 0;
  if (node.type === 'UnaryExpression') return node.operator === '-' && isNumber(node.argument);
  return node.type === 'Literal' && !node.regex;
}

function isNumber(node: AnyNode): boolean {
  return node.type === 'Literal' && (typeof node.value === 'number' || node.bigint != null);
}

/** True for a value that JSON shows exactly. */
export function isData(node: AnyNode): boolean {
  return isMadeOf(node, (leaf) => {
    const { bigint, value } = (leaf.type === 'UnaryExpression' ? leaf.argument : leaf) as Literal;
    return isPrimitive(leaf) && bigint == null && value !== Infinity;
  });
}

/** True if all that arrays and objects are made of is so; they are written out, by names that mean nothing else. */
export function isMadeOf(node: AnyNode, isLeaf: (leaf: AnyNode) => boolean): boolean {
  switch (node.type) {
    case 'ParenthesizedExpression':
      return isMadeOf(node.expression, isLeaf);
    case 'ArrayExpression':
      return node.elements.every((one) => one !== null && isMadeOf(one, isLeaf));
    case 'ObjectExpression':
      return node.properties.every((one) => isWritten(one) && isMadeOf(one.value, isLeaf));
    default:
      return isLeaf(node);
  }
}

/** A property by name, without a spread and without an accessor. */
export function isWritten(one: AnyNode): one is Extract<AnyNode, { type: 'Property' }> {
  return (
    one.type === 'Property' &&
    one.kind === 'init' &&
    !/^(?:__proto__|toJSON)$/.test(keyName(one) ?? '__proto__')
  );
}
