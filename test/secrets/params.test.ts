import { readdirSync } from 'node:fs';
import { expect } from 'chai';
import { ProjectWithoutHosts } from '../helpers/project.js';

const secret = 'sk-live-0123456789abcdef0123';
const env = { MY_API_KEY: secret, PIN_TOKEN: '4711081512' };

const evals = `
import { evaluation } from 'assay';
export const asks = evaluation({
  params: { x: 'none', pin: 0 },
  target: (ctx) => ctx.params.x.includes('sk-live-01' + '23456789abcdef0123') + ',' + ctx.params.pin,
  evaluators: [({ output }) => ({ key: 'known', passed: output.startsWith('true') })],
});
`;

describe('secrets in params', () => {
  it('are in no name, file, report or line of the runs, and reach the evaluations', async () => {
    const project = new ProjectWithoutHosts({ 'a.eval.ts': evals });
    const grid = ['run', '--param', `x=${secret},Bearer ${secret}`];
    const files = ['--comment', 'c.md', '--reporter', 'junit=j.xml', '-o', 'out.csv', '--json'];
    const listed = await project.assay([...grid, '--list'], { env });
    const ended = await project.assay([...grid, ...files, '--fail-under', '0.5'], { env });
    expect(ended.code, ended.stderr).to.equal(0);
    const made = readdirSync(project.folder).filter((name) => !name.startsWith('.'));
    expect(made).to.include('out.redacted-MY_API_KEY.csv');
    const texts = [listed, ended].flatMap(({ stdout, stderr }) => [stdout, stderr]);
    const written = ['c.md', 'j.xml', ...made.filter((name) => name.endsWith('.csv'))];
    const all = [
      ...texts,
      project.savedText(),
      ...made,
      ...written.map((one) => project.read(one)),
    ];
    expect(all.join('\n')).not.to.include(secret.slice(3));
    expect(ended.stdout).to.include('"run_name": "Bearer [redacted:MY_API_KEY]"');
    expect(listed.stderr).to.include('[redacted:MY_API_KEY]');
  });

  it('are taken from the environment when a run with them runs again', async () => {
    const project = new ProjectWithoutHosts({ 'a.eval.ts': evals });
    const outputs = (text: string) =>
      (JSON.parse(text).results as { result: { output: string } }[]).map(
        (one) => one.result.output,
      );
    const first = await project.run(['--param', `x=Bearer ${secret}`], { env });
    expect(outputs(first.stdout)).to.deep.equal(['true,0']);
    expect(project.savedText()).not.to.include(secret.slice(3));
    const again = await project.assay(['run', '--rerun', 'latest', '--json'], { env });
    expect(outputs(again.stdout), again.stderr).to.deep.equal(['true,0']);
    const without = await project.assay(['run', '--rerun', 'latest']);
    expect(without.code).to.equal(2);
    expect(without.stderr).to.include('The param x held the value of MY_API_KEY');
  });

  it('that the environment does not give back are not kept', async () => {
    const project = new ProjectWithoutHosts({ 'a.eval.ts': evals });
    const encoded = Buffer.from(secret).toString('base64');
    const given = ['--param', `x=${encoded}`, '--param', `pin=${env.PIN_TOKEN}`];
    await project.run(given, { env });
    for (const text of [encoded, env.PIN_TOKEN]) expect(project.savedText()).not.to.include(text);
    const again = await project.assay(['run', '--rerun', 'latest'], { env });
    expect(again.code).to.equal(2);
    expect(again.stderr).to.match(/The param x held a secret, which the run does not keep/);
  });
});
