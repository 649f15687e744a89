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

const badFiles: readonly BadFile[] = [
  {
    name: 'throws',
    source: `import 'assay';\n\nconst broken: string = (() => { throw new Error('no luck today'); })();`,
    says: [/could not be imported \(line 3\)/, /no luck today/],
  },
  {
    name: 'throws in a module it imports',
    source: `import './lib/thrower.js';`,
    more: { 'lib/thrower.ts': `const a = 1;\nthrow new Error('deep down ' + a);` },
    says: [/could not be imported/, /deep down 1/],
  },
  {
    name: 'throws something that is no error',
    source: `throw { not: 'an error' };`,
    says: [/could not be imported/, /not an Error/],
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
    name: 'has a syntax error',
    source: `const fine = 1;\nconst broken = ;\n`,
    says: [/could not be imported \(line 2(, column \d+|:\d+)?\)/],
  },
  {
    name: 'exits with 0',
    source: `process.exit(0);`,
    says: [/could not be imported/, /process\.exit\(0\)/],
  },
  {
    name: 'exits with 1',
    source: `\nprocess.exit(1);`,
    says: [/could not be imported \(line 2\)/, /process\.exit\(1\)/],
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
    name: 'imports a module that is missing',
    source: `import { a } from 'node:path';\nimport { agent } from '../src/agent.js';\nexport const used = agent;`,
    says: [/could not be imported \(line 2\)/, /Cannot find module '\.\.\/src\/agent\.js'/],
  },
  {
    name: 'imports a package that is missing',
    source: `import nothing from 'no-such-package-here';\nexport const used = nothing;`,
    says: [/could not be imported \(line 1\)/, /no-such-package-here/],
  },
  {
    name: 'imports a name that is not exported',
    source: `import { evalution } from 'assay';\nexport const used = evalution;`,
    says: [/could not be imported/, /evalution/],
  },
  {
    name: 'gives two evaluations one name',
    source: `import { evaluation } from 'assay';
export const a = evaluation({ name: 'same' }, () => {});
export const b = evaluation({ name: 'same' }, () => {});`,
    says: [/bad\.eval\.ts::same/, /line 2/, /line 3/],
  },
  {
    name: 'gives two cases one id',
    source: `import { evaluation } from 'assay';
export const a = evaluation({ cases: [{ id: 'twin' }, { id: 'twin' }] }, () => {});`,
    says: [/bad\.eval\.ts/, /twin/],
  },
  {
    name: 'has an evaluation without a name in an array',
    source: `import { evaluation } from 'assay';
export const all = [evaluation({}, () => {})];`,
    says: [/bad\.eval\.ts/, /exported array and needs a `name`/],
  },
  {
    name: 'uses an option that does not exist',
    source: `import { evaluation } from 'assay';
export const a = evaluation({ timout: 3 } as object, () => {});`,
    says: [/could not be imported \(line 2\)/, /timout/, /timeout/],
  },
  {
    name: 'has cases that cannot be computed',
    source: `import { evaluation } from 'assay';
export const a = evaluation({ cases: async () => { throw new Error('no database'); } }, () => {});`,
    says: [/could not be imported/, /no database/],
  },
  {
    name: 'loads a case file that is not there',
    source: `import { evaluation, fromJsonl } from 'assay';
export const a = evaluation({ cases: fromJsonl('missing.jsonl') }, () => {});`,
    says: [/could not be imported/, /missing\.jsonl/],
  },
  {
    name: 'loads a case file with a broken line',
    source: `import { evaluation, fromJsonl } from 'assay';
export const a = evaluation({ cases: fromJsonl(new URL('./cases.jsonl', import.meta.url)) }, () => {});`,
    more: { 'cases.jsonl': '{"input": 1}\n{"input": 2,}\n' },
    says: [/cases\.jsonl:2:\d+/],
  },
  {
    name: 'loads broken JSON',
    source: `import { evaluation, fromJson } from 'assay';
export const a = evaluation({ cases: fromJson(new URL('./cases.json', import.meta.url)) }, () => {});`,
    more: { 'cases.json': '[\n  {"input": 1},\n  {"input" 2}\n]\n' },
    says: [/cases\.json:3:\d+/],
  },
  {
    name: 'imports broken JSON itself',
    source: `import data from './data.json' with { type: 'json' };\nexport const used = data;`,
    more: { 'data.json': '{\n  "a": 1,\n}\n' },
    says: [/could not be imported/, /data\.json/],
  },
  {
    name: 'loads a CSV file with a bad row',
    source: `import { evaluation, fromCsv } from 'assay';
export const a = evaluation({ cases: fromCsv(new URL('./cases.csv', import.meta.url)) }, () => {});`,
    more: { 'cases.csv': 'input,reference\n1,2\n"open\n' },
    says: [/cases\.csv:3/],
  },
];

describe('an eval file that cannot be imported', () => {
  // No more than ten are shown.
  for (const from of [0, 8, 16]) {
    const some = badFiles.slice(from, from + 8);
    it(`is named with the cause and hides no other, nothing is run: ${some.map(({ name }) => name).join(', ')}`, async () => {
      const files = some.map(({ source, more = {} }, at) =>
        Object.entries({ 'bad.eval.ts': source, ...more }).map(([name, text]) => [
          `evals/${at}/${name}`,
          text,
        ]),
      );
      const project = new Project({ 'good.eval.ts': good, ...Object.fromEntries(files.flat()) });
      const { code, stdout, stderr } = await project.assay(['run']);
      expect(code, stderr).to.equal(2);
      const said = stderr.split(/^(?=\S* ?evals\/\d+\/bad\.eval\.ts could)/m);
      for (const [at, { name, says }] of some.entries()) {
        const own = said.find((text) => text.includes(`evals/${at}/bad.eval.ts could`));
        for (const pattern of says) expect(own, `${name}:\n${stderr}`).to.match(pattern);
      }
      expect(stderr).to.include(
        `${some.length} of ${some.length + 1} files failed; nothing was run`,
      );
      expect(stderr).not.to.match(stackLine);
      expect(stdout).to.equal('');
      expect(await project.processesLeft()).to.deep.equal([]);
    });
  }

  it('can be left out', async () => {
    const project = new Project({ 'good.eval.ts': good, 'bad.eval.ts': 'throw new Error();' });
    const { stderr } = await project.assay(['run']);
    expect(stderr).to.include('--ignore bad.eval.ts');
    const { run } = await project.run(['.', '--ignore', 'bad.eval.ts']);
    expect(run.results.map((row) => row.id)).to.deep.equal(['good.eval.ts::one']);
  });

  it('shows its stack with DEBUG', async () => {
    const project = new Project({ 'bad.eval.ts': `throw new Error('no luck today');` });
    const { stderr } = await project.assay(['run'], { env: { DEBUG: '1' } });
    expect(stderr).to.match(stackLine);
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
