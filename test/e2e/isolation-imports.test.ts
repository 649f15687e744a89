import { expect } from 'chai';
import { inTurns } from '../helpers/in-turns.js';
import { type Ended, Project } from '../helpers/project.js';
import { fewOf } from '../helpers/rounds.js';

interface BadFile {
  readonly name: string;
  readonly source: string;
  readonly file?: string;
  readonly more?: Readonly<Record<string, string>>;
  readonly stderr: readonly RegExp[];
}

const good = `
import { evaluation } from 'assay';
export const one = evaluation({}, () => {});
`;

const badFiles: readonly BadFile[] = [
  {
    name: 'throws',
    source: `import 'assay';\n\nconst broken: string = (() => { throw new Error('no luck today'); })();`,
    stderr: [/bad\.eval\.ts could not be imported \(line 3\)/, /no luck today/],
  },
  {
    name: 'throws in a module it imports',
    source: `import './lib/thrower.js';`,
    more: { 'lib/thrower.ts': `const a = 1;\nthrow new Error('deep down ' + a);` },
    stderr: [/bad\.eval\.ts could not be imported/, /deep down 1/],
  },
  {
    name: 'throws something that is no error',
    source: `throw { not: 'an error' };`,
    stderr: [/bad\.eval\.ts could not be imported/, /not an Error/],
  },
  {
    name: 'rejects after a while',
    source: `await new Promise((_, reject) => setTimeout(() => reject(new Error('awaited in vain')), 10));`,
    stderr: [/bad\.eval\.ts could not be imported/, /awaited in vain/],
  },
  {
    name: 'throws in a timer while it is imported',
    source: `setTimeout(() => { throw new Error('from a timer'); }, 5); await new Promise((r) => setTimeout(r, 500));`,
    stderr: [/bad\.eval\.ts could not be imported/, /from a timer/],
  },
  {
    name: 'leaves a rejection uncaught while it is imported',
    source: `Promise.reject(new Error('uncaught here')); await new Promise((r) => setTimeout(r, 500));`,
    stderr: [/bad\.eval\.ts could not be imported/, /uncaught here/],
  },
  {
    name: 'has a syntax error',
    source: `const fine = 1;\nconst broken = ;\n`,
    stderr: [/bad\.eval\.ts could not be imported \(line 2(, column \d+|:\d+)?\)/],
  },
  {
    name: 'exits with 0',
    source: `process.exit(0);`,
    stderr: [/bad\.eval\.ts could not be imported/, /process\.exit\(0\)/],
  },
  {
    name: 'exits with 1',
    source: `\nprocess.exit(1);`,
    stderr: [/bad\.eval\.ts could not be imported \(line 2\)/, /process\.exit\(1\)/],
  },
  {
    name: 'exits by the back door',
    source: `process.reallyExit(0);`,
    stderr: [/bad\.eval\.ts could not be imported/, /exit code 0/],
  },
  {
    name: 'crashes',
    source: `process.kill(process.pid, 'SIGSEGV');`,
    stderr: [/bad\.eval\.ts could not be imported/, /SIGSEGV/],
  },
  {
    name: 'imports a module that is missing',
    source: `import { a } from 'node:path';\nimport { agent } from '../src/agent.js';\nexport const used = agent;`,
    stderr: [
      /bad\.eval\.ts could not be imported \(line 2\)/,
      /Cannot find module '\.\.\/src\/agent\.js'/,
    ],
  },
  {
    name: 'imports a package that is missing',
    source: `import nothing from 'no-such-package-here';\nexport const used = nothing;`,
    stderr: [/bad\.eval\.ts could not be imported \(line 1\)/, /no-such-package-here/],
  },
  {
    name: 'imports a name that is not exported',
    source: `import { evalution } from 'assay';\nexport const used = evalution;`,
    stderr: [/bad\.eval\.ts could not be imported/, /evalution/],
  },
  {
    name: 'gives two evaluations one name',
    source: `import { evaluation } from 'assay';
export const a = evaluation({ name: 'same' }, () => {});
export const b = evaluation({ name: 'same' }, () => {});`,
    stderr: [/bad\.eval\.ts::same/, /line 2/, /line 3/],
  },
  {
    name: 'gives two cases one id',
    source: `import { evaluation } from 'assay';
export const a = evaluation({ cases: [{ id: 'twin' }, { id: 'twin' }] }, () => {});`,
    stderr: [/bad\.eval\.ts/, /twin/],
  },
  {
    name: 'has an evaluation without a name in an array',
    source: `import { evaluation } from 'assay';
export const all = [evaluation({}, () => {})];`,
    stderr: [/bad\.eval\.ts/, /exported array and needs a `name`/],
  },
  {
    name: 'uses an option that does not exist',
    source: `import { evaluation } from 'assay';
export const a = evaluation({ timout: 3 } as object, () => {});`,
    stderr: [/bad\.eval\.ts could not be imported \(line 2\)/, /timout/, /timeout/],
  },
  {
    name: 'has cases that cannot be computed',
    source: `import { evaluation } from 'assay';
export const a = evaluation({ cases: async () => { throw new Error('no database'); } }, () => {});`,
    stderr: [/bad\.eval\.ts could not be imported/, /no database/],
  },
  {
    name: 'loads a case file that is not there',
    source: `import { evaluation, fromJsonl } from 'assay';
export const a = evaluation({ cases: fromJsonl('missing.jsonl') }, () => {});`,
    stderr: [/bad\.eval\.ts could not be imported/, /missing\.jsonl/],
  },
  {
    name: 'loads a case file with a broken line',
    source: `import { evaluation, fromJsonl } from 'assay';
export const a = evaluation({ cases: fromJsonl('cases.jsonl') }, () => {});`,
    more: { 'cases.jsonl': '{"input": 1}\n{"input": 2,}\n' },
    stderr: [/cases\.jsonl:2:\d+/],
  },
  {
    name: 'loads broken JSON',
    source: `import { evaluation, fromJson } from 'assay';
export const a = evaluation({ cases: fromJson(new URL('./cases.json', import.meta.url)) }, () => {});`,
    more: { 'cases.json': '[\n  {"input": 1},\n  {"input" 2}\n]\n' },
    stderr: [/cases\.json:3:\d+/],
  },
  {
    name: 'imports broken JSON itself',
    source: `import data from './data.json' with { type: 'json' };\nexport const used = data;`,
    more: { 'data.json': '{\n  "a": 1,\n}\n' },
    stderr: [/bad\.eval\.ts could not be imported/, /data\.json/],
  },
  {
    name: 'loads a CSV file with a bad row',
    source: `import { evaluation, fromCsv } from 'assay';
export const a = evaluation({ cases: fromCsv('cases.csv') }, () => {});`,
    more: { 'cases.csv': 'input,reference\n1,2\n"open\n' },
    stderr: [/cases\.csv:3/],
  },
];

describe('an eval file that cannot be imported', () => {
  it('is named with the cause, nothing is run, and the exit code is 2', async () => {
    await inTurns(fewOf(badFiles, 5), 4, async ({ name, source, more = {}, stderr }) => {
      const project = new Project({ 'good.eval.ts': good, 'bad.eval.ts': source, ...more });
      const ended = await project.assay(['run']);
      expect(ended.code, `${name}:\n${ended.stderr}`).to.equal(2);
      for (const pattern of stderr) expect(ended.stderr, name).to.match(pattern);
      expect(ended.stderr, name).to.include('1 of 2 files failed; nothing was run');
      expect(ended.stderr, name).to.include('--ignore bad.eval.ts');
      expectNoStack(ended, name);
      expect(ended.stdout, name).to.equal('');
      expect(await project.processesAfter(3000), name).to.deep.equal([]);
    });
  }).timeout(180_000);

  it('can be left out', async () => {
    const project = new Project({ 'good.eval.ts': good, 'bad.eval.ts': 'throw new Error();' });
    const { run } = await project.run(['.', '--ignore', 'bad.eval.ts']);
    expect(run.results.map((row) => row.id)).to.deep.equal(['good.eval.ts::one']);
  });

  it('does not hide what is wrong with others', async () => {
    const project = new Project({
      'a.eval.ts': `throw new Error('first mistake');`,
      'b.eval.ts': `process.reallyExit(3);`,
      'c.eval.ts': `throw new Error('third mistake');`,
      'd.eval.ts': good,
    });
    const { stderr, code } = await project.assay(['run']);
    expect(stderr).to.match(/a\.eval\.ts[\s\S]*first mistake/);
    expect(stderr).to.match(/b\.eval\.ts[\s\S]*exit code 3/);
    expect(stderr).to.match(/c\.eval\.ts[\s\S]*third mistake/);
    expect(stderr).to.include('3 of 4 files failed; nothing was run');
    expect(code).to.equal(2);
  });

  it('shows its stack with DEBUG', async () => {
    const project = new Project({ 'bad.eval.ts': `throw new Error('no luck today');` });
    const { stderr } = await project.assay(['run'], { env: { DEBUG: '1' } });
    expect(stderr).to.match(/^\s+at /m);
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

function expectNoStack({ stderr }: Ended, name: string): void {
  expect(stderr, name).not.to.match(/^\s+at /m);
}
