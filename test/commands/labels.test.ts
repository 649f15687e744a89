import { expect } from 'chai';
import { Project } from '../helpers/project.js';

const evals = `
import { evaluation } from 'assay';
import { rubric } from 'assay/graders';
const ask = (prompt) => 'REASONS: so it is\\nVERDICT: ' + (prompt.includes('bad') ? 'FAIL' : 'PASS');
export const support = evaluation({
  cases: ['good', 'bad', 'fine'].map((id) => ({ id, input: id })),
  rubrics: { tone: 'Polite.' },
  target: ({ input }) => input,
  evaluators: [rubric('Every amount is right.', { key: 'correctness', ask })],
});
`;

describe('labels on the command line', () => {
  const project = new Project({ 'support.eval.mjs': evals, 'assay.yaml': 'reviewer: lee\n' });
  const import_ = (name: string, text: string) => {
    project.write(name, text);
    return project.assay(['sessions', 'labels', 'import', name, '--json']);
  };
  const exported = async (format: string) =>
    (await project.assay(['export', 'latest', '--labels', '-f', format])).stdout;

  before(async () => {
    const { run } = await project.run();
    expect(run.results[0]?.result.scores[0]).to.have.property('rubric_version').with.lengthOf(12);
  });

  it('are imported, counted and exported, and come back from a file as they were', async () => {
    const none = await project.assay(['sessions', 'labels']);
    expect(none.stderr).to.include('No labels yet');
    const csv = [
      'id,key,verdict,note,reviewer',
      'support.eval.mjs::support[bad],correctness,pass,"a, ""b""",=ada',
      'support.eval.mjs::support[good],correctness,fail,,',
      'support.eval.mjs::support[good],tone,unsure,,',
    ];
    const { stdout } = await import_('labels.csv', csv.join('\r\n'));
    expect(JSON.parse(stdout).labels).to.equal(3);
    const counts = await project.assay(['sessions', 'labels', '--json']);
    expect(JSON.parse(counts.stdout).labels).to.containSubset([
      { key: 'correctness', reviewer: '=ada', pass: 1, fail: 0, sampled: 0 },
      { key: 'correctness', reviewer: 'lee', pass: 0, fail: 1 },
      { key: 'tone', reviewer: 'lee', unsure: 1 },
    ]);
    const before = await exported('jsonl');
    expect(await exported('csv')).to.include(`,correctness,pass,"a, ""b""",'=ada,`);
    for (const format of ['csv', 'jsonl']) {
      const { code } = await import_(`again.${format}`, await exported(format));
      expect(code).to.equal(0);
    }
    expect(await exported('jsonl')).to.equal(before);
  });

  it('are kept in an exported run, and not in the figures of a run', async () => {
    const before = JSON.parse(await exported('json'));
    const { stdout } = await project.assay(['export', 'latest', '-f', 'json']);
    project.write('run.json', stdout);
    await project.assay(['sessions', 'import', 'run.json']);
    const { run_id: _, ...after } = JSON.parse(await exported('json'));
    expect(after).to.deep.equal({ samples: before.samples, labels: before.labels });
  });

  it('go along with results that are taken over', async () => {
    const { labels } = JSON.parse(await exported('json'));
    await project.run(['--changed']);
    const taken = JSON.parse(await exported('json'));
    expect(taken.labels).to.deep.equal(labels);
  });

  it('are all refused when one of them cannot be, each by its line', async () => {
    const before = await exported('jsonl');
    const old = 'rubric_version 0123456789ab is not that of correctness now';
    const rows: [object, string][] = [
      [{ index: 0, verdict: 'good' }, 'line 1: verdict must be pass, fail, unsure, skipped'],
      [{ index: 9 }, 'line 2: Run'],
      [{ index: 0, key: 'other' }, 'line 3: the run has no score "other"'],
      [{ index: 0, rubric_version: '0123456789ab' }, `line 4: ${old}`],
      [{ index: 0, sample: 'none' }, 'line 5: Run'],
      [{ index: 0, output_hash: 'x' }, 'line 6: result 0 has another output now'],
      [{ index: 0, id: 'support.eval.mjs::support[bad]' }, 'line 7: result 0 is not'],
      [{}, 'line 8: it has neither index nor id'],
      [{ index: 1, reviewer: 'a\nb' }, 'line 9: A reviewer name'],
      [{ index: 2 }, ''],
      [{ index: 2, verdict: 'fail' }, 'line 11: lee labels correctness of result 2 twice'],
    ];
    const lines = rows.map(([row]) => ({ key: 'correctness', verdict: 'pass', ...row }));
    const text = lines.map((line) => JSON.stringify(line)).join('\n');
    const { code, stderr } = await import_('bad.jsonl', text);
    expect(code).to.equal(2);
    for (const [, problem] of rows) expect(stderr).to.include(problem);
    expect(await exported('jsonl')).to.equal(before);
  });

  it('are of samples that review draws without serving a page', async () => {
    const draw = (...more: string[]) => project.assay(['review', 'latest', '--draw', ...more]);
    const { stdout } = await draw('--sample', '2', '--json');
    const { samples } = JSON.parse(await exported('json'));
    expect(samples).to.have.length(1);
    expect(JSON.parse(stdout)).to.deep.include({ samples });
    expect((await draw()).stdout).to.include('2 results are drawn already');
  });

  it('are asked for by review: a score that is there, a stratum that can be', async () => {
    for (const [args, text] of [
      [['--score', 'other'], 'No result has a score "other"'],
      [['--by', 'verdict'], 'needs one --score KEY'],
      [['--sample', '0'], '--sample takes a whole number'],
    ] as const) {
      const { code, stderr } = await project.assay(['review', 'latest', '--no-open', ...args]);
      expect(code).to.equal(2);
      expect(stderr).to.include(text);
    }
  });
});
