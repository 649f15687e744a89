import { basename } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { sourceError } from '../read-source.js';
import { leave, newTally } from '../tally.js';
import type { Translation } from '../translation.js';
import { type Edit, evaluationOf, type Imported } from './evaluation.js';
import { helperText, importedNames, type ScorerHelper } from './helpers.js';
import { isNode, type Module, type Node, nameOf, nodesOf, parseModule } from './parse.js';

/**
 * Translates an eval file of evalite: its calls become evaluations, and everything else stays as it is. Error: `bad-request` for
 * what is no TypeScript, or calls no evalite.
 */
export function translateEvalite(path: string, text: string): Translation {
  const module = parse(text, path);
  const tally = newTally();
  const imported = importsOf(module);
  const names = new Set(topNames(module));
  const used = new Set<ScorerHelper>();
  const edits: Edit[] = [];
  const counts: (number | undefined)[] = [];
  const calls = new Set<Node>();
  for (const statement of module.body) {
    const call = callOf(statement);
    const made = call && evaluationOf(statement, call, { module, imported, tally, used, names });
    if (call === undefined || made === undefined) continue;
    calls.add(call);
    edits.push(...made.edits);
    counts.push(made.cases);
  }
  const others = [...nodesOf(module.body)].filter(
    (node) => node.type === 'CallExpression' && !calls.has(node) && isEvaliteCall(node, imported),
  );
  if (calls.size === 0 && others.length === 0) {
    throw sourceError(`${path} is no eval file of evalite: it calls no evalite().`);
  }
  for (const _ of others) leave(tally, 'evalite() that is no statement of its own');
  edits.push(...scorerEdits(module, imported, used), ...wrapperEdits(module, imported));
  const kept = keptImports(module, imported, edits);
  for (const name of kept.values()) if (name !== 'evalite') leave(tally, `${name} of evalite`);
  const [ending = '.ts'] = /\.[cm]?[jt]sx?$/.exec(path) ?? [];
  const isTyped = /ts/.test(ending);
  edits.push(...importEdits(module, imported, { kept, names: importedNames(used, isTyped) }));
  const stem = basename(path, ending).replace(/\.eval$/, '');
  const cases = counts.includes(undefined)
    ? undefined
    : counts.reduce<number>((sum, one) => sum + (one ?? 0), 0);
  const helpers = helperText(used, isTyped);
  const body = applied(text, edits).trimEnd();
  return {
    ...{
      from: path,
      name: stem,
      tally,
      cases,
      params: {},
      packages: [],
      ungraded: 0,
      needsAjv: false,
    },
    files: [
      {
        path: `${stem}.assay.eval${ending}`,
        text: `${body}\n${helpers === '' ? '' : `\n${helpers}`}`,
      },
    ],
  };
}

function parse(text: string, path: string): Module {
  try {
    return parseModule(text, path);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    // The parser shows the line with colours and borders; its first line says what is wrong.
    const [first = ''] = stripVTControlCharacters(reason)
      .split('\n')
      .map((line) => line.replace(/^[\s×x]+/, '').trim())
      .filter((line) => line !== '');
    throw sourceError(`${path} is no TypeScript: ${first.replace(/\.$/, '')}.`, error);
  }
}

/** The call in a statement that is only a call. */
function callOf(statement: Node): Node | undefined {
  const { expression } = statement;
  const isCall = statement.type === 'ExpressionStatement' && isNode(expression);
  return isCall && expression.type === 'CallExpression' ? expression : undefined;
}

/** What a module imports of evalite: the names there, by those here. */
function importsOf({ body }: Module): Imported {
  const evalite = new Map<string, string>();
  for (const node of body.filter(({ type }) => type === 'ImportDeclaration')) {
    const source = nameOf(node.source) ?? '';
    const into = /^evalite(\/|$)/.test(source) ? evalite : undefined;
    for (const one of into === undefined ? [] : (node.specifiers as readonly Node[])) {
      const local = nameOf(one.local);
      if (local !== undefined) into?.set(local, nameOf(one.imported) ?? local);
    }
  }
  return { evalite };
}

function isEvaliteCall({ callee }: Node, { evalite }: Imported): boolean {
  const root = [...nodesOf(callee)].find(({ type }) => type === 'Identifier');
  const isPlain =
    isNode(callee) && (callee.type === 'Identifier' || callee.type === 'MemberExpression');
  return isPlain && root !== undefined && evalite.get(nameOf(root) ?? '') === 'evalite';
}

/** Names that the module declares or imports. */
function topNames({ body }: Module): string[] {
  return body.flatMap((node) => {
    const declared = isNode(node.declaration) ? node.declaration : node;
    const parts = [
      ...(Array.isArray(declared.declarations)
        ? (declared.declarations as Node[]).map(({ id }) => id)
        : []),
      declared.identifier,
      ...(node.type === 'ImportDeclaration'
        ? (node.specifiers as Node[]).map(({ local }) => local)
        : []),
    ];
    return parts.flatMap((one) => nameOf(one) ?? []);
  });
}

/** `createScorer({ name, scorer })`, wherever it stands. */
function scorerEdits(module: Module, { evalite }: Imported, used: Set<ScorerHelper>): Edit[] {
  return [...nodesOf(module.body)].flatMap((node): Edit[] => {
    const isScorer =
      node.type === 'CallExpression' && evalite.get(nameOf(node.callee) ?? '') === 'createScorer';
    if (!isScorer) return [];
    used.add('scorerOf');
    return [{ ...module.placeOf(node.callee as Node), text: 'scorerOf' }];
  });
}

/** Models of the AI SDK need no wrapper: assay sees their calls. */
function wrapperEdits(module: Module, { evalite }: Imported): Edit[] {
  return [...nodesOf(module.body)].flatMap((node): Edit[] => {
    const name =
      node.type === 'CallExpression' ? evalite.get(nameOf(node.callee) ?? '') : undefined;
    if (name !== 'traceAISDKModel' && name !== 'wrapAISDKModel') return [];
    const [model] = node.arguments as readonly { readonly expression: Node }[];
    if (model === undefined) return [];
    const whole = module.placeOf(node);
    const inner = module.placeOf(model.expression);
    return [
      { start: whole.start, end: inner.start, text: '' },
      { start: inner.end, end: whole.end, text: '' },
    ];
  });
}

/** Names of evalite that are still used after the edits, with how often. */
function keptImports(
  module: Module,
  { evalite }: Imported,
  edits: readonly Edit[],
): Map<string, string> {
  const statements = module.body.filter(({ type }) => type !== 'ImportDeclaration');
  const kept = new Map<string, string>();
  for (const node of nodesOf(statements)) {
    const local = node.type === 'Identifier' ? nameOf(node) : undefined;
    const name = local === undefined ? undefined : evalite.get(local);
    if (local === undefined || name === undefined) continue;
    const place = module.placeOf(node);
    const covering = edits.filter(({ start, end }) => start <= place.start && place.end <= end);
    const isIn = new RegExp(`\b${local}\b`);
    const isGone = covering.some(({ text, isLeft }) => isLeft || !isIn.test(text));
    if (!isGone) kept.set(local, name);
  }
  return kept;
}

interface Imports {
  /** Names of evalite that the file still uses. */
  readonly kept: ReadonlyMap<string, string>;
  /** What it needs of `assay`. */
  readonly names: readonly string[];
}

function importEdits(module: Module, { evalite }: Imported, { kept, names }: Imports): Edit[] {
  const imports = module.body.filter(
    (node) => node.type === 'ImportDeclaration' && /^evalite(\/|$)/.test(nameOf(node.source) ?? ''),
  );
  return imports.map((node, at) => {
    const place = module.placeOf(node);
    const source = module.textOf(node.source as Node);
    const quote = source.charAt(0);
    const own = (node.specifiers as readonly Node[]).flatMap(({ local }) => nameOf(local) ?? []);
    const rest = own.filter((name) => kept.has(name)).map((name) => named(name, evalite));
    const lines = [
      ...(at === 0 ? [`import { ${names.join(', ')} } from ${quote}assay${quote};`] : []),
      ...(rest.length === 0
        ? []
        : [
            `// TODO: assay has nothing like this.`,
            `import { ${rest.join(', ')} } from ${source};`,
          ]),
    ];
    return { ...place, text: lines.join('\n') };
  });
}

function named(local: string, evalite: ReadonlyMap<string, string>): string {
  const name = evalite.get(local) ?? local;
  return name === local ? local : `${name} as ${local}`;
}

/** The text with its edits; those inside others are gone with them. */
function applied(text: string, edits: readonly Edit[]): string {
  const outer = edits.filter(
    (one) =>
      !edits.some(
        (other) =>
          other !== one &&
          other.start <= one.start &&
          one.end <= other.end &&
          other.end - other.start > one.end - one.start &&
          other.start < one.end + 1 &&
          !(one.start === one.end && (one.start === other.start || one.start === other.end)),
      ),
  );
  return outer
    .map((edit, at) => ({ ...edit, at }))
    .sort((one, other) => other.start - one.start || other.end - one.end || other.at - one.at)
    .reduce(
      (done, { start, end, text: added }) => done.slice(0, start) + added + done.slice(end),
      text,
    )
    .replace(/^\n+/, '');
}
