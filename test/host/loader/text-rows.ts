import { cjs, esm, type Row, untyped } from './row.js';

const prompt = 'Say “hello” to {name}.\n';
const asText = "with { type: 'text' }";

/** Files that are imported as text, in every kind of package. */
export const textRows: readonly Row[] = [
  ...Object.entries({ module: esm, commonjs: cjs, untyped }).flatMap(([kind, manifest]): Row[] => [
    {
      title: `imports text statically in a package of type ${kind}`,
      files: {
        'package.json': manifest,
        'a.ts': `import prompt from './prompts/p.md' ${asText};
import * as all from "./prompts/q.txt" with {
  "type": "text",
};
export const result = [prompt, all.default];`,
        'prompts/p.md': prompt,
        'prompts/q.txt': '\uFEFFno byte order mark',
      },
      entry: 'a.ts',
      result: [prompt, 'no byte order mark'],
    },
    {
      title: `imports text dynamically in a package of type ${kind}`,
      files: {
        'package.json': manifest,
        'a.ts':
          "export const result = import('./p.prompt', { with: { type: 'text' } }).then((m) => m.default);",
        'p.prompt': prompt,
      },
      entry: 'a.ts',
      result: prompt,
    },
    {
      title: `exports text on in a package of type ${kind}`,
      files: {
        'package.json': manifest,
        'a.ts': "import { system } from './prompts'; export const result = system;",
        'prompts.ts': `export { default as system } from './system.md' ${asText};`,
        'system.md': prompt,
      },
      entry: 'a.ts',
      result: prompt,
    },
  ]),
  {
    title: 'imports the text of code and data that others import as such',
    files: {
      'package.json': esm,
      'a.ts': `import source from './b.ts' ${asText};
import json from './c.json' ${asText};
import used from './used.ts';
export const result = [source, json, used];`,
      'used.ts': "import { b } from './b.ts'; import c from './c.json'; export default [b, c];",
      'b.ts': 'export const b: number = 1;',
      'c.json': '{ "c": 2 }',
    },
    entry: 'a.ts',
    result: ['export const b: number = 1;', '{ "c": 2 }', [1, { c: 2 }]],
  },
  {
    title: 'imports text into a module with decorators',
    files: {
      'package.json': esm,
      'a.ts': `import prompt from './p.md' ${asText};
const logged = (method: unknown, _: unknown) => method as never;
class A { @logged text() { return prompt; } }
export const result = new A().text();`,
      'p.md': prompt,
    },
    entry: 'a.ts',
    result: prompt,
  },
  {
    title: 'imports text into JavaScript',
    files: {
      'package.json': esm,
      'a.js': `import prompt from './p.md' ${asText}; export const result = prompt;`,
      'p.md': prompt,
    },
    entry: 'a.js',
    result: prompt,
  },
  {
    title: 'imports text by a tsconfig path',
    files: {
      'package.json': cjs,
      'tsconfig.json': '{ "compilerOptions": { "paths": { "~/*": ["./src/*"] } } }',
      'a.ts': `import prompt from '~/p.md' ${asText}; export const result = prompt;`,
      'src/p.md': prompt,
    },
    entry: 'a.ts',
    result: prompt,
  },
];
