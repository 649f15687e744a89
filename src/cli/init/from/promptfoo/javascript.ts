import { createRequire } from 'node:module';
import type { Function as AcornFunction, AnyNode, Program } from 'acorn';
import { isName, isNode, nodesOf } from '../../../../syntax/nodes.js';

/** The JavaScript of an assertion, ready for TypeScript. */
export interface Check {
  /** An expression, or statements that return. */
  readonly kind: 'expression' | 'statements';
  readonly code: string;
  /** True if it looks at the values of the case. */
  readonly readsVars: boolean;
}

/** What the code may not name: promptfoo has it, or nobody has. */
const foreign = new Set(['require', 'module', 'arguments', 'globalThis']);

/**
 * The check that promptfoo makes of a text: of one line an expression, perhaps after declarations; of several, the body of a
 * function. The reason as a text if it cannot be translated.
 */
export function readCheck(text: string): Check | string {
  const trimmed = text.trimEnd();
  const isBody = trimmed.includes('\n');
  const line = trimmed.trim().replace(/;+$/, '');
  if (!isBody && !/^(const|let|var)\s/.test(line)) {
    return checkOf('expression', line, `return ${line}`, 'return '.length);
  }
  const code = isBody ? trimmed : withReturn(line);
  return code === undefined ? 'it returns nothing' : checkOf('statements', code, code, 0);
}

/** Declarations, then an expression: the latter is what counts. */
function withReturn(line: string): string | undefined {
  const program = parse(line);
  const last = program?.body.at(-1);
  if (last?.type !== 'ExpressionStatement') return undefined;
  return `${line.slice(0, last.start)}return ${line.slice(last.start)}`;
}

function checkOf(kind: Check['kind'], code: string, source: string, start: number): Check | string {
  const program = parse(source);
  if (program === undefined) return 'it is no JavaScript of today';
  const [first] = program.body;
  if (kind === 'expression' && program.body.length > 1) return 'it is no single expression';
  if (first === undefined) return 'it is empty';
  const nodes = [...nodesOf(program)];
  const named = nodes.find((node) => node.type === 'Identifier' && foreign.has(node.name));
  if (named?.type === 'Identifier') return `it uses ${named.name}`;
  if (nodes.some(({ type }) => type === 'ImportExpression' || type === 'ThisExpression')) {
    return 'it imports, or uses this';
  }
  const contexts = nodes.filter((node) => isName(node, 'context')).length;
  const vars = nodes.filter(
    (node) =>
      node.type === 'MemberExpression' &&
      isName(node.object, 'context') &&
      !node.computed &&
      isName(node.property, 'vars'),
  ).length;
  if (contexts !== vars) return 'it reads more of the context than its vars';
  const isSequence =
    code.startsWith('{') ||
    (first.type === 'ReturnStatement' && first.argument?.type === 'SequenceExpression');
  const typed = withTypes(code, nodes, start);
  return {
    kind,
    code: kind === 'expression' && isSequence ? `(${typed})` : typed,
    readsVars: vars > 0,
  };
}

/** Parameters and empty variables get the type `any`, which they have in JavaScript. */
function withTypes(code: string, nodes: readonly AnyNode[], start: number): string {
  const additions = nodes.flatMap((node): (readonly [at: number, text: string])[] => {
    if (/Function/.test(node.type) && 'params' in node)
      return typesOf(node as AcornFunction, code, start);
    if (node.type === 'CatchClause' && node.param) return [[node.param.end, ': any']];
    if (node.type !== 'VariableDeclarator' || node.id.type !== 'Identifier') return [];
    const { init } = node;
    const isEmpty =
      (init?.type === 'ObjectExpression' && init.properties.length === 0) ||
      (init?.type === 'ArrayExpression' && init.elements.length === 0);
    return init && !isEmpty ? [] : isOfLoop(node, nodes) ? [] : [[node.id.end, ': any']];
  });
  return additions
    .sort(([one], [two]) => two - one)
    .reduce(
      (text, [at, added]) => text.slice(0, at - start) + added + text.slice(at - start),
      code,
    );
}

/** Variables of `for … of` may not have a type. */
function isOfLoop(declarator: AnyNode, nodes: readonly AnyNode[]): boolean {
  return nodes.some(
    (node) =>
      (node.type === 'ForOfStatement' || node.type === 'ForInStatement') &&
      node.left.type === 'VariableDeclaration' &&
      node.left.declarations.some((one) => one === declarator),
  );
}

function typesOf(node: AcornFunction, code: string, start: number): [number, string][] {
  const [only] = node.params;
  const isBare =
    node.type === 'ArrowFunctionExpression' &&
    only !== undefined &&
    /^(async\s+)?$/.test(code.slice(node.start - start, only.start - start));
  if (isBare && only !== undefined)
    return [
      [only.start, '('],
      [only.end, ': any)'],
    ];
  return node.params.map((param) => {
    if (param.type === 'AssignmentPattern') return [param.left.end, ': any'];
    return [param.end, param.type === 'RestElement' ? ': any[]' : ': any'];
  });
}

function parse(source: string): Program | undefined {
  // Loaded for the first check.
  const acorn = createRequire(import.meta.url)('acorn') as typeof import('acorn');
  try {
    const program = acorn.parse(source, {
      ecmaVersion: 'latest',
      sourceType: 'script',
      allowReturnOutsideFunction: true,
    });
    return isNode(program) ? program : undefined;
  } catch {
    return undefined;
  }
}
