import { existsSync } from 'node:fs';
import { expect } from 'chai';
import { escapeLines } from '../../src/cli/terminal/terminal-text.js';
import type { ImportFailure } from '../../src/protocol/messages.js';
import { DiscoveryError } from '../../src/runner/discovery/discovery-error.js';
import { listEvaluations } from '../../src/runner/list-evaluations.js';
import { openRunner } from '../../src/runner/open-runner.js';
import { loadSettings } from '../../src/settings/load-settings.js';
import { resolveRunConfig } from '../../src/settings/resolve-run-config.js';
import { Project } from '../helpers/project.js';
import { expectPlainWords } from './plain-words.js';

/** An eval file that cannot be imported, and what is said about it. */
interface EvalRow {
  readonly what: string;
  readonly text: string;
  /** The message, `<folder>` for the file's folder. */
  readonly says: string | RegExp;
  /** The line of the eval file that is named. Default: none. */
  readonly line?: number;
  /** Default: `bad.eval.ts`. */
  readonly name?: string;
  /** Files beside it. */
  readonly beside?: Readonly<Record<string, string>>;
}

const assay = `import { evaluation } from 'assay';\n`;

/** Rows of one evaluation with these options, which is in line 2. */
function options(rows: readonly (readonly [text: string, problem: string])[]): EvalRow[] {
  return rows.map(([text, problem]) => ({
    what: `evaluation(${text})`,
    text: `${assay}export const a = evaluation(${text});`,
    says: `TypeError: evaluation(): ${problem}`,
    line: 2,
  }));
}

const trials = 'must be a whole number from 1 to 1000';
const seconds = 'must be a number of seconds above 0 and up to 86400';
const printable = 'must be 1 to 200 printable characters';

const wrongOptions = options([
  ['', 'must be an object, not undefined'],
  ['null', 'must be an object, not null'],
  ['[]', 'must be an object, not an empty array'],
  [
    '() => {}',
    'the first argument must be an object of options: evaluation({ name: "refund", … }, (ctx) => { … })',
  ],
  ['{}, 5', 'the body must be a function, not 5'],
  ['{ case: [] }', 'unknown option "case": did you mean "cases"?'],
  ['{ scorers: [] }', 'unknown option "scorers": did you mean "evaluators"?'],
  ['{ trials: 0 }', `"trials" ${trials}, not 0`],
  ['{ trials: "3" }', `"trials" ${trials}, not "3"`],
  ['{ trials: 1e9 }', `"trials" ${trials}, not 1000000000`],
  ['{ trials: 1.5 }', `"trials" ${trials}, not 1.5`],
  ['{ trials: 3n }', `"trials" ${trials}, not 3n`],
  ['{ timeout: -1 }', `"timeout" ${seconds}, not -1`],
  ['{ timeout: NaN }', `"timeout" ${seconds}, not NaN`],
  ['{ timeout: "5s" }', `"timeout" ${seconds}, not "5s"`],
  ['{ name: "" }', `"name" ${printable}, not ""`],
  ['{ name: 5 }', `"name" ${printable}, not 5`],
  ['{ dataset: "a\\u0000" }', `"dataset" ${printable}, not "a\\u0000"`],
  [
    '{ labels: "smoke" }',
    `"labels" must be an array of names, each 1 to 200 printable characters, not "smoke"`,
  ],
  [
    '{ labels: [3] }',
    `"labels" must be an array of names, each 1 to 200 printable characters, not [3]`,
  ],
  ['{ metadata: 3 }', '"metadata" must be an object of facts by name, not 3'],
  ['{ evaluators: {} }', '"evaluators" must be an array of functions, not an empty object'],
  ['{ evaluators: [1] }', '"evaluators" must be an array of functions, not [1]'],
  ['{ target: "x" }', '"target" must be a function, not "x"'],
  ['{ skip: "yes" }', '"skip" must be true or false, not "yes"'],
  ['{ cases: "x" }', '"cases" must be an array, a function or an async iterable, not "x"'],
  [
    '{ cases: Promise.resolve([]) }',
    '"cases" must be an array, a function or an async iterable, not a promise (is an await missing?)',
  ],
  [
    '{ reference: 2, expected: 3 }',
    '"reference" and "expected" are two names for one thing and were given different values: 2 and 3',
  ],
  [
    '{ ["__proto__"]: 3 }',
    'unknown option "__proto__": known are name, cases, target, input, reference, expected, metadata, labels, dataset, trials, timeout, limits, requires, defaultScoreKey, scores, skip, only, evaluators, params, normalize, inputs, cluster, rubrics',
  ],
]);

/** Rows of one evaluation `a` with these cases. */
function cases(
  rows: readonly (readonly [text: string, problem: string, line?: number])[],
): EvalRow[] {
  return rows.map(([text, problem, line]) => ({
    what: `cases: ${text}`,
    text: `${assay}export const a = evaluation({ cases: ${text} }, () => {});`,
    says: problem,
    ...(line === undefined ? {} : { line }),
  }));
}

const wrongCases = cases([
  [
    '[1]',
    'TypeError: evaluation "a", case at position 0: must be an object, not 1; write { input: … } around a bare input',
  ],
  [
    '[{}, null]',
    'TypeError: evaluation "a", case at position 1: must be an object, not null; write { input: … } around a bare input',
  ],
  [
    '[{ id: "x" }, { id: "x" }]',
    'TypeError: evaluation "a": two cases have the id "x", at positions 0 and 1',
  ],
  ['[{ id: 1 }, {}]', 'TypeError: evaluation "a": two cases have the id "1", at positions 0 and 1'],
  [
    '[{ id: "" }]',
    `TypeError: evaluation "a", case "" (position 0): "id" ${printable}, or a number, not ""`,
  ],
  [
    '[{ id: "a\\nb" }]',
    `TypeError: evaluation "a", case "a\\nb" (position 0): "id" ${printable}, or a number, not "a\\nb"`,
  ],
  [
    '[{ inptu: 1 }]',
    'TypeError: evaluation "a", case at position 0: unknown option "inptu": did you mean "input"?',
  ],
  [
    '[{ trials: 1e9 }]',
    `TypeError: evaluation "a", case at position 0: "trials" ${trials}, not 1000000000`,
  ],
  [
    '() => 5',
    'TypeError: evaluation "a": the function "cases" must return an array or an (async) iterable, not 5',
  ],
  [
    '() => { throw new Error("no database"); }',
    'Error: evaluation "a": its cases could not be read: no database',
    2,
  ],
  [
    'async () => { throw "nothing"; }',
    'Error: evaluation "a": its cases could not be read: "nothing"',
  ],
  [
    'async function* () { yield {}; throw new Error("gone"); }',
    'Error: evaluation "a": its cases could not be read: gone',
    2,
  ],
]);

const inIds: readonly EvalRow[] = [
  {
    what: 'two evaluations of one name',
    text: `${assay}export const a = evaluation({ name: 'x' });\nexport const b = evaluation({ name: 'x' });`,
    says: /^Error: two evaluations have the id evals\/\d+\/bad\.eval\.ts::x: \(line 2\) and \(line 3\); give one of them another `name` or case `id`$/,
  },
  {
    what: 'an evaluation that is named like a trial of another one, which stands after it',
    text: `${assay}export const b = evaluation({ name: 'x~2' });\nexport const a = evaluation({ name: 'x' });`,
    says: /^Error: the id evals\/\d+\/bad\.eval\.ts::x~2 \(line 2\) is that of a trial of evals\/\d+\/bad\.eval\.ts::x \(line 3\); give one of them another `name`$/,
  },
  {
    what: 'an evaluation without a name in an array',
    text: `${assay}export const all = [evaluation({})];`,
    says: 'Error: the evaluation at <folder>/bad.eval.ts:2 is in an exported array and needs a `name`',
    line: 2,
  },
  {
    what: 'a generator of two evaluations',
    text: `${assay}const cases = (function* () { yield {}; })();\nexport const a = evaluation({ cases });\nexport const b = evaluation({ cases });`,
    says: 'TypeError: evaluation "b": its cases have been read before and can be read only once; give a function that makes them',
  },
];

/** What the compiler says, with the place in front; a drawing of the line follows. */
function syntax(
  what: string,
  text: string,
  place: string,
  problem: string,
  name?: string,
): EvalRow {
  const file = name ?? 'bad.eval.ts';
  return {
    what,
    text,
    line: Number(place.split(':')[0]),
    says: new RegExp(`^SyntaxError: <folder>/${escaped(`${file}:${place}: ${problem}`)}\\n`),
    ...(name === undefined ? {} : { name }),
  };
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

const wrongSyntax: readonly EvalRow[] = [
  syntax('a value that is missing', 'export const a = ;', '1:18', 'Unexpected token'),
  syntax(
    'a brace that is not closed',
    '\n\nexport const a = {',
    '3:19',
    'Expected `}` but found `EOF`',
  ),
  syntax('a text that is not closed', 'export const a = "x', '1:18', 'Unterminated string'),
  syntax('a type that is missing', 'const a: = 3', '1:10', 'Unexpected token'),
  syntax(
    'a name that is used twice',
    'let a; let a;',
    '1:5',
    'Identifier `a` has already been declared',
  ),
  syntax(
    'a return outside of functions',
    'return 5',
    '1:1',
    "A 'return' statement can only be used within a function body.",
  ),
  syntax(
    'both sides of a merge',
    '<<<<<<< HEAD\nconst a = 1\n=======\n',
    '1:1',
    'Encountered diff marker',
  ),
  syntax(
    'JSON',
    '{"a": 1}',
    '1:5',
    'Expected a semicolon or an implicit semicolon after a statement, but found none',
  ),
  {
    what: 'zeros',
    text: '\0\0\0',
    line: 1,
    says: 'SyntaxError: <folder>/bad.eval.ts:1:1: it contains a NUL character, as UTF-16 text does; save it as UTF-8',
  },
  syntax(
    'JSX in a file that is not named so',
    `${assay}export const a = <div/>`,
    '2:22',
    'Expected `>` but found `/`',
  ),
];

const imports: readonly EvalRow[] = [
  {
    what: 'a package that is missing',
    text: `import "no-such-package";`,
    says: "Cannot find module 'no-such-package'",
    line: 1,
  },
  {
    what: 'a file that is missing',
    text: `import { a } from "../src/agent.js";\na();`,
    says: "Cannot find module '../src/agent.js'",
    line: 1,
  },
  {
    what: 'a file that a file beside it misses',
    text: `import "./beside.js";`,
    beside: { 'beside.ts': 'import { a } from "./gone.js";\na();' },
    says: "Cannot find module './gone.js', imported by <folder>/beside.ts",
  },
  ...['tla.js', 'tla.ts'].map((module) => ({
    what: `a module with top-level await (${module}) in a package without "type": "module"`,
    text: `import { evaluation } from 'assay';\nimport { a } from './tla.js';\na();`,
    beside: { 'package.json': '{}', [module]: 'export const a = await 1;' },
    says: new RegExp(
      `^evals/\\d+/${module} awaits at its top level, so only ES modules can import it: set "type": "module" in package\\.json, or write: await import\\('\\./tla\\.js'\\)$`,
    ),
    line: 2,
  })),
  {
    what: 'a module with top-level await that another file imports',
    text: `import './beside.js';`,
    beside: {
      'package.json': '{}',
      'beside.ts': "import { a } from './tla.js';\na();",
      'tla.ts':
        "import { readFile } from 'node:fs/promises';\nexport const a = await readFile('x');",
    },
    says: /awaits at its top level, .*\nin evals\/\d+\/beside\.ts:1$/,
  },
  {
    what: 'an export that is missing',
    text: `import { nope } from "./beside.js";\nnope();`,
    beside: { 'beside.ts': 'export const a = 1;' },
    says: "SyntaxError: The requested module './beside.js' does not provide an export named 'nope'",
    line: 1,
  },
  {
    what: 'imports in a circle',
    text: `import "./a.js";`,
    beside: {
      'a.ts': `import { b } from "./b.js";\nexport const a = b;`,
      'b.ts': `import { a } from "./a.js";\nexport const b = a;`,
    },
    says: /^ReferenceError: Cannot access 'a' before initialization\nin evals\/\d+\/b\.ts:2:18$/,
  },
  {
    what: 'a part of assay that there is not',
    text: `import "assay/nope";`,
    says: /^Error: Package subpath '\.\/nope' is not defined by "exports" in \S+ imported from <folder>\/bad\.eval\.ts$/,
  },
  {
    what: 'a module of Node that there is not',
    text: `import "node:nope";`,
    says: 'Error: No such built-in module: node:nope',
  },
  {
    what: 'a URL',
    text: `import "https://example.com/x.js";`,
    says: /^Error: Only URLs with a scheme in: file, data, and node are supported/,
  },
  {
    what: 'JSON that breaks off',
    text: `import data from "./data.json";\nexport const a = data;`,
    beside: { 'data.json': '{"a":' },
    says: /^SyntaxError: <folder>\/data\.json: Unexpected end of JSON input$/,
  },
  {
    what: 'a tsconfig.json that extends itself',
    text: `${assay}export const a = evaluation({});`,
    beside: { 'tsconfig.json': '{ "extends": "./tsconfig.json" }' },
    says: 'Error: Cannot read the tsconfig.json for <folder>: Circularity detected while resolving configuration: <folder>/tsconfig.json',
  },
  {
    what: 'CommonJS in a module',
    text: 'module.exports = {};',
    says: 'ReferenceError: module is not defined in ES module scope',
    line: 1,
  },
  {
    what: 'a module in CommonJS',
    text: 'export const a = 1;\nmodule.exports = {};',
    name: 'bad.eval.cjs',
    says: "SyntaxError: Unexpected token 'export'",
    line: 1,
  },
];

const thrown: readonly EvalRow[] = [
  { what: 'an error', text: 'throw new Error("boom");', says: 'Error: boom', line: 1 },
  ...(
    [
      ['"text"', 'text'],
      ['null', 'null'],
      ['undefined', 'undefined'],
      ['{ token: "x" }', 'an object with "token"'],
      ['Symbol("s")', 'Symbol(s)'],
    ] as const
  ).map(([value, shown]) => ({
    what: `${value} that is thrown`,
    text: `throw ${value};`,
    says: `threw something that is not an Error: ${shown}`,
  })),
  {
    what: 'an error with escape sequences',
    text: String.raw`throw new Error("a\u001b[31mb\u001b]0;title\u0007c");`,
    says: /^Error: a(\S*)b\S*c$/,
    line: 1,
  },
  {
    what: 'an error of 100,000 characters',
    text: 'throw new Error("x".repeat(100_000));',
    says: /^Error: x{1993}…$/,
    line: 1,
  },
  {
    what: 'an exit',
    text: 'process.exit(0);',
    says: 'ExitCalled: called process.exit(0)',
    line: 1,
  },
  {
    what: 'an export that takes itself for a promise',
    text: 'export const then = () => { throw new Error("not yet"); };',
    says: 'Error: not yet',
    line: 1,
  },
  {
    what: 'a use before the declaration',
    text: 'a();\nconst a = () => 1;',
    says: "ReferenceError: Cannot access 'a' before initialization",
    line: 1,
  },
];

const rows = [...wrongOptions, ...wrongCases, ...inIds, ...wrongSyntax, ...imports, ...thrown];

describe('bad input: eval files', () => {
  let project: Project;
  let failures: ReadonlyMap<string, ImportFailure>;

  // All of them are imported at once, each in a folder of its own.
  before(async () => {
    const files = rows.flatMap((row, at) => [
      [pathOf(row, at), row.text] as const,
      ...Object.entries(row.beside ?? {}).map(
        ([name, text]) => [`evals/${at}/${name}`, text] as const,
      ),
    ]);
    project = new Project(Object.fromEntries(files));
    const error = await discoveryError(project);
    failures = new Map(error.failures.map((failure) => [failure.file, failure]));
  });

  for (const [at, row] of rows.entries()) {
    it(`${row.what} is told with the file and the line`, () => {
      const failure = failures.get(pathOf(row, at));
      const message = failure?.message.replaceAll(project.path(`evals/${at}`), '<folder>');
      if (typeof row.says === 'string') expect(message).to.equal(row.says);
      else expect(message).to.match(row.says);
      expect(failure?.line, 'line').to.equal(row.line);
      expectPlainWords(escapeLines(message ?? '').join('\n'));
    });
  }

  it('leaves nothing behind', () => {
    expect(existsSync(project.path('.assay'))).to.equal(false);
  });
});

function pathOf({ name = 'bad.eval.ts' }: EvalRow, at: number): string {
  return `evals/${at}/${name}`;
}

async function discoveryError(project: Project): Promise<DiscoveryError> {
  const cwd = project.folder;
  const env = { PATH: process.env.PATH, HOME: process.env.HOME };
  const runner = await openRunner({
    cwd,
    env,
    addedEnv: {},
    ...project.ownFolders,
    onEvent: () => undefined,
  });
  try {
    await listEvaluations(runner, {
      request: { paths: [], ignore: [], datasets: [], labels: [] },
      sessionName: 'default',
      config: resolveRunConfig(await loadSettings({ cwd, env }), undefined),
      workers: 1,
      streamLogs: false,
    });
  } catch (error) {
    if (error instanceof DiscoveryError) return error;
    throw error;
  }
  throw new Error('all files could be imported');
}
