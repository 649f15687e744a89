import { writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { ServedProject } from '../../helpers/served-project.js';
import { sampleFiles } from './sample-files.js';

const report = {
  visible_indices: [1, 0],
  visible_columns: ['eval', 'input', 'score:exact'],
  stats: {
    total: 5,
    filtered: 2,
    avgLatency: 1.5,
    chips: [{ key: 'exact', type: 'ratio', passed: 1, total: 2 }],
  },
};

describe('exports over HTTP', () => {
  let served: ServedProject;
  let runId: string;

  before(async () => {
    served = await ServedProject.start(sampleFiles, { runName: 'first' });
    runId = (await served.runAll()).run_id;
  });

  it('traces are byte for byte what the command line writes', async () => {
    const { text, headers } = await served.get(`/api/runs/${runId}/export/otlp`);
    const { stdout } = await served.project.assay(['export', runId, '-f', 'otlp']);
    expect(text).to.equal(stdout);
    expect(headers.get('content-type')).to.equal('application/x-ndjson; charset=utf-8');
    expect(headers.get('content-disposition')).to.include(`filename="${runId}.otlp.jsonl"`);
  });

  it('say in a header what they lack, as the command line does on stderr', async () => {
    const { body } = await served.get(`/api/runs/${runId}/export/json`);
    const unlisted = { calls: 3, cost: 0.1, unpriced: 1, by_role: {} };
    const stopped = { ...body, run_id: '5707ed000000', usage: { ...unlisted, unlisted } };
    writeFileSync(served.project.path('stopped.json'), JSON.stringify(stopped));
    const imported = await served.project.assay(['sessions', 'import', 'stopped.json']);
    expect(imported.code, imported.stderr).to.equal(0);
    for (const [format, run, said] of [
      ['csv', stopped.run_id, 'Not in it: 3 calls, at least $0.10 of stopped attempts'],
      ['otlp', stopped.run_id, 'Not in it: 3 calls, at least $0.10 of stopped attempts'],
      ['json', stopped.run_id, null],
      ['csv', runId, null],
    ]) {
      const { headers } = await served.get(`/api/runs/${run}/export/${format}`);
      expect(headers.get('assay-left-out'), `${format} of ${run}`).to.equal(said);
    }
  });

  describe('of some results', () => {
    const part = (format: string, body: object) =>
      served.post(`/api/runs/${runId}/export/part/${format}`, body);

    it('as JSON have the figures of these, and say of how many', async () => {
      const { body: whole } = await served.get(`/api/runs/${runId}/export/json`);
      const chosen = { visible_indices: [3, 0, 3, 99] };
      const { body, headers } = await part('json', chosen);
      expect(headers.get('content-disposition')).to.include(`"${runId}-part.json"`);
      expect(headers.get('content-type')).to.equal('application/json; charset=utf-8');
      expect(body.results).to.deep.equal([whole.results[3], whole.results[0]]);
      expect(body).to.deep.include({
        run_id: runId,
        part_of: whole.results.length,
        total_evaluations: 2,
      });
      const file = served.project.path('part.json');
      writeFileSync(file, JSON.stringify(body));
      const shown = await served.project.assay(['show', file, '--json']);
      expect(shown.json()).to.deep.equal(body);
      // By hand: nobody knows why these were chosen.
      expect(body.summary).to.deep.include({ counts_only: true, pass_rate: null });
      expect(body).not.to.have.property('pass_at_k');
      const rated = (await part('json', { ...chosen, with_rates: true })).body;
      expect(rated.summary).not.to.have.property('counts_only');
      expect(rated.summary.pass_rate).to.include({ passed: 1, of: 2 });
    });

    it('as CSV have the columns that are asked for', async () => {
      const whole = (await served.get(`/api/runs/${runId}/export/csv`)).text.split('\r\n');
      const all = await part('csv', { visible_indices: [1, 0] });
      expect(all.text.split('\r\n')).to.deep.equal([whole[0], whole[2], whole[1], '']);
      expect(all.headers.get('content-type')).to.equal('text/csv; charset=utf-8');
      const chosen = { visible_indices: [1, 0] };
      const some = await part('csv', { ...chosen, visible_columns: ['eval', 'score:exact'] });
      expect(some.text).to.match(/^function,score:exact\r\n[^,]+,[^,]*\r\n[^,]+,[^,]*\r\n$/);
      const { status, text } = await part('csv', { ...chosen, visible_columns: ['no'] });
      expect([status, text.includes('Unknown column: no')]).to.deep.equal([400, true]);
    });
  });

  it('an unknown column is refused by name', async () => {
    const { status, body } = await markdown({ ...report, visible_columns: ['eval', 'inptu'] });
    expect(status).to.equal(400);
    expect(body.detail).to.include('Unknown column: inptu. Did you mean input?');
  });

  it('a report has columns for values in the results', async () => {
    const { text } = await markdown({ ...report, visible_columns: ['eval', 'metadata["a|b"]'] });
    expect(text).to.include('\n| eval | metadata\\["a\\|b"\\] |\n');
  });

  it('a body of more than 1 MiB is taken, one of more than 8 MiB is not', async () => {
    const padded = (bytes: number) => markdown({ ...report, padding: 'x'.repeat(bytes) });
    expect((await padded(2 * 1024 * 1024)).status).to.equal(200);
    expect((await padded(8 * 1024 * 1024)).status).to.equal(413);
  });

  function markdown(body: unknown) {
    return served.post(`/api/runs/${runId}/export/markdown`, body);
  }
});
