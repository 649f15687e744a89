import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { AssayError } from '../../../src/errors.js';
import { findFiles, trueCasePath } from '../../../src/runner/discovery/find-files.js';

const names = [
  'b.eval.ts',
  'a.eval.mjs',
  'evals/z.eval.cts',
  'evals/a b.eval.tsx',
  'evals/[id].eval.ts',
  'evals/deep/er/x.eval.js',
  'evals/plain.ts',
  'evals/notes.eval.md',
  'evals/.hidden/h.eval.ts',
  'evals/node_modules/n.eval.ts',
  'empty/readme.txt',
];

const inEvals = [
  'evals/[id].eval.ts',
  'evals/a b.eval.tsx',
  'evals/deep/er/x.eval.js',
  'evals/z.eval.cts',
];

describe('findFiles', () => {
  let cwd: string;

  before(() => {
    cwd = realpathSync(mkdtempSync(join(tmpdir(), 'assay-find-')));
    for (const name of names) {
      mkdirSync(dirname(join(cwd, name)), { recursive: true });
      writeFileSync(join(cwd, name), '');
    }
  });
  after(() => rmSync(cwd, { recursive: true }));

  async function found(paths: string[], ignore: string[] = []): Promise<string[]> {
    const { files } = await findFiles({ paths, ignore, cwd });
    for (const { path, name } of files) expect(path).to.equal(join(cwd, name));
    return files.map((file) => file.name);
  }

  async function refusal(paths: string[], ignore: string[] = []): Promise<AssayError> {
    try {
      await findFiles({ paths, ignore, cwd });
    } catch (error) {
      if (error instanceof AssayError) return error;
      throw error;
    }
    return expect.fail('nothing is refused');
  }

  it('takes nothing for an eval file because it is in a folder that is named like one', async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'assay-find-')));
    mkdirSync(join(folder, 'recordings/a.eval.ts'), { recursive: true });
    writeFileSync(join(folder, 'recordings/a.eval.ts/one.js'), '');
    writeFileSync(join(folder, 'b.eval.ts'), '');
    for (const path of ['.', '**/*.eval.*', 'recordings/../**']) {
      const { files } = await findFiles({ paths: [path], ignore: [], cwd: folder });
      expect(files.map(({ name }) => name)).to.deep.equal(['b.eval.ts']);
    }
    rmSync(folder, { recursive: true });
  });

  it('searches no folder that is left out, unless a path leads into it', async () => {
    const left = async (path: string, leftOut: string) => {
      const { files } = await findFiles({
        ...{ paths: [path], ignore: [], cwd },
        leftOut: [join(cwd, leftOut)],
      });
      return files.map(({ name }) => name);
    };
    const outer = inEvals.filter((name) => !name.startsWith('evals/deep/'));
    expect(outer).to.have.length.below(inEvals.length);
    expect(await left('evals', 'evals/deep')).to.deep.equal(outer);
    expect(await left('**/*.eval.*', 'evals')).to.not.include.members(inEvals);
    expect(await left('evals/deep/er', 'evals/deep')).to.deep.equal(['evals/deep/er/x.eval.js']);
    expect(await left('.', '.')).to.include.members(inEvals);
  });

  it('searches folders for *.eval.*, sorted, without node_modules and dot folders', async () => {
    expect(await found(['evals'])).to.deep.equal(inEvals);
    expect(await found(['./evals/'])).to.deep.equal(inEvals);
    expect(await found([join(cwd, 'evals')])).to.deep.equal(inEvals);
  });

  it('searches the working directory when no path is given', async () => {
    const all = ['a.eval.mjs', 'b.eval.ts', ...inEvals];
    expect(await found([])).to.deep.equal(all);
    expect(await found(['.'])).to.deep.equal(all);
  });

  it('takes a file as it is, whatever its name says and wherever it lies', async () => {
    expect(await found(['evals/plain.ts'])).to.deep.equal(['evals/plain.ts']);
    expect(await found(['evals/[id].eval.ts'])).to.deep.equal(['evals/[id].eval.ts']);
    expect(await found(['evals/node_modules/n.eval.ts'])).to.have.lengthOf(1);
  });

  it('finds each file once, however often it is meant', async () => {
    const paths = ['evals/z.eval.cts', 'evals', './evals/z.eval.cts', 'evals/*.cts'];
    expect(await found(paths)).to.deep.equal(inEvals);
  });

  it('takes globs, relative to the working directory', async () => {
    expect(await found(['*.eval.*'])).to.deep.equal(['a.eval.mjs', 'b.eval.ts']);
    expect(await found(['evals/**/x.*'])).to.deep.equal(['evals/deep/er/x.eval.js']);
    expect(await found(['{a,b}.eval.{ts,mjs}'])).to.deep.equal(['a.eval.mjs', 'b.eval.ts']);
  });

  it('leaves out what ignore matches, relative to the working directory', async () => {
    expect(await found(['evals'], ['evals/deep/**', '**/a b.*'])).to.deep.equal([
      'evals/[id].eval.ts',
      'evals/z.eval.cts',
    ]);
    expect(await found(['evals'], ['evals/deep'])).to.deep.equal(
      inEvals.filter((name) => !name.includes('deep')),
    );
    expect((await refusal(['evals'], ['evals/**'])).code).to.equal('nothing-selected');
  });

  it('leaves out files that are named themselves, too', async () => {
    expect(await found(['b.eval.ts', 'a.eval.mjs'], ['b.eval.ts'])).to.deep.equal(['a.eval.mjs']);
    expect(await found(['b.eval.ts', 'evals/z.eval.cts'], ['evals'])).to.deep.equal(['b.eval.ts']);
    expect(await found(['b.eval.ts::f', 'a.eval.mjs'], ['**/b.*'])).to.deep.equal(['a.eval.mjs']);
    expect(await found(['evals/.hidden/h.eval.ts', 'b.eval.ts'], ['evals/**'])).to.deep.equal([
      'b.eval.ts',
    ]);
  });

  it('leaves out the file that a path with glob characters spells', async () => {
    const rest = inEvals.filter((name) => name !== 'evals/[id].eval.ts');
    expect(await found(['evals'], ['evals/[id].eval.ts'])).to.deep.equal(rest);
    expect(await found(inEvals, [join(cwd, 'evals/[id].eval.ts')])).to.deep.equal(rest);
    writeFileSync(join(cwd, '!x.eval.ts'), '');
    expect(await found(['*.ts'], ['!x.eval.ts'])).to.deep.equal(['b.eval.ts']);
    expect(await found(['b.eval.ts', '!x.eval.ts'], ['!x*', ''])).to.deep.equal(['b.eval.ts']);
    rmSync(join(cwd, '!x.eval.ts'));
  });

  it('leaves out the same in folders whose names have glob characters', async () => {
    for (const name of ['[slug]', '(group)', '{a,b}', 'what!', '!work', '!(x)', '!']) {
      const inner = join(cwd, 'odd', name);
      mkdirSync(join(inner, 'sub'), { recursive: true });
      for (const file of ['x.eval.ts', 'y.eval.ts', 'sub/z.eval.ts']) {
        writeFileSync(join(inner, file), '');
      }
      const left = async (paths: string[], ignore: string[]) => {
        const { files } = await findFiles({ paths, ignore, cwd: inner });
        return files.map((file) => file.name);
      };
      expect(await left([], ['x.eval.ts', 'sub/**']), name).to.deep.equal(['y.eval.ts']);
      expect(await left(['sub', 'y.eval.ts'], ['sub']), name).to.deep.equal(['y.eval.ts']);
      expect(await left(['*.eval.ts'], ['y.*']), name).to.deep.equal(['x.eval.ts']);
      expect(await left(['x.eval.ts', 'y.eval.ts'], ['x*']), name).to.deep.equal(['y.eval.ts']);
      const leftOut = [join(inner, '!results')];
      const { files } = await findFiles({ paths: ['sub'], ignore: [], cwd: inner, leftOut });
      expect(
        files.map((file) => file.name),
        name,
      ).to.deep.equal(['sub/z.eval.ts']);
    }
    rmSync(join(cwd, 'odd'), { recursive: true });
  });

  it('says so when all is left out', async () => {
    const one = await refusal(['b.eval.ts'], ['b.eval.ts']);
    expect(one.code).to.equal('nothing-selected');
    expect(one.message).to.equal('b.eval.ts is left out by --ignore b.eval.ts.');
    const all = await refusal(['evals'], ['evals/**', 'x']);
    expect(all.message).to.equal('All 4 eval files are left out by --ignore evals/**, x.');
    expect((await refusal(['empty'], ['x'])).message).to.match(/No eval files in empty/);
  });

  it('takes only *.eval.* files for a glob', async () => {
    expect(await found(['evals/*'])).to.deep.equal(inEvals.filter((name) => !/deep/.test(name)));
    expect(await found(['evals/**'])).to.deep.equal(inEvals);
    expect((await refusal(['evals/*.md'])).code).to.equal('nothing-selected');
  });

  it('keeps names after :: by file, unless the file is meant as a whole', async () => {
    const file = 'evals/z.eval.cts';
    const some = await findFiles({ paths: [`${file}::f`, `${file}::g[a::b]`], ignore: [], cwd });
    expect([...some.names]).to.deep.equal([[file, ['f', 'g[a::b]']]]);
    const whole = await findFiles({ paths: [`${file}::f`, 'evals'], ignore: [], cwd });
    expect(whole.names.size).to.equal(0);
  });

  it('finds files whose names have ::', async () => {
    const file = 'odd/a::b.eval.ts';
    // What comes before is a folder, and a file.
    for (const name of [file, 'odd/a/x.eval.ts', 'odd/a.eval.ts']) {
      mkdirSync(dirname(join(cwd, name)), { recursive: true });
      writeFileSync(join(cwd, name), '');
    }
    expect(await found([file])).to.deep.equal([file]);
    expect(await found(['odd'], [file])).to.deep.equal(['odd/a.eval.ts', 'odd/a/x.eval.ts']);
    const some = await findFiles({ paths: [`./${file}::f::g[x::y]`], ignore: [], cwd });
    expect([...some.names]).to.deep.equal([[file, ['f::g[x::y]']]]);
    rmSync(join(cwd, 'odd'), { recursive: true });
  });

  it('takes a first ! of a name for no negation', async () => {
    writeFileSync(join(cwd, '!x.eval.ts'), '');
    expect(await found(['!*.ts'])).to.deep.equal(['!x.eval.ts']);
    rmSync(join(cwd, '!x.eval.ts'));
  });

  it('leaves what is no path, and may be a name, to be found in any file', async () => {
    const { files, names, anywhere } = await findFiles({ paths: ['evls'], ignore: [], cwd });
    const [[name, problem] = []] = [...anywhere];
    expect(name).to.equal('evls');
    expect(problem).to.include({ code: 'no-such-path' });
    expect(problem?.message).to.match(/Did you mean evals\?/);
    expect(files).to.not.deep.equal([]);
    expect([...names.values()].flat()).to.deep.equal([]);
  });

  it('refuses what is no path, no code or no file with a sentence', async () => {
    const cases: [string, AssayError['code'], RegExp][] = [
      ['evals/z.eval.ct', 'no-such-path', /No such path: .*Did you mean .*evals\/z\.eval\.cts/],
      ['no/where.ts', 'no-such-path', /No such path: no\/where\.ts\.$/],
      ['empty', 'nothing-selected', /No eval files in empty/],
      ['nothing*', 'nothing-selected', /No eval files in nothing\*/],
      ['evals/notes.eval.md', 'usage', /not a TypeScript or JavaScript file/],
      ['evals::f', 'usage', /only a file can be followed by ::/],
      ['', 'usage', /"" is not a path: a path must not be empty/],
      ['::f', 'usage', /"::f" is not a path/],
      ['b.eval.ts::', 'usage', /name of an evaluation must follow/],
    ];
    for (const [path, code, pattern] of cases) {
      const error = await refusal([path]);
      expect(error.message).to.match(pattern);
      expect(error.code).to.equal(code);
    }
  });

  it('finds a file once, under its own name, when links lead to its folder again', async () => {
    const link = join(cwd, 'evals/again');
    symlinkSync(join(cwd, 'evals/deep'), link);
    try {
      expect(await found(['evals'])).to.deep.equal(inEvals);
    } finally {
      rmSync(link);
    }
  });

  it('searches a folder that only a link leads to', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'assay-linked-'));
    writeFileSync(join(outside, 'o.eval.ts'), '');
    mkdirSync(join(cwd, 'shared'));
    symlinkSync(outside, join(cwd, 'shared/linked'));
    try {
      expect(await found(['shared'])).to.deep.equal(['shared/linked/o.eval.ts']);
    } finally {
      rmSync(join(cwd, 'shared'), { recursive: true });
      rmSync(outside, { recursive: true });
    }
  });
});

describe('trueCasePath', () => {
  let folder: string;

  before(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'assay-spelled-')));
    mkdirSync(join(folder, 'Evals/Deep'), { recursive: true });
    for (const name of [
      'Evals/Orders.eval.ts',
      'Evals/Caf\u00e9.eval.ts',
      'b.eval.ts',
      'B.eval.ts',
    ]) {
      writeFileSync(join(folder, name), '');
    }
  });
  after(() => rmSync(folder, { recursive: true }));

  for (const [given, spelled] of [
    ['evals/orders.EVAL.ts', 'Evals/Orders.eval.ts'],
    ['EVALS/DEEP', 'Evals/Deep'],
    ['Evals/Cafe\u0301.eval.ts', 'Evals/Caf\u00e9.eval.ts'],
    ['b.eval.ts', 'b.eval.ts'],
    ['B.eval.ts', 'B.eval.ts'],
    ['evals/missing.eval.ts', 'Evals/missing.eval.ts'],
    ['missing/Orders.eval.ts', 'missing/Orders.eval.ts'],
  ] as const) {
    it(`gives ${given} the name ${spelled}`, async () => {
      expect(await trueCasePath(join(folder, given), folder)).to.equal(join(folder, spelled));
    });
  }

  it('follows a path out of the folder and back', async () => {
    const deep = join(folder, 'Evals/Deep');
    expect(await trueCasePath(join(folder, 'evals/orders.eval.ts'), deep)).to.equal(
      join(folder, 'Evals/Orders.eval.ts'),
    );
    expect(await trueCasePath(folder, folder)).to.equal(folder);
  });
});
