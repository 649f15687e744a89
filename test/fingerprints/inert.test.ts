import { expect } from 'chai';
import { analyseModule } from '../../src/fingerprints/read-module.js';

/** Statements that do nothing but declare names, each in a module of its own. */
const inert = [
  "import { a, b as c } from './x.js';",
  "import a from './x.js';",
  "import * as a from './x.js';",
  "import a from './x.json' with { type: 'json' };",
  "export { a } from './x.js';",
  'const a = 1; export { a as b };',
  'export function f() { return new Map(); }',
  'async function f() {} function* g() {} async function* h() {}',
  'export default function () {}',
  'export default class {}',
  'class A { x = 1; y; z = () => this; #p = null; constructor() {} get v() { return 1; } m() {} }',
  'class A {} class B extends A {}',
  "const a = 'x'; const b = 1, c = -1n; const d = true; const e = null; const f = `x`;",
  'const f = () => ({}); const g = async (x = []) => x; const h = function () { return this; };',
  "import { evaluation } from 'assay'; export const a = evaluation({ input: 1, target: () => 1 });",
  "import { evaluation as e } from 'assay'; const s = e.extend({ labels: ['x'] }); export default s({});",
  "import { evaluation, fromCsv } from 'assay'; export const a = evaluation({ cases: fromCsv(new URL('x.csv', import.meta.url)) });",
  "import { evaluation } from 'assay'; import { match } from 'assay/graders'; export const a = evaluation({ evaluators: [match('x')] });",
  ';',
];

/** Statements that count whole. */
const whole = [
  "import './x.js';",
  "import {} from './x.js';",
  "export {} from './x.js';",
  "export * from './x.js';",
  "export * as x from './x.js';",
  'export default 1;',
  'export default () => 1;',
  'const a = 1; export default a;',
  'let a = 1;',
  'var a = 1;',
  'const a = undefined;',
  'const a = b;',
  'const a = [];',
  'const a = {};',
  'const a = /x/;',
  'const a = f();',
  'const a = new Map();',
  'const a = `$' + '{b}`;',
  'const a = b`x`;',
  'const a = b.c;',
  'const a = b ? 1 : 2;',
  'const a = -b;',
  'const { a } = b;',
  'const [a = 1] = b;',
  'const a = await b;',
  'const f = () => this;',
  'class A { static x = 1; }',
  'class A { static m() {} }',
  'class A { static {} }',
  'class A { [x] = 1; }',
  'class A { [x]() {} }',
  'class A { x = []; }',
  'class A { x = f(); }',
  'class A extends f() {}',
  "'use strict';",
  'f();',
  'a.b = 1;',
  'if (a) { f(); }',
  '{ const a = 1; }',
  "const f = () => import('./x.js');",
  "function f() { return require('./x.js'); }",
  "function f() { return eval('x'); }",
  'exports.a = 1;',
  'module.exports = {};',
  "import { evaluation } from 'other'; export const a = evaluation({});",
  "import { evaluation } from 'assay'; evaluation({});",
  "import { evaluation } from 'assay'; export const a = evaluation(options);",
  "import { evaluation } from 'assay'; export const a = evaluation({ ...options });",
  "import { evaluation } from 'assay'; export const a = [evaluation({})];",
  'with (a) {}',
];

describe('a module', () => {
  for (const code of inert) {
    it(`is inert: ${code}`, () => expect(analyseModule(code).isInert).to.equal(true));
  }
  for (const code of whole) {
    it(`counts whole: ${code}`, () => expect(analyseModule(code).isInert).to.equal(false));
  }
});
