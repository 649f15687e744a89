import type { AnyNode, CallExpression, ObjectExpression, Program } from 'acorn';
import { keyName } from './ast.js';
import { makingOf } from './inert.js';
import type { TopLevel } from './read-text.js';

/** An evaluation, or the result of `.extend`, whose options are written out in a statement of its own. */
export interface EvaluationLiteral {
  readonly statement: AnyNode;
  /** Of the constant, or `default`. */
  readonly name: string;
  /** The constant that it was made with, if not by `evaluation` itself. */
  readonly base?: string;
  /** It has no target, so that its body makes the output. */
  readonly isWhole?: true;
  /** The names of itself and of its base, which it may name without using them. */
  readonly own: ReadonlySet<string>;
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
export function literalsIn({ body }: Program, top: TopLevel): EvaluationLiteral[] {
  const found = new Map<string, EvaluationLiteral>();
  for (const statement of body) {
    const one = literalOf(statement, top, found);
    if (one !== undefined) found.set(one.name, one);
  }
  return [...found.values()];
}

function literalOf(
  statement: AnyNode,
  top: TopLevel,
  earlier: ReadonlyMap<string, EvaluationLiteral>,
): EvaluationLiteral | undefined {
  if (statement.type === 'ExportDefaultDeclaration') {
    return withOptions(statement, 'default', statement.declaration, top, earlier);
  }
  const declaration =
    statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
  if (declaration?.type !== 'VariableDeclaration' || declaration.kind !== 'const') return undefined;
  const [one, ...more] = declaration.declarations;
  if (one?.id.type !== 'Identifier' || more.length > 0) return undefined;
  return withOptions(statement, one.id.name, one.init, top, earlier);
}

function withOptions(
  statement: AnyNode,
  name: string,
  value: AnyNode | null | undefined,
  top: TopLevel,
  earlier: ReadonlyMap<string, EvaluationLiteral>,
): EvaluationLiteral | undefined {
  const calls: CallExpression[] = [];
  let callee = value;
  while (callee?.type === 'CallExpression') {
    calls.push(callee);
    callee = callee.callee;
    if (isExtend(callee)) callee = callee.object;
  }
  if (callee?.type !== 'Identifier' || calls.length === 0) return undefined;
  const isFirst = isEvaluation(callee.name, top);
  const base = isFirst ? undefined : earlier.get(callee.name)?.name;
  if (!isFirst && base === undefined) return undefined;
  const [last] = calls;
  const isWhole = !isExtend(last?.callee) && !calls.some(hasTarget);
  const literal = {
    ...{ statement, name, own: new Set(base === undefined ? [name] : [name, base]) },
    ...{ grading: [], data: [], loud: [], ...(base !== undefined && { base }) },
    ...(isWhole && { isWhole }),
  };
  return calls.every((call) => addOptions(call, literal, top)) ? literal : undefined;
}

function hasTarget({ arguments: [options] }: CallExpression): boolean {
  return (
    options?.type === 'ObjectExpression' &&
    options.properties.some((one) => one.type === 'Property' && keyName(one) === 'target')
  );
}

type Member = Extract<AnyNode, { type: 'MemberExpression' }>;

function isExtend(node: AnyNode | undefined): node is Member {
  return (
    node?.type === 'MemberExpression' &&
    !node.computed &&
    node.property.type === 'Identifier' &&
    node.property.name === 'extend'
  );
}

function isEvaluation(name: string, top: TopLevel): boolean {
  const [specifier, imported] = top.imports.get(name) ?? [];
  return specifier === 'assay' && imported === 'evaluation';
}

/** Sorts the options of a call; false if they are not written out. */
function addOptions(
  call: CallExpression,
  literal: { readonly [kind in 'grading' | 'data' | 'loud']: AnyNode[] },
  top: TopLevel,
): boolean {
  const [options, body, ...more] = call.arguments;
  if (options?.type !== 'ObjectExpression' || more.length > 0) return false;
  if (!options.properties.every(isWritten)) return false;
  for (const property of options.properties as Written[]) {
    const key = keyName(property) ?? '';
    const call = (one: AnyNode) => isAllowed(one, top);
    const making = makingOf(property.value, { call, functions: key !== 'cases' });
    if (dataOptions.has(key) && making === 'data') literal.data.push(property);
    else if (making === 'loud') literal.loud.push(property);
    else if (isGrading(property)) literal.grading.push(property);
    else if (key === 'cases' && property.value.type === 'ArrayExpression') {
      // Those with names or functions in them count as code.
      for (const one of property.value.elements) {
        if (one !== null && makingOf(one) === 'data') literal.data.push(one);
      }
    }
  }
  if (body?.type === 'SpreadElement') return false;
  if (body !== undefined) {
    literal[makingOf(body) === 'loud' ? 'loud' : 'grading'].push(body);
  }
  return true;
}

/** True for evaluators, score rules and a body. */
export function isGrading(node: AnyNode): boolean {
  return node.type !== 'Property' || /^(?:evaluators|scores)$/.test(keyName(node) ?? '');
}

type Written = Extract<ObjectExpression['properties'][number], { type: 'Property' }>;

/** Options by name, without a spread and without an accessor. */
function isWritten(one: ObjectExpression['properties'][number]): one is Written {
  return one.type === 'Property' && one.kind === 'init' && keyName(one) !== undefined;
}

/** Calls that do nothing but read cases, name a file or make a grader. */
function isAllowed(call: AnyNode, top: TopLevel): boolean {
  if (call.type === 'NewExpression') {
    const isOwn = top.declared.has('URL') || top.imports.has('URL');
    return call.callee.type === 'Identifier' && call.callee.name === 'URL' && !isOwn;
  }
  if (call.type !== 'CallExpression' || call.callee.type !== 'Identifier') return false;
  const [specifier, name = ''] = top.imports.get(call.callee.name) ?? [];
  return specifier === 'assay/graders' || (specifier === 'assay' && caseFiles.has(name));
}
