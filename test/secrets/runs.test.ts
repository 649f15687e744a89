import { expect } from 'chai';
import { inTurns } from '../helpers/in-turns.js';
import { Project } from '../helpers/project.js';
import {
  dotEnv,
  expectNoSecret,
  expectNoSecretBelow,
  harmless,
  inEnvironment,
} from './canaries.js';
import { crashingEvals, leakyEvals } from './leaky-evals.js';

// Few are run again for one that takes its process with it.
const few = ['-c', '2'];
const living = Object.keys(leakyEvals);

const env = { ...inEnvironment, HARMLESS: harmless };

describe('secrets of the environment and of .env', () => {
  it('are nowhere in what is saved, printed, reported or exported, whichever way they come', async () => {
    const project = new Project({ ...leakyEvals, ...crashingEvals, '.env': dotEnv() });
    const summary = { GITHUB_STEP_SUMMARY: project.path('summary.md') };
    const reports = [
      '-o',
      'out.csv',
      '--reporter',
      'junit=junit.xml',
      '--reporter',
      'github',
      '--bless',
      'baseline.json',
    ];
    const { run, stdout, stderr, result } = await project.run(['--verbose', ...few, ...reports], {
      env: { ...env, ...summary },
    });
    expect(run.results).to.have.lengthOf(28);
    expectNoSecret(stdout, 'stdout');
    expectNoSecret(stderr, 'stderr');
    for (const file of ['out.csv', 'junit.xml', 'summary.md', 'baseline.json']) {
      expectNoSecret(project.read(file), file);
    }
    expectNoSecretBelow(project.path('.assay'));

    expect(project.savedText(), 'what is not secret stays').to.include(harmless);
    expect(JSON.stringify(result('returns').output)).to.include('[redacted:GITHUB_TOKEN]');
    expect(result('crashes').error).to.include('[redacted:OPENAI_API_KEY]');
    expect(result('crashes').error).to.include('[redacted:DOTENV_API_KEY]');
    expect(result('own').output).to.equal('[redacted:OWN_API_KEY]');
    expect(project.savedText()).not.to.include('canary-set-at-import');
    expect(run.results.map((row) => row.function)).to.include.members([
      'named [redacted:OPENAI_API_KEY]',
      'cases[[redacted:GITHUB_TOKEN]]',
    ]);

    await expectNoSecretIn(project, [
      ['export', 'latest', '-f', 'json'],
      ['export', 'latest', '-f', 'csv'],
      [
        'export',
        'latest',
        '-f',
        'md',
        '--columns',
        'eval,dataset,labels,input,output,error,scores,metadata',
      ],
      ['run', '--list'],
      ['sessions', 'show', 'default'],
      ['sessions', 'compare', 'latest', 'latest'],
      ['sessions', 'compare', 'latest', 'latest', '--json'],
    ]);
    await expectNoSecretIn(project, [
      ['run', ...living, '--rerun', 'latest', '--only', 'errors', '--verbose', '--json'],
    ]);
    await expectNoSecretIn(project, [['run', '--regrade', 'latest', '--json']]);
    expectNoSecretBelow(project.path('.assay'));
  }).timeout(120_000);

  it('are not in what is said about files that cannot be imported', async () => {
    const leaks = [
      `throw new Error('no access with ' + process.env.OPENAI_API_KEY + process.env.DOTENV_API_KEY);`,
      `import { writeSync } from 'node:fs'; writeSync(2, process.env.OPENAI_API_KEY + process.env.DOTENV_API_KEY); process.reallyExit(1);`,
      `console.error(process.env.OPENAI_API_KEY); console.log(process.env.DOTENV_API_KEY); throw 1;`,
      `setTimeout(() => { throw new Error(process.env.OPENAI_API_KEY); }, 5); await new Promise(() => {});`,
      `import { evaluation } from 'assay'; export const a = evaluation({ name: process.env.SIGNING_KEY }); throw a;`,
      `import { evaluation } from 'assay'; export const a = evaluation({ cases: [{ id: process.env.GITHUB_TOKEN }, { id: process.env.GITHUB_TOKEN }] });`,
      `import { evaluation } from 'assay'; export const a = evaluation({ [process.env.OPENAI_API_KEY]: 1 });`,
      `await import('./' + process.env.OPENAI_API_KEY);`,
      `throw { [process.env.OPENAI_API_KEY]: process.env.GITHUB_TOKEN };`,
    ];
    const files = leaks.map((leak, at) => [`bad-${at}.eval.ts`, leak]);
    const project = new Project({ ...Object.fromEntries(files), '.env': dotEnv() });
    const args = ['run', '--verbose', '--json'];
    const { stdout, stderr } = await project.assay(args, { env: { ...env, DEBUG: '1' } });
    for (const [name] of files) expect(stderr).to.include(`${name} could not be imported`);
    expectNoSecret(stderr, 'stderr');
    expectNoSecret(stdout, 'stdout');
  }).timeout(120_000);

  it('are not in errors about arguments, settings and variables', async () => {
    const { OPENAI_API_KEY: key = '', GITHUB_TOKEN: token = '' } = inEnvironment;
    const project = new Project({
      'a.eval.ts': `import { evaluation } from 'assay'; export const a = evaluation({}, () => {});`,
      'leaky.yaml': `concurrency: ${key}\nconfigs: { fast: { trials: ${token} } }\n`,
    });
    await expectNoSecretIn(project, [
      ['run', key],
      ['run', `a.eval.ts::${key}`],
      ['run', '--dataset', key],
      ['run', '--run-config', key],
      ['run', '--concurrency', key],
      ['run', `--${key}`],
      ['run', '--settings', 'leaky.yaml'],
      ['export', key],
      ['sessions', 'show', key],
      ['config', 'set', 'timeout', token],
      ['config', 'get', key],
      [key],
    ]);
    const { stderr } = await project.assay(['run'], { env: { ...env, ASSAY_TIMEOUT: key } });
    expect(stderr).to.include('ASSAY_TIMEOUT must be');
    expectNoSecret(stderr, 'stderr');
  });

  it('are found when they are printed in pieces, and not repeated from source lines', async () => {
    const project = new Project({
      'pieces.eval.ts': `
import { evaluation } from 'assay';
export const pieces = evaluation({}, async () => {
  const [start, end] = [process.env.OPENAI_API_KEY.slice(0, 10), process.env.OPENAI_API_KEY.slice(10)];
  process.stdout.write('first ' + start);
  process.stdout.write(end + '\\n');
  process.stderr.write('second ' + start);
  await new Promise((resolve) => setTimeout(resolve, 20));
  process.stderr.write(end);
});
export const hard = evaluation({}, () => { throw new Error('at ' + '${inEnvironment.GITHUB_TOKEN}'); });
`,
    });
    const { stdout, stderr, result } = await project.run(['--verbose'], { env });
    const { logs } = result('pieces').trace_data as { logs: { text: string }[] };
    expect(logs.map((log) => log.text)).to.deep.equal([
      'first [redacted:OPENAI_API_KEY]\n',
      'second [redacted:OPENAI_API_KEY]',
    ]);
    expectNoSecret(stdout, 'stdout');
    expectNoSecret(stderr, 'stderr');
  });
});

async function expectNoSecretIn(project: Project, commands: readonly string[][]): Promise<void> {
  await inTurns(commands, 3, async (args) => {
    const { stdout, stderr } = await project.assay(args, { env });
    expectNoSecret(stdout, `stdout of ${args.join(' ')}`);
    expectNoSecret(stderr, `stderr of ${args.join(' ')}`);
    expect(stdout + stderr, args.join(' ')).not.to.equal('');
  });
}
