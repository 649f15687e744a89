import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { expect } from 'chai';
import { AssayError } from '../../../src/errors.js';
import { removeRecording } from '../../../src/recordings/stored-recordings.js';
import { type FakeProvider, startFakeProvider } from '../../helpers/fake-provider.js';
import { type JsonRun, Project } from '../../helpers/project.js';
import { askingModel, recordingsIn } from '../../helpers/recordings.js';

const evals = `${askingModel}export const asked = evaluation({ target: async () => [await ask('hi'), await ask(process.env.MORE ?? 'more')] });
export const judged = evaluation({
  cases: [{ id: 'a' }, { id: 'b' }],
  target: () => ask('target'),
  evaluators: [async function judge({ output }: any) { return (await ask((process.env.JUDGE ?? 'judge ') + output)).length > 0; }],
});
`;

describe('assay recordings', () => {
  let provider: FakeProvider;
  let env: { readonly PROVIDER: string };
  let recorded: Project;
  let run: JsonRun;

  before(async () => {
    provider = await startFakeProvider();
    env = { PROVIDER: provider.url };
    recorded = new Project({ 'a.eval.ts': evals });
    run = await recorded.run(['--record'], { env });
  });

  /** Says in one line why a folder cannot be read, or a recording not be changed. */
  async function expectProblems(project: Project): Promise<void> {
    project.write('a-file', '');
    project.write('other.yaml', 'recordings_dir: a-file');
    const listed = await project.assay(['recordings', '--settings', 'other.yaml']);
    expect(listed.stderr).to.match(/^✗ The recordings cannot be read: ENOTDIR: [^\n]*\n$/);
    expect(listed.code).to.equal(2);
    const [path = ''] = Object.keys(recordingsIn(project.path('.assay/recordings')));
    const whole = project.path('.assay/recordings', path);
    // Like a folder that cannot be written, also for root: nothing can be renamed over a folder, or unlinked as a file.
    rmSync(whole);
    mkdirSync(whole);
    expect(() => removeRecording(project.path('.assay/recordings'), path)).to.throw(
      AssayError,
      `The recording ${path} cannot be changed: `,
    );
  }

  it('lists them by evaluation with what the last run used, prune removes the rest, and problems have one line', async () => {
    const project = recorded.copy();
    const { stdout, stderr } = await project.assay(['recordings']);
    expect(stdout).to.match(/evaluation +exchanges +size +newest +used by the last run/);
    expect(stdout).to.match(/a\.eval\.ts::asked +2 +\d+ (k?B) +\S.* +2/);
    expect(stdout).to.match(/a\.eval\.ts::judged +4 /);
    expect(stderr).to.match(/2 evaluations · 6 exchanges · .* in \.assay\/recordings/);
    await project.run(['--replay'], { env: { ...env, MORE: 'other' } });
    const asked = provider.exchanges.length;
    const { evaluations } = JSON.parse((await project.assay(['recordings', '--json'])).stdout);
    expect(evaluations[0]).to.include({ evaluation: 'a.eval.ts::asked', exchanges: 3, used: 2 });
    const old = await project.assay(['recordings', 'prune', '--older-than', '1d', '--yes']);
    expect(old.stderr).to.include('There is nothing to remove.');
    const pruned = await project.assay(['recordings', 'prune', '--unused-by', 'latest', '--yes']);
    expect(pruned.stdout).to.equal('1 exchange removed\n');
    const left = await project.run(['--offline'], { env: { ...env, MORE: 'other' } });
    expect(left.run.total_errors).to.equal(0);
    expect(provider.exchanges).to.have.length(asked);
    expect((await project.assay(['recordings', 'prune'])).code).to.equal(2);
    await expectProblems(project);
  });

  it('prune judges what the run has completed, and says what it leaves alone', async () => {
    const project = recorded.copy();
    // The others are no part of this run: a case that is gone, and an evaluation that was not chosen.
    await project.run(['a.eval.ts::asked', '--replay'], { env: { ...env, MORE: 'other' } });
    const asked = provider.exchanges.length;
    const listed = await project.assay(['recordings']);
    expect(listed.stderr).to.include('1 unused: assay recordings prune --unused-by latest');
    const pruned = await project.assay(['recordings', 'prune', '--unused-by', 'latest', '--yes']);
    expect(pruned.stdout).to.equal('1 exchange removed\n');
    expect(pruned.stderr).to.match(
      /^4 exchanges left alone, which [\w-]+ did not plan: a\.eval\.ts::judged$/m,
    );
    // A result that is an error may not have come to all its calls.
    const failed = await project.run(['--offline'], { env: { ...env, MORE: 'else' } });
    expect(failed.result('asked').error).to.include('not recorded');
    expect(provider.exchanges).to.have.length(asked);
    expect(failed.stderr).to.match(/assay run --rerun latest --only errors --offline\n/);
    const prune = ['recordings', 'prune', '--unused-by', 'latest', '--yes'];
    const json = await project.assay([...prune, '--json']);
    expect(JSON.parse(json.stdout)).to.deep.equal({ ok: true, exchanges: 0, left_alone: 1 });
    expect((await project.assay(prune)).stderr).to.match(
      /^1 exchange left alone, which [\w-]+ did not complete: a\.eval\.ts::asked$/m,
    );
    expect(readdirSync(project.path('.assay/recordings/a.eval.ts'))).to.have.length(2);
  });

  it('prune keeps what a run of the same group has used, and all where one of it is deleted', async () => {
    const project = new Project({
      'a.eval.ts': `${askingModel}export const asked = evaluation({ target: ({ params }) => ask(String(params.text)) });`,
    });
    const prune = ['recordings', 'prune', '--unused-by', 'latest', '--yes'];
    const removed = async () => (await project.assay(prune)).stdout;
    await project.assay(['run', '--param', 'text=one,two', '--record'], { env });
    expect(await removed()).to.equal('');
    await project.assay(['run', '--param', 'text=one,two', '--offline', '--session', 'other'], {
      env,
    });
    await project.assay(['run', '--param', 'text=one', '--offline'], { env });
    expect(await removed()).to.equal('1 exchange removed\n');
    await project.assay(['run', '--param', 'text=one,two,three', '--record'], { env });
    await project.assay(['sessions', 'delete-run', 'three', '--yes']);
    expect(await removed()).to.equal('');
  });

  it('are replayed by a regrade, for judges, and by a resumed run', async () => {
    const project = recorded.copy();
    const before = provider.exchanges.length;
    const regraded = await project.run(['--regrade', 'latest', '--replay'], { env });
    expect(regraded.result('judged[a]').scores).to.deep.equal(run.result('judged[a]').scores);
    // A judge that is recorded anew leaves the exchanges of the target.
    await project.run(['--regrade', 'latest', '--record=all'], { env });
    expect(provider.exchanges).to.have.length(before + 2);
    const files = recordingsIn(project.path('.assay/recordings/a.eval.ts/judged/a~1'));
    const roles = Object.values(files).map((text) => JSON.parse(text).role);
    expect(roles).to.have.members(['target', 'evaluator:judge']);
    const again = await project.run(['--rerun', 'latest', '--offline'], { env });
    expect(again.run.total_errors).to.equal(0);
    expect(provider.exchanges).to.have.length(before + 2);
  });

  it('of a judge that has changed are refused with a command that records the judge alone', async () => {
    const project = recorded.copy();
    const before = provider.exchanges.length;
    const changed = { ...env, JUDGE: 'strict judge ' };
    const offline = await project.run(['--regrade', 'latest', '--offline'], { env: changed });
    const { error } = offline.result('judged[a]');
    expect(error).to.match(/differs first in messages\[0\]\.content/);
    const [, command = ''] = /record it: assay run (.*)$/m.exec(error ?? '') ?? [];
    expect(command).to.equal(`--regrade ${run.run.run_id} --replay`);
    const regraded = await project.run(command.split(' '), { env: changed });
    expect(regraded.result('judged[a]').error).to.equal(null);
    const asked = provider.exchanges.slice(before).map(({ json }) => JSON.stringify(json.messages));
    expect(asked).to.have.length(2);
    for (const messages of asked) expect(messages).to.include('strict judge');
    const again = await project.run(['--regrade', 'latest', '--offline'], { env: changed });
    expect(again.run.total_errors).to.equal(0);
    expect(provider.exchanges).to.have.length(before + 2);
  });

  it('answer a run that is resumed, and cost nothing of its --max-cost', async () => {
    const before = provider.exchanges.length;
    const project = new Project({
      'a.eval.ts': evals,
      'assay.yaml': 'prices:\n  m: { input: 1000, output: 1000 }\n',
    });
    // Each call costs $0.15.
    const flags = ['--concurrency', '1', '--workers', '1', '--max-cost', '0.5'];
    const first = await project.run([...flags, '--record'], { env });
    expect(first.run).to.include({ outcome: 'budget' });
    expect(provider.exchanges.length - before).to.be.within(4, 5);
    const again = await project.run([...flags, '--replay', 'a.eval.ts::asked'], { env });
    expect(again.run.usage).to.include({ calls: 0, replayed: 2, cost: 0 });
    const resumed = await project.run(['--resume', first.run.run_id, '--replay'], { env });
    expect(resumed.run.total_errors).to.equal(0);
    // What was recorded before the end is not asked for again, nor what another case has asked for.
    expect(provider.exchanges.length - before).to.be.within(4, 5);
  });
});
