import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { type Files, writeProject } from './project.js';
import { cjs, esm } from './row.js';
import { type Imported, importFiles, runHost } from './run-host.js';

const kinds = { module: esm, commonjs: cjs };

async function importOne(files: Files, entry: string): Promise<Imported & { folder: string }> {
  const folder = writeProject(files);
  const [imported] = await importFiles([path.join(folder, entry)]);
  return { ...imported, folder };
}

describe('registerTypeScript', () => {
  for (const [kind, manifest] of Object.entries(kinds)) {
    describe(`in a package of type ${kind}`, () => {
      it('reports a syntax error with file, line, column and the source line', async () => {
        const { error, folder } = await importOne(
          {
            'package.json': manifest,
            'a.ts': "import { b } from './b'; export const result = b;",
            'b.ts': "export interface B {}\nexport const größe = 'ü';\n  export const b: = 3;\n",
          },
          'a.ts',
        );
        const place = `${path.join(folder, 'b.ts')}:3:19`;
        expect(error?.name).to.equal('SyntaxError');
        expect(error?.message.split('\n')[0]).to.equal(`${place}: Unexpected token`);
        expect(error?.message).to.match(/3 \S {3}export const b: = 3;\n +\S +\^(?:\n|$)/);
        for (const once of [place, 'Unexpected token']) {
          expect(error?.message.split(once)).to.have.length(2);
        }
        expect(error?.stack).to.match(/ {4}at .*b\.ts:3:19$/);
      });

      it('reports a name declared twice', async () => {
        const { error } = await importOne(
          {
            'package.json': manifest,
            'a.ts': 'let a: number = 1;\nlet a = 2;\nexport const result = a;',
          },
          'a.ts',
        );
        expect(error?.message).to.match(/a\.ts:1:5: .*already been declared/);
      });

      it('names the importer and the specifier of a missing module', async () => {
        const { error } = await importOne(
          {
            'package.json': manifest,
            'a.ts': "import { b } from './missing'; export const result = b;",
          },
          'a.ts',
        );
        expect(error?.message).to.match(/Cannot find module '.*missing'/);
        expect(error?.message).to.contain('a.ts');
      });

      it('maps stacks to lines and columns of the source', async () => {
        const { result, folder } = await importOne(
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
          'a.ts',
        );
        const file = path.join(folder, 'a.ts');
        expect(result).to.contain(`at fail (${file}:7:34)`);
        expect(result).to.contain(`${file}:10:7`);
      });

      it('maps stacks of files with decorators', async () => {
        const { error, folder } = await importOne(
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
          'a.ts',
        );
        expect(error?.stack).to.contain(`${path.join(folder, 'a.ts')}:4:27`);
        expect(error?.stack).to.contain(`${path.join(folder, 'a.ts')}:6:9`);
      });

      it('leaves Error.prepareStackTrace to the user', async () => {
        const { result } = await importOne(
          {
            'package.json': manifest,
            'a.ts': `Error.prepareStackTrace = (error, sites) => [error.message, sites.length > 0];
const stack = new Error('mine').stack; Reflect.deleteProperty(Error, 'prepareStackTrace');
export const result = stack;`,
          },
          'a.ts',
        );
        expect(result).to.deep.equal(['mine', true]);
      });

      it('resolves sources by require.resolve and import.meta.resolve', async () => {
        const { result, folder } = await importOne(
          {
            'package.json': manifest,
            'a.ts':
              "export const result = import('./c.mjs').then((c) => [require.resolve('./b'), c.c]);",
            'b.ts': 'export const b: number = 1;',
            'c.mts': "export const c: string = import.meta.resolve('./b');",
          },
          'a.ts',
        );
        const file = path.join(folder, 'b.ts');
        expect(result).to.deep.equal([file, pathToFileURL(file).href]);
      });

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

      it('names the tsconfig.json that cannot be read', async () => {
        const { error } = await importOne(
          {
            'package.json': manifest,
            'tsconfig.json': '{ "extends": "./missing.json" }',
            'a.ts': 'export const result: number = 1;',
          },
          'a.ts',
        );
        expect(error?.message).to.match(/Cannot read the tsconfig\.json for .*missing\.json/);
      });
    });
  }

  it('names the JSON file that does not parse', async () => {
    const { error } = await importOne(
      {
        'package.json': esm,
        'a.ts': "import b from './b.json'; export const result = b;",
        'b.json': '{ "one" }',
      },
      'a.ts',
    );
    expect(error?.name).to.equal('SyntaxError');
    expect(error?.message).to.match(/b\.json: /);
  });

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

  it('does not reach the child processes that user code starts', async () => {
    const { result } = await importOne(
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
      'a.ts',
    );
    expect(result).to.deep.equal([[], true]);
  });

  it('works beside hooks that user code registers', async () => {
    const { result } = await importOne(
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
      'a.ts',
    );
    expect(result).to.deep.equal([1, 2]);
  });

  it('runs one instance of a module that CommonJS files import and import dynamically', async () => {
    const { result } = await importOne(
      {
        'package.json': cjs,
        'a.ts': `import { count } from './count'; import './b';
export const result = import('./count').then((again) => [count.n, again.count === count]);`,
        'b.ts': "import { count } from './count'; count.n += 1;",
        'count.ts': 'export const count = { n: 0 };',
      },
      'a.ts',
    );
    expect(result).to.deep.equal([1, true]);
  });
});
