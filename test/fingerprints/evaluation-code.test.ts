import { expect } from 'chai';
import { decide } from './decide.js';
import { codeOf, graphOf } from './graph-of.js';

interface Row {
  readonly title: string;
  /** Beside, or instead of, those of `base`. */
  readonly files?: Readonly<Record<string, string>>;
  readonly file: string;
  /** The text that is replaced, by what. */
  readonly edit: readonly [string, string];
  readonly expected: string;
}

const evalFile = `import { evaluation } from 'assay';
import { answer } from './agent.js';
import { politeness } from './graders.js';
/* text */
export const a = evaluation(
  {
    labels: ['smoke'], timeout: 3, trials: 2,
    cases: [{ id: 'one', input: 'first' }, { id: 'two', input: 'second' }],
    target: (ctx) => answer(ctx.input),
    evaluators: [politeness],
    scores: { politeness: { min: 0.5 } },
  },
  (ctx) => { ctx.score(ctx.output.length); },
);
export const other = evaluation({ input: 'q', target: () => 'other' });
`;

const base = {
  'a.eval.js': evalFile,
  'agent.js': `import { prompt, unused } from './prompts.js';
export async function answer(text) { return prompt + text; }
export function unusedHelper() { return unused; }
`,
  'prompts.js': "export const prompt = 'Answer: ';\nexport const unused = 'not read';\n",
  'graders.js': `import { has } from './words.js';
export function politeness({ output }) { return has(output, 'please'); }
export function length({ output }) { return output.length; }
`,
  'words.js': 'export function has(text, word) { return text.includes(word); }\n',
};

const barrel = {
  'agent.js': "import { two } from './index.js';\nexport const answer = () => two;",
  'index.js':
    "import { two as three } from './two.js';\nexport { one } from './one.js';\nexport { two } from './two.js';\nexport { three };",
  'one.js': 'export const one = 1;',
  'two.js': 'export const two = 2;\nexport { two as one };',
};

const client = "import OpenAI from 'openai';\nconst client = new OpenAI();\n";
/** The eval file with a statement at its top that is not inert. */
const whole = { 'a.eval.js': client + evalFile };

/** What an edit of one file makes of the evaluation `a`. */
const rows: readonly Row[] = [
  row('ignores comments', 'agent.js', ['export async', '// new\nexport async'], 'carry'),
  row('ignores formatting', 'agent.js', ['{ return prompt', '{\n\n  return   prompt'], 'carry'),
  row('sees a function', 'agent.js', ['prompt + text', 'text + prompt'], 'run: agent.js (answer)'),
  row('sees a constant below', 'prompts.js', ['Answer: ', 'A: '], 'run: prompts.js (prompt)'),
  row('ignores an unnamed constant', 'prompts.js', ['not read', 'still not'], 'carry'),
  row('ignores an unnamed function', 'agent.js', ['return unused', 'return 1'], 'carry'),
  row(
    'ignores a new declaration',
    'graders.js',
    ['import', 'export const k = 1;\nimport'],
    'carry',
  ),
  row(
    'sees a declaration that hides a global',
    'agent.js',
    ['import', 'const text = 1;\nimport'],
    'run: agent.js (text)',
  ),
  row(
    'sees a name wherever it stands',
    'agent.js',
    ['prompt + text', 'prompt + text.unused'],
    'run: agent.js (answer), prompts.js (unused)',
  ),
  row(
    'regrades after an edit of a grader',
    'graders.js',
    ["'please'", "'thank'"],
    'regrade: graders.js (politeness)',
  ),
  row(
    'regrades after an edit below a grader',
    'words.js',
    ['text.includes(word)', 'text === word'],
    'regrade: words.js (has)',
  ),
  row(
    'regrades after an edit of the body',
    'a.eval.js',
    ['ctx.score(ctx.output.length)', 'ctx.score(1)'],
    'regrade: a.eval.js (a)',
  ),
  row(
    'regrades after an edit of a threshold',
    'a.eval.js',
    ['min: 0.5', 'min: 0.6'],
    'regrade: a.eval.js (a)',
  ),
  row(
    'regrades with another imported grader',
    'a.eval.js',
    ['{ politeness }', '{ length as politeness }'],
    'regrade: a.eval.js (a), graders.js (length), graders.js (politeness), words.js (has)',
  ),
  row(
    'sees the target',
    'a.eval.js',
    ['answer(ctx.input)', "answer(ctx.input + '!')"],
    'run: a.eval.js (a)',
  ),
  row(
    'leaves plain cases to their values',
    'a.eval.js',
    ["input: 'second'", "input: 'third'"],
    'carry',
  ),
  row(
    'leaves labels, timeout and trials to their values',
    'a.eval.js',
    ["['smoke'], timeout: 3", "['slow'], timeout: 4"],
    'carry',
  ),
  row('ignores another evaluation', 'a.eval.js', ["=> 'other'", "=> 'changed'"], 'carry'),
  row(
    'ignores a new evaluation',
    'a.eval.js',
    [
      'export const other',
      'export const more = evaluation({ target: () => 1 });\nexport const other',
    ],
    'carry',
  ),
  row(
    'sees code in cases',
    'a.eval.js',
    ["input: 'second'", 'input: answer'],
    'run: a.eval.js (a)',
  ),
  row(
    'counts a call in the cases of another evaluation for all',
    'a.eval.js',
    ["input: 'q'", 'cases: answer(1)'],
    'run: a.eval.js',
  ),
  row(
    'follows a call in the cases of another evaluation',
    'a.eval.js',
    ['return 1', 'return 2'],
    'run: a.eval.js (load)',
    {
      'a.eval.js':
        "import { evaluation } from 'assay';\nfunction load() { return 1; }\nexport const a = evaluation({ target: () => 1 });\nexport const b = evaluation({ cases: load() });",
    },
  ),
  row(
    'counts what makes cases for all',
    'a.eval.js',
    ["input: 'q'", 'cases: () => [1]'],
    'run: a.eval.js',
  ),
  row(
    'counts a getter for all',
    'a.eval.js',
    ["input: 'q'", 'metadata: { get k() { return 1; } }'],
    'run: a.eval.js',
  ),

  row(
    'counts a module with effects whole',
    'words.js',
    ['export function', 'export const list = [];\nexport function'],
    'run: words.js',
  ),
  row('counts it whole after that, too', 'words.js', ['[1]', '[2]'], 'run: words.js', {
    'words.js': `${base['words.js']}const unnamed = [1];\n`,
  }),
  row(
    'counts all that it imports by a name',
    'prompts.js',
    ["'not read'", "'still not'"],
    'run: prompts.js (unused)',
    {
      'agent.js': `console.log();\n${base['agent.js']}`,
    },
  ),
  row(
    'sees a package that is imported for its effects',
    'agent.js',
    ['import', "import 'pkg';\nimport"],
    'run: pkg@1.0.0, prompts.js (unused), agent.js (answer)',
  ),
  row(
    'sees the order of imports',
    'agent.js',
    ["import './x.js';\nimport './y.js';", "import './y.js';\nimport './x.js';"],
    'run: agent.js',
    {
      'agent.js': "import './x.js';\nimport './y.js';\nexport const answer = () => 1;",
      'x.js': 'export const x = 1;',
      'y.js': 'export const y = 1;',
    },
  ),
  row(
    'sees the attributes of an import',
    'agent.js',
    ["'./data.json'", "'./data.json' with { type: 'json' }"],
    'run: agent.js',
    {
      'agent.js': "import data from './data.json';\nexport const answer = () => data;",
      'data.json': '1',
    },
  ),
  row('sees JSON', 'data.json', ['1', '2'], 'run: data.json', {
    'agent.js': "import data from './data.json';\nexport const answer = () => 1;",
    'data.json': '1',
  }),
  ...[
    [
      'a namespace import',
      "import * as all from './lib.js';\nexport const answer = () => all.one;",
    ],
    ['export *', "export * from './lib.js';\nexport const answer = () => 1;"],
    ['export * as', "export * as all from './lib.js';\nexport const answer = () => 1;"],
    ['import()', "export const answer = () => import('./lib.js');"],
    [
      'import() with a computed name',
      "import { one } from './lib.js';\nexport const answer = (x) => import(x);",
    ],
    ['require()', "const { one } = require('./lib.js');\nexport const answer = () => one;"],
    [
      'createRequire',
      "import { createRequire as cr } from 'node:module';\nimport { one } from './lib.js';\nexport const answer = cr;",
    ],
    ['eval', "import { one } from './lib.js';\nexport const answer = () => eval('one');"],
  ].map(([title, code = '']) =>
    row(`counts whole what is reached by ${title}`, 'lib.js', ['2', '3'], 'run: lib.js (two)', {
      'agent.js': code,
      'lib.js': 'export const one = 1;\nexport const two = 2;',
    }),
  ),
  row('follows a barrel by name', 'two.js', ['2', '3'], 'run: two.js (two)', barrel),
  row('ignores what it does not take of a barrel', 'one.js', ['1', '3'], 'carry', barrel),
  row(
    'sees what a barrel passes on',
    'index.js',
    ['two }', 'one as two }'],
    'run: index.js',
    barrel,
  ),
  row(
    'sees what a barrel imports to pass it on',
    'index.js',
    ['two as three', 'one as three'],
    'run: index.js',
    barrel,
  ),
  row(
    'sees exports that change places',
    'lib.js',
    ['a as answer, b as other', 'b as answer, a as other'],
    'run: lib.js (b), lib.js (a)',
    {
      'agent.js':
        "export { answer } from './lib.js';\nimport { other } from './lib.js';\nexport const more = () => other();",
      'lib.js': 'const a = () => 1;\nconst b = () => 2;\nexport { a as answer, b as other };',
    },
  ),
  row(
    'sees a default and a name that change places',
    'lib.js',
    ['default function a() {}\nexport', 'function a() {}\nexport default'],
    'run: lib.js (b), lib.js (a)',
    {
      'agent.js': "import d, { b } from './lib.js';\nexport const answer = () => d() + b();",
      'lib.js': 'export default function a() {}\nexport function b() {}',
    },
  ),
  row('follows circles', 'odd.js', ['x - 1', 'x - 2'], 'run: odd.js (odd)', {
    'agent.js': "import { even } from './even.js';\nexport const answer = (x) => even(x);",
    'even.js': "import { odd } from './odd.js';\nexport function even(x) { return odd(x); }",
    'odd.js': "import { even } from './even.js';\nexport function odd(x) { return even(x - 1); }",
  }),
  row(
    'knows names of Object.prototype',
    'agent.js',
    ['x + 1', 'x + 2'],
    'run: agent.js (constructor)',
    {
      'agent.js':
        'function constructor(x) { return x + 1; }\nexport const answer = (x) => constructor(x);',
    },
  ),
  row('counts all of what does not parse', 'agent.js', ['oops', 'other'], 'run: agent.js', {
    'agent.js': 'export const answer = oops oops;',
  }),
  row(
    'sees a line break that changes the meaning',
    'agent.js',
    ['return x', 'return\nx'],
    'run: agent.js (answer)',
    {
      'agent.js': 'export function answer(x) { return x; }',
    },
  ),
  row(
    'sees parentheses that keep a function from getting a name',
    'agent.js',
    ['(g) =', 'g ='],
    'run: agent.js (answer)',
    { 'agent.js': 'export function answer() { let g; (g) = () => {}; return g.name; }' },
  ),
  row('sees what a comment of scripts hides', 'agent.js', ['= 1', '= 2'], 'run: agent.js', {
    'agent.js': 'exports.answer = x <!-- /*\nexports.answer = 1;\n// */',
  }),
  row('tells lone surrogates apart', 'agent.js', ['\\ud800', '\\ud801'], 'run: agent.js (answer)', {
    'agent.js': "export const answer = () => '\\ud800';",
  }),
  row('tells infinite numbers from null', 'agent.js', ['1e999', 'null'], 'run: agent.js (answer)', {
    'agent.js': 'export const answer = () => 1e999;',
  }),

  row(
    'counts an eval file whole',
    'a.eval.js',
    ["=> 'other'", "=> 'changed'"],
    'run: a.eval.js',
    whole,
  ),
  row(
    'tells the grading in it apart',
    'a.eval.js',
    ['ctx.score(ctx.output.length)', 'ctx.score(1)'],
    'regrade: a.eval.js (a)',
    whole,
  ),
  row(
    'follows the grading in it',
    'graders.js',
    ["'please'", "'thank'"],
    'regrade: graders.js (politeness)',
    whole,
  ),
  row(
    'leaves plain cases in it to their values',
    'a.eval.js',
    ["input: 'second'", "input: 'third'"],
    'carry',
    whole,
  ),
  row(
    'ignores the grading of another in it',
    'a.eval.js',
    ['ctx.score(0)', 'ctx.score(2)'],
    'carry',
    {
      'a.eval.js': `${client}${evalFile}export const b = evaluation({ target: () => 1 }, (ctx) => ctx.score(0));`,
    },
  ),
  row(
    'runs after an edit of a list of graders that is made by a call',
    'a.eval.js',
    ['4', '5'],
    'run: a.eval.js',
    {
      'a.eval.js': evalFile.replace('[politeness]', '[politeness(4)]'),
    },
  ),
  row(
    'is one piece with a spread',
    'a.eval.js',
    ['ctx.score(ctx.output.length)', 'ctx.score(1)'],
    'run: a.eval.js',
    {
      'a.eval.js': evalFile.replace('evaluators:', '...{}, evaluators:'),
    },
  ),
  row('is one piece when a function makes it', 'a.eval.js', ['=> 1', '=> 2'], 'run: a.eval.js', {
    'a.eval.js':
      "import { evaluation } from 'assay';\nconst desk = (target, grader) => evaluation({ target, evaluators: [grader] });\nexport const a = desk(() => 'x', () => 1);",
  }),
  row(
    'is one piece without a target',
    'a.eval.js',
    ['ctx.score(1)', 'ctx.score(2)'],
    'run: a.eval.js (a)',
    {
      'a.eval.js':
        "import { evaluation } from 'assay';\nexport const a = evaluation({ input: 1 }, (ctx) => ctx.score(1));",
    },
  ),
  ...[
    "const support = evaluation.extend({ evaluators: [({ output }) => output.length > 3] });\nexport const a = support({ target: () => 'x' });",
    "export const a = evaluation.extend({ evaluators: [({ output }) => output.length > 3] })({ target: () => 'x' });",
  ].map((code) =>
    row(
      'follows the defaults of extend',
      'a.eval.js',
      ['> 3', '> 4'],
      /support/.test(code) ? 'regrade: a.eval.js (support)' : 'regrade: a.eval.js (a)',
      {
        'a.eval.js': `import { evaluation } from 'assay';\n${code}`,
      },
    ),
  ),
  row('finds an evaluation of another file', 'e.js', ['=> 1', '=> 2'], 'run: e.js (b)', {
    'a.eval.js': "export { b as a } from './e.js';",
    'e.js':
      "import { evaluation } from 'assay';\nexport const b = evaluation({ target: () => 0, evaluators: [() => 1] });",
  }),
  row(
    'never carries what reads a database file',
    'agent.js',
    ['x', 'x'],
    'run: opens files that are not followed (node:sqlite)',
    {
      'agent.js':
        "import { DatabaseSync } from 'node:sqlite';\nexport const answer = (x) => new DatabaseSync(x);",
    },
  ),
];

function row(
  title: string,
  file: string,
  edit: readonly [string, string],
  expected: string,
  files: Readonly<Record<string, string>> = {},
): Row {
  return { title, file, edit, expected, files };
}

describe('the code of an evaluation', () => {
  it('has the packages in the dependency closure', () => {
    const code =
      "import { evaluation } from 'assay'; import x from 'one'; export const a = evaluation({ target: () => x() });";
    const packages = new Map([
      ['one@1.0.0', ['two@3.0.0']],
      ['two@3.0.0', ['one@1.0.0']],
    ]);
    const names = codeOf(graphOf({ 'a.eval.js': code }, { packages })).target.map(([name]) => name);
    expect(names).to.include.members(['one@1.0.0', 'two@3.0.0', 'node 24.0.0', 'assay 1.0.0']);
  });

  it('is called default where it is the default export', () => {
    const codeOfDefault = (target: string) => {
      const code = `import { evaluation } from 'assay'; export default evaluation({ target: () => ${target} });`;
      return codeOf(graphOf({ 'a.eval.js': code }), 'default');
    };
    expect(decide(codeOfDefault('1'), codeOfDefault('2'))).to.equal('run: a.eval.js (default)');
  });

  it('has all of what only the loader saw', () => {
    const of = (k: number) =>
      graphOf(
        { ...base, 'plugin.js': `export const k = ${k};` },
        { seen: { 'agent.js': [['/plugin.js', 'plugin.js']] } },
      );
    expect(decide(codeOf(of(1)), codeOf(of(2)))).to.equal('run: plugin.js (k)');
  });

  for (const { title, files, file, edit, expected } of rows) {
    it(title, () => {
      const before: Record<string, string> = { ...base, ...files };
      const text = before[file] ?? '';
      expect(text).to.include(edit[0]);
      const after = { ...before, [file]: text.replace(edit[0], () => edit[1]) };
      expect(decide(codeOf(graphOf(before)), codeOf(graphOf(after)))).to.equal(expected);
    });
  }
});
