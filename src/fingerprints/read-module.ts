import type {
  AnyNode,
  ExportDefaultDeclaration,
  ExportNamedDeclaration,
  Expression,
  Program,
  VariableDeclaration,
} from 'acorn';
import { isPlainData, isPrimitive, keyName, memberPath, unwrapped } from './ast.js';
import { CodeCollector } from './collect-code.js';
import { declaredNames, patternNames } from './declared-names.js';
import { EffectJudge, type Fresh, freshness } from './effects.js';
import type {
  CodeNode,
  ExportFact,
  ImportedName,
  ModuleFacts,
  SplitNodes,
} from './module-facts.js';
import { commonJsExport, exportedGetters, requiredModule } from './read-common-js.js';
import { EvaluationSplitter } from './split-evaluation.js';

type FunctionNode = Extract<AnyNode, { params: unknown }>;
type Properties = Partial<Omit<CodeNode, 'hash' | 'uses'>>;

/** Reads one parsed module. */
export class ModuleReader {
  readonly #body: Program['body'];
  readonly #nodes: CodeNode[] = [];
  readonly #names = new Map<string, number[]>();
  readonly #imports = new Map<string, ImportedName>();
  readonly #evaluates: string[] = [];
  readonly #exports = new Map<string, ExportFact>();
  readonly #stars: string[] = [];
  readonly #evaluations = new Map<string, SplitNodes>();
  readonly #declared: Set<string>;
  readonly #constants = new Map<string, Expression>();
  readonly #functions = new Map<string, FunctionNode>();
  readonly #fresh = new Map<string, Fresh>();
  readonly #splitter: EvaluationSplitter;

  constructor(program: Program) {
    this.#body = program.body;
    this.#declared = new Set(declaredNames(program.body));
    this.#splitter = new EvaluationSplitter({
      names: { declared: this.#declared, imports: this.#imports },
      constants: this.#constants,
      functions: this.#functions,
      addNode: (node) => this.#nodes.push(node) - 1,
    });
  }

  read(): ModuleFacts {
    for (const statement of this.#body) this.#readImports(statement);
    for (const name of this.#imports.keys()) this.#declared.delete(name);
    for (const statement of this.#body) this.#readDefinitions(statement);
    for (const statement of this.#body) this.#readStatement(statement);
    return {
      nodes: this.#nodes,
      names: Object.fromEntries(this.#names),
      imports: Object.fromEntries(this.#imports),
      evaluates: [...new Set(this.#evaluates)],
      exports: Object.fromEntries(this.#exports),
      stars: this.#stars,
      evaluations: Object.fromEntries(this.#evaluations),
    };
  }

  #readImports(statement: AnyNode): void {
    if (statement.type === 'ImportDeclaration') {
      const specifier = String(statement.source.value);
      this.#evaluates.push(specifier);
      for (const one of statement.specifiers) {
        let name = '*';
        if (one.type === 'ImportDefaultSpecifier') name = 'default';
        else if (one.type === 'ImportSpecifier') name = exportedName(one.imported);
        this.#imports.set(one.local.name, [specifier, name]);
      }
    } else if (statement.type === 'ExportAllDeclaration') {
      this.#evaluates.push(String(statement.source.value));
    } else if (statement.type === 'ExportNamedDeclaration' && statement.source) {
      this.#evaluates.push(String(statement.source.value));
    } else if (statement.type === 'VariableDeclaration') {
      for (const { id, init } of statement.declarations) this.#readRequire(id, init);
    } else if (statement.type === 'ExpressionStatement') {
      const specifier = requiredModule(statement.expression);
      if (specifier !== undefined) this.#evaluates.push(specifier);
    }
  }

  #readRequire(id: AnyNode, init: Expression | null | undefined): void {
    const required = init ? memberOfRequire(init) : undefined;
    if (required === undefined) return;
    const [specifier, name] = required;
    this.#evaluates.push(specifier);
    if (id.type === 'Identifier') this.#imports.set(id.name, [specifier, name]);
    if (id.type !== 'ObjectPattern') return;
    for (const property of id.properties) {
      const key = property.type === 'Property' ? keyName(property) : undefined;
      for (const local of patternNames(property.type === 'Property' ? property.value : property)) {
        const isName = property.type === 'Property' && property.value.type === 'Identifier';
        this.#imports.set(local, [specifier, isName && name === '*' ? (key ?? '*') : name]);
      }
    }
  }

  /** Finds constants and functions, which evaluations may be made of. */
  #readDefinitions(statement: AnyNode): void {
    if (
      statement.type === 'ExportNamedDeclaration' ||
      statement.type === 'ExportDefaultDeclaration'
    ) {
      if (statement.declaration) this.#readDefinitions(statement.declaration);
    } else if (statement.type === 'FunctionDeclaration' && statement.id) {
      this.#functions.set(statement.id.name, statement);
      this.#fresh.set(statement.id.name, 'other');
    } else if (statement.type === 'ClassDeclaration' && statement.id) {
      const fresh = freshness(statement);
      if (fresh) this.#fresh.set(statement.id.name, fresh);
    } else if (statement.type === 'VariableDeclaration' && statement.kind === 'const') {
      for (const { id, init } of statement.declarations) {
        if (id.type !== 'Identifier' || !init) continue;
        this.#constants.set(id.name, init);
        if (isFunction(init)) this.#functions.set(id.name, init);
        const fresh = freshness(init);
        if (fresh) this.#fresh.set(id.name, fresh);
      }
    }
  }

  #readStatement(statement: AnyNode): void {
    switch (statement.type) {
      case 'ImportDeclaration':
      case 'EmptyStatement':
        return;
      case 'ExportAllDeclaration': {
        const specifier = String(statement.source.value);
        if (!statement.exported) this.#stars.push(specifier);
        else this.#exports.set(exportedName(statement.exported), { from: [specifier, '*'] });
        return;
      }
      case 'ExportNamedDeclaration':
        this.#readExport(statement);
        return;
      case 'ExportDefaultDeclaration':
        this.#readDefault(statement);
        return;
      case 'VariableDeclaration':
        this.#readVariables(statement);
        return;
      case 'FunctionDeclaration':
        this.#addFunction(statement.id?.name ?? defaultName, statement);
        return;
      case 'ClassDeclaration':
        this.#addValue(statement.id?.name ?? defaultName, statement, statement);
        return;
      case 'ExpressionStatement':
        this.#readExpression(statement.expression);
        return;
      default:
        this.#add(declaredNames([statement]), 'statement', statement, { effect: true });
    }
  }

  #readExport(statement: ExportNamedDeclaration): void {
    const { declaration, source } = statement;
    if (declaration) {
      this.#readStatement(declaration);
      for (const name of declaredNames([declaration])) this.#exports.set(name, { local: name });
    }
    for (const { local, exported } of statement.specifiers) {
      const name = exportedName(local);
      const fact = source ? { from: [String(source.value), name] as const } : this.#exportOf(name);
      this.#exports.set(exportedName(exported), fact);
    }
  }

  #exportOf(name: string): ExportFact {
    const imported = this.#imports.get(name);
    return imported === undefined ? { local: name } : { from: imported };
  }

  #readDefault({ declaration }: ExportDefaultDeclaration): void {
    if (declaration.type === 'Identifier') {
      this.#exports.set('default', this.#exportOf(declaration.name));
      return;
    }
    if (declaration.type === 'FunctionDeclaration' || declaration.type === 'ClassDeclaration') {
      this.#readStatement(declaration);
      this.#exports.set('default', { local: declaration.id?.name ?? defaultName });
      return;
    }
    this.#addValue(defaultName, declaration as Expression, declaration);
    this.#exports.set('default', { local: defaultName });
  }

  #readVariables(statement: VariableDeclaration): void {
    for (const declarator of statement.declarations) {
      const { id, init } = declarator;
      if (init && memberOfRequire(init) !== undefined) continue;
      if (id.type === 'Identifier' && statement.kind === 'const' && init) {
        this.#addValue(id.name, init, init);
        continue;
      }
      const judge = this.#judge();
      const isPure = judge.isPure(init) && judge.isPurePattern(id);
      const calls = isPure && judge.calls.size > 0 && { effectIf: [...judge.calls] };
      this.#add(patternNames(id), statement.kind, declarator, {
        ...(!isPure && { effect: true }),
        ...calls,
      });
    }
  }

  /** A constant, a class, or the value of an export. */
  #addValue(name: string, value: AnyNode, node: AnyNode): void {
    const inner = unwrapped(value);
    if (isFunction(inner)) {
      this.#addFunction(name, inner);
      return;
    }
    const judge = this.#judge();
    const isPure = judge.isPure(value);
    if (isPure && this.#addEvaluations(name, inner, [...judge.calls])) return;
    const isClass = inner.type === 'ClassDeclaration' || inner.type === 'ClassExpression';
    const ofMaking = isClass ? this.#judge() : undefined;
    const isCalm = isClass && ofMaking?.isCalmClass(inner);
    const isData = isPlainData(inner);
    this.#add([name], 'value', node, {
      ...(!isPure && { effect: true }),
      ...(isPure && judge.calls.size > 0 && { effectIf: [...judge.calls] }),
      ...(isData && { data: true }),
      ...((isCalm || isData) && { calm: true }),
      ...(isCalm && ofMaking && ofMaking.calls.size > 0 && { calmIf: [...ofMaking.calls] }),
      ...((isPrimitive(inner) || (isClass && !hasStatics(inner))) && { inert: true }),
    });
  }

  #addFunction(name: string, node: FunctionNode): void {
    const judge = this.#judge();
    const isCalm = judge.isCalm(node);
    const calm: Properties = {
      ...(isCalm && { calm: true }),
      ...(isCalm && judge.calls.size > 0 && { calmIf: [...judge.calls] }),
    };
    const factory = this.#splitter.factory(name);
    if (factory !== undefined) {
      const indexes = [...factory.target, ...factory.grading];
      for (const i of indexes) this.#nodes[i] = { ...this.#nodes[i], ...calm } as CodeNode;
      this.#declare([name], indexes);
      return;
    }
    this.#add([name], 'function', node, { ...calm, inert: true, unordered: true });
  }

  /** Adds the parts of an evaluation, of a list of them, or of defaults; false for other values. */
  #addEvaluations(name: string, value: AnyNode, calls: readonly string[]): boolean {
    const nodes = this.#splitter.split(value, name);
    if (nodes !== undefined) this.#evaluations.set(name, nodes);
    const found = nodes ?? this.#splitter.chain(name);
    const indexes = found ? [...found.target, ...found.grading] : this.#addList(name, value);
    if (indexes === undefined) return false;
    if (calls.length > 0) {
      for (const i of indexes) this.#nodes[i] = { ...this.#nodes[i], effectIf: calls } as CodeNode;
    }
    this.#declare([name], indexes);
    return true;
  }

  #addList(name: string, value: AnyNode): number[] | undefined {
    if (value.type !== 'ArrayExpression') return undefined;
    const items = value.elements;
    if (items.some((item) => item?.type !== 'CallExpression')) return undefined;
    const parts = items.map((item) => item && this.#splitter.split(item, name));
    if (parts.length === 0 || parts.some((one) => one == null)) return undefined;
    return (parts as SplitNodes[]).flatMap((nodes, i) => {
      this.#evaluations.set(`${name}[${i}]`, nodes);
      return [...nodes.target, ...nodes.grading];
    });
  }

  #readExpression(expression: Expression): void {
    if (expression.type === 'Literal' || requiredModule(expression) !== undefined) return;
    const star = starOf(expression);
    if (star !== undefined) {
      this.#evaluates.push(star);
      this.#stars.push(star);
      return;
    }
    const getters = exportedGetters(expression);
    if (getters !== undefined) {
      for (const [name, value] of getters) this.#exports.set(name, this.#exportOfValue(value));
      return;
    }
    const exported = commonJsExport(expression);
    if (exported === undefined) this.#addExpression(expression);
    else this.#readAssignedExport(exported.name, exported.value);
  }

  #exportOfValue(value: AnyNode): ExportFact {
    const [root = '', property] = memberPath(value) ?? [];
    const imported = this.#imports.get(root);
    if (imported === undefined || property === undefined) return this.#exportOf(root);
    return { from: imported[1] === '*' ? [imported[0], property] : imported };
  }

  /** `exports.name = value`, or `module.exports = value` without a name. */
  #readAssignedExport(name: string | undefined, value: Expression): void {
    const local = name === undefined ? 'module.exports' : `exports.${name}`;
    if (value.type === 'Identifier' && name !== undefined && name !== 'default') {
      this.#exports.set(name, this.#exportOf(value.name));
    } else if (name !== 'default') {
      // To importers, the default of a CommonJS module is all of it.
      this.#exports.set(name ?? '*', { local });
    }
    if (name === undefined && value.type === 'ObjectExpression') {
      for (const property of value.properties) {
        if (property.type !== 'Property' || property.value.type !== 'Identifier') continue;
        const key = keyName(property);
        if (key !== undefined) this.#exports.set(key, this.#exportOf(property.value.name));
      }
    }
    this.#addValue(local, value, value);
    for (const whole of ['exports', 'module']) {
      this.#declared.add(whole);
      this.#declare([whole], this.#names.get(local) ?? []);
    }
  }

  /** A statement without a declaration has effects, unless it only changes a value of this module. */
  #addExpression(expression: Expression): void {
    const judge = this.#judge();
    const isChange = expression.type === 'AssignmentExpression' || isMethodCall(expression);
    const isOwn = isChange && judge.isPure(expression) && judge.calls.size === 0;
    const written = isOwn ? this.#collect('statement', expression).writes : undefined;
    this.#add([], 'statement', expression, written === undefined ? { effect: true } : {});
  }

  #judge(): EffectJudge {
    const names = { declared: this.#declared, imports: this.#imports };
    return new EffectJudge(names, this.#fresh, (name) => this.#splitter.chain(name) !== undefined);
  }

  #collect(key: string, node: AnyNode): CodeNode {
    const collector = new CodeCollector({ declared: this.#declared, imports: this.#imports });
    collector.add(key, node);
    return collector.finish();
  }

  #add(names: readonly string[], key: string, node: AnyNode, properties: Properties): void {
    const label = names
      .find((name) => name !== defaultName)
      ?.replace(/^(?:module\.)?exports\.?/, '');
    const code = this.#collect(key, node);
    const { inert, ...others } = properties;
    // A function that sets properties of its own holds state.
    const isInert = inert && !names.some((name) => code.writes?.includes(name));
    const index = this.#nodes.push({
      ...code,
      ...(label !== undefined && label !== '' && { label }),
      ...others,
      ...(isInert && { inert }),
    });
    this.#declare(names, [index - 1]);
  }

  #declare(names: readonly string[], indexes: readonly number[]): void {
    for (const name of names) this.#names.set(name, [...(this.#names.get(name) ?? []), ...indexes]);
  }
}

/** No variable can have this name. */
const defaultName = 'default';

function exportedName(node: AnyNode): string {
  return node.type === 'Identifier' ? node.name : String((node as { value?: unknown }).value);
}

function isFunction(node: AnyNode): node is FunctionNode {
  return node.type === 'ArrowFunctionExpression' || node.type === 'FunctionExpression';
}

/** `require('x')` and `require('x').name`, also within the helpers of compilers. */
function memberOfRequire(init: AnyNode): ImportedName | undefined {
  const specifier = requiredModule(init);
  if (specifier !== undefined) return [specifier, '*'];
  if (init.type !== 'MemberExpression' || init.computed) return undefined;
  const from = requiredModule(init.object);
  if (from === undefined || init.property.type !== 'Identifier') return undefined;
  return [from, init.property.name];
}

/** `_export_star(require('x'), exports)`, as compilers write `export * from 'x'`. */
function starOf(node: AnyNode): string | undefined {
  if (node.type !== 'CallExpression' || node.callee.type !== 'Identifier') return undefined;
  const [first] = node.arguments;
  return /export_?star/i.test(node.callee.name) && first ? requiredModule(first) : undefined;
}

function isMethodCall(node: AnyNode): boolean {
  return node.type === 'CallExpression' && node.callee.type === 'MemberExpression';
}

function hasStatics(node: Extract<AnyNode, { type: 'ClassExpression' | 'ClassDeclaration' }>) {
  return node.body.body.some((member) => member.type === 'StaticBlock' || member.static);
}
