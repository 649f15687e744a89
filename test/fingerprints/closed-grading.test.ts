import { expect } from 'chai';
import { codeOf, graphOf } from './graph-of.js';

/** An eval file whose target and grader are these expressions. */
function evalFile(top: string, target: string, grader: string): string {
  return `import { evaluation } from 'assay';
${top}
export const a = evaluation({ cases: [{ input: 'x' }], target: ${target}, evaluators: [${grader}] });`;
}

interface Row {
  readonly title: string;
  readonly isClosed: boolean;
  readonly top?: string;
  readonly target?: string;
  readonly grader: string;
  readonly files?: Readonly<Record<string, string>>;
}

const target = '(ctx) => ctx.input';
const rows: Row[] = [
  {
    title: 'a function that keeps something in a property of its own',
    isClosed: false,
    top: 'function f(x) { f.known ??= new Map(); return f.known.size; }',
    target: 'f',
    grader: 'f',
  },
  {
    title: 'a global that is replaced while the file is imported',
    isClosed: false,
    top: 'let n = 0;\nglobalThis.fetch = () => (n += 1);',
    target: '() => fetch()',
    grader: '() => fetch()',
  },
  {
    title: 'a change of a module of Node',
    isClosed: false,
    top: "import { inspect } from 'node:util';",
    target: '() => { inspect.defaultOptions.depth = 0; }',
    grader: '({ output }) => inspect(output)',
  },
  {
    title: 'a count behind `this.constructor`',
    isClosed: false,
    top: 'class A { hit() { this.constructor.n = 1; } }',
    target: '() => new A().hit()',
    grader: '() => A.n',
  },
  { title: 'a function of the output', isClosed: true, grader: '({ output }) => output.length' },
  {
    title: 'a shared function',
    isClosed: true,
    top: 'function f(x) { return x; }',
    target: 'f',
    grader: 'f',
  },
  {
    title: 'a shared primitive',
    isClosed: true,
    top: 'const k = 1;',
    target: '() => k',
    grader: '() => k',
  },
  {
    title: 'a shared class',
    isClosed: true,
    top: 'class A { get() { return 1; } }',
    target: '() => new A()',
    grader: '() => new A()',
  },
  {
    title: 'a shared class with statics',
    isClosed: false,
    top: 'class A { static n = 1; }',
    target: '() => A.n++',
    grader: '() => A.n',
  },
  {
    title: 'a shared object',
    isClosed: false,
    top: 'const s = { n: 0 };',
    target: '() => s.n++',
    grader: '() => s.n',
  },
  {
    title: 'a shared variable',
    isClosed: false,
    top: 'let n = 0;',
    target: '() => ++n',
    grader: '() => n',
  },
  {
    title: 'a shared variable behind functions',
    isClosed: false,
    top: 'let n = 0; function up() { n++; } function get() { return n; }',
    target: '() => up()',
    grader: '() => get()',
  },
  {
    title: 'a property of a shared function',
    isClosed: false,
    top: 'function f() { return f.n; }',
    target: '() => { f.n = 1; }',
    grader: '() => f()',
  },
  {
    title: 'an object of the file that only it names',
    isClosed: true,
    top: 'const words = ["a"];',
    grader: '({ output }) => words.includes(output)',
  },
  {
    title: 'a shared regular expression',
    isClosed: false,
    top: 'const re = /x/g;',
    target: '() => re.test("x")',
    grader: '() => re.test("x")',
  },
  {
    title: 'state of a shared module',
    isClosed: false,
    top: "import { up, get } from './s.js';",
    target: 'up',
    grader: 'get',
    files: {
      's.js':
        'const m = new Map();\nexport const up = () => m.set(1, 1);\nexport const get = () => m.size;',
    },
  },
  {
    title: 'other functions of a shared module with effects',
    isClosed: false,
    top: "import { up, get } from './s.js';",
    target: 'up',
    grader: 'get',
    files: {
      's.js':
        'const m = new Map();\nexport const up = () => m.set(1, 1);\nexport const get = () => 1;',
    },
  },
  {
    title: 'state that a statement connects',
    isClosed: false,
    top: 'const mine = {}; const theirs = {}; connect(mine, theirs); function connect(a, b) { a.b = b; }',
    target: '() => { theirs.n = 1; }',
    grader: '() => mine.b.n',
  },
  {
    title: 'an alias of shared state',
    isClosed: false,
    top: 'const s = { n: 0 }; const alias = s;',
    target: '() => s.n++',
    grader: '() => alias.n',
  },
  {
    title: 'a model client that both use',
    isClosed: true,
    top: "import OpenAI from 'openai';",
    target: '() => new OpenAI()',
    grader: '() => new OpenAI()',
  },
  {
    title: 'another package that both use',
    isClosed: false,
    top: "import x from 'unknown-package';",
    target: '() => x()',
    grader: '() => x()',
  },
  {
    title: 'another package that the grader uses',
    isClosed: true,
    top: "import x from 'unknown-package';",
    grader: '() => x()',
  },
  {
    title: 'other functions of a shared inert module',
    isClosed: true,
    top: "import { up, get } from './s.js';",
    target: 'up',
    grader: 'get',
    files: { 's.js': 'export const up = () => 2;\nexport const get = () => 1;' },
  },
  {
    title: 'a global that the target sets by its name',
    isClosed: false,
    target: '() => { globalThis.lastAnswer = 1; }',
    grader: '() => lastAnswer',
  },
  { title: 'globalThis', isClosed: false, grader: '() => globalThis.last' },
  {
    title: 'a global that the target sets',
    isClosed: false,
    target: '() => { Math.random = () => 1; }',
    grader: '() => Math.random()',
  },
  { title: 'the environment', isClosed: true, grader: '() => process.env.LIMIT' },
  {
    title: 'a global that the target sets in a pattern',
    isClosed: false,
    target: '() => { [Math.random] = [() => 1]; }',
    grader: '() => Math.random()',
  },
  {
    title: 'a global that a loop of the target sets',
    isClosed: false,
    target: '() => { for (Math.last of [1]); }',
    grader: '() => Math.last',
  },
  {
    title: 'a global in parentheses',
    isClosed: false,
    target: '() => { (Math).last = 1; }',
    grader: '() => Math.last',
  },
  {
    title: 'a global that the target passes to `Object.assign`',
    isClosed: false,
    target: '() => Object.assign(Math, { last: 1 })',
    grader: '() => Math.last',
  },
  {
    title: 'a module of Node that the target passes to `Object.assign`',
    isClosed: false,
    top: "import { inspect } from 'node:util';",
    target: '() => Object.assign(inspect.defaultOptions, { depth: 0 })',
    grader: '({ output }) => inspect(output)',
  },
  {
    title: 'an object of its own that the target passes to `Object.assign`',
    isClosed: true,
    target: '() => Object.assign({}, { last: 1 })',
    grader: '({ output }) => Object.keys(output)',
  },
  {
    title: 'an import that is only listed',
    isClosed: true,
    top: "import { one } from './x.js';",
    target: '() => Object.keys(one)',
    grader: '() => Object.entries(one)',
    files: { 'x.js': 'export const one = () => 1;' },
  },
  {
    title: 'the prototype of generators',
    isClosed: false,
    target: '() => { Object.getPrototypeOf(function* () {}).seen = 1; }',
    grader: '() => (function* () {}).seen',
  },
  {
    title: 'the last match of regular expressions',
    isClosed: false,
    target: "() => /(b)/.test('abc')",
    grader: '() => RegExp.$1',
  },
  {
    title: 'marks of time',
    isClosed: false,
    target: "() => performance.mark('a')",
    grader: "() => performance.getEntriesByName('a').length",
  },
  {
    title: 'a property of `import.meta`',
    isClosed: false,
    target: '() => { import.meta.last = 1; }',
    grader: '() => import.meta.last',
  },
  { title: 'the process', isClosed: false, grader: '() => process.memoryUsage()' },
  { title: 'a prototype', isClosed: false, grader: '() => String.prototype.trim' },
  { title: 'a dynamic import', isClosed: false, grader: "() => import('node:path')" },
  {
    title: 'files',
    isClosed: false,
    top: "import { readFileSync } from 'node:fs';",
    grader: "() => readFileSync('x')",
  },
  {
    title: 'assertions',
    isClosed: true,
    top: "import assert from 'node:assert/strict';",
    grader: '() => assert.ok(1)',
  },
  {
    title: 'a write to an import',
    isClosed: false,
    top: "import { s } from './s.js';",
    grader: '() => { s.n = 1; }',
    files: { 's.js': 'export const s = {};' },
  },
  {
    title: 'a grader that a call has made',
    isClosed: false,
    top: 'const make = () => () => 1;',
    grader: 'make()',
  },
  {
    title: 'a local variable named like a global',
    isClosed: true,
    grader: '({ output }) => { const status = output; return status; }',
  },
];

describe('grading is closed', () => {
  for (const { title, isClosed, top = '', grader, files, ...row } of rows) {
    it(`${isClosed ? 'with' : 'not with'} ${title}`, () => {
      const code = evalFile(top, row.target ?? target, grader);
      expect(codeOf(graphOf({ 'a.eval.js': code, ...files })).isClosed).to.equal(isClosed);
    });
  }

  it('not without a target, because the body makes the output', () => {
    const code =
      "import { evaluation } from 'assay'; export const a = evaluation({ input: 1 }, (ctx) => ctx.score(1));";
    const { isClosed, grading } = codeOf(graphOf({ 'a.eval.js': code }));
    expect({ isClosed, grading }).to.deep.equal({ isClosed: false, grading: [] });
  });

  it('with a package that the settings name', () => {
    const code = evalFile("import x from 'own-scorers';", '() => x()', '() => x()');
    const graph = graphOf({ 'a.eval.js': code }, { statelessPackages: ['own-scorers'] });
    expect(codeOf(graph).isClosed).to.equal(true);
  });

  it('not with a package below both', () => {
    const code = evalFile("import x from 'one'; import y from 'two';", '() => x()', '() => y()');
    const packages = new Map([
      ['one@1.0.0', ['state@1.0.0']],
      ['two@1.0.0', ['state@1.0.0']],
    ]);
    expect(codeOf(graphOf({ 'a.eval.js': code }, { packages })).isClosed).to.equal(false);
  });
});
