import type { AnyNode } from 'acorn';
import { shortHash } from '../text/short-hash.js';
import { memberPath, rootName, unwrapped } from './ast.js';
import { declaredNames, patternNames } from './declared-names.js';
import { knownGlobals, mutatingMethods } from './known-names.js';
import type { CodeNode, ImportedName } from './module-facts.js';

/** The names of a module's top level. */
export interface ModuleNames {
  readonly declared: ReadonlySet<string>;
  readonly imports: ReadonlyMap<string, ImportedName>;
}

type Scope = { readonly names: ReadonlySet<string>; readonly outer: Scope } | undefined;
type Mutable = { -readonly [Key in keyof CodeNode]: CodeNode[Key] };
type FunctionNode = Extract<AnyNode, { params: unknown }>;

const positions = new Set(['type', 'start', 'end', 'loc', 'range', 'raw', 'sourceFile']);

/** Reads pieces of code of one module: the hash of their tokens, and the names that they use and write. */
export class CodeCollector {
  readonly #module: ModuleNames;
  readonly #tokens: string[] = [];
  readonly #uses = new Set<string>();
  readonly #reads = new Set<string>();
  readonly #writes = new Set<string>();
  readonly #loads = new Set<string>();
  #loadsUnknown = false;
  #setsGlobals = false;
  #open: string | undefined;
  #hazard: string | undefined;

  constructor(module: ModuleNames) {
    this.#module = module;
  }

  /** Adds a piece of code; the key says what it is for, `locals` are names of a function around it. */
  add(key: string, node: AnyNode, locals: ReadonlySet<string> = new Set()): void {
    this.#tokens.push(key, ':');
    this.#visit(node, { names: locals, outer: undefined });
  }

  /** Adds a piece whose plain data is not code: names alone, and lists of them, are read as data. */
  addData(key: string, node: AnyNode, locals?: ReadonlySet<string>): void {
    if (node.type !== 'Identifier' || locals?.has(node.name) || !this.#isKnown(node.name)) {
      this.add(key, node, locals);
      return;
    }
    this.#tokens.push(key, ':', node.name, '\0');
    this.#reads.add(node.name);
  }

  finish(): CodeNode {
    const node: Mutable = { hash: shortHash(this.#tokens.join('\0')), uses: [...this.#uses] };
    if (this.#reads.size > 0) node.reads = [...this.#reads];
    if (this.#writes.size > 0) node.writes = [...this.#writes];
    if (this.#loads.size > 0) node.loads = [...this.#loads];
    if (this.#loadsUnknown) node.loadsUnknown = true;
    if (this.#setsGlobals) node.setsGlobals = true;
    if (this.#open !== undefined) node.open = this.#open;
    if (this.#hazard !== undefined) node.hazard = this.#hazard;
    return node;
  }

  #visit(node: AnyNode, scope: Scope): void {
    this.#tokens.push(node.type);
    switch (node.type) {
      case 'Identifier':
        this.#tokens.push(node.name);
        this.#refer(node.name, scope);
        return;
      case 'Literal':
        this.#tokens.push(literalText(node));
        return;
      case 'MemberExpression':
        this.#visitMember(node, scope);
        return;
      case 'FunctionExpression':
      case 'FunctionDeclaration':
      case 'ArrowFunctionExpression':
        this.#children(node, { names: namesOf(node), outer: scope });
        return;
      case 'ClassExpression':
        this.#children(node, { names: new Set(node.id ? [node.id.name] : []), outer: scope });
        return;
      case 'AssignmentExpression':
        for (const target of targetsOf(node.left)) this.#write(target, scope);
        break;
      case 'UpdateExpression':
        this.#write(node.argument, scope);
        break;
      case 'UnaryExpression':
        if (node.operator === 'delete') this.#write(node.argument, scope);
        break;
      case 'ForInStatement':
      case 'ForOfStatement':
        if (node.left.type !== 'VariableDeclaration') {
          for (const target of targetsOf(node.left)) this.#write(target, scope);
        }
        break;
      case 'CallExpression':
      case 'NewExpression':
        this.#inspectCall(node, scope);
        break;
      case 'ImportExpression':
        this.#load(node.source);
        this.#open ??= 'import()';
        break;
      case 'WithStatement':
        this.#open ??= 'with';
        break;
      default:
    }
    this.#children(node, scope);
  }

  /** Visits what a node is made of, and adds its values to the hash, without positions. */
  #children(node: AnyNode, scope: Scope): void {
    const fields = node as unknown as Record<string, unknown>;
    for (const key of Object.keys(fields)) {
      if (positions.has(key)) continue;
      const value = fields[key];
      if (isSkipped(node, key)) this.#tokens.push(nameOf(value));
      else if (Array.isArray(value)) {
        this.#tokens.push('[');
        for (const item of value) this.#child(item, scope);
        this.#tokens.push(']');
      } else this.#child(value, scope);
    }
  }

  #child(value: unknown, scope: Scope): void {
    if (isNode(value)) this.#visit(value, scope);
    else this.#tokens.push(JSON.stringify(value) ?? '-');
  }

  #visitMember(node: Extract<AnyNode, { type: 'MemberExpression' }>, scope: Scope): void {
    const path = memberPath(node);
    const [root = '', property, ...more] = path ?? [];
    if (this.#isNamespace(root) && property !== undefined && more.length === 0) {
      this.#tokens.push(root, property, node.optional ? '?.' : '.');
      this.#uses.add(`${root}.${property}`);
      return;
    }
    const name = node.computed ? undefined : nameOf(node.property);
    if (name !== undefined && sharedByInstances.test(name)) this.#open ??= 'a prototype';
    if (isProcessEnv(node)) {
      this.#tokens.push('process.env');
      return;
    }
    this.#children(node, scope);
  }

  #refer(name: string, scope: Scope): void {
    if (this.#isKnown(name)) {
      this.#uses.add(name);
      return;
    }
    for (let at = scope; at !== undefined; at = at.outer) if (at.names.has(name)) return;
    if (name === 'eval' || name === 'Function' || name === 'Worker') {
      this.#hazard ??= `uses ${name}`;
    } else if (!knownGlobals.has(name)) this.#open ??= name;
  }

  #write(target: AnyNode, scope: Scope): void {
    if (reachesPrototype(target)) this.#setsGlobals = true;
    const root = rootName(target);
    if (root === undefined) return;
    if (this.#isKnown(root)) this.#writes.add(root);
    else if (!isLocal(root, scope)) this.#setsGlobals = true;
  }

  #inspectCall(
    node: Extract<AnyNode, { type: 'CallExpression' | 'NewExpression' }>,
    scope: Scope,
  ): void {
    const callee = unwrapped(node.callee);
    const [first, second] = node.arguments;
    const path = memberPath(callee) ?? (callee.type === 'Identifier' ? [callee.name] : []);
    const [root, method = ''] = path;
    if (
      root === 'require' &&
      !isLocal('require', scope) &&
      (path.length === 1 || method === 'resolve')
    ) {
      this.#load(first);
    }
    if (node.type === 'NewExpression' && root === 'URL' && isImportMetaUrl(second)) {
      if (first?.type === 'Literal') this.#loads.add(String(first.value));
    }
    if (root === 'process' && /^(?:dlopen|binding|execve|getBuiltinModule|kill)$/.test(method)) {
      this.#hazard ??= `uses process.${method}`;
    }
    if ((root === 'Object' || root === 'Reflect') && changesFirst.test(method) && first) {
      this.#write(first, scope);
      if (method === 'setPrototypeOf') this.#open ??= 'a prototype';
    }
    if (callee.type === 'MemberExpression' && mutatingMethods.has(nameOf(callee.property))) {
      this.#write(callee.object, scope);
    }
  }

  #load(source: AnyNode | null | undefined): void {
    if (source?.type === 'Literal' && typeof source.value === 'string') {
      this.#loads.add(source.value);
    } else this.#loadsUnknown = true;
  }

  #isKnown(name: string): boolean {
    return this.#module.declared.has(name) || this.#module.imports.has(name);
  }

  #isNamespace(name: string): boolean {
    return this.#module.imports.get(name)?.[1] === '*';
  }
}

const changesFirst =
  /^(?:assign|define|defineProperty|defineProperties|setPrototypeOf|set|deleteProperty)$/;

const sharedByInstances = /^(?:prototype|__proto__|constructor)$/;

function reachesPrototype(target: AnyNode): boolean {
  let at: AnyNode = target;
  while (at.type === 'MemberExpression') {
    if (!at.computed && sharedByInstances.test(nameOf(at.property))) return true;
    at = at.object;
  }
  return false;
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && 'type' in value;
}

function nameOf(value: unknown): string {
  const node = value as { readonly name?: unknown; readonly value?: unknown } | null;
  return String(node?.name ?? node?.value ?? '');
}

/** True for names that refer to nothing: keys, labels, names of exports. */
function isSkipped(node: AnyNode, key: string): boolean {
  if (key === 'key') {
    const { computed, key: name } = node as { computed?: boolean; key?: AnyNode };
    return computed !== true && name?.type === 'Identifier';
  }
  if (key === 'label') return true;
  if (key === 'property' && node.type === 'MemberExpression') {
    return !node.computed && node.property.type === 'Identifier';
  }
  return node.type === 'MetaProperty' || (node.type === 'ExportSpecifier' && key === 'exported');
}

function literalText(node: Extract<AnyNode, { type: 'Literal' }>): string {
  if (node.regex) return `/${node.regex.pattern}/${node.regex.flags}`;
  if (node.bigint) return `${node.bigint}n`;
  return JSON.stringify(node.value) ?? '';
}

function namesOf(node: FunctionNode): ReadonlySet<string> {
  const names = new Set(node.params.flatMap((param) => patternNames(param)));
  if ('id' in node && node.id) names.add(node.id.name);
  if (node.body.type === 'BlockStatement') {
    for (const name of declaredNames(node.body.body)) names.add(name);
  }
  if (node.type !== 'ArrowFunctionExpression') names.add('arguments');
  return names;
}

/** What an assignment changes. */
function targetsOf(left: AnyNode): AnyNode[] {
  const pending: (AnyNode | null)[] = [left];
  const targets: AnyNode[] = [];
  for (const node of pending) {
    if (node === null) continue;
    if (node.type === 'ObjectPattern') pending.push(...node.properties);
    else if (node.type === 'Property') pending.push(node.value);
    else if (node.type === 'ArrayPattern') pending.push(...node.elements);
    else if (node.type === 'RestElement') pending.push(node.argument);
    else if (node.type === 'AssignmentPattern') pending.push(node.left);
    else targets.push(node);
  }
  return targets;
}

function isLocal(name: string, scope: Scope): boolean {
  for (let at = scope; at !== undefined; at = at.outer) if (at.names.has(name)) return true;
  return false;
}

function isProcessEnv(node: AnyNode): boolean {
  const path = memberPath(node);
  return path?.length === 2 && path[0] === 'process' && path[1] === 'env';
}

function isImportMetaUrl(node: AnyNode | undefined): boolean {
  return node?.type === 'MemberExpression' && node.object.type === 'MetaProperty';
}
