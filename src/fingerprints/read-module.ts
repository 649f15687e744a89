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
  const { body, sourceType } = program;
  const links = linksOf(program);
  const { imports } = links;
  const declared = new Set(declaredNames(body));
  for (const name of imports.keys()) declared.delete(name);
  const top: TopLevel = { declared, imports };
  const literals = literalsIn(program, top);
  const literalOf = (one: AnyNode) => literals.find(({ statement }) => statement === one);
  const loads = loadsOf(program);
  const isSilent = sourceType === 'module' && loads.loads.length === 0 && !loads.loadsAny;
  const isInertModule =
    isSilent && body.every((one) => isInert(one) || literalOf(one) !== undefined);
  const inOneModule = { ...top, isState: !isInertModule };
  return {
    rest: isInertModule
      ? frameOf(program, literals, links.exports, top)
      : wholeOf(program, literalOf, top),
    isInert: isInertModule,
    parts: isInertModule
      ? partsOf(
          body.filter((one) => !literalOf(one)),
          top,
        )
      : {},
    evaluations: Object.fromEntries(
      literals.map((one) => [one.name, evaluationOf(one, top, inOneModule)]),
    ),
    imports: Object.fromEntries(imports),
    exports: Object.fromEntries(links.exports),
    ...loads,
  };
}

interface Links {
  readonly imports: ReadonlyMap<string, ImportedName>;
  readonly exports: ReadonlyMap<string, string | ImportedName>;
}

/** What a module imports and exports by name. */
function linksOf({ body }: Program): Links {
  const imports = new Map<string, ImportedName>();
  for (const statement of body) {
    if (statement.type !== 'ImportDeclaration') continue;
    for (const one of statement.specifiers) {
      let name = '*';
      if (one.type === 'ImportDefaultSpecifier') name = 'default';
      else if (one.type === 'ImportSpecifier') name = nameOf(one.imported);
      imports.set(one.local.name, [nameOf(statement.source), name]);
    }
  }
  const exports = new Map<string, string | ImportedName>();
  const add = (name: string, local: string) => exports.set(name, imports.get(local) ?? local);
  for (const statement of body) {
    if (statement.type === 'ExportDefaultDeclaration') {
      const { declaration } = statement;
      const [own = 'default'] = declaredNames([declaration]);
      add('default', declaration.type === 'Identifier' ? declaration.name : own);
    } else if (statement.type === 'ExportAllDeclaration' && statement.exported) {
      exports.set(nameOf(statement.exported), [nameOf(statement.source), '*']);
    } else if (statement.type === 'ExportNamedDeclaration') {
      const { declaration, source, specifiers } = statement;
      for (const name of declaration ? declaredNames([declaration]) : []) add(name, name);
      for (const { local, exported } of specifiers) {
        if (!source) add(nameOf(exported), nameOf(local));
        else exports.set(nameOf(exported), [nameOf(source), nameOf(local)]);
      }
    }
  }
  return { imports, exports };
}

/** Names through which code reaches other modules, or names of its own, without saying them. */
const reaching = /^(?:createRequire|getBuiltinModule|eval|module|exports)$/;

/** The modules that are loaded without saying what is taken of them. */
function loadsOf(program: Program): Pick<ModuleFacts, 'loads' | 'loadsAny' | 'hazard'> {
  const loads = new Set<string>();
  let isAny = false;
  let requires = 0;
  let hazard: string | undefined;
  const load = (source: AnyNode | undefined) => {
    if (source?.type === 'Literal' && typeof source.value === 'string') loads.add(source.value);
    else isAny = true;
  };
  for (const node of nodesOf(program)) {
    if ('source' in node && node.source) {
      const isNamed = 'specifiers' in node && node.specifiers.length > 0;
      if (!isNamed) load(node.source);
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

/** What an inert module imports and passes on, without the names of imports, which count where they are used. */
function frameOf(
  { body }: Program,
  literals: readonly EvaluationLiteral[],
  exports: Links['exports'],
  top: TopLevel,
): Text {
  const nodes = body.flatMap((one): AnyNode[] => {
    if (one.type === 'ImportDeclaration') return [one.source, ...one.attributes];
    return one.type === 'ExportNamedDeclaration' && !one.declaration ? [one] : [];
  });
  return joined([
    // Exporting something is no use of it.
    { ...readText(nodes, top), names: [] },
    { hash: JSON.stringify([...exports].filter(([, of]) => typeof of !== 'string')), names: [] },
    readText(
      literals.flatMap((one) => one.loud),
      top,
    ),
  ]);
}

/** All of a module, without what concerns one evaluation only. Evaluations are used where others name them. */
function wholeOf(
  { body, sourceType }: Program,
  literalOf: (statement: AnyNode) => EvaluationLiteral | undefined,
  top: TopLevel,
): Text {
  const evaluations = new Set(body.map((one) => literalOf(one)?.name));
  const texts = body.map((one): Text => {
    const literal = literalOf(one);
    const isExport = one.type === 'ExportNamedDeclaration' && !one.declaration && !one.source;
    const skipped = literal === undefined ? [] : [...literal.grading, ...literal.data];
    const { hash, names, changes } = readText([one], { ...top, isState: true }, new Set(skipped));
    if (one.type === 'ImportDeclaration') return { hash, names: [] };
    if (isExport) return { hash, names: names.filter((name) => !evaluations.has(name)) };
    // What it changes itself is said there.
    if (literal !== undefined)
      return { hash, names: names.filter((name) => !literal.own.has(name)) };
    return { hash, names, ...(changes && { changes }) };
  });
  return joined([{ hash: sourceType, names: [] }, ...texts]);
}

/** The declarations of an inert module, each with the statement that it stands in. */
function partsOf(statements: readonly AnyNode[], top: TopLevel): Record<string, Text> {
  const parts: Record<string, Text> = {};
  for (const statement of statements) {
    const names = declaredNames([statement]);
    if (statement.type === 'ExportDefaultDeclaration' && names.length === 0) names.push('default');
    if (names.length === 0) continue;
    const text = readText([statement], top);
    for (const name of names) {
      parts[name] = { ...text, names: text.names.filter((other) => other !== name) };
    }
  }
  return parts;
}

function evaluationOf(
  { statement, base, isWhole, grading, data, loud, own }: EvaluationLiteral,
  top: TopLevel,
  topOfTarget: TopLevel,
): EvaluationFacts {
  const graded = grading.length > 0 ? readText(grading, top) : noText;
  const text = readText([statement], topOfTarget, new Set([...grading, ...data, ...loud]));
  const target = { ...text, names: text.names.filter((name) => !own.has(name)) };
  return {
    target: isWhole ? joined([target, graded]) : target,
    grading: isWhole ? noText : graded,
    ...((isWhole || loud.some(isGrading)) && { isMixed: true }),
    ...(base !== undefined && { base }),
  };
}

function joined(texts: readonly Text[]): Text {
  const changes = texts.map((one) => one.changes);
  const most = changes.includes('global') ? 'global' : changes.find((one) => one !== undefined);
  return {
    hash: shortHash(texts.map(({ hash }) => hash).join(' ')),
    names: [...new Set(texts.flatMap(({ names }) => names))],
    ...(most && { changes: most }),
  };
}

function nameOf(node: AnyNode): string {
  return node.type === 'Identifier' ? node.name : String((node as { value?: unknown }).value);
}
