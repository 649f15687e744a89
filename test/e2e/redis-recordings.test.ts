import { expect } from 'chai';
import type { RunJson } from '../../src/model/run.js';
import { type FakeProvider, startFakeProvider } from '../helpers/fake-provider.js';
import { Project } from '../helpers/project.js';
import { askingModel, countByAttempt } from '../helpers/recordings.js';
import { RedisUnderTest, startWorker } from '../helpers/redis.js';

const evals = `${askingModel}  export const said = evaluation({
    cases: ['x', 'y'].map((id) => ({ id, input: id })),
    target: ({ input }) => ask(input),
    evaluators: [() => true],
  });
`;

/** What `--json` has of a group. */
interface GroupJson {
  readonly group: string;
  readonly runs: readonly RunJson[];
}

describe('recordings of a run on Redis', function () {
  this.timeout(60_000);
  let redis: RedisUnderTest;
  let provider: FakeProvider;

  before(async () => {
    redis = await RedisUnderTest.start();
    let asked = 0;
    provider = await startFakeProvider(() => {
      asked += 1;
      return { text: `answer ${asked}` };
    });
  });
  after(() => provider[Symbol.asyncDispose]());

  it('are made and looked up in the checkout of the worker, and offline a missing one fails the run', async () => {
    const { url } = redis;
    const env = { PROVIDER: provider.url };
    const files = {
      'package.json': '{ "name": "recorded", "type": "module" }',
      'package-lock.json': '{}',
      'a.eval.ts': evals,
    };
    const [here, there] = [new Project(files), new Project(files)];
    const worker = await startWorker(there, { url, env });
    const run = async (flag: string) => {
      const { code, json, stderr } = await here.assay(['run', '--redis', url, flag, '--json'], {
        env,
      });
      return { code, stderr, outputs: json().results.map(({ result }) => result.output) };
    };
    const recorded = await run('--record');
    expect(recorded.code).to.equal(0);
    expect(here.has('.assay/recordings')).to.equal(false);
    expect(countByAttempt(there.path('.assay/recordings'))).to.deep.equal({
      'a.eval.ts/said/x~1': 1,
      'a.eval.ts/said/y~1': 1,
    });
    const { code, outputs } = await run('--offline');
    expect(code).to.equal(0);
    expect(outputs).to.deep.equal(recorded.outputs);
    expect(provider.exchanges).to.have.length(2);
    there.remove('.assay/recordings/a.eval.ts/said/y~1');
    const missing = await run('--offline');
    expect(missing.code).to.equal(1);
    expect(missing.stderr).to.include('offline: 1 request is not recorded: assay run --record');
    expect(missing.outputs).to.deep.equal([recorded.outputs[0], null]);
    worker.child.kill('SIGINT');
    await worker.ended;
  });

  it('of variants stay beside each other when all, or those of one, are recorded anew', async () => {
    const { url } = redis;
    const env = { PROVIDER: provider.url };
    const files = {
      'package.json': '{ "name": "variants", "type": "module" }',
      'package-lock.json': '{}',
      'a.eval.ts': `${askingModel}  export const said = evaluation({
        params: { prompt: 'v1' },
        cases: ['x', 'y'].map((id) => ({ id, input: id })),
        target: ({ input, params }) => ask(params.prompt + input),
        evaluators: [() => true],
      });`,
    };
    const [here, there] = [new Project(files), new Project(files)];
    const worker = await startWorker(there, { url, env });
    const run = async (...flags: string[]) => {
      const args = ['run', '--redis', url, '--json', ...flags];
      const { code, json, stderr } = await here.assay(args, { env });
      expect(code, stderr).to.equal(0);
      return json() as unknown as GroupJson;
    };
    const outputsOf = ({ runs }: GroupJson) =>
      runs.map(({ results }) => results.map(({ result }) => result.output));
    const both = ['--param', 'prompt=v1,v2'];
    const { group, runs } = await run('--record', ...both);
    expect(runs.map((one) => [one.run_name, one.group, one.state])).to.deep.equal([
      ['v1', group, 'finished'],
      ['v2', group, 'finished'],
    ]);
    const anew = outputsOf(await run('--record=all', ...both));
    expect(outputsOf(await run('--offline', ...both))).to.deep.equal(anew);
    await run('--record=all', '--param', 'prompt=v1');
    const [first, second] = outputsOf(await run('--offline', ...both));
    expect(first).not.to.deep.equal(anew[0]);
    expect(second).to.deep.equal(anew[1]);
    worker.child.kill('SIGINT');
    await worker.ended;
  });
});
