import { expect } from 'chai';
import { type FakeProvider, startFakeProvider } from '../../helpers/fake-provider.js';
import { Project } from '../../helpers/project.js';

const evalsFor = (word: string) => `
import { evaluation } from 'assay';
const ask = (content: string) => fetch(process.env.PROVIDER + '/v1/chat/completions', {
  method: 'POST',
  body: JSON.stringify({ model: 'cheap', messages: [{ role: 'user', content }] }),
}).then((response) => response.text());
export const kept = evaluation({
  cases: [{ id: 'a' }, { id: 'b' }],
  target: async () => { await ask('one'); await ask('two'); },
  evaluators: [() => true],
});
export const edited = evaluation({ target: () => ask('${word}'), evaluators: [() => true] });
`;

describe('the money of results that were carried over', () => {
  let provider: FakeProvider;
  let project: Project;
  const assay = (...args: readonly string[]) =>
    project.assay(args, {
      env: { PROVIDER: provider.url, GITHUB_STEP_SUMMARY: project.path('summary.md') },
    });

  before(async () => {
    provider = await startFakeProvider();
    // A call costs $0.15.
    const prices = 'prices:\n  cheap: { input: 1000, output: 1000 }\n';
    project = new Project({ 'a.eval.ts': evalsFor('x'), 'assay.yaml': prices });
    await assay('run', '--run-name', 'first');
    project.write('a.eval.ts', evalsFor('y'));
  });

  it('is not spent by the run, wherever its cost stands', async () => {
    const beside = '(2 carried: 4 calls, $0.60)';
    const gates = ['--fail-over', 'cost=0.2,cost.total=0.2,tokens=0.2k,calls=1'];
    const reporters = ['--reporter', 'github', '--reporter', 'junit=junit.xml'];
    const run = await assay('run', '--changed', '--run-name', 'second', ...gates, ...reporters);
    expect(run.stderr).to.match(/ 1 call · .* tokens in .* · \$0\.15 · \(2 carried/);
    expect(run.stderr).to.include(beside);
    expect(run.stderr).to.include(`✓ cost $0.15 ${beside}, at most $0.20 asked for`);
    expect(run.stderr).to.include(`✓ calls 1 ${beside}`).and.include('✓ tokens 150 ');
    expect(run.stderr).to.include('✗ cost.total $0.75 is over $0.20');
    expect(project.read('summary.md')).to.match(/^1 call · .*\$0\.15 · \(2 carried: 4 calls, /m);
    expect(project.read('junit.xml')).to.include(
      '<property name="summary.pass_rate.passed" value="3"/>',
    );
    const times = [...project.read('junit.xml').matchAll(/<testcase .*time="([\d.]+)"/g)];
    expect(times.map(([, time]) => Number(time) > 0)).to.deep.equal([false, false, true]);

    const document = (await assay('export', 'latest', '-f', 'json')).stdout;
    const { usage } = JSON.parse(document);
    expect(usage).to.include({ calls: 1 }).and.to.have.nested.property('taken.carried.calls', 4);
    expect([usage.cost, usage.taken.carried.cost]).to.deep.equal([0.15, 0.6]);
    project.write('second.json', document);
    for (const one of ['latest', 'second.json']) {
      expect((await assay('show', one)).stdout, one).to.include(beside);
    }
    const groups = await assay('show', 'latest', '--by', 'evaluation');
    expect(groups.stdout)
      .to.match(/::kept .* \$0\.00 \(\$0\.60\)/)
      .and.match(/::edited .* \$0\.15 /);
    const result = await assay('show', 'latest', 'a.eval.ts::kept[a]');
    expect(result.stdout).to.include('(2 calls) · ($0.30)').and.include('carried from first');
    expect(result.stdout).to.match(/target {2}cheap · .* · \(\$0\.15\)$/m);
    const markdown = await assay('export', 'latest', '-f', 'md');
    expect(markdown.stdout)
      .to.include('(2 carried: 4 calls, ')
      .and.include('| (2) | (300) | (\\$0.30) |');
    const csv = await assay('export', 'latest', '-f', 'csv', '--columns', 'calls,cost,taken_cost');
    expect(csv.stdout).to.equal('calls,cost,taken_cost\r\n0,0,0.3\r\n0,0,0.3\r\n1,0.15,\r\n');
    const comparison = await assay('compare', 'first', 'second');
    expect(comparison.stdout).to.match(/second +\$0\.15 \(\$0\.60\)/);
  });
});
