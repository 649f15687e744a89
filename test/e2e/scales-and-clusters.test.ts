import { expect } from 'chai';
import type { RunJson } from '../../src/model/run.js';
import { ProjectWithoutHosts } from '../helpers/project.js';

/** Cases of documents, which have a grade of 0 to 100; with `BROKEN` all cases of three documents fail. */
const qa = (documents: number, options = "cluster: 'document',") => `
import { evaluation } from 'assay';
export const qa = evaluation({
  ${options}
  scores: { judge: { scale: [0, 100] } },
  cases: Array.from({ length: ${documents * 3} }, (_, i) => ({
    id: 'c' + i, input: i, metadata: { document: 'd' + (i % ${documents}) },
  })),
  target: ({ input }) => input,
  evaluators: [
    function judge({ output }) { return (output * 37) % 101; },
    ({ output }) => ({ key: 'ok', passed: !process.env.BROKEN || output % ${documents} > 2 }),
  ],
});
`;

const broken = { env: { BROKEN: '1' } };

function clustersOf({ results }: RunJson): unknown[] {
  return results.map(({ cluster }) => cluster);
}

describe('declared scales', () => {
  it('give an interval and a place on the scale, and travel with exports, imports and baselines', async () => {
    const project = new ProjectWithoutHosts({ 'a.eval.ts': qa(20, '') });
    const { run, stderr } = await project.run(['--bless', 'base.json']);
    expect(run.results[1]?.result.scores[0]).to.deep.equal({
      key: 'judge',
      value: 37,
      scale: [0, 100],
    });
    const [judge] = run.summary.scores;
    expect(judge).to.deep.include({ type: 'avg', scale: [0, 100] });
    expect(judge?.interval.low).to.be.a('number');
    expect(stderr).to.match(/judge +█+░+ +[\d.]+ +mean of 60, on 0 to 100 +95 %: [\d.]+–[\d.]+\n/);
    expect(stderr).not.to.contain('no interval');
    await project.assay(['export', 'latest', '-f', 'json', '-o', 'run.json']);
    await project.assay(['sessions', 'import', 'run.json', '--session', 'other']);
    const { run: again } = await project.exported('latest');
    expect(again.summary.scores).to.deep.equal(run.summary.scores);
    const compared = await project.assay(['sessions', 'compare', 'base.json', 'latest', '--json']);
    const { runs } = JSON.parse(compared.stdout);
    expect(runs[0].scores[0]).to.deep.include({ key: 'judge', scale: [0, 100] });
  });

  it('make any other value, and none, an error of its evaluator', async () => {
    const project = new ProjectWithoutHosts({
      'assay.yaml': 'scores: { tone: { scale: [1, 5] } }\n',
      'a.eval.ts': `
        import { evaluation } from 'assay';
        const values = { far: 101, nothing: NaN, fine: 100 };
        export const all = evaluation({
          scores: { judge: { scale: [0, 100] } },
          cases: Object.keys(values).map((id) => ({ id, input: values[id] })),
          target: ({ input }) => input,
          evaluators: [function judge({ output }) { return output; }, function tone() { return 3; }],
        });
        export const body = evaluation({ input: 0 }, (ctx) => ctx.score('tone', 0));`,
    });
    const { run } = await project.run();
    const errors = run.results.map(({ result }) => result.error?.split('\n')[0] ?? null);
    const judge =
      'evaluator judge: TypeError: evaluator "judge": "value" of the score "judge" must be';
    expect(errors).to.deep.equal([
      `${judge} a number from 0 to 100, its scale, not 101`,
      `${judge} a number from 0 to 100, its scale, not NaN`,
      null,
      'TypeError: ctx.score: "value" of the score "tone" must be a number from 1 to 5, its scale, not 0',
    ]);
    expect(run.results[0]?.result.scores).to.deep.equal([{ key: 'tone', value: 3, scale: [1, 5] }]);
  });

  it('are asked for once where an interval is missing for want of one', async () => {
    const text = qa(20, '').replace('judge: { scale: [0, 100] }', '');
    const project = new ProjectWithoutHosts({ 'a.eval.ts': text });
    const hint = 'scores: { judge: { scale: … } }';
    const { stderr } = await project.run();
    expect(stderr.split(hint)).to.have.length(2);
    await project.run();
    const { stdout } = await project.assay(['sessions', 'compare', 'latest~1', 'latest']);
    expect(stdout.replace(/\s+/g, ' ').split(hint)).to.have.length(2);
    project.write('a.eval.ts', qa(20, ''));
    await project.run();
    const now = await project.assay(['sessions', 'compare', 'latest~1', 'latest']);
    expect(now.stdout).not.to.contain('scale: …');
  });
});

describe('clusters', () => {
  it('are one unit for intervals and for the gate, also of a baseline file', async () => {
    const project = new ProjectWithoutHosts({ 'a.eval.ts': qa(10) });
    const { run, stderr } = await project.run(['--bless', 'base.json'], broken);
    expect(clustersOf(run).slice(0, 11)).to.deep.include.members(['document=d0', 'document=d9']);
    expect(run.summary.clusters).to.equal(10);
    expect(stderr).to.contain('30 cases in 10 clusters');
    expect(project.read('base.json')).to.contain('"cluster":"document=d0"');
    project.write('a.eval.ts', qa(10, ''));
    const plain = await project.run([], broken);
    const low = (of: RunJson) => of.summary.pass_rate?.low ?? 0;
    expect(low(run)).to.be.below(low(plain.run) - 0.1);
    // Nine of 30 cases, but three of ten documents: a baseline knows its clusters.
    const gate = ['--baseline', 'base.json', '--fail-on', 'regression'];
    project.write('a.eval.ts', qa(10));
    await project.run(['--bless', 'base.json']);
    expect((await project.assay(['run', ...gate], broken)).code).to.equal(0);
    project.write('a.eval.ts', qa(10, ''));
    expect((await project.assay(['run', ...gate], broken)).code).to.equal(0);
    await project.run(['--bless', 'base.json']);
    expect((await project.assay(['run', ...gate], broken)).code).to.equal(1);
  });

  it('travel with exports, imports, merges of shards, --changed and reruns', async () => {
    const project = new ProjectWithoutHosts({ 'a.eval.ts': qa(10) });
    const { run } = await project.run();
    const clusters = clustersOf(run);
    await project.assay(['export', 'latest', '-f', 'json', '-o', 'run.json']);
    await project.assay(['sessions', 'import', 'run.json', '--session', 'other']);
    expect(clustersOf((await project.exported()).run)).to.deep.equal(clusters);
    const parts = ['1/2', '2/2'].map((shard) => ['--shard', shard, '--session', 'parts']);
    const { run: first } = await project.run(parts[0]);
    const { run: second } = await project.run(parts[1]);
    const merge = ['sessions', 'merge', first.run_id, second.run_id, '--json'];
    const { run_id } = (await project.assay(merge)).json();
    const { run: merged } = await project.exported(run_id);
    expect(clustersOf(merged)).to.have.members(clusters);
    expect(merged.summary.pass_rate).to.deep.equal(run.summary.pass_rate);
    const { run: changed } = await project.run(['--changed']);
    expect(clustersOf(changed)).to.deep.equal(clusters);
    project.write('a.eval.ts', qa(10, ''));
    const { run: rerun } = await project.run(['--rerun', 'latest']);
    expect(rerun.summary).not.to.have.property('clusters');
  });

  it('are told apart where they are whole texts, and stay short', async () => {
    const long = "'x'.repeat(5000) + (i % 10)";
    const project = new ProjectWithoutHosts({
      'a.eval.ts': qa(10).replace("'d' + (i % 10)", long),
    });
    const { run } = await project.run();
    expect(run.summary.clusters).to.equal(10);
    expect(run.results[0]?.cluster).to.match(/^document=x{91}… \S+$/);
  });

  it('refuse cases without one, before anything runs', async () => {
    const project = new ProjectWithoutHosts({
      'a.eval.ts': qa(10).replace("'d' + (i % 10)", "i < 10 ? 'd' : ''"),
    });
    const { code, stderr } = await project.assay(['run']);
    expect(code).to.equal(2);
    expect(stderr).to.contain('20 of 30 cases lack metadata.document ("c10", "c11", "c12", …)');
  });
});
