import { cjs, esm, type Row, untyped } from './row.js';

const kinds = Object.entries({ module: esm, commonjs: cjs, untyped });

const lodashLike = {
  'node_modules/dash/package.json': '{ "name": "dash", "main": "index.js" }',
  'node_modules/dash/index.js':
    'const all = {}; all["add"] = (a, b) => a + b; module.exports = all;',
};

/** How specifiers become files. */
export const resolutionRows: readonly Row[] = [
  ...kinds.flatMap(([kind, manifest]): Row[] => [
    {
      title: `reads .js, .jsx, .mjs and .cjs as their TypeScript sources in a package of type ${kind}`,
      files: {
        'package.json': manifest,
        'a.ts': `import { b } from './b.js'; import { c } from './c.mjs'; import { d } from './d.cjs'; import { e } from './e.jsx';
export const result = [b, c, d, e];`,
        'b.ts': 'export const b: number = 1;',
        'c.mts': 'export const c: number = 2;',
        'd.cts': 'export const d: number = 3;',
        'e.tsx': 'export const e: number = 4;',
      },
      entry: 'a.ts',
      result: [1, 2, 3, 4],
    },
    {
      title: `finds files without extension and folders in a package of type ${kind}`,
      files: {
        'package.json': manifest,
        'src/a.eval.ts': `import { b } from './b.service'; import { c } from './c'; import { d } from './d'; import { e } from '../e/'; import { f } from '..';
export const result = [b, c, d, e, f];`,
        'src/b.service.ts': 'export const b: number = 1;',
        'src/c/index.ts': 'export const c: number = 2;',
        'src/d.tsx': 'export const d: number = 3;',
        'e/package.json': '{ "main": "lib/e.js" }',
        'e/lib/e.ts': 'export const e: number = 4;',
        'index.ts': 'export const f: number = 5;',
      },
      entry: 'src/a.eval.ts',
      result: [1, 2, 3, 4, 5],
    },
    {
      title: `follows tsconfig paths, baseUrl and extends in a package of type ${kind}`,
      files: {
        'package.json': manifest,
        'tsconfig.base.json': `{ // a comment
          "compilerOptions": { "baseUrl": ".", "paths": { "@/*": ["src/*"], "one": ["./src/one.ts"], }, } }`,
        'evals/tsconfig.json': '{ "extends": "../tsconfig.base.json" }',
        'evals/a.ts': `import { one } from 'one'; import { two } from '@/two'; import { three } from '@/three.js'; import { four } from 'src/four';
export const result = [one, two, three, four];`,
        'src/one.ts': 'export const one: number = 1;',
        'src/two/index.ts': 'export const two: number = 2;',
        'src/three.ts': 'export const three: number = 3;',
        'src/four.ts': 'export const four: number = 4;',
      },
      entry: 'evals/a.ts',
      result: [1, 2, 3, 4],
    },
    {
      title: `finds sources by imports and exports of their own package of type ${kind}`,
      files: {
        'package.json': JSON.stringify({
          ...JSON.parse(manifest),
          name: 'own',
          imports: { '#lib/*.js': './src/*.js', '#bare/*': './src/*', '#built': './dist/one.js' },
          exports: { '.': './src/one.js', './view': './src/view.js', './built/*': './dist/*.js' },
        }),
        'tsconfig.json': '{ "compilerOptions": { "rootDir": "src", "outDir": "dist" } }',
        'a.ts': `import { one } from '#lib/one.js'; import { one as bare } from '#bare/one'; import { one as built } from '#built';
import { one as own } from 'own'; import { view } from 'own/view'; import { both } from 'own/built/both'; import { both as beside } from '#lib/both.js';
export const result = [one, bare, built, own, view, both, beside];`,
        'src/one.ts': 'export const one: number = 1;',
        'src/view.tsx': 'export const view: string = "view";',
        'src/both.ts': 'export const both: string = "source";',
        'src/both.js': 'exports.both = "output";',
      },
      entry: 'a.ts',
      result: [1, 1, 1, 1, 'view', 'source', 'source'],
    },
    {
      title: `has one module for all names of a file in a package of type ${kind}`,
      files: {
        'package.json': JSON.stringify({
          ...JSON.parse(manifest),
          name: 'own',
          imports: { '#lib/*.js': './src/*.js', '#bare/*': './src/*' },
          exports: { './*': './src/*' },
        }),
        'tsconfig.json': '{ "compilerOptions": { "paths": { "#/*": ["./src/*"] } } }',
        'a.ts': `import { one } from './src/one.js'; import { one as lib } from '#lib/one.js'; import { one as bare } from '#bare/one.js';
import { one as own } from 'own/one.js'; import { one as path } from '#/one'; export const result = [lib, bare, own, path].map((other) => other === one);`,
        'src/one.ts': 'export const one: object = {};',
      },
      entry: 'a.ts',
      result: [true, true, true, true],
    },
    {
      title: `finds sources by main of a linked package from a package of type ${kind}`,
      files: {
        'package.json': manifest,
        'node_modules/plain': '-> packages/plain',
        'node_modules/built': '-> packages/built',
        'packages/plain/package.json': '{ "name": "plain", "main": "./src/index.js" }',
        'packages/plain/src/index.ts': 'export const plain: number = 1;',
        'packages/built/package.json': '{ "name": "built", "main": "dist/index.js" }',
        'packages/built/tsconfig.json':
          '{ "compilerOptions": { "rootDir": "./src", "outDir": "./dist" } }',
        'packages/built/src/index.ts': 'export const built: number = 2;',
        'a.ts':
          "import { plain } from 'plain'; import { built } from 'built'; export const result = [plain, built];",
      },
      entry: 'a.ts',
      result: [1, 2],
    },
    {
      title: `finds sources by exports of a linked package from a package of type ${kind}`,
      files: {
        'package.json': manifest,
        'node_modules/linked': '-> packages/linked',
        'packages/linked/package.json':
          '{ "name": "linked", "exports": { ".": "./src/index.js", "./*": { "import": "./dist/*.js", "require": "./dist/*.js" } } }',
        'packages/linked/tsconfig.json':
          '{ "compilerOptions": { "rootDir": "./src", "outDir": "./dist" } }',
        'packages/linked/src/index.ts': 'export const index: number = 1;',
        'packages/linked/src/sub.ts': 'export const sub: number = 2;',
        'a.ts': `import { index } from 'linked'; import { sub } from 'linked/sub';
export const result = [index, sub];`,
      },
      entry: 'a.ts',
      result: [1, 2],
    },
    {
      title: `takes paths from the referenced tsconfig that includes a file in a package of type ${kind}`,
      files: {
        'package.json': manifest,
        'tsconfig.json':
          '{ "files": [], "references": [{ "path": "./tsconfig.app.json" }, { "path": "./node" }] }',
        'tsconfig.app.json':
          '{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } }, "include": ["src"] }',
        'node/tsconfig.json':
          '{ "compilerOptions": { "paths": { "@/*": ["./*"] } }, "include": ["."], "references": [{ "path": ".." }] }',
        'evals/a.ts': `import { one } from '@/one'; import { two } from '../node/two'; export const result = [one, two];`,
        'src/one.ts': "export { one } from '@/deep';",
        'src/deep.ts': 'export const one: string = "app";',
        'node/two.ts': "export { one as two } from '@/deep';",
        'node/deep.ts': 'export const one: string = "node";',
      },
      entry: 'evals/a.ts',
      result: ['app', 'node'],
    },
    {
      title: `takes the customConditions of a tsconfig in a package of type ${kind}`,
      files: {
        'package.json': manifest,
        'tsconfig.json': '{ "compilerOptions": { "customConditions": ["source"] } }',
        'node_modules/linked': '-> packages/linked',
        'packages/linked/package.json':
          '{ "name": "linked", "exports": { ".": { "source": "./src/index.ts", "default": "./index.js" } } }',
        'packages/linked/src/index.ts': 'export const from: string = "source";',
        'packages/linked/index.js': 'exports.from = "build";',
        'a.ts': "import { from } from 'linked'; export const result = from;",
      },
      entry: 'a.ts',
      result: 'source',
    },
    {
      title: `imports JSON in a package of type ${kind}`,
      files: {
        'package.json': manifest,
        'a.ts':
          "import b, { one } from './b.json'; import c from './c'; export const result = [b.one, one, c.one];",
        'b.json': '{ "one": 1, "not a name": 2, "default": 3 }',
        'c.json': '{ "one": 4 }',
      },
      entry: 'a.ts',
      result: [1, 1, 4],
    },
    {
      title: `imports JSON with attributes in a package of type ${kind}`,
      files: {
        'package.json': manifest,
        'a.ts': "import b from './b.json' with { type: 'json' }; export const result = b.one;",
        'b.json': '{ "one": 1 }',
      },
      entry: 'a.ts',
      result: 1,
    },
    {
      title: `imports linked workspace packages that ship TypeScript into a package of type ${kind}`,
      files: {
        'package.json': manifest,
        'node_modules/@team/tools': '-> packages/tools',
        'node_modules/@team/legacy': '-> packages/legacy',
        'packages/tools/package.json':
          '{ "name": "@team/tools", "type": "module", "exports": { ".": "./src/index.ts", "./*": "./src/*.ts" } }',
        'packages/tools/src/index.ts': "export { b } from './b.js'; export default 1;",
        'packages/tools/src/b.ts': 'export const b: number = 2;',
        'packages/legacy/package.json': '{ "name": "@team/legacy", "main": "src/index.ts" }',
        'packages/legacy/src/index.ts': "export { b } from './b'; export default 3;",
        'packages/legacy/src/b.ts': 'export const b: number = 4;',
        'a.ts': `import one, { b } from '@team/tools'; import { b as two } from '@team/tools/b'; import three, { b as four } from '@team/legacy';
export const result = [one, b, two, three, four];`,
      },
      entry: 'a.ts',
      result: [1, 2, 2, 3, 4],
    },
    {
      title: `imports ES module and CommonJS packages into a package of type ${kind}`,
      files: {
        'package.json': manifest,
        'node_modules/new/package.json':
          '{ "name": "new", "type": "module", "exports": { "import": "./new.js" } }',
        'node_modules/new/new.js': 'export default 1; export const n = 2;',
        'node_modules/old/package.json': '{ "name": "old", "main": "old.js" }',
        'node_modules/old/old.js': 'exports.o = 3; exports.p = 4;',
        'a.ts':
          "import one, { n } from 'new'; import old, { p } from 'old'; export const result = [one, n, old.o, p];",
      },
      entry: 'a.ts',
      result: [1, 2, 3, 4],
    },
    {
      title: `imports assay from a project of type ${kind} that has not installed it`,
      files: {
        'package.json': manifest,
        'a.eval.ts': "import { evaluation } from 'assay'; export const result = typeof evaluation;",
      },
      entry: 'a.eval.ts',
      result: 'function',
    },
  ]),
  ...kinds.slice(1).flatMap(([kind, manifest]): Row[] => [
    {
      title: `imports names that only CommonJS knows in a package of type ${kind}`,
      files: {
        'package.json': manifest,
        ...lodashLike,
        'a.ts':
          "import dash, { add } from 'dash'; export const result = [add(1, 1), dash.add(1, 2)];",
      },
      entry: 'a.ts',
      result: [2, 3],
    },
    {
      title: `unwraps the default export of compiled packages in a package of type ${kind}`,
      files: {
        'package.json': manifest,
        'node_modules/compiled/package.json': '{ "name": "compiled", "main": "index.js" }',
        'node_modules/compiled/index.js':
          'Object.defineProperty(exports, "__esModule", { value: true }); exports.default = 1; exports.two = 2;',
        'a.ts': "import one, { two } from 'compiled'; export const result = [one, two];",
      },
      entry: 'a.ts',
      result: [1, 2],
    },
  ]),
  {
    title: 'imports installed packages that ship TypeScript',
    files: {
      'package.json': esm,
      'node_modules/raw/package.json': '{ "name": "raw", "type": "module", "exports": "./a.ts" }',
      'node_modules/raw/a.ts': "export { b } from './b.js';",
      'node_modules/raw/b.ts': 'export const b: number = 1;',
      'a.ts': "import { b } from 'raw'; export const result = b;",
    },
    entry: 'a.ts',
    result: 1,
  },
  {
    title: 'prefers the source to build output beside it',
    files: {
      'package.json': esm,
      'a.ts': "import { b } from './b.js'; export const result = b;",
      'b.ts': "export const b = 'source';",
      'b.js': "export const b = 'output';",
    },
    entry: 'a.ts',
    result: 'source',
  },
  {
    title: 'resolves the package imports and own name of a project',
    files: {
      'package.json':
        '{ "name": "mine", "type": "module", "exports": "./b.ts", "imports": { "#c": "./c.ts" } }',
      'a.ts': "import { b } from 'mine'; import { c } from '#c'; export const result = [b, c];",
      'b.ts': 'export const b: number = 1;',
      'c.ts': 'export const c: number = 2;',
    },
    entry: 'a.ts',
    result: [1, 2],
  },
  {
    title: 'prefers the copy of assay that a project has installed',
    files: {
      'package.json': esm,
      'node_modules/assay/package.json': '{ "name": "assay", "exports": "./own.js" }',
      'node_modules/assay/own.js': 'exports.evaluation = "own";',
      'a.ts': "import { evaluation } from 'assay'; export const result = evaluation;",
    },
    entry: 'a.ts',
    result: 'own',
  },
  {
    title: 'finds files with spaces, percent signs and umlauts in their paths',
    files: {
      'package.json': esm,
      'my evals 100%/größe #1.ts': "import { b } from './b c'; export const result = b;",
      'my evals 100%/b c.ts': 'export const b: number = 1;',
    },
    entry: 'my evals 100%/größe #1.ts',
    result: 1,
  },
  {
    title: 'imports TypeScript from JavaScript modules',
    files: {
      'package.json': esm,
      'a.js':
        "import { b } from './b.ts'; import { c } from './c'; import { d } from './d.js'; export const result = [b, c, d];",
      'b.ts': 'export const b: number = 1;',
      'c.ts': 'export const c: number = 2;',
      'd.ts': 'export const d: number = 3;',
    },
    entry: 'a.js',
    result: [1, 2, 3],
  },
];
