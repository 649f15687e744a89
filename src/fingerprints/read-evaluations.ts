import type { AnyNode, CallExpression, Class, Expression, Literal, Program } from 'acorn';
import { isName, keyName, nodesOf } from '../syntax/nodes.js';
import type { TopLevel } from './read-text.js';

/** An evaluation, or the result of `.extend`, whose options are written out in a statement of its own. */
export interface EvaluationLiteral {
  /** Of the constant, or `default`. */
  readonly name: string;
  /** The constant that it was made with, if not by `evaluation` itself. */
  readonly base: string | undefined;
  /** What grades it is not all in `grading`: its body makes the output, or its evaluators are made by a call. */
  readonly isMixed: boolean;
  /** The evaluators, scores and body, if making them runs no code. */
  readonly grading: readonly AnyNode[];
  /** Plain values, which are compared case by case. */
  readonly data: readonly AnyNode[];
  /** Options that run code when they are made, which may concern any evaluation of the file. */
  readonly loud: readonly AnyNode[];
}

/** Options whose plain values are in the fingerprint of the case, or concern no result. */
const dataOptions = new Set(
  `cases input reference expected metadata id name labels dataset cluster trials timeout defaultScoreKey skip
  only`.split(/\s+/),
);

const caseFiles = new Set(['fromCsv', 'fromJson', 'fromJsonl', 'fromYaml']);

/** The evaluations whose options are written out in statements of a module. */
export function literalsIn({ body }: Program, top: TopLevel): Map<AnyNode, EvaluationLiteral> {
  const found = new Map<AnyNode, EvaluationLiteral>();
  const earlier = new Map<string, EvaluationLiteral>();
  for (const statement of body) {
    const one = literalOf(statement, top, earlier);
    if (one === undefined) continue;
    found.set(statement, one);
    earlier.set(one.name, one);
  }
  return found;
}

function literalOf(
  statement: AnyNode,
  top: TopLevel,
  earlier: ReadonlyMap<string, EvaluationLiteral>,
): EvaluationLiteral | undefined {
  const [name, value] = namedValue(statement) ?? [];
  const calls: CallExpression[] = [];
  let callee: AnyNode | undefined = value;
  while (callee?.type === 'CallExpression') {
    calls.push(callee);
    callee = isExtend(callee.callee) ? callee.callee.object : callee.callee;
  }
  if (name === undefined || callee?.type !== 'Identifier' || calls.length === 0) return undefined;
  const base = earlier.get(callee.name);
  const [specifier, imported] = top.imports.get(callee.name) ?? [];
  if (base === undefined && !(specifier === 'assay' && imported === 'evaluation')) return undefined;
  const perCall = calls.map(optionsOf);
  if (!perCall.every((one) => one !== undefined)) return undefined;
  const given = perCall.flat();
  // Functions in cases are called when the file is imported.
  const loud = given.filter(
    (one) => !isQuiet(one.type === 'Property' ? one.value : one, top, optionName(one) !== 'cases'),
  );
  const quiet = given.filter((one) => !loud.includes(one));
  const makesOutput =
    !isExtend(calls[0]?.callee) && !given.some((one) => optionName(one) === 'target');
  return {
    ...{ name, base: base?.name, loud },
    isMixed: makesOutput || base?.isMixed === true || loud.some(isGrading),
    grading: quiet.filter(isGrading),
    data: quiet.flatMap(dataIn),
  };
}

/** The constant, or the default export, to which a statement gives a value. */
function namedValue(statement: AnyNode): readonly [string, AnyNode] | undefined {
  if (statement.type === 'ExportDefaultDeclaration') return ['default', statement.declaration];
  const declaration =
    statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
  if (declaration?.type !== 'VariableDeclaration' || declaration.kind !== 'const') return undefined;
  const [one, ...more] = declaration.declarations;
  if (one?.id.type !== 'Identifier' || !one.init || more.length > 0) return undefined;
  return [one.id.name, one.init];
}

type Member = Extract<AnyNode, { type: 'MemberExpression' }>;

function isExtend(node: AnyNode | undefined): node is Member {
  return node?.type === 'MemberExpression' && !node.computed && isName(node.property, 'extend');
}

/** The options and the body; `undefined` if they are not written out. */
function optionsOf({ arguments: [options, body, ...more] }: CallExpression) {
  if (options?.type !== 'ObjectExpression' || more.length > 0) return undefined;
  if (!options.properties.every(isWritten) || body?.type === 'SpreadElement') return undefined;
  return [...options.properties, ...(body ? [body] : [])];
}

/** Of a property; none for a body. */
function optionName(one: AnyNode): string | undefined {
  return one.type === 'Property' ? keyName(one) : undefined;
}

/** True for evaluators, score rules and a body. */
function isGrading(one: AnyNode): boolean {
  return /^(?:evaluators|scores)$/.test(optionName(one) ?? 'scores');
}

/** Plain values; cases with names or functions in them count as code. */
function dataIn(one: AnyNode): readonly AnyNode[] {
  if (one.type !== 'Property' || !dataOptions.has(optionName(one) ?? '')) return [];
  if (isData(one.value)) return [one];
  const elements = one.value.type === 'ArrayExpression' ? one.value.elements : [];
  return elements.filter((each) => each !== null).filter(isData);
}

/** True if making a value runs no code but calls that do nothing but read cases, name a file or make a grader. */
function isQuiet(value: AnyNode, top: TopLevel, functions: boolean): boolean {
  return isMadeOf(value, (leaf) => {
    if (isFunction(leaf)) return functions;
    if (leaf.type === 'MemberExpression') {
      return leaf.object.type === 'MetaProperty' && !leaf.computed;
    }
    if (leaf.type !== 'CallExpression' && leaf.type !== 'NewExpression') {
      return leaf.type === 'Identifier' || leaf.type === 'Literal' || isPrimitive(leaf);
    }
    return isAllowed(leaf, top) && leaf.arguments.every((one) => isQuiet(one, top, functions));
  });
}

function isAllowed({ type, callee }: Extract<AnyNode, { callee: unknown }>, top: TopLevel) {
  if (callee.type !== 'Identifier') return false;
  const [specifier, name = ''] = top.imports.get(callee.name) ?? [];
  if (type === 'NewExpression') {
    return callee.name === 'URL' && specifier === undefined && !top.declared.has('URL');
  }
  return specifier === 'assay/graders' || (specifier === 'assay' && caseFiles.has(name));
}

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

/** True for a value that JSON shows exactly. */
function isData(node: AnyNode): boolean {
  return isMadeOf(node, (leaf) => {
    const { bigint, value } = (leaf.type === 'UnaryExpression' ? leaf.argument : leaf) as Literal;
    return isPrimitive(leaf) && bigint == null && value !== Infinity;
  });
}

/** True if all that arrays and objects are made of is so; they are written out, by names that mean nothing else. */
function isMadeOf(node: AnyNode, isLeaf: (leaf: AnyNode) => boolean): boolean {
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
function isWritten(one: AnyNode): one is Extract<AnyNode, { type: 'Property' }> {
  return (
    one.type === 'Property' &&
    one.kind === 'init' &&
    !/^(?:__proto__|toJSON)$/.test(keyName(one) ?? '__proto__')
  );
}
