import type { AnyNode, CallExpression, NewExpression } from 'acorn';
import { memberPath, nodesOf, rootName, unwrapped } from './ast.js';
import type { ModuleNames } from './collect-code.js';
import { declaredNames, patternNames } from './declared-names.js';
import {
  callingFunctions,
  callingMethods,
  changesPackage,
  isStatelessPackage,
  mutatingMethods,
  packageOf,
  pureBuiltinFunctions,
  pureBuiltins,
  pureGlobals,
  pureMethods,
  pureObjectMethods,
} from './known-names.js';

type FunctionNode = Extract<AnyNode, { params: unknown }>;

/** The names of a function: its parameters and variables, and those that it made itself, which it may change. */
interface Locals {
  readonly names: ReadonlySet<string>;
  readonly own: FreshNames;
  readonly isConstructor: boolean;
}

/** A value that nothing else refers to; a list, map or set is a container. */
export type Fresh = 'container' | 'other';

/** Names of such values. */
type FreshNames = ReadonlyMap<string, Fresh>;

/**
 * Judges whether code runs without effects on anything but its result. `calls` are the functions of the project that
 * have to be free of effects, too. Unknown code counts as having effects.
 */
export class EffectJudge {
  readonly calls = new Set<string>();
  readonly #module: ModuleNames;
  /** Names of the top level that hold values made in their own declaration. */
  readonly #fresh: FreshNames;
  /** True for constants made by `evaluation.extend(…)`. */
  readonly #isChain: (name: string) => boolean;
  #locals: Locals | undefined;

  constructor(
    module: ModuleNames,
    fresh: FreshNames,
    isChain: (name: string) => boolean = () => false,
  ) {
    this.#module = module;
    this.#fresh = fresh;
    this.#isChain = isChain;
  }

  /** True if evaluating the expression has no effects. */
  isPure(node: AnyNode | null | undefined): boolean {
    if (node == null) return true;
    switch (node.type) {
      case 'Literal':
      case 'Identifier':
      case 'ThisExpression':
      case 'MetaProperty':
      case 'FunctionExpression':
      case 'FunctionDeclaration':
      case 'ArrowFunctionExpression':
      case 'EmptyStatement':
      case 'TemplateElement':
      case 'Super':
        return true;
      case 'TemplateLiteral':
        return node.expressions.every((one) => this.isPure(one));
      case 'TaggedTemplateExpression':
        return this.#isPureCallee(node.tag, []) && this.isPure(node.quasi);
      case 'ArrayExpression':
        return node.elements.every((one) => this.isPure(one));
      case 'ObjectExpression':
        return node.properties.every((one) => this.isPure(one));
      case 'Property':
        return (!node.computed || this.isPure(node.key)) && this.isPure(node.value);
      case 'SpreadElement':
        return this.isPure(node.argument);
      case 'UnaryExpression':
        return node.operator === 'delete' ? this.#isOwn(node.argument) : this.isPure(node.argument);
      case 'UpdateExpression':
        return this.#isOwn(node.argument);
      case 'AwaitExpression':
      case 'ChainExpression':
      case 'ParenthesizedExpression':
        return this.isPure('argument' in node ? node.argument : node.expression);
      case 'BinaryExpression':
      case 'LogicalExpression':
        return this.isPure(node.left) && this.isPure(node.right);
      case 'ConditionalExpression':
        return [node.test, node.consequent, node.alternate].every((one) => this.isPure(one));
      case 'SequenceExpression':
        return node.expressions.every((one) => this.isPure(one));
      case 'MemberExpression':
        return this.isPure(node.object) && (!node.computed || this.isPure(node.property));
      case 'AssignmentExpression':
        return this.isPure(node.right) && this.#isOwn(node.left);
      case 'CallExpression':
      case 'NewExpression':
        return this.#isPureCall(node);
      case 'ClassExpression':
      case 'ClassDeclaration':
        return this.#isPureClass(node);
      default:
        return false;
    }
  }

  /** True if calling the function has no effects, whatever it is called with. */
  isCalm(node: FunctionNode): boolean {
    if (node.generator === true) return false;
    const { params, body } = node;
    return this.#within(localsOf(params, body, false), () => this.#isCalmBody(params, body));
  }

  #isCalmBody(params: readonly AnyNode[], body: AnyNode): boolean {
    if (!params.every((param) => this.isPurePattern(param))) return false;
    return body.type === 'BlockStatement' ? this.#areCalm(body.body) : this.isPure(body);
  }

  /** True if taking a value apart has no effects: default values and computed names are code. */
  isPurePattern(node: AnyNode | null): boolean {
    switch (node?.type) {
      case 'AssignmentPattern':
        return this.isPurePattern(node.left) && this.isPure(node.right);
      case 'ObjectPattern':
        return node.properties.every((one) => this.isPurePattern(one));
      case 'Property':
        return (!node.computed || this.isPure(node.key)) && this.isPurePattern(node.value);
      case 'ArrayPattern':
        return node.elements.every((one) => this.isPurePattern(one));
      case 'RestElement':
        return this.isPurePattern(node.argument);
      default:
        return true;
    }
  }

  /** True if making an instance of the class has no effects. */
  isCalmClass(node: Extract<AnyNode, { type: 'ClassExpression' | 'ClassDeclaration' }>): boolean {
    if (node.superClass && !this.#isPureCallee(node.superClass, [])) return false;
    return node.body.body.every((member) => {
      if (member.type === 'PropertyDefinition') return this.isPure(member.value);
      if (member.type !== 'MethodDefinition' || member.kind !== 'constructor') return true;
      const { params, body } = member.value;
      return this.#within(localsOf(params, body, !hasSetter(node)), () =>
        this.#isCalmBody(params, body),
      );
    });
  }

  #within(locals: Locals, judge: () => boolean): boolean {
    const outer = this.#locals;
    this.#locals = {
      names: new Set([...(outer?.names ?? []), ...locals.names]),
      own: new Map([
        ...[...(outer?.own ?? [])].filter(([name]) => !locals.names.has(name)),
        ...locals.own,
      ]),
      isConstructor: locals.isConstructor,
    };
    try {
      return judge();
    } finally {
      this.#locals = outer;
    }
  }

  #areCalm(statements: readonly AnyNode[]): boolean {
    return statements.every((one) => this.#isCalmStatement(one));
  }

  #isCalmStatement(node: AnyNode | null | undefined): boolean {
    if (node == null) return true;
    switch (node.type) {
      case 'ExpressionStatement':
        return this.isPure(node.expression);
      case 'ReturnStatement':
      case 'ThrowStatement':
        return this.isPure(node.argument);
      case 'VariableDeclaration':
        return node.declarations.every(
          ({ id, init }) => this.isPurePattern(id) && this.isPure(init),
        );
      case 'FunctionDeclaration':
      case 'EmptyStatement':
      case 'BreakStatement':
      case 'ContinueStatement':
        return true;
      case 'BlockStatement':
        return this.#areCalm(node.body);
      case 'IfStatement':
        return (
          this.isPure(node.test) &&
          this.#isCalmStatement(node.consequent) &&
          this.#isCalmStatement(node.alternate)
        );
      case 'ForOfStatement':
      case 'ForInStatement':
        return (
          node.left.type === 'VariableDeclaration' &&
          this.#isCalmStatement(node.left) &&
          this.isPure(node.right) &&
          this.#isCalmStatement(node.body)
        );
      case 'ForStatement': {
        const { init, test, update, body } = node;
        const isCalmInit =
          init?.type === 'VariableDeclaration' ? this.#isCalmStatement(init) : this.isPure(init);
        return (
          isCalmInit && this.isPure(test) && this.isPure(update) && this.#isCalmStatement(body)
        );
      }
      default:
        return false;
    }
  }

  /** True for variables of the function itself, and for what it or the declaration of a constant has made. */
  #isOwn(target: AnyNode): boolean {
    const locals = this.#locals;
    if (locals === undefined) {
      return (
        target.type === 'MemberExpression' &&
        this.isPure(target) &&
        this.#isFreshName(target.object)
      );
    }
    if (target.type === 'Identifier') {
      // A name of a block may hide one of the module elsewhere.
      return locals.names.has(target.name) && !this.#isOfModule(target.name);
    }
    if (target.type !== 'MemberExpression' || !this.isPure(target)) return false;
    if (target.object.type === 'ThisExpression') return locals.isConstructor;
    return target.object.type === 'Identifier' && locals.own.has(target.object.name);
  }

  #isOfModule(name: string): boolean {
    return this.#module.declared.has(name) || this.#module.imports.has(name);
  }

  #isFreshName(node: AnyNode): boolean {
    return node.type === 'Identifier' && this.#fresh.has(node.name);
  }

  #isPureCall(node: CallExpression | NewExpression): boolean {
    const callee = unwrapped(node.callee);
    if (!node.arguments.every((one) => this.isPure(one))) return false;
    if (callee.type === 'FunctionExpression' || callee.type === 'ArrowFunctionExpression') {
      return this.#isPureAtOnce(callee, node.arguments);
    }
    return this.#isPureCallee(callee, node.arguments);
  }

  /** A function that is called where it stands, as compilers make of enums: it may change what it is passed. */
  #isPureAtOnce(callee: FunctionNode, given: readonly AnyNode[]): boolean {
    const areNew = given.every(
      (one) => isFresh(one) || (one.type === 'LogicalExpression' && isFresh(one.right)),
    );
    if (!areNew || !callee.params.every(({ type }) => type === 'Identifier')) return false;
    const { names, own } = localsOf(callee.params, callee.body, false);
    const params = callee.params.flatMap((param) => patternNames(param));
    const passed = params.map((name) => [name, 'other'] as const);
    const locals = { names, own: new Map([...own, ...passed]), isConstructor: false };
    return this.#within(locals, () => this.#isCalmBody(callee.params, callee.body));
  }

  #isPureCallee(callee: AnyNode, given: readonly AnyNode[]): boolean {
    if (callee.type === 'Identifier') return this.#isPureFunction(callee.name, [], given);
    if (callee.type === 'Super') return true;
    const path = memberPath(callee);
    const [root = '', ...rest] = path ?? [];
    if (path !== undefined && this.#isPureFunction(root, rest, given)) return true;
    const from = path === undefined ? rootName(callee) : undefined;
    if (from !== undefined && this.#isImportOf(from, isInertImport) && this.#isPureChain(callee)) {
      return true;
    }
    if (callee.type !== 'MemberExpression' || callee.computed) return false;
    const method = callee.property.type === 'Identifier' ? callee.property.name : '';
    const isKnown = mutatingMethods.has(method)
      ? this.#mayChange(callee.object)
      : pureMethods.has(method) && this.isPure(callee.object);
    if (!isKnown) return false;
    return !callingMethods.has(method) || given.every((one) => this.#isCalmArgument(one));
  }

  /** `z.object({…}).optional()`: every call of the chain takes pure arguments. */
  #isPureChain(node: AnyNode): boolean {
    if (node.type === 'Identifier') return true;
    if (node.type === 'MemberExpression') {
      const { property } = node;
      const isChange = property.type === 'Identifier' && mutatingMethods.has(property.name);
      return !isChange && this.#isPureChain(node.object);
    }
    return (
      node.type === 'CallExpression' &&
      node.arguments.every((one) => this.isPure(one)) &&
      this.#isPureChain(unwrapped(node.callee))
    );
  }

  /** True for lists, maps and sets that nothing else refers to: methods of other values may do anything. */
  #mayChange(object: AnyNode): boolean {
    if (object.type !== 'Identifier') return this.#locals !== undefined && isContainer(object);
    const containers = this.#locals === undefined ? this.#fresh : this.#locals.own;
    return containers.get(object.name) === 'container';
  }

  /** An argument of a method that calls it if it is a function: it must be calm. */
  #isCalmArgument(node: AnyNode): boolean {
    switch (node.type) {
      case 'ArrowFunctionExpression':
      case 'FunctionExpression':
        return this.isCalm(node);
      case 'Identifier':
      case 'MemberExpression':
        return this.#isPureCallee(node, []);
      case 'Literal':
      case 'TemplateLiteral':
      case 'ArrayExpression':
      case 'ObjectExpression':
      case 'UnaryExpression':
      case 'BinaryExpression':
        return true;
      default:
        return false;
    }
  }

  #isPureFunction(name: string, path: readonly string[], given: readonly AnyNode[]): boolean {
    if (this.#locals?.names.has(name)) return false;
    const imported = this.#module.imports.get(name);
    if (imported !== undefined) return this.#isPureImport(name, imported, path);
    if (this.#module.declared.has(name)) {
      if ((path[0] ?? 'extend') === 'extend' && this.#isChain(name)) return true;
      if (path.length > 0) return false;
      this.calls.add(name);
      return true;
    }
    if (name === 'Object' && path[0] !== 'groupBy') return isPureObjectMethod(path[0], given[0]);
    if (name === 'Promise') return path[0] === 'resolve' || path[0] === 'all';
    if (name === 'crypto') return path[0] === 'randomUUID';
    if (name === 'require') return given[0]?.type === 'Literal';
    if (callingFunctions.has([name, ...path].join('.'))) {
      return given.every((one, at) => at === 0 || this.#isCalmArgument(one));
    }
    return pureGlobals.has(name);
  }

  #isPureImport(
    name: string,
    imported: readonly [string, string],
    path: readonly string[],
  ): boolean {
    const [specifier, original] = imported;
    const called = path.at(-1) ?? original;
    if (isInertImport(specifier)) return specifier === 'assay' || !changesPackage(called);
    const builtin = specifier.replace(/^node:/, '');
    if (pureBuiltins.has(builtin)) return true;
    if (builtinNames.has(builtin)) return pureBuiltinFunctions.has(called);
    if (path.length > 1 || (path.length === 1 && original !== '*')) return false;
    this.calls.add([name, ...path].join('.'));
    return true;
  }

  #isImportOf(name: string, accepts: (specifier: string) => boolean): boolean {
    const imported = this.#module.imports.get(name);
    return imported !== undefined && accepts(imported[0]);
  }

  #isPureClass(node: Extract<AnyNode, { type: 'ClassExpression' | 'ClassDeclaration' }>): boolean {
    if (!this.isPure(node.superClass)) return false;
    return node.body.body.every((member) => {
      if (member.type === 'StaticBlock') return false;
      if (member.computed && !this.isPure(member.key)) return false;
      return member.type !== 'PropertyDefinition' || !member.static || this.isPure(member.value);
    });
  }
}

/** What a value is that nothing else refers to; `undefined` for other values. */
export function freshness(node: AnyNode | null | undefined): Fresh | undefined {
  if (node != null && isContainer(node)) return 'container';
  return isFresh(node) ? 'other' : undefined;
}

function isContainer(node: AnyNode): boolean {
  return node.type === 'ArrayExpression' || (node.type === 'NewExpression' && isFresh(node));
}

/** True for values that nothing else refers to, and whose properties are no code. */
function isFresh(node: AnyNode | null | undefined): boolean {
  switch (node?.type) {
    case 'ObjectExpression':
      return !node.properties.some((one) => one.type === 'Property' && one.kind === 'set');
    case 'ArrayExpression':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
    case 'FunctionDeclaration':
      return true;
    case 'ClassExpression':
    case 'ClassDeclaration':
      return !hasSetter(node);
    case 'NewExpression':
      return (
        node.callee.type === 'Identifier' && /^(?:Weak)?(?:Map|Set)$|^Array$/.test(node.callee.name)
      );
    default:
      return false;
  }
}

function hasSetter(node: Extract<AnyNode, { type: 'ClassExpression' | 'ClassDeclaration' }>) {
  return node.body.body.some((one) => one.type === 'MethodDefinition' && one.kind === 'set');
}

const builtinNames = new Set(['fs', 'fs/promises', 'crypto', 'module']);

function isInertImport(specifier: string): boolean {
  return !specifier.startsWith('.') && isStatelessPackage(packageOf(specifier));
}

function isPureObjectMethod(method: string | undefined, first: AnyNode | undefined): boolean {
  if (method === undefined) return true;
  if (pureObjectMethods.has(method)) return true;
  return /^(?:assign|freeze|seal|defineProperty)$/.test(method) && isFresh(first);
}

function localsOf(params: readonly AnyNode[], body: AnyNode, isConstructor: boolean): Locals {
  const names = new Set(params.flatMap((param) => patternNames(param as never)));
  const own = new Map<string, Fresh>();
  if (body.type === 'BlockStatement') {
    for (const name of declaredNames(body.body)) names.add(name);
    for (const statement of body.body) {
      if (statement.type !== 'VariableDeclaration') continue;
      for (const { id, init } of statement.declarations) {
        const kind = freshness(init);
        if (id.type === 'Identifier' && kind) own.set(id.name, kind);
      }
    }
    for (const name of assignedNames(body)) own.delete(name);
  }
  return { names, own, isConstructor };
}

/** Names that are given another value. */
function assignedNames(body: AnyNode): string[] {
  const names: string[] = [];
  for (const node of nodesOf(body)) {
    if (node.type === 'AssignmentExpression') names.push(...patternNames(node.left as never));
  }
  return names;
}
