import { writeFileSync } from 'node:fs';
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
    expect(JSON.parse(stdout)).to.include({ labels: 3, added: 3 });
    const counts = await project.assay(['sessions', 'labels', '--json']);
    expect(JSON.parse(counts.stdout).labels).to.containSubset([
      { key: 'correctness', reviewer: '=ada', pass: 1, fail: 0, sampled: 0 },
      { key: 'correctness', reviewer: 'lee', pass: 0, fail: 1 },
      { key: 'tone', reviewer: 'lee', unsure: 1 },
    ]);
    const before = await exported('jsonl');
    expect(await exported('csv')).to.include(`,correctness,pass,"a, ""b""",'=ada,`);
    for (const format of ['csv', 'jsonl']) {
      const { code, stdout: again } = await import_(`again.${format}`, await exported(format));
      expect(code).to.equal(0);
      expect(JSON.parse(again)).to.include({ labels: 3, added: 0 });
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

  it('are refused with a header, a cell, a field or bytes that say something else', async () => {
    const before = await exported('jsonl');
    const rest = (cells: string) => `index,key,verdict,at\n${cells}\n`;
    const { output_hash } = JSON.parse(before.split('\n')[0] ?? '');
    const label = { index: 0, key: 'correctness', verdict: 'fail', reviewer: 'lee' };
    for (const [name, text, problem] of [
      [
        'a.csv',
        'index,key,verdict,reviwer\n0,tone,pass,ada',
        'line 1: labels have no column "reviwer"; did you mean reviewer',
      ],
      ['a.csv', 'index,key,verdict,Sample\n0,tone,pass,x', 'did you mean sample'],
      [
        'a.csv',
        '\n\nindex,key,verdict,key\n0,tone,pass,tone',
        'line 3: two columns are named "key"',
      ],
      ['a.csv', 'index,key\n0,tone', 'it has no column verdict'],
      ['a.csv', 'key,verdict\ntone,pass', 'it has no column index or id'],
      ['a.csv', rest('0,tone,pass'), 'line 2: it has 3 fields, and the header 4'],
      ['a.csv', rest('1e0,tone,pass,'), 'index must be a whole number, not "1e0"'],
      ['a.csv', rest('0x2,tone,pass,'), 'index must be a whole number'],
      ['a.csv', rest('+1,tone,pass,'), 'index must be a whole number'],
      ['a.csv', rest('0,tone,pass,3/4/2026'), 'line 2: at must be a date'],
      ['a.csv', rest('0,tone,pass,2026-02-30'), 'at must be a date'],
      ['a.csv', rest('0,tone,pass,2026-01-01T10:00'), 'at must be a date'],
      [
        'a.csv',
        'index,key,verdict,note\n0,tone,pass,"a\r\nb\nc"\n9,tone,pass,"a\nb"\n',
        'line 5: the run has no',
      ],
      ['a.csv', '', 'a.csv has no labels'],
      ['a.csv', 'index,key,verdict\n', 'a.csv has no labels'],
      ['a.jsonl', '\n', 'a.jsonl has no labels'],
      [
        'a.jsonl',
        '\n{"index":0,"key":"tone","verdict":"pass","smaple":"x"}',
        'line 2: labels have no field "smaple"; did you mean sample',
      ],
      ['a.jsonl', '{"index":[0],"key":"tone","verdict":"pass"}', 'index must be a whole number'],
      [
        'a.jsonl',
        JSON.stringify({ ...label, output_hash: `${output_hash}x` }),
        'has another output now',
      ],
    ] as const) {
      const { code, stderr } = await import_(name, text);
      expect(code, text).to.equal(2);
      expect(stderr, text).to.include(problem);
    }
    writeFileSync(
      project.path('a.csv'),
      Buffer.from('index,key,verdict,note\n0,tone,pass,caf\xe9', 'latin1'),
    );
    const { code, stderr } = await project.assay(['sessions', 'labels', 'import', 'a.csv']);
    expect(code).to.equal(2);
    expect(stderr).to.include('it is not UTF-8 text, at line 2');
    expect(await exported('jsonl')).to.equal(before);
  });

  it('are of one reviewer however the name is written, and say which were there already', async () => {
    const row = (reviewer: string) => `index,key,verdict,reviewer\n2,tone,pass,${reviewer}\n`;
    const add = async (text: string) => {
      project.write('one.csv', text);
      return project.assay(['sessions', 'labels', 'import', 'one.csv']);
    };
    expect((await add(row('Zo\u00eb'))).stdout).to.match(/^1 label added to [^,]*$/m);
    expect((await add(row(' Zoe\u0308 '))).stdout).to.match(
      /^0 labels added to .*, 1 was there already$/m,
    );
    const twice = await add(`${row('Zo\u00eb')}2,tone,fail,Zoe\u0308`);
    expect(twice.stderr).to.include('twice');
    const hidden = await add(row('Zo\u200b\u00eb'));
    expect(hidden.code).to.equal(2);
    expect(hidden.stderr).to.include('characters that nobody sees');
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
