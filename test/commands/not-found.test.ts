import { expect } from 'chai';
import { Project } from '../helpers/project.js';

describe('a command that there is not', () => {
  it('is answered with the one that is meant, also by its last word and with arguments', async () => {
    const project = new Project({});
    for (const [args, meant] of [
      [['rnu', 'evals'], 'run'],
      [['bless', 'latest', 'base.json'], 'sessions bless'],
      [['impotr', 'run.json'], 'sessions import'],
      [['sessions', 'shwo'], 'sessions show'],
    ] as const) {
      const { code, stderr } = await project.assay([...args]);
      expect(code).to.equal(2);
      expect(stderr).to.include(`There is no command assay ${args.join(' ')}`);
      expect(stderr).to.match(new RegExp(`Did you mean (.* or )?${meant}\\b`));
    }
    const asked = await project.assay(['sessions', 'shwo', '--json']);
    expect(asked.code).to.equal(2);
    const { code, message, hints } = JSON.parse(asked.stdout).error;
    expect([code, message]).to.deep.equal(['usage', 'There is no command assay sessions shwo.']);
    expect(hints[0]).to.match(/^Did you mean .*sessions show/);
    const command = await project.assay(['##vso[task.complete]', '--json']);
    expect(command.stdout).to.not.include('##');
    expect(JSON.parse(command.stdout).error.message).to.include('##vso[task.complete]');
    expect((await project.assay(['zzzzz'])).stderr).to.include('Commands: assay --help');
    for (const asked of [
      ['sessions', 'shwo', '--help'],
      ['help', 'sessions', 'shwo'],
    ]) {
      const { code, stderr } = await project.assay(asked);
      expect([code, stderr.includes('✗ There is no command assay sessions shwo.')]).to.deep.equal([
        2,
        true,
      ]);
      expect(stderr).to.match(/Did you mean .*sessions show/);
    }
  });
});
