import { expect } from 'chai';
import { Project, removeProjects } from '../helpers/project.js';

// Of five: three passed, one failed, one is only valued; with the error, six.
const graded = `
import { evaluation } from 'assay';
export const graded = evaluation({
  cases: [{ input: 1 }, { input: 1 }, { input: 1 }, { input: 0 }],
  target: (ctx) => ctx.input,
  evaluators: [
    function exact({ output }) { return output === 1; },
    function length() { return 7.5; },
  ],
});
export const valued = evaluation({}, (ctx) => ctx.score('length', 2.5));
`;

const broken = `
import { evaluation } from 'assay';
export const broken = evaluation({}, () => { throw new Error('broken'); });
`;

describe('assay run: gates', () => {
  let project: Project;

  before(() => {
    project = new Project({ 'a.eval.ts': graded, 'broken.eval.ts': broken });
  });
  after(removeProjects);

  async function codes(path: string, gates: readonly (readonly string[])[]): Promise<unknown[]> {
    const results = await Promise.all(
      gates.map((gate) => project.assay(['run', path, '--no-save', ...gate])),
    );
    return results.map((result) => result.code);
  }

  it('hold the pass rate against --fail-under: passed of those with a verdict, and errors', async () => {
    const gates = [['--fail-under', '0.75'], ['--fail-under', '75%'], ['--fail-under=0.751']];
    expect(await codes('a.eval.ts', gates)).to.deep.equal([0, 0, 1]);
    expect(
      await codes('.', [
        ['--fail-under', '60%'],
        ['--fail-under', '0.61'],
      ]),
    ).to.deep.equal([0, 1]);
  });

  it('hold one score against --fail-under KEY=RATE, repeated or in a list', async () => {
    const gates = [
      ['--fail-under', 'exact=0.75'],
      ['--fail-under', 'exact=76%'],
      ['--fail-under', 'length=6.5'],
      ['--fail-under', 'exact=0.7', '--fail-under', 'length=6.6'],
      ['--fail-under', '0.7,exact=0.8'],
    ];
    expect(await codes('a.eval.ts', gates)).to.deep.equal([0, 1, 0, 1, 1]);
  });

  it('look for errors and for failures with --fail-on', async () => {
    const errors = ['--fail-on', 'errors'];
    const failures = ['--fail-on', 'failures'];
    expect(await codes('a.eval.ts', [[], errors, failures])).to.deep.equal([0, 0, 1]);
    expect(await codes('broken.eval.ts', [[], errors, failures])).to.deep.equal([0, 1, 1]);
    expect(await codes('a.eval.ts::graded[0]', [[...errors, ...failures]])).to.deep.equal([0]);
  });

  it('that cannot be told exit with 2 and say why', async () => {
    const [noVerdict, noScore] = await Promise.all([
      project.assay(['run', 'a.eval.ts::valued', '--fail-under', '0.5']),
      project.assay(['run', 'a.eval.ts', '--fail-under', 'exakt=0.5']),
    ]);
    expect([noVerdict.code, noScore.code]).to.deep.equal([2, 2]);
    expect(noVerdict.stderr).to.match(/no result has a verdict/);
    expect(noScore.stderr).to.match(/no result has a score exakt; there are: exact, length/);
  });

  it('say what they found on stderr, and the run JSON comes out whole', async () => {
    const result = await project.assay(['run', 'a.eval.ts', '--fail-under', '0.8', '--json']);
    expect(result.code).to.equal(1);
    expect(result.stderr).to.match(/pass rate 75 % is under 80 %/);
    expect(result.json().total_passed).to.equal(3);
    expect((await project.assay(['export', 'latest'])).stdout).to.equal(result.stdout);
  });

  it('that are none are refused before anything runs', async () => {
    const bad = ['1.5', '-1', 'high', '120%', '=0.5', 'exact=', 'NaN'];
    const results = await Promise.all([
      ...bad.map((rate) => project.assay(['run', '--results-dir', 'none', `--fail-under=${rate}`])),
      project.assay(['run', '--results-dir', 'none', '--fail-on', 'error']),
    ]);
    for (const { code, stderr } of results) {
      expect(stderr).to.match(/--fail-(under takes a rate|on)/);
      expect(code).to.equal(2);
    }
    expect(results.at(-1)?.stderr).to.match(/Did you mean errors\?/);
    expect(project.has('none')).to.equal(false);
  });
});
