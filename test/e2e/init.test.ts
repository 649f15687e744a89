import { symlinkSync } from 'node:fs';
import { expect } from 'chai';
import { Project } from '../helpers/project.js';

describe('assay init', () => {
  it('writes a project that runs at once, and nothing the second time', async () => {
    const project = new Project({ 'package.json': '{ "type": "module" }\n' });
    const { code, stderr, stdout } = await project.assay(['init']);
    expect(code, stderr).to.equal(0);
    expect(stderr).to.include('package.json: add the script eval');
    expect(stdout).to.match(
      /^Written: evals\/first\.eval\.ts, assay\.yaml, package\.json, \.gitignore\.\nNext: /,
    );
    const run = await project.assay(['run']);
    expect(run.code, run.stderr).to.equal(0);
    expect(run.stderr).to.include('2 cases');
    const { summary } = (await project.assay(['export', 'latest'])).json();
    expect(summary.pass_rate).to.include({ passed: 1, of: 2 });

    project.write('evals/first.eval.ts', '// mine');
    const again = await project.assay(['init', '--json']);
    expect(JSON.parse(again.stdout)).to.deep.include({ written: [] }).and.to.have.property('left');
    expect(project.read('evals/first.eval.ts')).to.equal('// mine');
  });

  it('names a folder that is a link to nothing', async () => {
    const project = new Project({ 'package.json': '{}' });
    symlinkSync('nowhere/at/all', project.path('evals'));
    const { code, stderr } = await project.assay(['init', '--yes']);
    expect(code).to.equal(2);
    expect(stderr)
      .to.match(/Cannot write \S*evals/)
      .and.not.include('results directory');
  });

  it('writes nothing where package.json is broken', async () => {
    const project = new Project({ 'package.json': '{ "type": ' });
    const { code, stderr } = await project.assay(['init']);
    expect(code).to.equal(2);
    expect(stderr).to.include('package.json:1:');
    expect(project.has('evals')).to.equal(false);
  });
});
