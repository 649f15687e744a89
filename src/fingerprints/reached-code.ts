import { isBuiltin } from 'node:module';
import type { CodeGraph, CodeModule } from './code-graph.js';
import type { ImportedName, ModuleFacts, Text } from './module-facts.js';

/** A declaration, or a part of an evaluation, that is reached by name. */
export interface ReachedPart {
  readonly module: CodeModule;
  readonly name: string;
  readonly text: Text;
}

/** The code that is reached by the names in texts. */
export class ReachedCode {
  readonly #graph: CodeGraph;
  readonly #before: ReachedCode | undefined;
  /** By file, name and role, without those that were reached before. */
  readonly #parts = new Map<string, ReachedPart>();
  /** Modules that are not inert, all of which counts. */
  readonly wholes = new Set<string>();
  /** Files of packages. */
  readonly packages = new Set<string>();
  /** Without `node:`. */
  readonly builtins = new Set<string>();
  /** What its texts may change that is not their own. */
  readonly changes = new Set<Text['changes']>();
  readonly #rests = new Set<string>();
  readonly #everything = new Set<string>();
  /** Calls instead of recursion: chains of modules may be long. */
  readonly #pending: (() => void)[] = [];

  /** `before`: only what others have not reached before. */
  constructor(graph: CodeGraph, before?: ReachedCode) {
    this.#graph = graph;
    this.#before = before;
  }

  get parts(): ReachedPart[] {
    return [...this.#parts.values()];
  }

  /** What counts for everybody who loads a module. */
  takeRest(file: string): this {
    this.#takeRest(file);
    return this.#follow();
  }

  /** What an evaluation's literal says by itself, and that of what it was made with. */
  takeEvaluation(file: string, name: string, ...roles: readonly ('target' | 'grading')[]): this {
    this.#takeEvaluation(file, name, roles);
    return this.#follow();
  }

  /** All of a module. */
  takeEverything(file: string): this {
    this.#takeExport(file, '*');
    return this.#follow();
  }

  #module(file: string): CodeModule {
    return this.#graph.modules.get(file) as CodeModule;
  }

  #follow(): this {
    for (let next = this.#pending.pop(); next !== undefined; next = this.#pending.pop()) next();
    return this;
  }

  #takeText(file: string, { names, changes }: Text): void {
    if (changes) this.changes.add(changes);
    for (const name of names) this.#pending.push(() => this.#takeName(file, name));
  }

  #takeRest(file: string): void {
    if (this.#rests.has(file)) return;
    this.#rests.add(file);
    const { facts, imports } = this.#module(file);
    this.#takeText(file, facts.rest);
    if (!facts.isInert) {
      this.wholes.add(file);
      this.#takeReExports(file);
    }
    // What the text takes of other modules without saying it.
    const named = new Set([...Object.values(facts.imports), ...reExports(facts)].map(([of]) => of));
    for (const [specifier, target] of imports) {
      const isUnnamed = facts.loadsAny || facts.loads.includes(specifier) || !named.has(specifier);
      if (isUnnamed) this.#pending.push(() => this.#takeFile(target, specifier, '*'));
    }
    for (const specifier of facts.loads) this.#takeFile(undefined, specifier, '*');
  }

  #takeEvaluation(file: string, name: string, roles: readonly ('target' | 'grading')[]): void {
    const { evaluations } = this.#module(file).facts;
    for (let at: string | undefined = name; at !== undefined; at = evaluations[at]?.base) {
      for (const role of roles) {
        const text = evaluations[at]?.[role];
        if (text !== undefined && text.hash !== '') this.#takePart(file, at, text, role);
      }
    }
  }

  #takePart(file: string, name: string, text: Text, role = ''): void {
    const key = `${file}\0${name}\0${role}`;
    if (this.#hasPart(key)) return;
    this.#parts.set(key, { module: this.#module(file), name, text });
    this.#takeText(file, text);
  }

  #hasPart(key: string): boolean {
    const before = this.#before;
    return this.#parts.has(key) || (before ? before.#hasPart(key) : false);
  }

  #takeName(file: string, name: string): void {
    const { parts, evaluations, imports } = this.#module(file).facts;
    const imported = ownValue(imports, name);
    const part = ownValue(parts, name);
    if (imported !== undefined) this.#takeImport(file, imported);
    else if (part !== undefined) this.#takePart(file, name, part);
    else if (Object.hasOwn(evaluations, name)) {
      this.#takeEvaluation(file, name, ['target', 'grading']);
    } else this.#takeRest(file);
  }

  #takeImport(file: string, [specifier, name]: ImportedName): void {
    const targets = this.#module(file).imports.filter(([one]) => one === specifier);
    if (targets.length === 0) this.#takeFile(undefined, specifier, name);
    for (const [, target] of targets) this.#takeFile(target, specifier, name);
  }

  #takeFile(target: string | undefined, specifier: string, name: string): void {
    if (target === undefined) {
      if (isBuiltin(specifier)) this.builtins.add(specifier.replace(/^node:/, ''));
    } else if (this.#graph.modules.has(target)) this.#takeExport(target, name);
    else this.packages.add(target);
  }

  #takeExport(file: string, name: string): void {
    const { facts } = this.#module(file);
    const exported = name === '*' ? undefined : ownValue(facts.exports, name);
    if (exported === undefined) this.#takeAll(file);
    else if (typeof exported === 'string') this.#takeName(file, exported);
    else this.#takeImport(file, exported);
    if (!facts.isInert) this.#takeRest(file);
  }

  #takeAll(file: string): void {
    if (this.#everything.has(file)) return;
    this.#everything.add(file);
    const { facts } = this.#module(file);
    const names = [...Object.keys(facts.parts), ...Object.keys(facts.evaluations)];
    for (const name of names) this.#takeName(file, name);
    this.#takeReExports(file);
    this.#takeRest(file);
  }

  #takeReExports(file: string): void {
    for (const one of reExports(this.#module(file).facts)) {
      this.#pending.push(() => this.#takeImport(file, one));
    }
  }
}

function reExports({ exports }: ModuleFacts): ImportedName[] {
  return Object.values(exports).filter((one): one is ImportedName => typeof one !== 'string');
}

/** A property of the record itself: names of code may be `constructor` and `toString`. */
function ownValue<Value>(record: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
