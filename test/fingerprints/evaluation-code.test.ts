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

const rows: Row[] = [
  row('ignores comments', 'agent.js', ['export async', '// new\nexport async'], 'carry'),
  row('ignores formatting', 'agent.js', ['{ return prompt', '{\n\n  return   prompt'], 'carry'),
  row(
    'sees a change of a function',
    'agent.js',
    ['prompt + text', 'text + prompt'],
    'run: agent.js (answer)',
  ),
  row('sees a change of a constant below', 'prompts.js', ['Answer: ', 'A: '], 'run: prompts.js'),
  row('ignores an unused constant', 'prompts.js', ['not read', 'still not'], 'carry'),
  row('ignores an unused function', 'agent.js', ['return unused', 'return 1'], 'carry'),
  row(
    'ignores functions that moved',
    'graders.js',
    [
      "export function politeness({ output }) { return has(output, 'please'); }\nexport function length({ output }) { return output.length; }",
      "export function length({ output }) { return output.length; }\nexport function politeness({ output }) { return has(output, 'please'); }",
    ],
    'carry',
  ),
  row(
    'regrades after a change of a grader',
    'graders.js',
    ["'please'", "'thank'"],
    'regrade: graders.js (politeness)',
  ),
  row(
    'regrades after a change below a grader',
    'words.js',
    ['text.includes(word)', 'text === word'],
    'regrade: words.js',
  ),
  row(
    'regrades after a change of the body',
    'a.eval.js',
    ['ctx.score(ctx.output.length)', 'ctx.score(1)'],
    'regrade: a.eval.js (a)',
  ),
  row(
    'regrades after a change of a threshold',
    'a.eval.js',
    ['min: 0.5', 'min: 0.6'],
    'regrade: a.eval.js (a)',
  ),
  row(
    'runs after a change of the target',
    'a.eval.js',
    ['answer(ctx.input)', "answer(ctx.input + '!')"],
    'run: a.eval.js (a)',
  ),
  row(
    'leaves inline cases to their values',
    'a.eval.js',
    ["input: 'second'", "input: 'third'"],
    'carry',
  ),
  row(
    'leaves labels, timeout and trials to their values',
    'a.eval.js',
    ["labels: ['smoke'], timeout: 3, trials: 2", "labels: ['slow'], timeout: 4, trials: 3"],
    'carry',
  ),
  row('ignores another evaluation', 'a.eval.js', ["=> 'other'", "=> 'changed'"], 'carry'),
  row(
    'counts statements with effects for all',
    'a.eval.js',
    ['/* text */', 'console.log(1);'],
    'run: a.eval.js',
  ),
  row(
    'counts effects of imported modules',
    'words.js',
    ['export function', 'globalThis.words = 1;\nexport function'],
    'run: words.js',
  ),
  row(
    'counts a new import for its effects',
    'a.eval.js',
    ['/* text */', "import './setup.js';"],
    'run: setup.js',
    { 'setup.js': 'globalThis.x = 1;' },
  ),
  row(
    'ignores a new import without effects',
    'a.eval.js',
    ['/* text */', "import './setup.js';"],
    'carry',
    { 'setup.js': 'export const x = [1];' },
  ),
  row(
    'sees another property of an export of a namespace',
    'agent.js',
    ['refund.system', 'refund.strict'],
    'run: agent.js (answer)',
    nested('all.refund.system'),
  ),
  row(
    'sees another computed property of an export of a namespace',
    'agent.js',
    ["['system']", "['strict']"],
    'run: agent.js (answer)',
    nested("all.refund['system']"),
  ),
  row(
    'sees another method of an export of a namespace',
    'agent.js',
    ['.up(', '.lo('],
    'run: agent.js (answer)',
    nested('all.refund.up(1)'),
  ),
  row(
    'sees another property of what require() gives',
    'agent.js',
    ['refund.system', 'refund.strict'],
    'run: agent.js (answer)',
    {
      'prompts.cjs': "exports.refund = { system: 'kind', strict: 'strict' };",
      'agent.js':
        "const all = require('./prompts.cjs');\nexports.answer = (x) => all.refund.system;",
    },
  ),
  row(
    'sees another part of a package or of a module of Node',
    'agent.js',
    ['posix.basename', 'posix.dirname'],
    'run: agent.js (answer)',
    {
      'agent.js':
        "import * as path from 'node:path';\nexport const answer = (x) => path.posix.basename(x);",
    },
  ),
  row(
    'counts what a package is told to use',
    'words.js',
    ['chai.tone', 'chai.tune'],
    'run: words.js (has)',
    {
      'a.eval.js': `import * as chai from 'chai';\nimport { has } from './words.js';\nchai.use(has);\n${evalFile}`,
      'words.js': 'export function has(chai) { chai.tone = 1; }',
      'graders.js': 'export const politeness = () => 1;',
    },
  ),
  row(
    'counts what a package is told to use by a module that is imported for its effects',
    'setup.js',
    ['tone = 1', 'tone = 2'],
    'run: setup.js',
    {
      'a.eval.js': `import './setup.js';\n${evalFile}`,
      'setup.js': "import chai from 'chai';\nchai.use((it) => { it.tone = 1; });",
    },
  ),
  row(
    'counts what an imported function is told to use',
    'setup.js',
    ['tone = 1', 'tone = 2'],
    'run: setup.js (setUp)',
    {
      'a.eval.js': `import './setup.js';\n${evalFile}`,
      'setup.js':
        "import { expect } from 'expect';\nfunction setUp() { expect.extend({ tone: () => { const tone = 1; } }); }\nconst done = setUp();",
    },
  ),
  row(
    'knows that schemas that are extended stay as they are',
    'a.eval.js',
    ['more: 1', 'more: 2'],
    'carry',
    {
      'a.eval.js': `import { z } from 'zod';\nconst unused = z.object({}).extend({ more: 1 });\n${evalFile}`,
    },
  ),
  row(
    'joins what writes to a value',
    'agent.js',
    ["state.tone = 'kind'", "state.tone = 'rude'"],
    'run: agent.js',
    {
      'agent.js':
        "const state = {};\nstate.tone = 'kind';\nexport function answer(text) { return state.tone + text; }",
    },
  ),
  row(
    'joins functions that write to a value',
    'agent.js',
    ['list.push(1)', 'list.push(2)'],
    'run: agent.js (add)',
    {
      'agent.js':
        'const list = [];\nexport function add() { list.push(1); }\nexport function answer(text) { return list.join() + text; }',
    },
  ),
];

/** `agent.js` uses `deep.js`, which uses `deeper.js`. */
const deep = {
  'agent.js': "import { top } from './deep.js';\nexport const answer = (x) => top(x);",
  'deep.js':
    "import { one as f, two as g } from './deeper.js';\nexport const top = (x) => f(g(x));",
  'deeper.js': "export { one, two } from './deepest.js';",
  'deepest.js':
    'export const one = (x) => x + 1;\nexport const two = (x) => x * 2;\nconst a = 1; const b = 2;\nexport const three = a - b;',
};

const cjsEval = `"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
function _export(target, all) { for (var name in all) Object.defineProperty(target, name, { enumerable: true, get: Object.getOwnPropertyDescriptor(all, name).get }); }
_export(exports, { get a() { return a; }, get other() { return other; } });
const _assay = require('assay');
const _agent = require('./agent.cjs');
const _graders = /*#__PURE__*/ _interop_require_default(require('./graders.cjs'));
function _interop_require_default(obj) { return obj && obj.__esModule ? obj : { default: obj }; }
const a = (0, _assay.evaluation)({ cases: [{ input: 1 }], target: (ctx) => (0, _agent.answer)(ctx.input), evaluators: [_graders.default] });
const other = (0, _assay.evaluation)({ input: 1, target: () => 'other' });
`;
const cjs = {
  'a.eval.js': cjsEval,
  'agent.cjs': "exports.answer = (x) => x + 1;\nexports.unused = () => 'unused';\n",
  'graders.cjs': "const words = 'please';\nmodule.exports = ({ output }) => output === words;\n",
};

rows.push(
  row(
    'follows the re-exports of a namespace that is used as a whole',
    'one.js',
    ['x + 1', 'x + 3'],
    'run: one.js',
    {
      ...barrel(),
      'agent.js': "import * as all from './index.js';\nexport const answer = (x) => all[x](x);",
      'index.js': "export { one } from './one.js';",
    },
  ),
  row(
    'sees exports of a whole namespace that change places',
    'both.js',
    ['a as k, b as m', 'b as k, a as m'],
    'run: both.js',
    {
      'agent.js': "export const answer = async (x) => (await import('./both.js')).k + x;",
      'both.js': 'const a = 1;\nconst b = 2;\nexport { a as k, b as m };',
    },
  ),
  row(
    'sees parameters of a factory that change places',
    'a.eval.js',
    ['(p, q) =>', '(q, p) =>'],
    'run: a.eval.js (desk)',
    {
      'a.eval.js':
        "import { evaluation } from 'assay';\nconst desk = (p, q) => evaluation({ input: 1, target: () => p - q });\nexport const a = desk(1, 2);",
    },
  ),
  row(
    'sees imports that change places',
    'deep.js',
    ['one as f, two as g', 'two as f, one as g'],
    'run: deep.js',
    deep,
  ),
  row(
    'sees re-exports that change places',
    'deeper.js',
    ['one, two', 'one as two, two as one'],
    'run: deep.js',
    deep,
  ),
  row(
    'sees functions that change names',
    'deepest.js',
    [
      'one = (x) => x + 1;\nexport const two = (x) => x * 2',
      'two = (x) => x + 1;\nexport const one = (x) => x * 2',
    ],
    'run: deepest.js',
    deep,
  ),
  row(
    'sees constants that change names',
    'deepest.js',
    ['a = 1; const b = 2', 'b = 1; const a = 2'],
    'run: deepest.js',
    {
      ...deep,
      'deeper.js': "export { three, one, two } from './deepest.js';",
      'deep.js': "import { three } from './deeper.js';\nexport const top = (x) => three + x;",
    },
  ),
  row('follows the default of CommonJS to all of it', 'c.cjs', ['= 2', '= 3'], 'run: c.cjs', {
    'agent.js': "import c from './c.cjs';\nexport const answer = (x) => c.b + x;",
    'c.cjs': 'exports.default = 1;\nexports.b = 2;',
  }),
  row(
    'knows names of Object.prototype',
    'agent.js',
    ['x + 1', 'x + 2'],
    'run: agent.js (constructor)',
    {
      'agent.js':
        "import { toString } from './words.js';\nfunction constructor(x) { return x + 1 + toString; }\nexport const answer = (x) => constructor(x);",
    },
  ),
  row('follows CommonJS', 'agent.cjs', ['x + 1', 'x + 2'], 'run: agent.cjs (answer)', cjs),
  row('ignores unused exports of CommonJS', 'agent.cjs', ["'unused'", "'still'"], 'carry', cjs),
  row(
    'splits evaluations in compiled CommonJS',
    'graders.cjs',
    ['please', 'thanks'],
    'regrade: graders.cjs (words)',
    cjs,
  ),
  row(
    'ignores another evaluation in CommonJS',
    'a.eval.js',
    ["=> 'other'", "=> 'changed'"],
    'carry',
    cjs,
  ),
  row('follows a barrel', 'two.js', ['x + 2', 'x + 3'], 'run: two.js', barrel()),
  row('ignores an unused sibling in a barrel', 'one.js', ['x + 1', 'x + 3'], 'carry', barrel()),
  row(
    'counts the effects of a sibling in a barrel',
    'one.js',
    ['export', 'globalThis.one = 1;\nexport'],
    'run: one.js',
    barrel(),
  ),
  row(
    'follows a renamed re-export',
    'one.js',
    ['x + 1', 'x + 3'],
    'run: one.js',
    barrel('renamed'),
  ),
  row(
    'follows one name of a namespace',
    'two.js',
    ['x + 2', 'x + 3'],
    'carry',
    barrel('namespace'),
  ),
  row('follows import() in a function', 'lazy.js', ['1', '2'], 'run: lazy.js', {
    'agent.js': "export const answer = async (x) => (await import('./lazy.js')).k + x;",
    'lazy.js': 'export const k = 1;',
  }),
  row('follows require() in a function', 'lazy.cjs', ['1', '2'], 'run: lazy.cjs', {
    'agent.js': "export const answer = (x) => require('./lazy.cjs').k + x;",
    'lazy.cjs': 'exports.k = 1;',
  }),
  row('follows circles', 'odd.js', ['x - 1', 'x - 2'], 'run: odd.js', {
    'agent.js': "import { even } from './even.js';\nexport const answer = (x) => even(x);",
    'even.js':
      "import { odd } from './odd.js';\nexport function even(x) { return x === 0 || odd(x); }",
    'odd.js': "import { even } from './even.js';\nexport function odd(x) { return even(x - 1); }",
  }),
  row('counts JSON modules', 'data.json', ['1', '2'], 'run: data.json', {
    'agent.js':
      "import data from './data.json' with { type: 'json' };\nexport const answer = (x) => data.v + x;",
    'data.json': '{"v":1}',
  }),
  row(
    'is one piece with a spread',
    'graders.js',
    ["'please'", "'thank'"],
    'run: graders.js (politeness)',
    { 'a.eval.js': evalFile.replace('evaluators:', '...{}, evaluators:') },
  ),
  row(
    'follows defaults of extend in the same file',
    'a.eval.js',
    ['length > 3', 'length > 4'],
    'regrade: a.eval.js (support)',
    {
      'a.eval.js':
        "import { evaluation } from 'assay';\nconst support = evaluation.extend({ evaluators: [({ output }) => output.length > 3] });\nexport const a = support({ cases: [], target: () => 'x' });",
    },
  ),
  row(
    'follows the grader that a factory gets',
    'a.eval.js',
    ['length > 3', 'length > 4'],
    'regrade: a.eval.js (a)',
    factory(),
  ),
  row(
    'follows the target that a factory gets',
    'a.eval.js',
    ["'x'", "'y'"],
    'run: a.eval.js (a)',
    factory(),
  ),
  row(
    'follows the grading in a factory',
    'a.eval.js',
    ['score(1)', 'score(2)'],
    'regrade: a.eval.js (desk)',
    factory(),
  ),
  row(
    'ignores what another call gives to the factory',
    'a.eval.js',
    ["'other'", "'changed'"],
    'carry',
    factory(),
  ),
  row(
    'leaves a constant of plain cases to their values',
    'a.eval.js',
    ["input: 'x'", "input: 'y'"],
    'carry',
    listed('ctx.input'),
  ),
  row(
    'counts a constant of cases that the target uses',
    'a.eval.js',
    ["input: 'x'", "input: 'y'"],
    'run: a.eval.js (list)',
    listed('list.length'),
  ),
  row('counts functions in cases', 'a.eval.js', ["=> 'x'", "=> 'y'"], 'run: a.eval.js (a)', {
    'a.eval.js':
      "import { evaluation } from 'assay';\nexport const a = evaluation({ cases: [{ input: () => 'x' }], target: (ctx) => ctx.input() });",
  }),
  row(
    'counts evaluators of cases as grading',
    'a.eval.js',
    ['=> 1', '=> 2'],
    'regrade: a.eval.js (a)',
    {
      'a.eval.js':
        "import { evaluation } from 'assay';\nexport const a = evaluation({ cases: [{ input: 1, evaluators: [() => 1] }], target: (ctx) => ctx.input });",
    },
  ),
  row(
    'tells grading apart beside all options of the target',
    'a.eval.js',
    ['=> 1', '=> 2'],
    'regrade: a.eval.js (a)',
    {
      'a.eval.js':
        "import { evaluation } from 'assay';\nexport const a = evaluation({ requires: ['gpu'], inputs: ['x'], normalize: (x) => x.y, limits: {}, target: (ctx) => ctx.input, evaluators: [() => 1] });",
    },
  ),
  row(
    'never carries what starts a process',
    'agent.js',
    ['x', 'x'],
    'run: starts a process (node:child_process)',
    {
      'agent.js':
        "import { execSync } from 'node:child_process';\nexport const answer = (x) => execSync(x);",
    },
  ),
  row('never carries eval', 'agent.js', ['x', 'x'], 'run: uses eval', {
    'agent.js': 'export const answer = (x) => eval(x);',
  }),
  row('counts all of a file that does not parse', 'agent.js', ['oops', 'other'], 'run: agent.js', {
    'agent.js': 'export const answer = oops oops;',
  }),
  row(
    'sees a line break that changes the meaning',
    'agent.js',
    ['return x', 'return\nx'],
    'run: agent.js (answer)',
    { 'agent.js': 'export function answer(x) { return x; }' },
  ),
  row('tells lone surrogates apart', 'agent.js', ['\\ud800', '\\ud801'], 'run: agent.js (answer)', {
    'agent.js': "export const answer = () => '\\ud800';",
  }),
  row(
    'calls functions without effects for one evaluation only',
    'a.eval.js',
    ["make('other')", "make('changed')"],
    'carry',
    {
      'a.eval.js':
        "import { evaluation } from 'assay';\nimport { make } from './make.js';\nconst one = make('one');\nconst two = make('other');\nexport const a = evaluation({ input: 1, target: () => one() });\nexport const b = evaluation({ input: 1, target: () => two() });",
      'make.js': 'export function make(x) { return () => x; }',
    },
  ),
);

function barrel(kind = 'named'): Record<string, string> {
  const uses: Record<string, string> = {
    named: "import { two } from './index.js';\nexport const answer = (x) => two(x);",
    renamed: "import { first } from './index.js';\nexport const answer = (x) => first(x);",
    namespace: "import * as all from './index.js';\nexport const answer = (x) => all.one(x);",
  };
  return {
    'agent.js': uses[kind] as string,
    'index.js':
      "export * from './one.js';\nexport * from './two.js';\nexport { one as first } from './one.js';",
    'one.js': 'export function one(x) { return x + 1; }',
    'two.js': 'export function two(x) { return x + 2; }',
  };
}

function nested(use: string): Record<string, string> {
  return {
    'prompts.js':
      "export const refund = { system: 'kind', strict: 'strict', up: (x) => x, lo: (x) => -x };",
    'agent.js': `import * as all from './prompts.js';\nexport const answer = (x) => ${use};`,
  };
}

function factory(): Record<string, string> {
  return {
    'a.eval.js': `import { evaluation } from 'assay';
const desk = (target, grader) => evaluation({ cases: [{ input: 1 }], target, evaluators: [grader] }, (ctx) => ctx.score(1));
export const a = desk(() => 'x', ({ output }) => output.length > 3);
export const b = desk(() => 'other', () => 1);`,
  };
}

function listed(use: string): Record<string, string> {
  return {
    'a.eval.js': `import { evaluation } from 'assay';
const list = [{ input: 'x' }];
export const a = evaluation({ cases: list, target: (ctx) => ${use} });`,
  };
}

/** The state of `list.js`, which `agent.js` answers with, and `setup.js`, which changes it in some way. */
const effects: readonly (readonly [title: string, setup: string])[] = [
  ['a callback of a global function', "export const x = Array.from([1], () => push('one'));"],
  [
    'a callback that is a method',
    "const tools = { add: push };\nexport const x = ['one'].map(tools.add);",
  ],
  [
    'a callback that is made by a call',
    "const named = (f) => f;\nexport const x = ['one'].map(named(push));",
  ],
  ['a reviver', "export const x = JSON.parse('[1]', () => push('one'));"],
  [
    'a default value of a parameter',
    "const add = (x = push('one')) => x;\nexport const y = add();",
  ],
  [
    'a default value of a constructor',
    "class A { constructor(x = push('one')) { this.x = x; } }\nexport const y = new A();",
  ],
  [
    'a default value of a pattern',
    "const add = (given) => { const { x = push('one') } = given; return x; };\nexport const y = add({});",
  ],
  ['a method of an object of its own', "const api = { add(x) { push(x); } };\napi.add('one');"],
  [
    'a method of a class of its own',
    "class A { static register(x) { push(x); } }\nA.register('one');",
  ],
  [
    'a property of a function of its own',
    "function app() {}\napp.use = (x) => push(x);\napp.use('one');",
  ],
  [
    'a variable that has got another value',
    "const add = () => { let to = []; to = list; to.push('one'); return 1; };\nexport const y = add();",
  ],
  [
    'a setter',
    "class A { set x(to) { push(to); } constructor() { this.x = 'one'; } }\nexport const y = new A();",
  ],
];

rows.push(
  ...effects.map(([title, setup]) =>
    row(`sees what ${title} does`, 'setup.js', ["'one'", "'two'"], 'run: setup.js', {
      'agent.js':
        "import { list } from './list.js';\nimport { other } from './setup.js';\nexport const answer = (text) => [text, ...list, other];",
      'list.js': 'export const list = [];\nexport const push = (x) => { list.push(x); return x; };',
      'setup.js': `import { list, push } from './list.js';\nexport const other = 1;\n${setup}`,
    }),
  ),
  row(
    'sees all that a module does that is imported for that',
    'setup.js',
    ["'one'", "'two'"],
    'run: setup.js',
    {
      'agent.js':
        "import { list } from './list.js';\nimport './setup.js';\nexport const answer = (text) => [text, ...list];",
      'list.js': 'export const list = [];\nexport const push = (x) => { list.push(x); return x; };',
      'setup.js':
        "import { push } from './list.js';\nconst o = { toString: () => push('one') };\nexport const text = o + '';",
    },
  ),
  row(
    'sees that other random numbers are drawn',
    'ages.js',
    ['length: 2', 'length: 3'],
    'run: ages.js',
    {
      'agent.js':
        "import { ages } from './ages.js';\nexport const answer = (text) => [text, ...ages];",
      'ages.js':
        'const seeded = (n) => () => { n = (n * 31) % 97; return n; };\nconst random = seeded(5);\nexport const heights = Array.from({ length: 2 }, () => random());\nexport const ages = Array.from({ length: 2 }, () => random());',
    },
  ),
  row(
    'sees what a name of a block hides elsewhere',
    'count.js',
    ['bump(1)', 'bump(2)'],
    'run: count.js',
    {
      'agent.js': "import { n } from './count.js';\nexport const answer = (text) => text + n;",
      'count.js':
        'export let n = 0;\nexport function bump(by) { if (by > 5) { const n = 3; } n += by; return by; }\nexport const x = bump(1);',
    },
  ),
);

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
    const names = codeOf(graphOf({ 'a.eval.js': code }, { packages })).target.map(
      ({ name }) => name,
    );
    expect(names).to.include.members(['one@1.0.0', 'two@3.0.0', 'node 24.0.0', 'assay 1.0.0']);
  });

  it('of a list is found by index', () => {
    const of = (last: string) =>
      graphOf({
        'a.eval.js': `import { evaluation } from 'assay'; export const a = [evaluation({ name: 'x', target: () => 1 }), evaluation({ name: 'y', target: () => ${last} })];`,
      });
    expect(decide(codeOf(of('1'), 'a', 0), codeOf(of('2'), 'a', 0))).to.equal('carry');
    expect(decide(codeOf(of('1'), 'a', 1), codeOf(of('2'), 'a', 1))).to.equal('run: a.eval.js (a)');
  });

  it('is called default where it is the default export', () => {
    const of = (target: string) =>
      graphOf({
        'a.eval.js': `import { evaluation } from 'assay'; export default evaluation({ target: () => ${target} });`,
      });
    const codeOfDefault = (target: string) => codeOf(of(target), 'default');
    expect(decide(codeOfDefault('1'), codeOfDefault('2'))).to.equal('run: a.eval.js (default)');
  });

  it('charges what only the loader saw to the module that loaded it', () => {
    const files = {
      ...base,
      'agent.js': 'export const answer = async (x) => (await import(x)).k;',
    };
    const of = (k: number) =>
      graphOf(
        { ...files, 'plugin.js': `export const k = ${k};` },
        { seen: { 'agent.js': [['/plugin.js', 'plugin.js']] } },
      );
    expect(decide(codeOf(of(1)), codeOf(of(2)))).to.equal('run: plugin.js');
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
