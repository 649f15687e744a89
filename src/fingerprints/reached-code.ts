import { isBuiltin } from 'node:module';
import type { CodeGraph, CodeModule } from './code-graph.js';
import type { ImportedName, ModuleFacts, Text } from './module-facts.js';

/** A declaration, or a part of an evaluation, that is reached by name. */
interface ReachedPart {
  readonly module: CodeModule;
  readonly name: string;
  readonly text: Text;
}

type Role = 'target' | 'grading';

/** The code that is reached by the names in texts. */
export class ReachedCode {
  readonly #graph: CodeGraph;
  /** By file, name and role. */
  readonly parts = new Map<string, ReachedPart>();
  /** Modules that are not inert, all of which counts. */
  readonly wholes = new Set<string>();
  /** Files of packages. */
  readonly packages = new Set<string>();
  /** Without `node:`. */
  readonly builtins = new Set<string>();
  /** What its texts may change that is not their own. */
  readonly changes = new Set<Text['changes']>();
  readonly #rests = new Set<string>();
  /** What is reached next: calls instead of recursion, because chains of modules may be long. */
  readonly #pending: (() => void)[] = [];

  /** `begin` takes what it begins with. */
  constructor(graph: CodeGraph, begin: (code: ReachedCode) => void) {
    this.#graph = graph;
    begin(this);
    for (let next = this.#pending.pop(); next !== undefined; next = this.#pending.pop()) next();
  }

  /** What counts for everybody who loads a module. */
  takeRest(file: string): void {
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

  /** What an evaluation's literal says by itself, and that of what it was made with. */
  takeEvaluation(file: string, name: string, ...roles: readonly Role[]): void {
    const { evaluations } = this.#module(file).facts;
    for (let at: string | undefined = name; at !== undefined; at = evaluations[at]?.base) {
      for (const role of roles) {
        const text = evaluations[at]?.[role];
        if (text !== undefined && text.hash !== '') this.#takePart(file, at, text, role);
      }
    }
  }

  /** What a module exports: all of it for `*`. */
  takeExport(file: string, name: string): void {
    const { facts } = this.#module(file);
    const exported = name === '*' ? undefined : ownValue(facts.exports, name);
    if (exported === undefined) {
      for (const one of Object.keys({ ...facts.parts, ...facts.evaluations })) {
        this.#takeName(file, one);
      }
      this.#takeReExports(file);
      this.takeRest(file);
    } else if (typeof exported === 'string') this.#takeName(file, exported);
    else this.#takeImport(file, exported);
    if (!facts.isInert) this.takeRest(file);
  }

  #module(file: string): CodeModule {
    return this.#graph.modules.get(file) as CodeModule;
  }

  #takeText(file: string, { names, changes }: Text): void {
    if (changes) this.changes.add(changes);
    for (const name of names) this.#pending.push(() => this.#takeName(file, name));
  }

  #takePart(file: string, name: string, text: Text, role = ''): void {
    const key = `${file}\0${name}\0${role}`;
    if (this.parts.has(key)) return;
    this.parts.set(key, { module: this.#module(file), name, text });
    this.#takeText(file, text);
  }

  #takeName(file: string, name: string): void {
    const { parts, evaluations, imports } = this.#module(file).facts;
    const imported = ownValue(imports, name);
    const part = ownValue(parts, name);
    if (imported !== undefined) this.#takeImport(file, imported);
    else if (part !== undefined) this.#takePart(file, name, part);
    else if (Object.hasOwn(evaluations, name)) {
      this.takeEvaluation(file, name, 'target', 'grading');
    } else this.takeRest(file);
  }

  readonly #imported = new Set<string>();

  #takeImport(file: string, [specifier, name]: ImportedName): void {
    const key = [file, specifier, name].join('\0');
    if (this.#imported.has(key)) return;
    this.#imported.add(key);
    const targets = this.#module(file).imports.filter(([one]) => one === specifier);
    if (targets.length === 0) this.#takeFile(undefined, specifier, name);
    for (const [, target] of targets) {
      this.#pending.push(() => this.#takeFile(target, specifier, name));
    }
  }

  #takeFile(target: string | undefined, specifier: string, name: string): void {
    if (target === undefined) {
      if (isBuiltin(specifier)) this.builtins.add(specifier.replace(/^node:/, ''));
    } else if (this.#graph.modules.has(target)) this.takeExport(target, name);
    else this.packages.add(target);
  }

  #takeReExports(file: string): void {
    for (const one of reExports(this.#module(file).facts)) this.#takeImport(file, one);
  }
}

function reExports({ exports }: ModuleFacts): ImportedName[] {
  return Object.values(exports).filter((one): one is ImportedName => typeof one !== 'string');
}

/** A property of the record itself: names of code may be `constructor` and `toString`. */
export function ownValue<Value>(
  record: Readonly<Record<string, Value>>,
  key: string,
): Value | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
