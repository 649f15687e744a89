import { expect } from 'chai';
import { Project } from '../helpers/project.js';

interface BadFile {
  readonly name: string;
  readonly source: string;
  readonly more?: Readonly<Record<string, string>>;
  readonly says: readonly RegExp[];
}

const good = `
import { evaluation } from 'assay';
export const one = evaluation({}, () => {});
`;

const stackLine = /^\s+at /m;

// Those that a process of its own is needed for; more are in test/bad-input.
const badFiles: readonly BadFile[] = [
  {
    name: 'throws in a module it imports',
    source: `import './lib/thrower.js';`,
    more: { 'lib/thrower.ts': `const a = 1;\nthrow new Error('deep down ' + a);` },
    says: [/could not be imported/, /deep down 1/],
  },
  {
    name: 'rejects after a while',
    source: `await new Promise((_, reject) => setTimeout(() => reject(new Error('awaited in vain')), 10));`,
    says: [/could not be imported/, /awaited in vain/],
  },
  {
    name: 'throws in a timer while it is imported',
    source: `setTimeout(() => { throw new Error('from a timer'); }, 5); await new Promise((r) => setTimeout(r, 500));`,
    says: [/could not be imported/, /from a timer/],
  },
  {
    name: 'leaves a rejection uncaught while it is imported',
    source: `Promise.reject(new Error('uncaught here')); await new Promise((r) => setTimeout(r, 500));`,
    says: [/could not be imported/, /uncaught here/],
  },
  {
    name: 'exits with 0',
    source: `process.exit(0);`,
    says: [/could not be imported/, /process\.exit\(0\)/],
  },
  {
    name: 'exits by the back door',
    source: `process.reallyExit(0);`,
    says: [/could not be imported/, /exit code 0/],
  },
  {
    name: 'crashes',
    source: `process.kill(process.pid, 'SIGSEGV');`,
    says: [/could not be imported/, /SIGSEGV/],
  },
  {
    name: 'has cases that cannot be computed',
    source: `import { evaluation } from 'assay';
export const a = evaluation({ cases: async () => { throw new Error('no database'); } }, () => {});`,
    says: [/could not be imported/, /no database/],
  },
];

describe('an eval file that cannot be imported', () => {
  it('is named with the cause and hides no other, and nothing is run', async () => {
    const files = badFiles.map(({ source, more = {} }, at) =>
      Object.entries({ 'bad.eval.ts': source, ...more }).map(([name, text]) => [
        `evals/${at}/${name}`,
        text,
      ]),
    );
    const project = new Project({ 'good.eval.ts': good, ...Object.fromEntries(files.flat()) });
    const { code, stdout, stderr } = await project.assay(['run']);
    expect(code, stderr).to.equal(2);
    const said = stderr.split(/^(?=\S* ?evals\/\d+\/bad\.eval\.ts could)/m);
    for (const [at, { name, says }] of badFiles.entries()) {
      const own = said.find((text) => text.includes(`evals/${at}/bad.eval.ts could`));
      for (const pattern of says) expect(own, `${name}:\n${stderr}`).to.match(pattern);
    }
    expect(stderr).to.include(
      `${badFiles.length} of ${badFiles.length + 1} files failed; nothing was run`,
    );
    expect(stderr).not.to.match(stackLine);
    expect(stdout).to.equal('');
    expect(await project.processesLeft()).to.deep.equal([]);
  });
});

describe('cases that differ between two imports', () => {
  it('are errors that say so, and the others run', async () => {
    const project = new Project({
      'random.eval.ts': `
import { existsSync, writeFileSync } from 'node:fs';
import { evaluation } from 'assay';
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const again = existsSync('imported');
writeFileSync(again ? 'imported-again' : 'imported', '');
const untilImportedAgain = async () => {
  while (!existsSync('imported-again')) await wait(10);
  await wait(50);
};
export const stable = evaluation({ cases: Array.from({ length: 10 }, (_, n) => ({ id: String(n) })) }, untilImportedAgain);
export const other = evaluation({ cases: Array.from({ length: 10 }, (_, n) => ({ id: (again ? 'second' : 'first') + n })) }, untilImportedAgain);
`,
    });
    const { run } = await project.run(['-c', '4', '--workers', '2']);
    const failed = run.results.filter((row) => row.result.status === 'error');
    expect(failed).to.have.lengthOf.within(1, 10);
    for (const row of failed) {
      expect(row.function).to.match(/^other\[first/);
      expect(row.result.error).to.match(/was not there when the eval file was imported again/);
    }
    const stable = run.results.filter((row) => row.function.startsWith('stable'));
    expect(stable.every((row) => row.result.status === 'completed')).to.equal(true);
  });
});
