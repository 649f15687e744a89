import { createRequire } from 'node:module';
import type { AnyNode, Program } from 'acorn';
import { shortHash } from '../text/short-hash.js';
import { isName, nodesOf } from './ast.js';
import { declaredNames } from './declared-names.js';
import { isInert } from './inert.js';
import {
  type EvaluationFacts,
  type ImportedName,
  type ModuleFacts,
  noText,
  opaqueFacts,
  type Text,
} from './module-facts.js';
import { type EvaluationLiteral, isGrading, literalsIn } from './read-evaluations.js';
import { readText, type TopLevel } from './read-text.js';

const require = createRequire(import.meta.url);

/** Analyses JavaScript: an ES module, or CommonJS, which counts whole. */
export function analyseModule(code: string): ModuleFacts {
  try {
    return factsOf(parse(code));
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error;
    return opaqueFacts(shortHash(code));
  }
}

function parse(code: string): Program {
  // Loaded on demand, because a plain start does not need it.
  const acorn = require('acorn') as typeof import('acorn');
  // A function gets no name where `(f) = () => {}`.
  const options = { ecmaVersion: 'latest', allowHashBang: true, preserveParens: true } as const;
  const asModule = () => acorn.parse(code, { ...options, sourceType: 'module' });
  const asScript = () =>
    acorn.parse(code, { ...options, sourceType: 'script', allowReturnOutsideFunction: true });
  // There, `<!--` and `-->` begin comments.
  const [first, second] = /<!--|-->/.test(code) ? [asScript, asModule] : [asModule, asScript];
  try {
    return first();
  } catch {
    return second();
  }
}

function factsOf(program: Program): ModuleFacts {
  const imports = importsOf(program);
  const declared = new Set(declaredNames(program.body));
  for (const name of imports.keys()) declared.delete(name);
  const top: TopLevel = { declared, imports };
  const literals = literalsIn(program, top);
  const exports = exportsOf(program, imports);
  const ofEvaluation = new Set<AnyNode>(literals.map(({ statement }) => statement));
  const loads = loadsOf(program);
  const { sourceType, body } = program;
  const isSilent = sourceType === 'module' && loads.loads.length === 0 && !loads.loadsAny;
  const declares = (one: AnyNode) => isInert(one) || ofEvaluation.has(one);
  const declaresOnly = isSilent && body.every(declares);
  return {
    rest: declaresOnly
      ? frameOf(program, literals, top, exports)
      : readText([program], { ...top, isState: true }, withoutLiterals(program, literals)),
    isInert: declaresOnly,
    parts: declaresOnly ? partsOf(program, ofEvaluation, top) : {},
    evaluations: evaluationsOf(literals, top, declaresOnly),
    imports: Object.fromEntries(imports),
    exports: Object.fromEntries(exports),
    ...loads,
  };
}

function importsOf({ body }: Program): Map<string, ImportedName> {
  const imports = new Map<string, ImportedName>();
  for (const statement of body) {
    if (statement.type !== 'ImportDeclaration') continue;
    for (const one of statement.specifiers) {
      let name = '*';
      if (one.type === 'ImportDefaultSpecifier') name = 'default';
      else if (one.type === 'ImportSpecifier') name = nameOf(one.imported);
      imports.set(one.local.name, [String(statement.source.value), name]);
    }
  }
  return imports;
}

function exportsOf(
  { body }: Program,
  imports: ReadonlyMap<string, ImportedName>,
): Map<string, string | ImportedName> {
  const exports = new Map<string, string | ImportedName>();
  const add = (name: string, local: string) => exports.set(name, imports.get(local) ?? local);
  for (const statement of body) {
    if (statement.type === 'ExportDefaultDeclaration') {
      const { declaration } = statement;
      if (declaration.type === 'Identifier') add('default', declaration.name);
      else add('default', declaredNames([declaration])[0] ?? 'default');
    } else if (statement.type === 'ExportAllDeclaration') {
      if (statement.exported) {
        exports.set(nameOf(statement.exported), [String(statement.source.value), '*']);
      }
    } else if (statement.type === 'ExportNamedDeclaration') {
      const { declaration, source, specifiers } = statement;
      for (const name of declaration ? declaredNames([declaration]) : []) add(name, name);
      for (const { local, exported } of specifiers) {
        if (!source) add(nameOf(exported), nameOf(local));
        else exports.set(nameOf(exported), [String(source.value), nameOf(local)]);
      }
    }
  }
  return exports;
}

/** Names through which code reaches other modules, or names of its own, without saying them. */
const reaching = /^(?:createRequire|getBuiltinModule|eval|module|exports)$/;

/** The modules that are loaded without saying what is taken of them. */
function loadsOf(program: Program): Pick<ModuleFacts, 'loads' | 'loadsAny' | 'hazard'> {
  const loads = new Set<string>();
  let isAny = false;
  let requires = 0;
  let hazard: string | undefined;
  const load = (source: AnyNode | null | undefined) => {
    if (source?.type === 'Literal' && typeof source.value === 'string') loads.add(source.value);
    else isAny = true;
  };
  for (const node of nodesOf(program)) {
    if (node.type === 'ImportExpression') load(node.source);
    else if (node.type === 'ExportAllDeclaration') load(node.source);
    else if (node.type === 'ImportDeclaration' && node.specifiers.length === 0) load(node.source);
    else if (node.type === 'ExportNamedDeclaration' && node.source) {
      if (node.specifiers.length === 0) load(node.source);
    } else if (node.type === 'CallExpression' && isName(node.callee, 'require')) {
      requires -= 1;
      load(node.arguments[0]);
    } else if (node.type === 'Identifier') {
      if (node.name === 'require') requires += 1;
      isAny ||= reaching.test(node.name);
      if (node.name === 'dlopen') hazard = 'loads an addon';
    } else if (node.type === 'WithStatement') isAny = true;
  }
  return {
    loads: [...loads],
    ...((isAny || requires > 0) && { loadsAny: true }),
    ...(hazard !== undefined && { hazard }),
  };
}

/** What an inert module imports and exports, without the names of imports, which count where they are used. */
function frameOf(
  { body }: Program,
  literals: readonly EvaluationLiteral[],
  top: TopLevel,
  exports: ReadonlyMap<string, string | ImportedName>,
): Text {
  const nodes: AnyNode[] = [];
  const unnamed = new Set<AnyNode>();
  for (const statement of body) {
    if (statement.type === 'ImportDeclaration') {
      nodes.push(statement.source, ...statement.attributes);
    } else if (statement.type === 'ExportNamedDeclaration' && !statement.declaration) {
      nodes.push(statement);
      // Exporting something is no use of it.
      unnamed.add(statement);
    }
  }
  const loud = literals.flatMap((one) => one.loud);
  const { hash, ...text } = readText([...nodes, ...loud], top, { unnamed });
  const passedOn = [...exports].filter(([, of]) => typeof of !== 'string');
  return { ...text, hash: shortHash(`${hash}${JSON.stringify(passedOn)}`) };
}

/** The declarations of an inert module, each with the statement that it stands in. */
function partsOf({ body }: Program, without: ReadonlySet<AnyNode>, top: TopLevel) {
  const parts: Record<string, Text> = {};
  for (const statement of body) {
    if (without.has(statement)) continue;
    const names = declaredNames([statement]);
    if (names.length === 0 && statement.type !== 'ExportDefaultDeclaration') continue;
    const text = readText([statement], top);
    for (const name of names.length > 0 ? names : ['default']) {
      parts[name] = { ...text, names: text.names.filter((other) => other !== name) };
    }
  }
  return parts;
}

function evaluationsOf(
  literals: readonly EvaluationLiteral[],
  top: TopLevel,
  declaresOnly: boolean,
) {
  const evaluations: Record<string, EvaluationFacts> = {};
  for (const { statement, name, base, isWhole, grading, data, loud, unnamed } of literals) {
    const graded = grading.length > 0 ? readText(grading, top) : noText;
    const target = readText(
      [statement],
      { ...top, isState: !declaresOnly },
      { skipped: new Set([...grading, ...data, ...loud]), unnamed: new Set(unnamed) },
    );
    evaluations[name] = {
      target: isWhole ? joined(target, graded) : target,
      grading: isWhole ? noText : graded,
      ...((isWhole || loud.some(isGrading)) && { isMixed: true }),
      ...(base !== undefined && { base }),
    };
  }
  return evaluations;
}

function joined(one: Text, other: Text): Text {
  return {
    hash: shortHash(`${one.hash} ${other.hash}`),
    names: [...new Set([...one.names, ...other.names])],
    ...(one.changes || other.changes ? { changes: one.changes ?? other.changes } : {}),
  };
}

/** What of a whole module counts for one evaluation only. */
function withoutLiterals({ body }: Program, literals: readonly EvaluationLiteral[]) {
  // Evaluations are used where others name them.
  const names = new Set(literals.map(({ name }) => name));
  const unnamed = new Set(literals.flatMap((one) => one.unnamed));
  for (const statement of body) {
    if (statement.type === 'ImportDeclaration') unnamed.add(statement);
    if (statement.type !== 'ExportNamedDeclaration' || statement.source) continue;
    for (const { local } of statement.specifiers) {
      if (names.has(nameOf(local))) unnamed.add(local);
    }
  }
  const skipped = new Set(literals.flatMap(({ grading, data }) => [...grading, ...data]));
  const unopened = new Set(literals.map(({ statement }) => statement));
  return { skipped, unnamed, unopened };
}

function nameOf(node: AnyNode): string {
  return node.type === 'Identifier' ? node.name : String((node as { value?: unknown }).value);
}
