import { expect } from 'chai';
import type { RunJson } from '../../src/model/run.js';
import { Project, ProjectWithoutHosts } from '../helpers/project.js';

const evals = (answer: string) => `
import { evaluation } from 'assay';
const answer = (input) => ${answer};
export const graded = evaluation({
  cases: [{ id: 'a', input: 1 }, { id: 'b', input: 2 }],
  target: (ctx) => answer(ctx.input),
  evaluators: [function positive({ output }) { return output > 0; }],
});
`;
const other = `
import { evaluation } from 'assay';
export const other = evaluation({ target: () => 1 }, (ctx) => ctx.score(true));
`;

function codes(run: RunJson): (string | undefined)[] {
  return run.results.map(({ result }) => result.code);
}

describe('a run of several versions of the code', () => {
  it('says so after a rerun of what failed: summary, listing, exports, imports, comparison, CI', async () => {
    const project = new ProjectWithoutHosts({
      'a.eval.ts': evals('2 - input'),
      'other.eval.ts': other,
    });
    const first = (await project.run()).run;
    expect(first).to.not.have.property('code_versions');
    expect(first.total_passed).to.equal(2);
    const [old, same, unrelated] = codes(first);
    expect(old)
      .to.match(/^[0-9a-f]{16}$/)
      .and.equal(same)
      .and.not.equal(unrelated);
    project.write('a.eval.ts', evals('input - 1'));
    const reports = ['--reporter', 'github', '-o', 'run.json'];
    const args = ['run', '--rerun', first.run_id, '--only', 'failed', ...reports];
    const env = { GITHUB_STEP_SUMMARY: project.path('summary.md') };
    const rerun = await project.assay([...args, '--baseline', first.run_id], { env });
    const text = 'results of 2 code versions: 2 of the newest, 1 older';
    expect(rerun.stderr).to.include(`\n  ${text}\n`);
    expect(project.read('summary.md')).to.include(text);
    const second = (await project.exported(first.run_id)).run;
    expect(second.total_passed).to.equal(3);
    const [left, again, untouched] = codes(second);
    expect([left, untouched]).to.deep.equal([old, unrelated]);
    expect(again)
      .to.match(/^[0-9a-f]{16}$/)
      .and.not.equal(old);
    expect(second.code_versions).to.deep.equal([
      { results: 2, codes: [again, unrelated] },
      { results: 1, codes: [old] },
    ]);
    const shown = await project.assay(['sessions', 'show', 'default']);
    expect(shown.stdout).to.include(`${first.run_id}: ${text}`);
    const listed = JSON.parse(
      (await project.assay(['sessions', 'show', 'default', '--json'])).stdout,
    );
    expect(listed.runs[0].code_versions).to.deep.equal(second.code_versions);
    const csv = await project.assay(['export', first.run_id, '-f', 'csv', '--columns', 'id,code']);
    expect(csv.stdout).to.include(`a.eval.ts::graded[b],${again}\r\n`);
    const md = await project.assay(['export', first.run_id, '-f', 'md']);
    expect(md.stdout).to.include('- Results of 2 code versions: 2 of the newest, 1 older\n');
    await project.assay(['run', '--run-name', 'whole']);
    const compare = ['sessions', 'compare', first.run_id, 'whole'];
    const compared = await project.assay(compare);
    expect(compared.stdout).to.include(`${first.run_name}: ${text}`).and.not.include('whole: res');
    const { runs } = JSON.parse((await project.assay([...compare, '--json'])).stdout);
    expect(runs[0].code_versions).to.deep.equal(second.code_versions);
    expect(runs[1]).to.not.have.property('code_versions');
    // What the whole run of today’s code says.
    expect((await project.exported('whole')).run.total_passed).to.equal(2);

    const imported = await project.assay(['sessions', 'import', 'run.json', '--json']);
    const { run: read } = await project.exported(JSON.parse(imported.stdout).run_id);
    expect(read.code_versions).to.deep.equal(second.code_versions);
    expect(codes(read)).to.deep.equal(codes(second));
    const asFile = await project.assay(['export', 'run.json', '-f', 'json']);
    expect(asFile.json().code_versions).to.deep.equal(second.code_versions);
  });

  it('is one of one version when all is run again, or graded again, with the same code', async () => {
    const project = new ProjectWithoutHosts({ 'a.eval.ts': evals('input') });
    const { run } = await project.run();
    const [old] = codes(run);
    project.write('a.eval.ts', evals('input').replace('output > 0', 'output > 1'));
    const graded = await project.run(['--regrade', run.run_id, 'a.eval.ts::graded[b]']);
    const [left, regraded] = codes(graded.run);
    expect(left).to.equal(old);
    expect(regraded)
      .to.match(/^[0-9a-f]{16}$/)
      .and.not.equal(old);
    expect(graded.run.code_versions?.map(({ results }) => results)).to.deep.equal([1, 1]);
    const whole = await project.run(['--regrade', run.run_id]);
    expect(codes(whole.run)).to.deep.equal([regraded, regraded]);
    expect(whole.run).to.not.have.property('code_versions');
    const rerun = await project.run(['--rerun', run.run_id]);
    expect(codes(rerun.run)).to.deep.equal([regraded, regraded]);
  });
});

describe('the code of an eval file', () => {
  const modules = {
    'a.eval.ts': `
      import { createRequire } from 'node:module';
      import { evaluation } from 'assay';
      import { two } from './lib/two';
      import data from './lib/data.json';
      import attributed from './lib/attributed.json' with { type: 'json' };
      const { three } = await import('./lib/three.mjs');
      const four = createRequire(import.meta.url)('./lib/four.cjs');
      export const sum = evaluation({}, () => [two, three, four, data, attributed]);`,
    'lib/two.ts': "export { two } from './two-more.js';",
    'lib/two-more.ts': 'export const two: number = 2;',
    'lib/three.mjs': 'export const three = 3;',
    'lib/four.cjs': "module.exports = require('./five.cjs');",
    'lib/five.cjs': 'module.exports = 5;',
    'lib/data.json': '{"n": 1}',
    'lib/attributed.json': '{"n": 2}',
    'lib/unused.ts': 'export {};',
  };

  it('changes with every module that it loads, and with no other', async () => {
    const names = Object.keys(modules) as (keyof typeof modules)[];
    const folders = names.map((_, at) =>
      Object.entries(modules).map(([name, text]) => [`${at}/${name}`, text]),
    );
    const project = new Project(Object.fromEntries(folders.flat()));
    const before = codes((await project.run(['--no-save'])).run);
    for (const [at, name] of names.entries()) project.write(`${at}/${name}`, `${modules[name]}\n`);
    const after = codes((await project.run(['--no-save'])).run);
    expect(after).to.have.length(names.length);
    for (const [at, name] of names.entries()) {
      expect(after[at], name).to.match(/^[0-9a-f]{16}$/);
      expect(after[at] === before[at], name).to.equal(name === 'lib/unused.ts');
    }
  });

  it('is the same in another folder, and with whatever else is run', async () => {
    const [one, two] = [new Project(modules), new Project({ ...modules, 'b.eval.ts': other })];
    const before = (await one.run(['--no-save'])).run;
    const after = (await two.run(['--no-save', '--workers', '2'])).run;
    expect(codes(before)[0]).to.equal(codes(after)[0]);
    expect(codes(after)[1]).to.not.equal(codes(after)[0]);
  });

  it('is that of CommonJS projects, too', async () => {
    const project = new Project({
      'package.json': '{"type": "commonjs"}',
      'a.eval.ts': `import './answer';\n${other}`,
      'answer.ts': 'export const answer = 1;',
    });
    const [before] = codes((await project.run(['--no-save'])).run);
    expect(before).to.match(/^[0-9a-f]{16}$/);
    project.write('answer.ts', 'export const answer = 2;');
    expect(codes((await project.run(['--no-save'])).run)[0]).to.not.equal(before);
  });
});
