import type { AnyNode, CallExpression, ObjectExpression } from 'acorn';
import { identifiersOf, isPlainData, keyName, memberPath, runsCode, unwrapped } from './ast.js';
import { CodeCollector, type ModuleNames } from './collect-code.js';
import type { CodeNode, SplitNodes } from './module-facts.js';

type FunctionNode = Extract<AnyNode, { params: unknown }>;

/** An expression that is one part of an evaluation. */
interface Part {
  readonly key: string;
  readonly node: AnyNode;
  /** Plain data behind a name is fingerprinted as values of the cases. */
  readonly isData?: true;
}

interface Parts {
  readonly target: Part[];
  readonly grading: Part[];
  /** Nodes of the factory and of the `extend` chain. */
  readonly also: { readonly target: number[]; readonly grading: number[] };
}

type Role = 'target' | 'grading' | 'cases' | 'data';

interface Factory {
  readonly nodes: SplitNodes;
  /** What each parameter is used for. */
  readonly roles: readonly ReadonlySet<Role>[];
}

/** What the splitter needs to know of a module. */
export interface SplittableModule {
  readonly names: ModuleNames;
  /** Values of constants at the top level. */
  readonly constants: ReadonlyMap<string, AnyNode>;
  readonly functions: ReadonlyMap<string, FunctionNode>;
  readonly addNode: (node: CodeNode) => number;
}

/** Options that are primitive values; they are fingerprinted as values of each case. */
const valueOptions = new Set(
  'id name labels dataset trials timeout defaultScoreKey skip only'.split(' '),
);

/** Options that decide what a target does, or with what. */
const targetOptions = new Set('target limits normalize requires inputs'.split(' '));

/** Splits evaluations whose options are literal into code that makes outputs and code that grades them. */
export class EvaluationSplitter {
  readonly #module: SplittableModule;
  readonly #chains = new Map<string, SplitNodes | undefined>();
  readonly #factories = new Map<string, Factory | undefined>();

  constructor(module: SplittableModule) {
    this.#module = module;
  }

  /** The nodes of `evaluation({…}, body)` or of a factory's call; `undefined` if it is one piece. */
  split(node: AnyNode, label: string | undefined): SplitNodes | undefined {
    if (node.type !== 'CallExpression') return undefined;
    const parts = this.#partsOfCall(node, undefined) ?? this.#partsOfFactory(node);
    return parts && this.#addNodes(parts, label);
  }

  /** The nodes of the constant that `evaluation.extend({…})` made; `undefined` for others. */
  chain(name: string): SplitNodes | undefined {
    if (this.#chains.has(name)) return this.#chains.get(name);
    this.#chains.set(name, undefined); // ends circles
    const value = this.#module.constants.get(name);
    const parts = value?.type === 'CallExpression' ? this.#partsOfExtend(value) : undefined;
    const nodes = parts && this.#addNodes(parts, name);
    this.#chains.set(name, nodes);
    return nodes;
  }

  /** The nodes of a function that returns an evaluation; `undefined` for others. */
  factory(name: string): SplitNodes | undefined {
    return this.#factoryOf(name)?.nodes;
  }

  #addNodes(parts: Parts, label: string | undefined, locals?: ReadonlySet<string>): SplitNodes {
    const add = (list: readonly Part[], also: readonly number[]) => {
      const collector = new CodeCollector(this.#module.names);
      for (const { key: option, node, isData } of list) {
        // The order of parameters decides which argument is which.
        const key = locals === undefined ? option : `(${[...locals].join()}) ${option}`;
        if (isData) collector.addData(key, node, locals);
        else collector.add(key, node, locals);
      }
      return this.#module.addNode({
        ...collector.finish(),
        ...(label !== undefined && { label }),
        ...(also.length > 0 && { also }),
        unordered: true,
      });
    };
    const { target, grading, also } = parts;
    return { target: [add(target, also.target)], grading: [add(grading, also.grading)] };
  }

  #partsOfCall(call: CallExpression, params: readonly string[] | undefined): Parts | undefined {
    const parts = this.#partsOfCallee(unwrapped(call.callee));
    const [options, body, ...more] = call.arguments;
    if (parts === undefined || options?.type !== 'ObjectExpression' || more.length > 0) return;
    if (!hasKey(options, 'target') || !addOptions(options, parts, params)) return undefined;
    if (body?.type === 'SpreadElement') return undefined;
    if (body !== undefined) parts.grading.push({ key: 'body', node: body });
    return parts;
  }

  /** The defaults of `evaluation`, of a constant made by `extend`, or of `….extend({…})` itself. */
  #partsOfCallee(callee: AnyNode): Parts | undefined {
    if (this.#isEvaluation(callee)) return noParts();
    if (callee.type === 'CallExpression') return this.#partsOfExtend(callee);
    if (callee.type !== 'Identifier') return undefined;
    const nodes = this.chain(callee.name);
    return (
      nodes && { ...noParts(), also: { target: [...nodes.target], grading: [...nodes.grading] } }
    );
  }

  #partsOfExtend(call: CallExpression): Parts | undefined {
    const callee = unwrapped(call.callee);
    if (callee.type !== 'MemberExpression' || callee.computed) return undefined;
    if (callee.property.type !== 'Identifier' || callee.property.name !== 'extend')
      return undefined;
    const parts = this.#partsOfCallee(unwrapped(callee.object));
    const [options, ...more] = call.arguments;
    if (parts === undefined || options?.type !== 'ObjectExpression' || more.length > 0) return;
    return addOptions(options, parts, undefined) ? parts : undefined;
  }

  #isEvaluation(callee: AnyNode): boolean {
    const [root = '', property, ...more] = memberPath(callee) ?? [];
    const imported = this.#module.names.imports.get(root);
    if (imported?.[0] !== 'assay' || more.length > 0) return false;
    return property === undefined
      ? imported[1] === 'evaluation'
      : imported[1] === '*' && property === 'evaluation';
  }

  #partsOfFactory(call: CallExpression): Parts | undefined {
    const callee = unwrapped(call.callee);
    if (callee.type !== 'Identifier') return undefined;
    const factory = this.#factoryOf(callee.name);
    if (factory === undefined) return undefined;
    const { target, grading } = factory.nodes;
    const parts = { ...noParts(), also: { target: [...target], grading: [...grading] } };
    for (const [i, node] of call.arguments.entries()) {
      if (node.type === 'SpreadElement') return undefined;
      const roles = factory.roles[i] ?? new Set<Role>(['target']);
      const key = `argument ${i}`;
      if (roles.has('target')) parts.target.push({ key, node });
      if (roles.has('grading')) parts.grading.push({ key, node });
      if (roles.has('target')) continue;
      if (roles.has('cases')) addCases(node, parts);
      else if (roles.has('data')) addValue(key, node, parts);
      else if (!roles.has('grading') && runsCode(node)) parts.target.push({ key, node });
    }
    return parts;
  }

  #factoryOf(name: string): Factory | undefined {
    if (this.#factories.has(name)) return this.#factories.get(name);
    this.#factories.set(name, undefined);
    const node = this.#module.functions.get(name);
    const factory = node && this.#makeFactory(name, node);
    this.#factories.set(name, factory);
    return factory;
  }

  #makeFactory(name: string, node: FunctionNode): Factory | undefined {
    const call = returnedCall(node);
    if (call === undefined || node.async || node.generator) return undefined;
    const params: string[] = [];
    for (const param of node.params) {
      if (param.type !== 'Identifier') return undefined;
      params.push(param.name);
    }
    const parts = this.#partsOfCall(call, params);
    if (parts === undefined) return undefined;
    const nodes = this.#addNodes(parts, name, new Set(params));
    return { nodes, roles: params.map((param) => rolesOf(param, parts)) };
  }
}

function noParts(): Parts {
  return { target: [], grading: [], also: { target: [], grading: [] } };
}

/** Sorts options into parts; false if they cannot be told apart. */
function addOptions(
  options: ObjectExpression,
  parts: Parts,
  params: readonly string[] | undefined,
): boolean {
  for (const property of options.properties) {
    if (property.type !== 'Property' || property.kind !== 'init') return false;
    const key = keyName(property);
    const node = property.value;
    if (key === undefined) return false;
    if (targetOptions.has(key)) parts.target.push({ key, node });
    else if (key === 'evaluators' || key === 'scores') parts.grading.push({ key, node });
    else if (key === 'cases') addCases(node, parts, params);
    else if (key === 'input' || key === 'reference' || key === 'expected' || key === 'metadata') {
      addValue(key, node, parts);
    } else if (!valueOptions.has(key)) return false;
    else if (runsCode(node)) parts.target.push({ key, node });
  }
  return true;
}

/** Adds what is code in cases: plain data is fingerprinted as values of each case. */
function addCases(node: AnyNode, parts: Parts, params: readonly string[] = []): void {
  if (node.type === 'Identifier') {
    parts.target.push({
      key: params.includes(node.name) ? 'cases' : 'case data',
      node,
      isData: true,
    });
  } else if (node.type !== 'ArrayExpression') parts.target.push({ key: 'cases', node });
  else for (const item of node.elements) addCase(item, parts);
}

function addCase(item: AnyNode | null, parts: Parts): void {
  if (item === null || isPlainData(item)) return;
  if (item.type === 'SpreadElement' && item.argument.type === 'Identifier') {
    parts.target.push({ key: 'case data', node: item.argument, isData: true });
    return;
  }
  const inside = noParts();
  if (item.type === 'ObjectExpression' && addOptions(item, inside, undefined)) {
    parts.target.push(...inside.target);
    parts.grading.push(...inside.grading);
  } else parts.target.push({ key: 'case', node: item });
}

function addValue(key: string, node: AnyNode, parts: Parts): void {
  if (!isPlainData(node)) parts.target.push({ key, node, isData: true });
}

function hasKey(options: ObjectExpression, key: string): boolean {
  return options.properties.some((one) => one.type === 'Property' && keyName(one) === key);
}

/** The call that is all of a function: `(a, b) => call(…)` or `{ return call(…); }`. */
function returnedCall({ body }: FunctionNode): CallExpression | undefined {
  let node: AnyNode | null | undefined = body;
  if (body.type === 'BlockStatement') {
    const [first, ...more] = body.body;
    if (first?.type !== 'ReturnStatement' || more.length > 0) return undefined;
    node = first.argument;
  }
  return node?.type === 'CallExpression' ? node : undefined;
}

function rolesOf(param: string, parts: Parts): ReadonlySet<Role> {
  const roles = new Set<Role>();
  for (const { key, node, isData } of parts.target) {
    if (node.type === 'Identifier' && node.name === param && isData) {
      roles.add(key === 'cases' ? 'cases' : 'data');
    } else if (identifiersOf(node).has(param)) roles.add('target');
  }
  if (parts.grading.some(({ node }) => identifiersOf(node).has(param))) roles.add('grading');
  return roles;
}
