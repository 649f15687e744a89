/** An edit of a small project, made by hand because some analysis of code had missed one like it. */
export interface HandEdit {
  readonly title: string;
  /** Files in a folder of their own, with what an edit makes of them; `null` removes one. */
  readonly files: Readonly<Record<string, string>>;
  readonly edit: Readonly<Record<string, string | null>>;
  /** What becomes of the evaluations, beside running. */
  readonly expected?: 'carry' | 'regrade';
  /** Links by path, to what they lead before and after the edit. */
  readonly links?: Readonly<Record<string, readonly [string, string]>>;
}

/** Packages that all edits can import. */
export const packages: Readonly<Record<string, string>> = {
  ...installed(
    'words',
    "export const one = (x) => 'one ' + x;\nexport const two = (x) => 'two ' + x;",
  ),
  'node_modules/words/sub.js': "export const one = (x) => 'sub ' + x;",
  'node_modules/words/package.json':
    '{"name":"words","version":"1.0.0","type":"module","exports":{".":"./index.js","./sub":"./sub.js"}}',
  ...installed(
    'router',
    'export class Router { m = new Map(); get(p, f) { this.m.set(p, f); return this; } ask(p) { return this.m.get(p)(); } }',
  ),
};

/** An eval file with one evaluation. */
const ev = (head: string, target: string, options = '') => `
  import { evaluation } from 'assay';
  ${head}
  export const e = evaluation({ input: 'x', target: ${target}, evaluators: [({ output }) => output !== undefined], ${options} });`;

/** An eval file whose grader gives a value. */
const graded = (passed: string, output = '1') => `
  import { evaluation } from 'assay';
  export const e = evaluation({ input: 'x', target: () => ${output}, evaluators: [() => ${passed}] });`;

/** An eval file that asks `run` of a module, and the edit of another. */
const cjs = (before: string, after: string, api: string): Pick<HandEdit, 'files' | 'edit'> => ({
  files: {
    'a.eval.ts': ev("import h from './h.cjs';", '() => h.run()'),
    'h.cjs': before,
    'api.cjs': api,
    'api.json': '{"a":1,"b":2}',
  },
  edit: { 'h.cjs': after },
});

/** An eval file with this head before and after, and modules. */
const head = (
  before: string,
  after: string,
  target: string,
  files: Readonly<Record<string, string>> = {},
): Pick<HandEdit, 'files' | 'edit'> => ({
  files: { 'a.eval.ts': ev(before, target), ...files },
  edit: { 'a.eval.ts': ev(after, target) },
});

/** A module that the eval file imports, before and after. */
const lib = (
  before: string,
  after: string,
  top: string,
  target: string,
  files: Readonly<Record<string, string>> = {},
): Pick<HandEdit, 'files' | 'edit'> => ({
  files: { 'a.eval.ts': ev(top, target), 'x.ts': before, ...files },
  edit: { 'x.ts': after },
});

const run = "import { run } from './x.ts';";
const registry = { 'reg.ts': 'export const reg = new Map<string, number>();' };
const useRegistry = "import { reg } from './reg.ts';";
const pair = 'const make = () => ({ a: 1, b: 2, o: { a: 1, b: 2 } });\nmodule.exports = make();';
const own = 'export const p = 1;';
const other = 'export const p = 2;';
const wrapped = (output: number) => `
  import { evaluation as real } from '../node_modules/assay/dist/index.js';
  export const evaluation = (options) => real({ ...options, target: () => ${output} });`;
const ofPackage = (text: string) => ({
  'package.json': text,
  'a.eval.ts': '',
  'p1.ts': own,
  'p2.ts': other,
});

/** Edits of imports, exports and statements. */
export const editsOfCode: readonly HandEdit[] = [
  {
    title: 'another name of a package',
    ...head(
      "import { one as f } from 'words';",
      "import { two as f } from 'words';",
      '({ input }) => f(input)',
    ),
  },
  {
    title: 'another subpath of a package',
    ...head(
      "import { one as f } from 'words';",
      "import { one as f } from 'words/sub';",
      '({ input }) => f(input)',
    ),
  },
  {
    title: 'another name of a module of Node',
    ...head(
      "import { basename as f } from 'node:path';",
      "import { dirname as f } from 'node:path';",
      "() => f('/a/b')",
    ),
  },
  {
    title: 'another name of a package in a module',
    ...lib(
      "import { one as f } from 'words';\nexport const run = (x: string) => f(x);",
      "import { two as f } from 'words';\nexport const run = (x: string) => f(x);",
      run,
      '({ input }) => run(input)',
    ),
  },
  {
    title: 'another name of a package in a barrel',
    ...lib(
      "export { one as run } from 'words';",
      "export { two as run } from 'words';",
      run,
      '({ input }) => run(input)',
    ),
  },
  {
    title: 'another destructured export',
    ...head("import { a as f } from './x.ts';", "import { b as f } from './x.ts';", '() => f', {
      'x.ts': 'export const { a, b } = (() => ({ a: 1, b: 2 }))();',
    }),
  },
  {
    title: 'another property of what CommonJS exports',
    ...head(
      "import api from './api.cjs';\nconst { a: f } = api;",
      "import api from './api.cjs';\nconst { b: f } = api;",
      '() => f',
      { 'api.cjs': pair },
    ),
  },
  {
    title: 'another property of require()',
    ...cjs(
      "const { a: f } = require('./api.cjs');\nexports.run = () => f;",
      "const { b: f } = require('./api.cjs');\nexports.run = () => f;",
      pair,
    ),
  },
  {
    title: 'another default in a pattern',
    ...cjs(
      "const { no = 5 } = require('./api.cjs');\nexports.run = () => no;",
      "const { no = 6 } = require('./api.cjs');\nexports.run = () => no;",
      pair,
    ),
  },
  {
    title: 'another nested key of require()',
    ...cjs(
      "const { o: { a: f } } = require('./api.cjs');\nexports.run = () => f;",
      "const { o: { b: f } } = require('./api.cjs');\nexports.run = () => f;",
      pair,
    ),
  },
  {
    title: 'another rest of require()',
    ...cjs(
      "const { a, ...rest } = require('./api.cjs');\nexports.run = () => rest;",
      "const { a, b, ...rest } = require('./api.cjs');\nexports.run = () => rest;",
      pair,
    ),
  },
  {
    title: 'another key of required JSON',
    ...cjs(
      "const { a: f } = require('./api.json');\nexports.run = () => f;",
      "const { b: f } = require('./api.json');\nexports.run = () => f;",
      pair,
    ),
  },
  {
    title: 'another name of JSON',
    ...head("import { a as f } from './p.json';", "import { b as f } from './p.json';", '() => f', {
      'p.json': '{"a":1,"b":2}',
    }),
  },
  {
    title: 'a default that becomes a name',
    ...head("import f from './x.ts';", "import { f } from './x.ts';", '() => f()', {
      'x.ts': 'export default () => 1;\nexport const f = () => 2;',
    }),
  },
  {
    title: 'exports that change places',
    ...lib(
      'const a = () => 1;\nconst b = () => 2;\nexport { a as run, b as other };',
      'const a = () => 1;\nconst b = () => 2;\nexport { b as run, a as other };',
      run,
      '() => run()',
    ),
  },
  {
    title: 'one more export *',
    ...lib(
      "export * from './y.ts';",
      "export * from './y.ts';\nexport * from './z.ts';",
      "import * as api from './x.ts';",
      '() => Object.keys(api)',
      { 'y.ts': 'export const y = 1;', 'z.ts': 'export const z = 1;' },
    ),
  },
  {
    title: 'an export that hides one of export *',
    ...lib(
      "export * from './y.ts';",
      "export { run } from './z.ts';\nexport * from './y.ts';",
      run,
      '() => run',
      { 'y.ts': 'export const run = 1;', 'z.ts': 'export const run = 2;' },
    ),
  },
  {
    title: 'a route in a constant',
    ...lib(
      "import { Router } from 'router';\nexport const app = new Router();\nconst routes = app.get('/', () => 1);\nexport type App = typeof routes;",
      "import { Router } from 'router';\nexport const app = new Router();\nconst routes = app.get('/', () => 2);\nexport type App = typeof routes;",
      "import { app } from './x.ts';",
      "() => app.ask('/')",
    ),
  },
  {
    title: 'a route in a statement',
    ...lib(
      "import { Router } from 'router';\nexport const app = new Router();\napp.get('/', () => 1);",
      "import { Router } from 'router';\nexport const app = new Router();\napp.get('/', () => 2);",
      "import { app } from './x.ts';",
      "() => app.ask('/')",
    ),
  },
  {
    title: 'a route of a module that is imported without a name',
    ...lib(
      "import { app } from './app.ts';\nexport const r = app.get('/', () => 1);",
      "import { app } from './app.ts';\nexport const r = app.get('/', () => 2);",
      "import { app } from './app.ts';\nimport './x.ts';",
      "() => app.ask('/')",
      { 'app.ts': "import { Router } from 'router';\nexport const app = new Router();" },
    ),
  },
  {
    title: 'a route of a module that is imported for another name',
    ...lib(
      "import { app } from './app.ts';\nexport const n = 1;\nexport const r = app.get('/', () => 1);",
      "import { app } from './app.ts';\nexport const n = 1;\nexport const r = app.get('/', () => 2);",
      "import { app } from './app.ts';\nimport { n } from './x.ts';",
      "() => app.ask('/') + n",
      { 'app.ts': "import { Router } from 'router';\nexport const app = new Router();" },
    ),
  },
  {
    title: 'what a class of the project registers',
    ...lib(
      "import { Tools } from './tools.ts';\nexport const tools = new Tools();\nexport const x = tools.with('x', () => 1);",
      "import { Tools } from './tools.ts';\nexport const tools = new Tools();\nexport const x = tools.with('x', () => 2);",
      "import { tools } from './x.ts';",
      "() => tools.m.get('x')()",
      {
        'tools.ts':
          'export class Tools { m = new Map(); with(n, f) { this.m.set(n, f); return this; } }',
      },
    ),
  },
  {
    title: 'what a function pushes by apply',
    ...lib(
      'export const list = [];\nfunction add(items) { return Array.prototype.push.apply(list, items); }\nexport const n = add([1]);',
      'export const list = [];\nfunction add(items) { return Array.prototype.push.apply(list, items); }\nexport const n = add([2]);',
      "import { list, n } from './x.ts';",
      '() => list',
    ),
  },
  {
    title: 'what a hidden name changes',
    ...lib(
      'export const s = { v: 0 };\nfunction up(x) { const o = {}; if (x) { const o = s; o.v = x; } return o; }\nexport const n = up(1);',
      'export const s = { v: 0 };\nfunction up(x) { const o = {}; if (x) { const o = s; o.v = x; } return o; }\nexport const n = up(2);',
      "import { s, n } from './x.ts';",
      '() => s.v',
    ),
  },
  {
    title: 'what a static field registers',
    ...lib(
      "import { reg } from './reg.ts';\nexport class X { static n = reg.set('X', 1); }",
      "import { reg } from './reg.ts';\nexport class X { static n = reg.set('X', 2); }",
      `${useRegistry}\nimport './x.ts';`,
      "() => reg.get('X')",
      registry,
    ),
  },
  {
    title: 'what a static block registers',
    ...lib(
      "import { reg } from './reg.ts';\nexport class X { static { reg.set('X', 1); } }",
      "import { reg } from './reg.ts';\nexport class X { static { reg.set('X', 2); } }",
      `${useRegistry}\nimport { X } from './x.ts';`,
      "() => [reg.get('X'), typeof X]",
      registry,
    ),
  },
  {
    title: 'a getter that counts',
    ...lib(
      'export const o = { n: 0, get next() { return ++this.n; } };\nexport const a = o.next;',
      'export const o = { n: 0, get next() { return ++this.n; } };\nexport const a = o.next;\nexport const b = o.next;',
      "import { o } from './x.ts';",
      '() => o.n',
    ),
  },
  {
    title: 'a prototype that another module changes',
    ...lib(
      "import { A } from './a.ts';\nA.prototype.hi = () => 1;\nexport const z = 1;",
      "import { A } from './a.ts';\nA.prototype.hi = () => 2;\nexport const z = 1;",
      "import { A } from './a.ts';\nimport { z } from './x.ts';",
      '() => new A().hi() + z',
      { 'a.ts': 'export class A { hi() { return 0; } }' },
    ),
  },
  {
    title: 'what two CommonJS modules of a folder require',
    files: {
      'package.json': '{}',
      'a.eval.ts': ev("import { run } from './x';", '() => run()'),
      'b.eval.ts': ev("import { run } from './y';", '() => run()'),
      'x.ts': "import { v } from './api';\nexport const run = () => v;",
      'y.ts': "import { v } from './api';\nexport const run = () => v;",
      'api.ts': 'export const v = 1;',
    },
    edit: { 'api.ts': 'export const v = 2;' },
  },
  {
    title: 'a directive',
    ...cjs(
      'function self() { return typeof this; }\nexports.run = () => self();',
      "'use strict';\nfunction self() { return typeof this; }\nexports.run = () => self();",
      pair,
    ),
  },
  {
    title: 'a property that is set by another name',
    ...lib(
      "import { conf } from './c.ts';\nconst c = conf;\nc.v = 2;\nexport const z = 0;",
      "import { conf } from './c.ts';\nconst c = conf;\nc.v = 3;\nexport const z = 0;",
      "import { conf } from './c.ts';\nimport { z } from './x.ts';",
      '() => conf.v + z',
      { 'c.ts': 'export const conf = { v: 1 };' },
    ),
  },
  {
    title: 'an enum',
    ...lib(
      'export enum E { A, B }',
      'export enum E { A, C, B }',
      "import { E } from './x.ts';",
      '() => E.B',
    ),
  },
  {
    title: 'a constant enum',
    ...lib(
      'export const enum E { A, B }',
      'export const enum E { A, C, B }',
      "import { E } from './x.ts';",
      '() => E.B',
    ),
  },
  {
    title: 'namespaces of one name',
    ...lib(
      'export namespace N { export const a = 1; }\nexport namespace N { export const f = () => a + 1; }',
      'export namespace N { export const a = 1; }\nexport namespace N { export const f = () => a + 2; }',
      "import { N } from './x.ts';",
      '() => N.f()',
    ),
  },
  {
    title: 'a decorator',
    ...lib(
      'export const dec = (t, k, d) => { d.value = () => 1; };',
      'export const dec = (t, k, d) => { d.value = () => 2; };',
      "import { A } from './a.ts';",
      '() => new A().hi()',
      {
        'tsconfig.json': '{"compilerOptions":{"experimentalDecorators":true}}',
        'a.ts': "import { dec } from './x.ts';\nexport class A { @dec hi() { return 0; } }",
      },
    ),
  },
  {
    title: 'how class fields are compiled',
    files: {
      'tsconfig.json': '{"compilerOptions":{"useDefineForClassFields":true,"target":"ES2022"}}',
      'a.eval.ts': ev("import { B } from './x.ts';", '() => String(new B().v)'),
      'x.ts': "class A { constructor() { this.v = 'set'; } }\nexport class B extends A { v: any; }",
    },
    edit: {
      'tsconfig.json': '{"compilerOptions":{"useDefineForClassFields":false,"target":"ES2021"}}',
    },
  },
  {
    title: 'paths of a tsconfig.json',
    files: {
      'tsconfig.json': '{"compilerOptions":{"paths":{"@p":["./p1.ts"]}}}',
      'a.eval.ts': ev("import { p } from '@p';", '() => p'),
      'p1.ts': own,
      'p2.ts': other,
    },
    edit: { 'tsconfig.json': '{"compilerOptions":{"paths":{"@p":["./p2.ts"]}}}' },
  },
  {
    title: 'what paths have for assay in CommonJS',
    files: {
      'package.json': '{}',
      'tsconfig.json': '{"compilerOptions":{"paths":{"assay":["./own.ts"]}}}',
      'a.eval.ts': ev('', '() => 0'),
      'own.ts': wrapped(1),
    },
    edit: { 'own.ts': wrapped(2) },
  },
  {
    title: 'imports of a package.json',
    files: {
      ...ofPackage('{"name":"x","type":"module","imports":{"#p":"./p1.ts"}}'),
      'a.eval.ts': ev("import { p } from '#p';", '() => p'),
    },
    edit: { 'package.json': '{"name":"x","type":"module","imports":{"#p":"./p2.ts"}}' },
  },
  {
    title: 'exports of a package.json',
    files: {
      ...ofPackage('{"name":"x","type":"module","exports":{"./p":"./p1.ts"}}'),
      'a.eval.ts': ev("import { p } from 'x/p';", '() => p'),
    },
    edit: { 'package.json': '{"name":"x","type":"module","exports":{"./p":"./p2.ts"}}' },
  },
  {
    title: 'the type of a package',
    files: {
      'package.json': '{"type":"commonjs"}',
      'a.eval.mts': ev("import { mode } from './x.ts';", '() => mode'),
      'x.ts': 'export const mode = typeof module;',
    },
    edit: { 'package.json': '{"type":"module"}' },
  },
  {
    title: 'a source beside its output',
    files: { 'a.eval.ts': ev("import { p } from './p.js';", '() => p'), 'p.js': own },
    edit: { 'p.ts': other },
  },
  {
    title: 'a file before a folder',
    files: {
      'package.json': '{"name":"x"}',
      'a.eval.ts': ev("import { p } from './p';", '() => p'),
      'p/index.ts': own,
    },
    edit: { 'p.ts': other },
  },
  {
    title: 'a consistent new name',
    ...head("import { f } from './x.ts';", "import { f } from './x.ts';", '() => f()', {
      'x.ts': 'const g = () => 1;\nexport { g as f };',
    }),
    edit: { 'x.ts': 'const g = () => 1;\nexport { g as f };\n// g' },
    expected: 'carry',
  },
  {
    title: 'another layout',
    ...lib(
      'export const f = () => 1;',
      '// c\nexport const f =\n  () =>\n    1;\n',
      "import { f } from './x.ts';",
      '() => f()',
    ),
    expected: 'carry',
  },
  {
    title: 'one more export',
    ...lib(
      'export const f = () => 1;',
      'export const f = () => 1;\nexport const g = () => 2;',
      "import { f } from './x.ts';",
      '() => f()',
    ),
    expected: 'carry',
  },
  {
    title: 'a type',
    ...lib(
      'export const f = () => 1;',
      'export interface T { a: 1 }\nexport const f = (): number => 1;',
      "import { f } from './x.ts';",
      '() => f()',
    ),
    expected: 'carry',
  },
];

/** An eval file whose target looks at files, and what an edit writes. */
const reading = (
  target: string,
  edit: Readonly<Record<string, string>>,
  files: Readonly<Record<string, string>> = {},
): Pick<HandEdit, 'files' | 'edit'> => ({
  files: {
    'a.eval.ts': ev(
      `import * as fs from 'node:fs';
      import { join } from 'node:path';
      import { tmpdir } from 'node:os';
      const at = (name: string) => new URL(name, import.meta.url);
      const temporary = (name: string) => join(tmpdir(), name + process.pid);`,
      target,
    ),
    'd/p.md': 'one',
    ...files,
  },
  edit,
});
const two = { 'd/p.md': 'two' };
const ofLinked = "() => fs.readFileSync(import.meta.dirname + '/node_modules/w/p.md', 'utf8')";
const memo = (name: string) =>
  ev(`import ${name} from '${name}';`, `() => ${name}(import.meta.dirname + '/..')`);

const late = {
  'a.eval.ts': ev("const name = './en.ts';", 'async () => (await import(name)).default'),
  'en.ts': 'export default 1;',
  'de.ts': 'export default 2;',
};

/** Edits of files, of packages and of what is loaded late. */
export const editsOfFiles: readonly HandEdit[] = [
  { title: 'readFile', ...reading("() => fs.promises.readFile(at('d/p.md'), 'utf8')", two) },
  {
    title: 'createReadStream',
    ...reading(
      "async () => { let t = ''; for await (const c of fs.createReadStream(at('d/p.md'), 'utf8')) t += c; return t; }",
      two,
    ),
  },
  {
    title: 'a file handle',
    ...reading(
      "async () => { const h = await fs.promises.open(at('d/p.md')); let t = ''; for await (const l of h.readLines()) t += l; return t; }",
      two,
    ),
  },
  {
    title: 'a file descriptor',
    ...reading(
      "() => { const fd = fs.openSync(at('d/p.md'), 'r'); const b = Buffer.alloc(3); fs.readSync(fd, b); fs.closeSync(fd); return b.toString(); }",
      two,
    ),
  },
  {
    title: 'a copy',
    ...reading(
      "() => { fs.copyFileSync(at('d/p.md'), temporary('copy')); return fs.readFileSync(temporary('copy'), 'utf8'); }",
      two,
    ),
  },
  {
    title: 'the size of a file',
    ...reading("() => fs.statSync(at('d/p.md')).size", { 'd/p.md': 'longer' }),
  },
  { title: 'a blob', ...reading("async () => (await fs.openAsBlob(at('d/p.md'))).text()", two) },
  {
    title: 'a folder that is listed with all below',
    ...reading(
      "() => fs.readdirSync(at('d'), { recursive: true }).join()",
      { 'd/s/r.md': 'r' },
      { 'd/s/q.md': 'q' },
    ),
  },
  {
    title: 'a folder that is read entry by entry',
    ...reading(
      "async () => { const n = []; for await (const e of await fs.promises.opendir(at('d'))) n.push(e.name); return n.sort().join(); }",
      { 'd/r.md': 'r' },
    ),
  },
  {
    title: 'a file that appears',
    ...reading("() => fs.existsSync(at('d/new.md'))", { 'd/new.md': 'x' }),
  },
  {
    title: 'a file of git',
    ...reading(
      "() => fs.readFileSync(at('.git/HEAD'), 'utf8')",
      { '.git/HEAD': 'ref: b' },
      { '.git/HEAD': 'ref: a' },
    ),
  },
  {
    title: 'where a link leads',
    ...reading(
      "() => fs.readFileSync(at('current/x.md'), 'utf8')",
      {},
      { 'v1/x.md': '1', 'v2/x.md': '2' },
    ),
    links: { current: ['v1', 'v2'] },
  },
  {
    title: 'a path in bytes',
    ...reading(
      "() => fs.readFileSync(new TextEncoder().encode(import.meta.dirname + '/d/p.md'), 'utf8')",
      two,
    ),
  },
  {
    title: 'a file beside the place where a link leads',
    ...reading(
      "() => fs.readFileSync(import.meta.dirname + '/current/../p.md', 'utf8')",
      { 'v/p.md': 'two' },
      { 'v/1/x.md': '', 'v/p.md': 'one' },
    ),
    links: { current: ['v/1', 'v/1'] },
  },
  {
    title: 'where a link leads beside whose place a file is',
    ...reading(
      "() => fs.readFileSync(import.meta.dirname + '/current/../p.md', 'utf8')",
      {},
      { 'v/1/x.md': '', 'v/p.md': 'one', 'w/1/x.md': '', 'w/p.md': 'two' },
    ),
    links: { current: ['v/1', 'w/1'] },
  },
  {
    title: 'the text of a link',
    ...reading("() => fs.readlinkSync(at('current'))", {}, { 'v1/x.md': '' }),
    links: { current: ['v1', './v1'] },
  },
  {
    title: 'a file of a linked package',
    ...reading(ofLinked, { 'p1/p.md': 'two' }, { ...installed('other', ''), 'p1/p.md': 'one' }),
    links: { 'node_modules/w': ['../p1', '../p1'] },
  },
  {
    title: 'where a linked package is',
    ...reading(ofLinked, {}, { ...installed('other', ''), 'p1/p.md': 'one', 'p2/p.md': 'two' }),
    links: { 'node_modules/w': ['../p1', '../p2'] },
  },
  {
    title: 'what a timer of an import reads while another file is imported',
    files: {
      'a.eval.ts': ev(
        "import { readFileSync } from 'node:fs';\nconst read = new Promise((done) => setTimeout(() => done(readFileSync(import.meta.dirname + '/p.md', 'utf8'))));",
        '() => read',
      ),
      'b.eval.ts': 'await new Promise((done) => setTimeout(done, 20));',
      'p.md': 'one',
    },
    edit: { 'p.md': 'two' },
  },
  {
    title: 'what two packages keep in a third',
    files: {
      ...installed(
        'keep',
        "let t; exports.load = (p) => (t ??= require('fs').readFileSync(p + '/d/p.md', 'utf8'));",
        '',
        true,
      ),
      ...installed('pa', "module.exports = (p) => require('keep').load(p);", 'keep', true),
      ...installed('pb', "module.exports = (p) => require('keep').load(p);", 'keep', true),
      'f/a.eval.ts': memo('pa'),
      'f/b.eval.ts': memo('pb'),
      'd/p.md': 'one',
    },
    edit: two,
  },
  {
    title: 'what is kept in the global object',
    files: Object.fromEntries(
      ['a', 'b']
        .map((name) => [
          `${name}.eval.ts`,
          ev(
            "import { readFileSync } from 'node:fs';",
            "() => ((globalThis as any).kept ??= readFileSync(import.meta.dirname + '/p.md', 'utf8'))",
          ),
        ])
        .concat([['p.md', 'one']]),
    ),
    edit: { 'p.md': 'two' },
  },
  {
    title: 'the version of a package',
    files: {
      ...installed('pk', 'export const f = 1;'),
      'a.eval.ts': ev("import { f } from 'pk';", '() => f'),
    },
    edit: { ...installed('pk', 'export const f = 2;', '', false, '1.0.1') },
  },
  {
    title: 'the type of a package that is edited in place',
    files: {
      ...installed('pk', '0;', '', true),
      'a.eval.ts': ev("import * as pk from 'pk';", '() => Object.keys(pk)'),
    },
    edit: { ...installed('pk', '0;') },
  },
  {
    title: 'a package that is edited in place',
    files: {
      ...installed('pk', "export { f } from './f.js';"),
      'node_modules/pk/f.js': 'export const f = 1;',
      'a.eval.ts': ev("import { f } from 'pk';", '() => f'),
    },
    edit: { 'node_modules/pk/f.js': 'export const f = 2;' },
  },
  {
    title: 'a CommonJS package that is edited in place',
    files: {
      ...installed('pk', "exports.f = require('./f').f;", '', true),
      'node_modules/pk/f.js': 'exports.f = 1;',
      'a.eval.ts': ev("import pk from 'pk';", '() => pk.f'),
    },
    edit: { 'node_modules/pk/f.js': 'exports.f = 2;' },
  },
  {
    title: 'what two files of a package require that is edited in place',
    files: {
      ...installed('pk', '', '', true),
      'node_modules/pk/a.js': "exports.f = require('./f').f;",
      'node_modules/pk/b.js': "exports.f = require('./f').f;",
      'node_modules/pk/f.js': 'exports.f = 1;',
      'a.eval.ts': ev("import pk from 'pk/a.js';", '() => pk.f'),
      'b.eval.ts': ev("import pk from 'pk/b.js';", '() => pk.f'),
    },
    edit: { 'node_modules/pk/f.js': 'exports.f = 2;' },
  },
  {
    title: 'a file of a package that is not loaded',
    files: {
      ...installed('pk', 'export const f = 1;'),
      'node_modules/pk/README.md': 'one',
      'a.eval.ts': ev("import { f } from 'pk';", '() => f'),
    },
    edit: { 'node_modules/pk/README.md': 'two' },
    expected: 'carry',
  },
  {
    title: 'one that is not loaded',
    files: late,
    edit: { 'de.ts': 'export default 3;' },
    expected: 'carry',
  },
  {
    title: 'text that is imported',
    files: {
      'a.eval.ts': ev("import p from './p.md' with { type: 'text' };", '() => p'),
      'p.md': 'one',
    },
    edit: { 'p.md': 'two' },
  },
  {
    title: 'line ends of text that is imported',
    files: {
      'a.eval.ts': ev("import p from './p.md' with { type: 'text' };", '() => p'),
      'p.md': 'one\n',
    },
    edit: { 'p.md': 'one\r\n' },
  },
  {
    title: 'an alias in YAML that becomes a copy',
    files: {
      'a.eval.ts': `
        import { evaluation, fromYaml } from 'assay';
        export const e = evaluation({
          cases: fromYaml(new URL('cases.yaml', import.meta.url)),
          target: ({ input }) => input.one === input.two,
        });`,
      'cases.yaml': '- id: a\n  input: { one: &x { k: 1 }, two: *x }\n',
    },
    edit: { 'cases.yaml': '- id: a\n  input: { one: { k: 1 }, two: { k: 1 } }\n' },
  },
  {
    title: 'parentheses that keep a function from getting a name',
    files: {
      'a.eval.ts': ev("import { f } from './f.js';", '() => f()'),
      'f.js': 'export function f() { let g; g = () => {}; return g.name; }',
    },
    edit: { 'f.js': 'export function f() { let g; (g) = () => {}; return g.name; }' },
  },
  {
    title: 'code after a comment of scripts',
    files: {
      'a.eval.ts': ev("import f from './f.cjs';", '() => f.one'),
      'f.cjs': 'let x = 1, y = 2;\nexports.one = x <!-- y /*\n;exports.one = 3;\n// */',
    },
    edit: { 'f.cjs': 'let x = 1, y = 2;\nexports.one = x <!-- y /*\n;exports.one = 4;\n// */' },
  },
  {
    title: 'subpaths of a package that change places',
    files: {
      ...ofSubpaths('one', 'two'),
      'a.eval.ts': ev("import { n } from 'sub/a';\nimport { n as m } from 'sub/b';", '() => n - m'),
    },
    edit: ofSubpaths('two', 'one'),
  },
  {
    title: 'line ends of code',
    expected: 'carry',
    files: {
      'a.eval.ts': ev("import { f } from './f.js';", '() => f()'),
      'f.js': 'export function f() {\r\n  return 1;\r\n}\r\n',
    },
    edit: { 'f.js': 'export function f() {\n  return 1;\n}\n' },
  },
  {
    title: 'a grader of an eval file in CommonJS',
    expected: 'regrade',
    ...inCommonJs(['a.eval.ts', 'b.eval.cts'], graded),
  },
  {
    title: 'a grader in a module that two files of a folder require',
    expected: 'regrade',
    ...inCommonJs(['g.ts'], (passed) => `export const grade = () => ${passed};`, {
      'a.eval.ts': `import { grade } from './g';\n${graded('grade()')}`,
      'b.eval.ts': `import { grade } from './g';\n${graded('grade()')}`,
    }),
  },
  {
    title: 'graders of two files of a folder that share a package with their targets',
    ...inCommonJs(
      ['a.eval.ts', 'b.eval.ts'],
      (passed) => `import { kept } from 'kp';\n${graded(`kept.add(1) && ${passed}`, 'kept.size')}`,
      installed('kp', 'exports.kept = new Set();', '', true),
    ),
  },
  {
    title: 'a process',
    files: {
      'a.eval.ts': ev(
        "import { execFileSync } from 'node:child_process';",
        "() => execFileSync('cat', [import.meta.dirname + '/q.txt']).toString()",
      ),
      'q.txt': 'one',
    },
    edit: { 'q.txt': 'two' },
  },
];

/** Edits of what is loaded in an attempt, or is missing then: it counts for all eval files of a project. */
export const editsOfLate: readonly HandEdit[] = [
  {
    title: 'a package that is loaded in an attempt',
    files: {
      ...installed('pk', 'export const f = 1;'),
      'a.eval.ts': ev('', "async () => (await import('pk')).f"),
    },
    edit: { ...installed('pk', 'export const f = 2;') },
  },
  {
    title: 'a module that is loaded in an attempt',
    files: late,
    edit: { 'en.ts': 'export default 3;' },
  },
  {
    title: 'what is required in an attempt',
    files: {
      'a.eval.ts': ev(
        "import { createRequire } from 'node:module';\nconst load = createRequire(import.meta.url);",
        "() => load('./l.cjs').v",
      ),
      'l.cjs': 'exports.v = 1;',
    },
    edit: { 'l.cjs': 'exports.v = 2;' },
  },
  {
    title: 'where a name of such a module leads',
    files: {
      'package.json': '{ "type": "module", "imports": { "#l": "./l.ts" } }',
      'a.eval.ts': ev('', "async () => (await import('#l')).v"),
      'l.ts': 'export const v = 1;',
      'm.ts': 'export const v = 2;',
    },
    edit: { 'package.json': '{ "type": "module", "imports": { "#l": "./m.ts" } }' },
  },
  {
    title: 'what such a module imports',
    files: {
      'a.eval.ts': ev('', "async () => (await import('./l.ts')).v"),
      'l.ts': "export { v } from './m.ts';",
      'm.ts': 'export const v = 1;',
    },
    edit: { 'm.ts': 'export const v = 2;' },
  },
  {
    title: 'what is missing where a name leads',
    files: {
      'package.json': '{ "type": "module", "imports": { "#l": "./l/l.js" } }',
      'a.eval.ts': ev('', "() => import('#l').then(() => 1, () => 0)"),
    },
    edit: { 'l/l.js': '' },
  },
  {
    title: 'the link of a folder on the way to a module',
    files: {
      'a.eval.ts': ev('', "async () => (await import('./current/' + 'l.ts')).v"),
      'v1/l.ts': 'export const v = 1;',
      'v2/l.ts': 'export const v = 2;',
    },
    links: { current: ['v1', 'v2'] },
    edit: {},
  },
  {
    title: 'the link of a module that is loaded before',
    files: {
      'a.eval.ts': ev("import './v1.js';", "async () => (await import('./current.js')).v"),
      'v1.ts': 'export const v = 1;',
      'v2.ts': 'export const v = 2;',
    },
    links: { 'current.ts': ['v1.ts', 'v2.ts'] },
    edit: {},
  },
  {
    title: 'a link to which a name leads',
    files: {
      'package.json': '{ "type": "module", "imports": { "#*": { "default": "./current/*.ts" } } }',
      'a.eval.ts': ev('', "async () => (await import('#l')).v"),
      'v1/l.ts': 'export const v = 1;',
      'v2/l.ts': 'export const v = 2;',
    },
    links: { current: ['v1', 'v2'] },
    edit: {},
  },
  {
    title: 'the link of a package of the workspace',
    files: {
      ...installed('other', ''),
      ...Object.fromEntries(
        [1, 2].flatMap((n) => [
          [`p${n}/package.json`, '{"name":"w","version":"1.0.0","type":"module","main":"i.js"}'],
          [`p${n}/i.js`, `export const v = ${n};`],
        ]),
      ),
      'a.eval.ts': ev('', "async () => (await import('w')).v"),
    },
    links: { 'node_modules/w': ['../p1', '../p2'] },
    edit: {},
  },
  {
    title: 'the link of an installed package',
    files: {
      ...linkedVersions('w', ['', '']),
      'a.eval.ts': ev('', "async () => (await import('w')).v"),
    },
    links: {
      'node_modules/w': ['.pnpm/w@1/node_modules/w', '.pnpm/w@2/node_modules/w'],
    },
    edit: {},
  },
  {
    title: 'the link of what an installed package depends on',
    files: {
      ...linkedVersions('w', ["export { v } from 'd';"], 'd'),
      ...linkedVersions('d', ['', '']),
      'a.eval.ts': ev('', "async () => (await import('w')).v"),
    },
    links: {
      'node_modules/w': ['.pnpm/w@1/node_modules/w', '.pnpm/w@1/node_modules/w'],
      'node_modules/.pnpm/w@1/node_modules/d': [
        '../../d@1/node_modules/d',
        '../../d@2/node_modules/d',
      ],
    },
    edit: {},
  },
  {
    title: 'a package that is nearer to the eval file',
    files: {
      ...installed('other', ''),
      'a.eval.ts': ev('', "async () => (await import('words')).one('x')"),
    },
    edit: { ...installed('words', 'export const one = (x) => x;') },
  },
  {
    title: 'a module that goes before another one',
    files: {
      'a.eval.ts': ev('', "async () => (await import('./l')).v"),
      'l/index.ts': 'export const v = 1;',
      'l/package.json': '{ "main": "./" }',
    },
    edit: { 'l.ts': 'export const v = 2;' },
  },
  {
    title: 'where import.meta.resolve leads',
    files: {
      'package.json': '{ "type": "module", "imports": { "#p": "./p.txt" } }',
      'a.eval.ts': ev(
        "import { readFileSync } from 'node:fs';",
        "() => readFileSync(new URL(import.meta.resolve('#p')), 'utf8')",
      ),
      'p.txt': '1',
      'q.txt': '2',
    },
    edit: { 'package.json': '{ "type": "module", "imports": { "#p": "./q.txt" } }' },
  },
  {
    title: 'where require.resolve leads from folders',
    files: {
      'a.eval.cjs': `const { evaluation } = require('assay');
        const at = (name) => require('node:path').join(__dirname, name);
        exports.e = evaluation({ target: () =>
          require('node:fs').readFileSync(require.resolve('./p.txt', { paths: [at('own'), at('base')] }), 'utf8') });`,
      'base/p.txt': '1',
    },
    edit: { 'own/p.txt': '2' },
  },
  {
    title: 'what the tsconfig.json of such a module extends',
    files: {
      'base.json': '{ "compilerOptions": { "useDefineForClassFields": false } }',
      'l/tsconfig.json': '{ "extends": "../base.json" }',
      'l/l.ts': 'class A { x: unknown; }\nexport const v = "x" in new A();',
      'a.eval.ts': ev('', "async () => (await import('./l/' + 'l.ts')).v"),
    },
    edit: { 'base.json': '{ "compilerOptions": { "useDefineForClassFields": true } }' },
  },
  {
    title: 'the paths in what a tsconfig.json extends',
    files: {
      'base.json': '{ "compilerOptions": { "paths": { "~/*": ["./v1/*"] } } }',
      'tsconfig.json': '{ "extends": "./base.json" }',
      'v1/l.ts': 'export const v = 1;',
      'v2/l.ts': 'export const v = 2;',
      'a.eval.ts': ev('', "async () => (await import('~/l.js')).v"),
    },
    edit: { 'base.json': '{ "compilerOptions": { "paths": { "~/*": ["./v2/*"] } } }' },
  },
  {
    title: 'a package that is nearer to another one',
    files: {
      ...installed('w', "export { v } from 'd';", 'd'),
      ...installed('d', 'export const v = 1;'),
      'a.eval.ts': ev('', "async () => (await import('w')).v"),
    },
    edit: {
      'node_modules/w/node_modules/d/package.json': '{"name":"d","type":"module","main":"i.js"}',
      'node_modules/w/node_modules/d/i.js': 'export const v = 2;',
    },
  },
];

/** Versions of a package, each in a folder of its own; without code, they export their number. */
function linkedVersions(name: string, codes: readonly string[], dependency = '') {
  const dependencies = dependency === '' ? {} : { [dependency]: '*' };
  const all = codes.map((code, at) => {
    const folder = `node_modules/.pnpm/${name}@${at + 1}/node_modules/${name}`;
    const version = `${at + 1}.0.0`;
    return {
      [`${folder}/package.json`]: JSON.stringify({
        ...{ name, version, type: 'module', main: './index.js', dependencies },
      }),
      [`${folder}/index.js`]: code || `export const v = ${at + 1};`,
    };
  });
  return Object.assign({}, ...all) as Record<string, string>;
}

/** Files in a package without a type, and an edit of those that a grader is in. */
function inCommonJs(
  names: readonly string[],
  text: (passed: string) => string,
  files: HandEdit['files'] = {},
): Pick<HandEdit, 'files' | 'edit'> {
  const written = (passed: string) => Object.fromEntries(names.map((one) => [one, text(passed)]));
  return { files: { 'package.json': '{}', ...files, ...written('true') }, edit: written('false') };
}

/** A package of two files, and where its subpaths lead. */
function ofSubpaths(a: string, b: string) {
  const exports = { './a': `./${a}.js`, './b': `./${b}.js` };
  return {
    'node_modules/sub/one.js': 'export const n = 1;',
    'node_modules/sub/two.js': 'export const n = 2;',
    'node_modules/sub/package.json': JSON.stringify({
      ...{ name: 'sub', version: '1.0.0', type: 'module', exports },
    }),
  };
}

/** A package with one file. */
function installed(
  name: string,
  code: string,
  dependency = '',
  isCommonJs = false,
  version = '1.0.0',
) {
  const dependencies = dependency === '' ? {} : { [dependency]: '*' };
  const type = isCommonJs ? 'commonjs' : 'module';
  const manifest = JSON.stringify({ name, version, type, main: './index.js', dependencies });
  return {
    [`node_modules/${name}/package.json`]: manifest,
    [`node_modules/${name}/index.js`]: code,
  };
}
