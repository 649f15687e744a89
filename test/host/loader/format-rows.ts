import { cjs, esm, type Row, untyped } from './row.js';

const typed = 'const n: number = 1; export const result: number = n satisfies number;';

/** The same text in every kind of package and with every extension. */
const plainRows: Row[] = Object.entries({ module: esm, commonjs: cjs, untyped }).flatMap(
  ([kind, manifest]) =>
    ['.ts', '.tsx', '.mts', '.cts'].map((extension) => ({
      title: `runs ${extension} in a package of type ${kind}`,
      files: { 'package.json': manifest, [`a${extension}`]: typed },
      entry: `a${extension}`,
      result: 1,
    })),
);

/** Which module system a file gets, and what each gives to files written for the other. */
export const formatRows: readonly Row[] = [
  ...plainRows,
  {
    title: 'runs .js and .mjs as modules and .cjs as CommonJS',
    files: {
      'package.json': esm,
      'a.js':
        "import { b } from './b.mjs'; import c from './c.cjs'; export const result = [b, c.c];",
      'b.mjs': 'export const b = 1;',
      'c.cjs': 'exports.c = 2;',
    },
    entry: 'a.js',
    result: [1, 2],
  },
  {
    title: 'imports a TypeScript file without any package.json',
    files: {
      'a.ts': "import { b } from './b'; export const result = b;",
      'b.ts': typed.replace('result', 'b'),
    },
    entry: 'a.ts',
    result: 1,
  },
  ...Object.entries({ module: esm, commonjs: cjs, untyped }).flatMap(([kind, manifest]): Row[] => [
    {
      title: `awaits at top level in a package of type ${kind}`,
      files: {
        'package.json': manifest,
        'a.ts': "import b, { c } from './b'; export const result = [await Promise.resolve(b), c];",
        'b.ts': 'export default 1; export const c: number = await Promise.resolve(2);',
      },
      entry: 'a.ts',
      result: [1, 2],
    },
    {
      title: `imports default and named exports after a top-level await in a package of type ${kind}`,
      files: {
        'package.json': manifest,
        'a.ts':
          "import b, * as all from './b'; await null; export const result = [b, all.c, all.default, all.d];",
        'b.ts': "export default 1; export const c = 2; export * from './d';",
        'd.ts': 'export const d = 3;',
      },
      entry: 'a.ts',
      result: [1, 2, 1, 3],
    },
    {
      title: `has import.meta url, dirname and filename in a package of type ${kind}`,
      files: {
        'package.json': manifest,
        'a.ts': `import path from 'node:path';
const { url, dirname, filename } = import.meta;
export const result = [new URL(import.meta.url).pathname === import.meta.filename,
  path.basename(import.meta.filename), path.dirname(import.meta.filename) === import.meta.dirname];`.replace(
          /^const .*\n/m,
          '',
        ),
      },
      entry: 'a.ts',
      result: [true, 'a.ts', true],
    },
    {
      title: `has __dirname, __filename and require in a package of type ${kind}`,
      files: {
        'package.json': manifest,
        'a.ts': `import { basename } from 'node:path';
const { sep } = require('node:path') as typeof import('node:path');
export const result = [basename(__filename), __filename.startsWith(__dirname + sep)];`,
      },
      entry: 'a.ts',
      result: ['a.ts', true],
    },
    {
      title: `assigns an import from require in a package of type ${kind}`,
      files: {
        'package.json': manifest,
        'a.ts': `import path = require('node:path'); import b = require('./b.cjs');
export const result = [path.basename('x/y'), b.b];`,
        'b.cjs': 'exports.b = 1;',
      },
      entry: 'a.ts',
      result: ['y', 1],
    },
    {
      title: `imports dynamically in a package of type ${kind}`,
      files: {
        'package.json': manifest,
        'a.ts':
          "export const result = (async () => { const b = await import('./b'); return [b.default, b.c]; })();",
        'b.ts': 'export default 1; export const c = 2;',
      },
      entry: 'a.ts',
      result: [1, 2],
    },
    {
      title: `evaluates a module once that is imported statically and dynamically in a package of type ${kind}`,
      files: {
        'package.json': manifest,
        'a.ts':
          "import { box } from './b'; export const result = import('./b').then((b) => b.box === box);",
        'b.ts': 'export const box = {};',
      },
      entry: 'a.ts',
      result: true,
    },
  ]),
  {
    title: 'keeps a require that the author made',
    files: {
      'package.json': esm,
      'a.ts': `import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
export const result = require('node:path').basename('x/y');`,
    },
    entry: 'a.ts',
    result: 'y',
  },
  {
    title: 'imports export = by default and by name',
    files: {
      'package.json': esm,
      'a.ts': "import b, { one } from './b.cjs'; export const result = [b.one, one];",
      'b.cts': 'const one: number = 1; export = { one };',
    },
    entry: 'a.ts',
    result: [1, 1],
  },
  {
    title: 'imports names from ES syntax in .cts',
    files: {
      'package.json': esm,
      'a.ts': "import { one } from './b.cjs'; export const result = one;",
      'b.cts': 'export const one: number = 1;',
    },
    entry: 'a.ts',
    result: 1,
  },
  {
    title: 'imports names from module.exports in TypeScript',
    files: {
      'package.json': cjs,
      'a.mts': "import b, { one } from './b.ts'; export const result = [b.one, one];",
      'b.ts': 'const one: number = 1; module.exports = { one };',
    },
    entry: 'a.mts',
    result: [1, 1],
  },
  ...Object.entries({ commonjs: cjs, untyped }).map(([kind, manifest]) => ({
    title: `requires TypeScript from CommonJS JavaScript in a package of type ${kind}`,
    files: {
      'package.json': manifest,
      'a.ts': "import b from './b.js'; export const result = b;",
      'b.js':
        "const { c } = require('./c'); const d = require('./d.ts'); module.exports = [c, d.default, d.e];",
      'c.ts': 'export const c: number = 1;',
      'd.ts': "import { e } from './e'; export default 2; export { e };",
      'e.ts': 'export const e: number = 3;',
    },
    entry: 'a.ts',
    result: [1, 2, 3],
  })),
  {
    title: 'requires TypeScript from .cts and .cjs in a package of type module',
    files: {
      'package.json': esm,
      'a.ts': "import b from './b.cjs'; import d from './d.cjs'; export const result = [b.c, d.c];",
      'b.cts': "const { c } = require('./c.ts') as { c: number }; export = { c };",
      'd.cjs': "module.exports = require('./c');",
      'c.ts': "import { e } from './e.js'; export const c: number = e;",
      'e.ts': 'export const e: number = 1;',
    },
    entry: 'a.ts',
    result: [1, 1],
  },
  {
    title: 'runs a module that is both imported and required',
    files: {
      'package.json': esm,
      'a.ts':
        "import { c } from './c.js'; import b from './b.cjs'; export const result = [b.c, c];",
      'b.cts': "const { c } = require('./c.ts') as { c: number }; export = { c };",
      'c.ts': 'export const c: number = 1;',
    },
    entry: 'a.ts',
    result: [1, 1],
  },
  {
    title: 'runs circular imports',
    files: {
      'package.json': untyped,
      'a.ts':
        "import { b } from './b'; export function a(): number { return 1; } export const result = b();",
      'b.ts': "import { a } from './a'; export function b(): number { return a() + 1; }",
    },
    entry: 'a.ts',
    result: 2,
  },
];
