import { esm, type Row, untyped } from './row.js';

const react = {
  'node_modules/react/package.json':
    '{ "name": "react", "exports": { "./jsx-runtime": "./jsx.js" } }',
  'node_modules/react/jsx.js':
    'exports.jsx = exports.jsxs = (type, props) => [type, props]; exports.Fragment = "f";',
  'node_modules/other/package.json':
    '{ "name": "other", "exports": { "./jsx-runtime": "./jsx.js" } }',
  'node_modules/other/jsx.js': 'exports.jsx = (type) => "other " + type;',
};

const kinds = Object.entries({ module: esm, untyped });

/** Syntax that is more than types. */
export const syntaxRows: readonly Row[] = kinds.flatMap(([kind, manifest]): Row[] => [
  {
    title: `runs enums, const enums and namespaces in a package of type ${kind}`,
    files: {
      'package.json': manifest,
      'a.ts': `enum A { B, C = 'c' } const enum D { E = 3 } namespace N { export const m: number = 4; }
export const result = [A.B, A[0], A.C, D.E, N.m];`,
    },
    entry: 'a.ts',
    result: [0, 'B', 'c', 3, 4],
  },
  {
    title: `runs parameter properties in a package of type ${kind}`,
    files: {
      'package.json': manifest,
      'a.ts': `class A { constructor(private readonly b: number, public c = 2) {} sum() { return this.b + this.c; } }
export const result = new A(1).sum();`,
    },
    entry: 'a.ts',
    result: 3,
  },
  {
    title: `sets fields after parameter properties for old targets in a package of type ${kind}`,
    files: {
      'package.json': manifest,
      'tsconfig.json': '{ "compilerOptions": { "target": "ES2020" } }',
      'a.ts': `class Base { kept = 1; } class A extends Base { declare kept: number; left: number; d = this.b + 1; constructor(private b: number) { super(); } }
export const result = [new A(1).d, new A(1).kept, 'left' in new A(1)];`,
    },
    entry: 'a.ts',
    result: [2, 1, false],
  },
  {
    title: `runs standard decorators and accessors in a package of type ${kind}`,
    files: {
      'package.json': manifest,
      'a.ts': `function twice(method: () => number, context: ClassMethodDecoratorContext) { return function (this: unknown) { return 2 * method.call(this); }; }
const seen: string[] = [];
function note(_: unknown, context: { name?: string | symbol | undefined; kind: string }): void { seen.push(context.kind + ' ' + String(context.name)); }
@note class A { @note accessor b = 3; @twice c(): number { return this.b; } }
export const result = [new A().c(), seen];`,
    },
    entry: 'a.ts',
    result: [6, ['accessor b', 'class A']],
  },
  {
    title: `runs legacy decorators with metadata in a package of type ${kind}`,
    files: {
      'package.json': manifest,
      'tsconfig.json':
        '{ "compilerOptions": { "experimentalDecorators": true, "emitDecoratorMetadata": true } }',
      'a.ts': `const seen: unknown[] = [];
(Reflect as any).metadata = (key: string, value: any) => () => { if (key === 'design:paramtypes') seen.push(value.map((type: any) => type.name)); };
function method(target: object, name: string, descriptor: PropertyDescriptor): void { seen.push(name); }
function parameter(target: object, name: string, index: number): void { seen.push(index); }
class A { @method b(@parameter c: Date): void {} }
export const result = [seen.includes('b'), seen.includes(0), JSON.stringify(seen).includes('Date')];`,
    },
    entry: 'a.ts',
    result: [true, true, true],
  },
  {
    title: `runs JSX with the automatic runtime in a package of type ${kind}`,
    files: {
      'package.json': manifest,
      ...react,
      'tsconfig.json': '{ "compilerOptions": { "jsx": "react-jsx" } }',
      'a.tsx': 'import { b } from \'./b\'; export const result = [<p id="1">x</p>, b];',
      'b.jsx': 'export const b = <i />;',
    },
    entry: 'a.tsx',
    result: [
      ['p', { id: '1', children: 'x' }],
      ['i', {}],
    ],
  },
  {
    title: `takes the JSX source from tsconfig in a package of type ${kind}`,
    files: {
      'package.json': manifest,
      ...react,
      'tsconfig.json': '{ "compilerOptions": { "jsx": "react-jsx", "jsxImportSource": "other" } }',
      'a.tsx': 'export const result = <p />;',
    },
    entry: 'a.tsx',
    result: 'other p',
  },
  {
    title: `runs JSX with the classic runtime in a package of type ${kind}`,
    files: {
      'package.json': manifest,
      'tsconfig.json':
        '{ "compilerOptions": { "jsx": "react", "jsxFactory": "h", "jsxFragmentFactory": "F" } }',
      'a.tsx': `const F = 'f'; const h = (...all: unknown[]) => all; export const result = <><p /></>;`,
    },
    entry: 'a.tsx',
    result: ['f', null, ['p', null]],
  },
  {
    title: `disposes of using declarations in a package of type ${kind}`,
    files: {
      'package.json': manifest,
      'a.ts': `(Symbol as any).dispose ??= Symbol('dispose'); const seen: string[] = [];
{ using a = { [Symbol.dispose]() { seen.push('disposed'); } }; seen.push(typeof a); }
export const result = seen;`,
    },
    entry: 'a.ts',
    result: ['object', 'disposed'],
  },
  {
    title: `keeps both errors if a disposal throws after the block in a package of type ${kind}`,
    files: {
      'package.json': manifest,
      'a.ts': `async function both(): Promise<void> {
  await using a = { async [Symbol.asyncDispose]() { throw new Error('a'); } };
  using b = { [Symbol.dispose]() { throw new Error('b'); } };
  throw new Error('block');
}
export const result = both().catch((e) => [e.name, e.error.message, e.suppressed.error.message, e.suppressed.suppressed.message]);`,
    },
    entry: 'a.ts',
    result: ['SuppressedError', 'a', 'b', 'block'],
  },
  {
    title: `runs namespaces that export variables in a package of type ${kind}`,
    files: {
      'package.json': manifest,
      'a.ts': `export namespace N { export let n = 0; export var v: number; export function next(): number { n += 1; return n; } }
namespace A.B { export let c = 1; export namespace D { export let [e, f] = [2, c]; } }
N.next(); A.B.c = 4; N.v = 5;
export const result = [N.next(), N.n, N.v, A.B.c, A.B.D.e, A.B.D.f];`,
    },
    entry: 'a.ts',
    result: [2, 2, 5, 4, 2, 1],
  },
  {
    title: `runs merged namespaces in a package of type ${kind}`,
    files: {
      'package.json': manifest,
      'a.ts': `import { b } from './b';
export namespace N { export const m: number = b; export let n = 1; }
export namespace N { n += 1; export function sum(): number { return m + n; } }
export namespace N.O { export const p = m; export function late(): number { return m + q; } }
export namespace N.O { export const q = p * 10; export class C { m = 1; get(m: number) { return { q, m, n: this.m }; } } }
namespace N { export function shadowed(n: { m: number }) { const { m } = n; try { return [m, n.m, ((q) => q)(1)]; } catch (n) { return n; } } }
export namespace N { export enum E { A = 'a' } export let [d, e] = [m, n]; export class K { static s = m; } }
export namespace N { export const all = [E.A, d, e, K.s, typeof m, String(n), O.p]; }
function F(): string { return F.x; } namespace F { export const x = 'f'; }
export const result = import('./b').then((again) => [N.sum(), N.n, N.O.p, F(), again.b, N.O.late(), new N.O.C().get(7), N.shadowed({ m: 8 }), N.all]);`,
      'b.ts': 'export const b: number = 3;',
    },
    entry: 'a.ts',
    result: [
      5,
      2,
      3,
      'f',
      3,
      33,
      { q: 30, m: 7, n: 1 },
      [8, 8, 1],
      ['a', 3, 2, 3, 'number', '2', 3],
    ],
  },
  {
    title: `drops imports and re-exports of types in a package of type ${kind}`,
    files: {
      'package.json': manifest,
      'a.ts': `import { T, value } from './b'; import type U from './missing'; export type { T } from './b';
export const result = value as T | U;`,
      'b.ts': 'export interface T {} export const value: number = 1;',
    },
    entry: 'a.ts',
    result: 1,
  },
]);
