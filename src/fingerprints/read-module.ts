import { createRequire } from 'node:module';
import type { AnyNode, Program } from 'acorn';
import { declaredNames, nodesOf } from '../syntax/nodes.js';
import { shortHash } from '../text/short-hash.js';
import { hazardIn } from './known-names.js';
import {
  gradingOf,
  type ImportedName,
  type ModuleFacts,
  opaqueFacts,
  type Text,
  targetOf,
} from './module-facts.js';
import { type EvaluationLiteral, isInert, literalsIn } from './read-evaluations.js';
import { noText, readText, type TopLevel } from './read-text.js';

const require = createRequire(import.meta.url);

/** Analyses JavaScript. What is no ES module counts by its characters, also in CommonJS that modules cannot say. */
export function analyseModule(code: string): ModuleFacts {
  const hazard = hazardIn(code);
  try {
    return { ...factsOf(parse(code)), hazard };
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error;
    return { ...opaqueFacts(shortHash(code)), hazard };
  }
}

function parse(code: string): Program {
  // In CommonJS, it begins a comment.
  if (code.includes('<!--')) throw new SyntaxError('may be a comment');
  // Loaded on demand, because a plain start does not need it.
  const acorn = require('acorn') as typeof import('acorn');
  // A function gets no name where `(f) = () => {}`.
  const options = { allowHashBang: true, preserveParens: true } as const;
  return acorn.parse(code, { ...options, ecmaVersion: 'latest', sourceType: 'module' });
}

function factsOf(program: Program): ModuleFacts {
  const { body } = program;
  const { unnamed, loadsAny } = loadsOf(program);
  const links = linksOf(program);
  const imports = new Map([...links.imports, ...unnamed]);
  const declared = new Set(declaredNames(body));
  for (const name of imports.keys()) declared.delete(name);
  const top: TopLevel = { declared, imports };
  const literals = literalsIn(program, top);
  const isInertModule =
    unnamed.size === 0 && !loadsAny && body.every((one) => literals.has(one) || isInert(one));
  const topOfRest = { ...top, isState: !isInertModule };
  const rests = body.map((one) => restOf(one, literals.get(one), topOfRest));
  const own = isInertModule ? body.filter((one) => !literals.has(one)) : [];
  return {
    rest: joined([{ ...noText, names: [...unnamed.keys()] }, ...rests]),
    isInert: isInertModule,
    parts: Object.fromEntries([
      ...own.flatMap((one) => declarationsIn(one, top)),
      ...[...literals].flatMap(([one, literal]) => evaluationIn(one, literal, top, topOfRest)),
    ]),
    imports: Object.fromEntries(imports),
    exports: Object.fromEntries(links.exports),
    loadsAny,
  };
}

/** What a module imports and exports by name. */
function linksOf({ body }: Program) {
  const imports = new Map<string, ImportedName>();
  const exports = new Map<string, string>();
  for (const statement of body) {
    if (statement.type === 'ImportDeclaration') {
      for (const one of statement.specifiers) {
        let name = '*';
        if (one.type === 'ImportDefaultSpecifier') name = 'default';
        else if (one.type === 'ImportSpecifier') name = nameOf(one.imported);
        imports.set(one.local.name, [nameOf(statement.source), name]);
      }
    } else if (statement.type === 'ExportDefaultDeclaration') {
      const { declaration } = statement;
      const [own = 'default'] = declaredNames([declaration]);
      exports.set('default', declaration.type === 'Identifier' ? declaration.name : own);
    } else if (statement.type === 'ExportAllDeclaration' && statement.exported) {
      exports.set(nameOf(statement.exported), importedAs([nameOf(statement.source), '*']));
    } else if (statement.type === 'ExportNamedDeclaration') {
      const { declaration, source, specifiers } = statement;
      for (const name of declaration ? declaredNames([declaration]) : []) exports.set(name, name);
      for (const { local, exported } of specifiers) {
        const from = source ? ([nameOf(source), nameOf(local)] as const) : undefined;
        if (from) imports.set(importedAs(from), from);
        exports.set(nameOf(exported), from ? importedAs(from) : nameOf(local));
      }
    }
  }
  return { imports, exports };
}

/** Stands for what has no name in the module that imports it. */
function importedAs([specifier, name]: ImportedName): string {
  return `${name} from ${specifier}`;
}

/** Names through which code reaches other modules, or names of its own, without saying them. */
const reaching = /^(?:require|createRequire|getBuiltinModule|eval|module|exports)$/;

/** The modules that are loaded without saying what is taken of them. */
function loadsOf(program: Program) {
  const unnamed = new Map<string, ImportedName>();
  let loadsAny = false;
  for (const node of nodesOf(program)) {
    const isNamed = 'specifiers' in node && node.specifiers.length > 0;
    if ('source' in node && node.source && !isNamed) {
      const { value } = node.source as { readonly value?: unknown };
      if (typeof value === 'string') unnamed.set(importedAs([value, '*']), [value, '*']);
      else loadsAny = true;
    } else if (node.type === 'Identifier') loadsAny ||= reaching.test(node.name);
  }
  return { unnamed, loadsAny };
}

/** What of a statement counts for everybody who loads the module; of an inert one (no state), what others are passed. */
function restOf(statement: AnyNode, literal: EvaluationLiteral | undefined, top: TopLevel): Text {
  const { isState } = top;
  // The names of imports count where they are used, and exporting something is no use of it.
  if (statement.type === 'ImportDeclaration') {
    return { ...readText([statement.source, ...statement.attributes], top), names: [] };
  }
  if (statement.type === 'ExportNamedDeclaration' && !statement.declaration) {
    return { ...readText([statement], top), names: [] };
  }
  if (literal === undefined) return isState ? readText([statement], top) : noText;
  if (!isState) return readText(literal.loud, top);
  const text = readText([statement], top, new Set([...literal.grading, ...literal.data]));
  // What it changes itself is said there.
  return { hash: text.hash, names: withoutOwn(text, literal) };
}

function declarationsIn(statement: AnyNode, top: TopLevel): [string, Text][] {
  const names = declaredNames([statement]);
  if (statement.type === 'ExportDefaultDeclaration' && names.length === 0) names.push('default');
  return names.map((name) => [name, readText([statement], top)]);
}

/** An evaluation is used where others name it. */
function evaluationIn(
  statement: AnyNode,
  literal: EvaluationLiteral,
  top: TopLevel,
  topOfTarget: TopLevel,
): [string, Text][] {
  const { name, base, isMixed, grading, data, loud } = literal;
  if (isMixed) return [[name, readText([statement], topOfTarget, new Set([...data, ...loud]))]];
  const target = readText([statement], topOfTarget, new Set([...grading, ...data, ...loud]));
  const graded = readText(grading, top);
  const ofBase = (part: (of: string) => string) => (base === undefined ? [] : [part(base)]);
  return [
    [name, { ...noText, names: [targetOf(name), gradingOf(name)] }],
    [targetOf(name), { ...target, names: [...withoutOwn(target, literal), ...ofBase(targetOf)] }],
    [gradingOf(name), { ...graded, names: [...graded.names, ...ofBase(gradingOf)] }],
  ];
}

/** Without the names of itself and of its base, which an evaluation may name without using them. */
function withoutOwn({ names }: Text, { name, base }: EvaluationLiteral): string[] {
  return names.filter((one) => one !== name && one !== base);
}

function joined(texts: readonly Text[]): Text {
  return {
    hash: shortHash(texts.flatMap(({ hash }) => hash || []).join(' ')),
    names: [...new Set(texts.flatMap(({ names }) => names))],
    changes: Math.max(...texts.map(({ changes = 0 }) => changes)),
  };
}

function nameOf(node: AnyNode): string {
  return node.type === 'Identifier' ? node.name : String((node as { value?: unknown }).value);
}
