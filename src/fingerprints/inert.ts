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
function isFunction(node: AnyNode) {
  return node.type === 'FunctionExpression' || node.type === 'ArrowFunctionExpression';
}

function usesThis(node: AnyNode): boolean {
  for (const { type } of nodesOf(node)) if (type === 'ThisExpression') return true;
  return false;
}

/** True for strings, numbers, booleans and `null`. */
function isPrimitive(node: AnyNode): boolean {
  if (node.type === 'TemplateLiteral') return node.expressions.length === 0;
  if (node.type === 'UnaryExpression') return node.operator === '-' && isNumber(node.argument);
  return node.type === 'Literal' && !node.regex;
}

function isNumber(node: AnyNode): boolean {
  return node.type === 'Literal' && (typeof node.value === 'number' || node.bigint != null);
}

/**
 * What it takes to make a value: nothing, for values that JSON shows exactly (`data`), or nothing that runs code
 * (`quiet`). From the least to the most.
 */
const makings = ['data', 'quiet', 'loud'] as const;
type Making = (typeof makings)[number];

/** What runs no code that could concern others. */
export interface Allowed {
  readonly call?: (call: AnyNode) => boolean;
  /** Default true. */
  readonly functions?: boolean;
}

/** What it takes to make a value: data, names and functions run no code, nor do calls that are allowed. */
export function makingOf(node: AnyNode | null, allowed: Allowed = {}): Making {
  const most = (nodes: readonly (AnyNode | null)[], least: Making = 'data'): Making =>
    makings[
      Math.max(
        makings.indexOf(least),
        ...nodes.map((one) => makings.indexOf(makingOf(one, allowed))),
      )
    ] as Making;
  if (node === null || node.type === 'Identifier') return 'quiet';
  if (isPrimitive(node)) return isJson(node) ? 'data' : 'quiet';
  if (isFunction(node)) return allowed.functions === false ? 'loud' : 'quiet';
  switch (node.type) {
    case 'Literal':
      return 'quiet';
    case 'ParenthesizedExpression':
      return most([node.expression]);
    case 'UnaryExpression':
      return /^[+!]$/.test(node.operator) && isPrimitive(node.argument) ? 'quiet' : 'loud';
    case 'MemberExpression':
      return node.object.type === 'MetaProperty' && !node.computed ? 'quiet' : 'loud';
    case 'ArrayExpression':
      return most(node.elements);
    case 'ObjectExpression':
      return most(node.properties);
    case 'Property': {
      const name = node.kind === 'init' ? keyName(node) : undefined;
      if (name === undefined) return 'loud';
      return most([node.value], /^(?:__proto__|toJSON)$/.test(name) ? 'quiet' : 'data');
    }
    case 'CallExpression':
    case 'NewExpression':
      return allowed.call?.(node) ? most(node.arguments, 'quiet') : 'loud';
    default:
      return 'loud';
  }
}

function isJson(node: AnyNode): boolean {
  const literal = node.type === 'UnaryExpression' ? node.argument : node;
  if (literal.type !== 'Literal') return true;
  return (
    literal.bigint == null && (typeof literal.value !== 'number' || Number.isFinite(literal.value))
  );
}
