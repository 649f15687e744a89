import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { type Files, writeProject } from './project.js';
import { cjs, esm } from './row.js';
import { type Imported, importFiles, runHost } from './run-host.js';

const kinds = { module: esm, commonjs: cjs };

type Check = (imported: Imported & { folder: string }) => void;

describe('registerTypeScript', () => {
  const rows: Files[] = [];
  const folders: string[] = [];
  let imported: readonly Imported[];

  /** Imports `a.ts` of a project; one process imports those of all rows. */
  function row(title: string, files: Files, check: Check): void {
    const at = rows.push(files) - 1;
    it(title, () => check({ ...imported[at], folder: folders[at] ?? '' }));
  }

  before(async () => {
    folders.push(...rows.map(writeProject));
    imported = await importFiles(folders.map((folder) => path.join(folder, 'a.ts')));
  });

  for (const [kind, manifest] of Object.entries(kinds)) {
    describe(`in a package of type ${kind}`, () => {
      row(
        'reports a syntax error with file, line, column and the source line',
        {
          'package.json': manifest,
          'a.ts': "import { b } from './b'; export const result = b;",
          'b.ts': "export interface B {}\nexport const größe = 'ü';\n  export const b: = 3;\n",
        },
        ({ error, folder }) => {
          const place = `${path.join(folder, 'b.ts')}:3:19`;
          expect(error?.name).to.equal('SyntaxError');
          expect(error?.message.split('\n')[0]).to.equal(`${place}: Unexpected token`);
          expect(error?.message).to.match(/3 \S {3}export const b: = 3;\n +\S +\^(?:\n|$)/);
          for (const once of [place, 'Unexpected token']) {
            expect(error?.message.split(once)).to.have.length(2);
          }
          expect(error?.stack).to.match(/ {4}at .*b\.ts:3:19$/);
        },
      );

      row(
        'reports a name declared twice',
        {
          'package.json': manifest,
          'a.ts': 'let a: number = 1;\nlet a = 2;\nexport const result = a;',
        },
        ({ error }) => {
          expect(error?.message).to.match(/a\.ts:1:5: .*already been declared/);
        },
      );

      row(
        'names the importer and the specifier of a missing module',
        {
          'package.json': manifest,
          'a.ts': "import { b } from './missing'; export const result = b;",
        },
        ({ error }) => {
          expect(error?.message).to.match(/Cannot find module '.*missing'/);
          expect(error?.message).to.contain('a.ts');
        },
      );

      row(
        'maps stacks to lines and columns of the source',
        {
          'package.json': manifest,
          'a.ts': `interface A {
  b: number;
}
enum C { D }
type E<T> = T extends A ? 1 : 2;
export function fail(a: A, e: E<A> = 1, f = __dirname): void {
  const g: number = C.D;   throw new Error(\`\${a.b} \${e} \${f} \${g}\`);
}
export let result: unknown;
try { fail({ b: 1 }); } catch (error) { result = (error as Error).stack; }
`,
        },
        ({ result, folder }) => {
          const file = path.join(folder, 'a.ts');
          expect(result).to.contain(`at fail (${file}:7:34)`);
          expect(result).to.contain(`${file}:10:7`);
        },
      );

      row(
        'maps stacks of files with decorators',
        {
          'package.json': manifest,
          'a.ts': `function seen(_: unknown, _context: object): void {}
@seen
class A {
  @seen b(): void { throw new Error('in b'); }
}
new A().b();
export const result = 1;
`,
        },
        ({ error, folder }) => {
          expect(error?.stack).to.contain(`${path.join(folder, 'a.ts')}:4:27`);
          expect(error?.stack).to.contain(`${path.join(folder, 'a.ts')}:6:9`);
        },
      );

      row(
        'leaves Error.prepareStackTrace to the user',
        {
          'package.json': manifest,
          'a.ts': `Error.prepareStackTrace = (error, sites) => [error.message, sites.length > 0];
const stack = new Error('mine').stack; Reflect.deleteProperty(Error, 'prepareStackTrace');
export const result = stack;`,
        },
        ({ result }) => {
          expect(result).to.deep.equal(['mine', true]);
        },
      );

      row(
        'resolves sources by require.resolve and import.meta.resolve',
        {
          'package.json': manifest,
          'a.ts':
            "export const result = import('./c.mjs').then((c) => [require.resolve('./b'), c.c]);",
          'b.ts': 'export const b: number = 1;',
          'c.mts': "export const c: string = import.meta.resolve('./b');",
        },
        ({ result, folder }) => {
          const file = path.join(folder, 'b.ts');
          expect(result).to.deep.equal([file, pathToFileURL(file).href]);
        },
      );

      it('evaluates an edited file again when it is imported under a new query', async () => {
        const folder = writeProject({
          'package.json': manifest,
          'a.ts': 'export const a: number = 1;',
        });
        const { stdout } = await runHost(
          `import { writeFileSync } from 'node:fs';
const first = await import('./a.ts');
writeFileSync('a.ts', 'enum A { B = 2 } export const a: A = A.B;');
const second = await import('./a.ts?edited');
console.log(first.a, second.a);`,
          folder,
        );
        expect(stdout.trim()).to.equal('1 2');
      });

      for (const [encoding, bytes, place, reason] of [
        ['Latin-1', Buffer.from('one\ncaf\xe9', 'latin1'), '2:4', 'it is not UTF-8 text'],
        ['UTF-16', Buffer.from('\ufeffhi', 'utf16le'), '1:1', 'it is not UTF-8 text'],
        [
          'UTF-16 without a mark',
          Buffer.from('hi', 'utf16le'),
          '1:2',
          'it contains a NUL character',
        ],
      ] as const) {
        row(
          `refuses text in ${encoding}`,
          {
            'package.json': manifest,
            'a.ts': "import text from './b.md' with { type: 'text' }; export const result = text;",
            'b.md': bytes,
          },
          ({ error, folder }) => {
            const start = `${path.join(folder, 'b.md')}:${place}: ${reason}`;
            expect(error?.message.slice(0, start.length)).to.equal(start);
            expect(error?.message).to.match(/; save it as UTF-8$/);
          },
        );
      }

      for (const [what, name, code, place] of [
        ['JSON', 'b.json', '{ "b": "caf\xe9" }', '1:12'],
        ['code', 'b.ts', 'export default "caf\xe9";', '1:20'],
      ] as const) {
        row(
          `refuses ${what} in Latin-1`,
          {
            'package.json': manifest,
            'a.ts': `import b from './${name}'; export const result = b;`,
            [name]: Buffer.from(code, 'latin1'),
          },
          ({ error, folder }) => {
            expect(error?.message).to.equal(
              `${path.join(folder, name)}:${place}: it is not UTF-8 text; save it as UTF-8`,
            );
          },
        );
      }

      row(
        'names the tsconfig.json that cannot be read',
        {
          'package.json': manifest,
          'tsconfig.json': '{ "extends": "./missing.json" }',
          'a.ts': 'export const result: number = 1;',
        },
        ({ error }) => {
          expect(error?.message).to.match(/Cannot read the tsconfig\.json for .*missing\.json/);
        },
      );
    });
  }

  row(
    'names the JSON file that does not parse',
    {
      'package.json': esm,
      'a.ts': "import b from './b.json'; export const result = b;",
      'b.json': '{ "one" }',
    },
    ({ error }) => {
      expect(error?.name).to.equal('SyntaxError');
      expect(error?.message).to.match(/b\.json: /);
    },
  );

  it('sees an edit in the next process', async () => {
    const folder = writeProject({
      'package.json': esm,
      'a.ts': "export { b as result } from './b';",
      'b.ts': 'export const b = 1;',
    });
    const before = await importFiles([path.join(folder, 'a.ts')]);
    await runHost(
      "import { writeFileSync } from 'node:fs'; writeFileSync('b.ts', 'export const b = 2;');",
      folder,
    );
    const after = await importFiles([path.join(folder, 'a.ts')]);
    expect([before[0]?.result, after[0]?.result]).to.deep.equal([1, 2]);
  });

  row(
    'does not reach the child processes that user code starts',
    {
      'package.json': esm,
      'a.ts': `import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
const child = fork(new URL('./b.mjs', import.meta.url));
const [message] = await once(child, 'message');
const env = execFileSync(process.execPath, ['-p', 'String(process.env.NODE_OPTIONS)'], { encoding: 'utf8' });
export const result: unknown = [message, env.trim() === String(process.env.NODE_OPTIONS)];`,
      'b.mjs': 'process.send(process.execArgv);',
    },
    ({ result }) => {
      expect(result).to.deep.equal([[], true]);
    },
  );

  row(
    'works beside hooks that user code registers',
    {
      'package.json': esm,
      // Node 26 would advise its newer hooks.
      'a.ts': `import { register } from 'node:module';
process.noDeprecation = true;
register('./hooks.mjs', import.meta.url);
const { b } = await import('./b'); const { c } = await import('virtual:c' as string);
export const result: unknown = [b, c];`,
      'b.ts': 'export const b: number = 1;',
      'hooks.mjs': `export const resolve = (specifier, context, next) => specifier === 'virtual:c'
  ? { url: specifier, shortCircuit: true } : next(specifier, context);
export const load = (url, context, next) => url === 'virtual:c'
  ? { format: 'module', source: 'export const c = 2;', shortCircuit: true } : next(url, context);`,
    },
    ({ result }) => {
      expect(result).to.deep.equal([1, 2]);
    },
  );

  row(
    'runs one instance of a module that CommonJS files import and import dynamically',
    {
      'package.json': cjs,
      'a.ts': `import { count } from './count'; import './b';
export const result = import('./count').then((again) => [count.n, again.count === count]);`,
      'b.ts': "import { count } from './count'; count.n += 1;",
      'count.ts': 'export const count = { n: 0 };',
    },
    ({ result }) => {
      expect(result).to.deep.equal([1, true]);
    },
  );
});
