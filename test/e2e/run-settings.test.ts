import { expect } from 'chai';
import type { RunJson } from '../../src/model/run.js';
import { Project, ProjectWithoutHosts } from '../helpers/project.js';

// Every evaluation waits until it is timed out, and tells how many waited beside it.
const layered = `
import { evaluation } from 'assay';
let waiting = 0;
function target(ctx) {
  waiting += 1;
  ctx.output = waiting;
  return new Promise((_, reject) => {
    ctx.signal.addEventListener('abort', () => { waiting -= 1; reject(ctx.signal.reason); });
  });
}
export const own = evaluation({ target, timeout: 0.22, trials: 3, cases: [
  { id: 'case', timeout: 0.21, trials: 2 },
  { id: 'evaluation' },
] });
export const plain = evaluation({ target, cases: [{}] });
`;

const settings = `
concurrency: 5
timeout: 0.25
trials: 6
configs:
  strict:
    concurrency: 3
    timeout: 0.23
    trials: 4
`;

const env = { ASSAY_CONCURRENCY: '4', ASSAY_TIMEOUT: '0.24', ASSAY_TRIALS: '5' };

/** What one evaluation met: the seconds it was given and how often it ran. */
function given(run: RunJson, name: string): { timeout: number | undefined; trials: number } {
  const entries = run.results.filter((entry) => entry.function === name);
  const timeouts = new Set(
    entries.map((entry) => /timed out after (\S+) s/.exec(entry.result.error ?? '')?.[1]),
  );
  expect(timeouts.size, `${name} is given one timeout`).to.equal(1);
  const [timeout] = timeouts;
  return {
    timeout: timeout === undefined ? undefined : Number(timeout),
    trials: entries.length,
  };
}

function mostAtOnce(run: RunJson): number {
  return Math.max(...run.results.map((entry) => Number(entry.result.output)));
}

describe('assay run: which setting wins', () => {
  it('is the flag, over the case, over the evaluation, over the run config, over the environment', async () => {
    const project = new ProjectWithoutHosts({ 'a.eval.ts': layered, 'assay.yaml': settings });
    const config = ['--run-config', 'strict'];
    const flags = ['-c', '2', '--timeout', '0.2', '--trials', '1'];
    const [byFlag, byConfig] = await Promise.all([
      project.run([...config, ...flags], { env }),
      project.run(config, { env }),
    ]);
    for (const name of ['own[case]', 'own[evaluation]', 'plain[0]']) {
      expect(given(byFlag.run, name)).to.deep.equal({ timeout: 0.2, trials: 1 });
    }
    expect(mostAtOnce(byFlag.run)).to.equal(2);
    expect(byFlag.run.results.some((entry) => 'trial' in entry)).to.equal(false);
    expect(given(byConfig.run, 'own[case]')).to.deep.equal({ timeout: 0.21, trials: 2 });
    expect(given(byConfig.run, 'own[evaluation]')).to.deep.equal({ timeout: 0.22, trials: 3 });
    expect(given(byConfig.run, 'plain[0]')).to.deep.equal({ timeout: 0.23, trials: 4 });
    expect(mostAtOnce(byConfig.run)).to.equal(3);
    expect(byConfig.run.config_name).to.equal('strict');
  });
});

const telling = `
import { evaluation } from 'assay';
export const told = evaluation({ labels: ['l'], dataset: 'd', cases: [{ id: 'one', labels: ['m'] }] }, (ctx) => {
  const { runId, runName, sessionName, evalPath, functionName, caseId, dataset, labels, trial, params } = ctx;
  ctx.output = {
    runId, runName, sessionName, evalPath, functionName, caseId, dataset, labels, trial, params,
    fromFile: process.env.FROM_FILE, fromBoth: process.env.FROM_BOTH,
  };
});
`;

describe('assay run: what evaluations are told', () => {
  let project: Project;

  before(() => {
    project = new ProjectWithoutHosts({
      'evals/a.eval.ts': telling,
      '.env': 'FROM_FILE=file\nFROM_BOTH=file\nASSAY_TRIALS=2\n',
      'assay.yaml': `configs:
  default: { params: { model: small } }
  big: { params: { model: large, deep: { list: [1, null] } } }
`,
      'other.yaml': 'trials: 1\nresults_dir: elsewhere\n',
    });
  });

  it('is their run, their place in it and the params of the run config', async () => {
    const flags = ['--session', ' feature/refunds ', '--run-name', '日本 run', '--json'];
    const [byDefault, named] = await Promise.all([
      project.assay(['run', '--json'], { env: { FROM_BOTH: 'real' } }),
      project.assay(['run', ...flags, '--run-config', 'big', '--trials', '1']),
    ]);
    const run = byDefault.json();
    expect(run.session_name).to.equal('default');
    expect(run.run_name).to.match(/^[a-z]+-[a-z]+$/);
    expect(run.results.map((entry) => entry.result.output)).to.deep.equal(
      [1, 2].map((trial) => ({
        runId: run.run_id,
        runName: run.run_name,
        sessionName: 'default',
        evalPath: 'evals/a.eval.ts',
        functionName: 'told',
        caseId: 'one',
        dataset: 'd',
        labels: ['l', 'm'],
        trial,
        params: { model: 'small' },
        fromFile: 'file',
        fromBoth: 'real',
      })),
    );
    const other = named.json();
    expect(other).to.include({
      session_name: 'feature/refunds',
      run_name: '日本 run',
      config_name: 'big',
    });
    expect(other.results[0]?.result.output).to.include({
      sessionName: 'feature/refunds',
      runName: '日本 run',
      fromBoth: 'file',
    });
    expect(other.results[0]?.result.output).to.have.deep.property('params', {
      model: 'large',
      deep: { list: [1, null] },
    });
  });

  it('keeps runs where --results-dir says, else the settings, beside the settings file', async () => {
    const [flag, file] = await Promise.all([
      project.assay(['run', '--results-dir', 'by-flag', '--json']),
      project.assay(['run', '--settings', '../other.yaml', '--json'], { cwd: 'evals' }),
    ]);
    const ids = [flag.json().run_id, file.json().run_id];
    expect(project.has(`by-flag/default/${ids[0]}/results.jsonl`)).to.equal(true);
    expect(project.has(`elsewhere/default/${ids[1]}/results.jsonl`)).to.equal(true);
    expect(project.has('evals/.assay')).to.equal(false);
    expect(flag.stderr).to.match(/assay export .*--results-dir by-flag/);
  });
});

describe('assay run --workers', () => {
  it('spreads evaluations over so many processes', async () => {
    const project = new Project({
      'a.eval.ts': `import { evaluation } from 'assay';
        import { mkdirSync, readdirSync } from 'node:fs';
        const wait = () => new Promise((resolve) => setTimeout(resolve, 10));
        export const slow = evaluation({
          cases: Array.from({ length: 12 }, (_, input) => ({ input })),
          target: async () => {
            mkdirSync('pids/' + process.pid, { recursive: true });
            while (readdirSync('pids').length < 3) await wait();
            return process.pid;
          },
        });`,
    });
    const { run } = await project.run(['--no-save', '-c', '12', '--workers', '3']);
    expect(new Set(run.results.map(({ result }) => result.output))).to.have.property('size', 3);
    expect(run.results.map(({ result }) => result.input)).to.deep.equal([...Array(12).keys()]);
  });
});

describe('the setting tsconfig', () => {
  const files = {
    'assay.yaml': 'tsconfig: conf/evals.json\n',
    'conf/evals.json': '{ "compilerOptions": { "paths": { "@/*": ["../src/*"] } } }',
    'tsconfig.json': '{ "compilerOptions": { "paths": { "@/*": ["./other/*"] } } }',
    'src/thing.ts': `export const thing: string = 'named';`,
    'other/thing.ts': `export const thing: string = 'nearest';`,
    'evals/w.ts': `
      import { parentPort } from 'node:worker_threads';
      import { thing } from '@/thing';
      parentPort!.postMessage(thing);
    `,
    'evals/a.eval.ts': `
      import { once } from 'node:events';
      import { Worker } from 'node:worker_threads';
      import { evaluation } from 'assay';
      import { thing } from '@/thing';
      export const a = evaluation({
        target: async () => [thing, ...(await once(new Worker(new URL('./w.ts', import.meta.url)), 'message'))],
      });
    `,
  };

  it('names the tsconfig.json for all files, threads and workers', async () => {
    const project = new Project(files);
    const outputs = async (env: Readonly<Record<string, string>> = {}) =>
      (await project.run([], { env })).result('a').output;
    expect(await outputs()).to.deep.equal(['named', 'named']);
    expect(await outputs({ ASSAY_TSCONFIG: 'tsconfig.json' })).to.deep.equal([
      'nearest',
      'nearest',
    ]);
  });

  it('is an error that names a file which is missing', async () => {
    const project = new Project({ ...files, 'assay.yaml': 'tsconfig: conf/no.json\n' });
    const { code, stderr } = await project.assay(['run']);
    expect(stderr).to.match(
      /evals\/a\.eval\.ts could not be imported:[\s\S]*Cannot read the tsconfig\.json[\s\S]*conf\/no\.json/,
    );
    expect(code).to.equal(2);
  });
});
