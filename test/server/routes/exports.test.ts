import { readFileSync, writeFileSync } from 'node:fs';
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

  for (const [format, type, more = ''] of [
    ['json', 'application/json; charset=utf-8'],
    ['csv', 'text/csv; charset=utf-8'],
    ['otlp', 'application/x-ndjson; charset=utf-8', '.jsonl'],
  ]) {
    it(`${format} is byte for byte what the command line writes`, async () => {
      const { text, headers } = await served.get(`/api/runs/${runId}/export/${format}`);
      const file = served.project.path(`out.${format}`);
      await served.project.assay(['export', runId, '-f', `${format}`, '-o', file]);
      expect(text).to.equal(readFileSync(file, 'utf8'));
      expect(headers.get('content-type')).to.equal(type);
      expect(headers.get('content-disposition')).to.match(
        new RegExp(`^attachment; filename="${runId}\\.${format}${more}"`),
      );
    });
  }

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

  it('latest is the active run, also before it has started', async () => {
    const fresh = await ServedProject.start(sampleFiles);
    const { run_id } = await fresh.active();
    for (const format of ['json', 'csv']) {
      const { status, headers } = await fresh.get(`/api/runs/latest/export/${format}`);
      expect(status).to.equal(200);
      expect(headers.get('content-disposition')).to.include(`"${run_id}.${format}"`);
    }
  });

  it('a report shows the chosen rows and columns in their order, and the given figures', async () => {
    const { text, headers } = await markdown(report);
    expect(headers.get('content-type')).to.equal('text/markdown; charset=utf-8');
    expect(headers.get('content-disposition')).to.include(`"${runId}.md"`);
    expect(text).to.match(/^# first\n\n- Session: default\n/);
    expect(text)
      .to.include('\n- Selected: 2 of 5\n')
      .and.to.include('\n- Average latency: 1.50 s\n');
    expect(text).to.include(`| exact | ${'█'.repeat(10)}${'░'.repeat(10)} | 50.0 % |`);
    expect(text.split('\n').slice(-5, -1)).to.deep.equal([
      '| eval | input | score:exact |',
      '| --- | --- | --- |',
      '| upper\\[y\\] | =y | ✗ |',
      '| upper\\[x\\] | x | ✓ |',
    ]);
  });

  it('a report can have a title and a session of its own', async () => {
    const { text } = await markdown({ ...report, run_name: 'Mine', session_name: 'ours' });
    expect(text).to.match(/^# Mine\n\n- Session: ours\n/);
  });

  it('a report leaves out indices out of range and takes other keys', async () => {
    const { text } = await markdown(report);
    const indices = [1, -1, 5, 0, 1_000_000];
    const more = { ...report, visible_indices: indices, theme: 'dark' };
    expect((await markdown(more)).text).to.equal(text);
  });

  it('function and eval are one column', async () => {
    const columns = (...names: readonly string[]) => ({ ...report, visible_columns: names });
    const { text } = await markdown(columns('function', 'eval', 'input'));
    expect(text).to.include('\n| eval | input |\n');
    expect(text).to.equal((await markdown(columns('eval', 'input'))).text);
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

  for (const key of Object.keys(report)) {
    it(`a report without ${key} is refused`, async () => {
      const { status, body } = await markdown({ ...report, [key]: undefined });
      expect(status).to.equal(400);
      expect(pointers(body)).to.deep.equal([`/${key}`]);
    });
  }

  for (const key of Object.keys(report.stats)) {
    it(`stats without ${key} are refused`, async () => {
      const { body } = await markdown({ ...report, stats: { ...report.stats, [key]: undefined } });
      expect(body.status).to.equal(400);
      expect(pointers(body)).to.deep.equal([`/stats/${key}`]);
    });
  }

  it('a body of more than 1 MiB is taken, one of more than 8 MiB is not', async () => {
    const padded = (bytes: number) => markdown({ ...report, padding: 'x'.repeat(bytes) });
    expect((await padded(2 * 1024 * 1024)).status).to.equal(200);
    expect((await padded(8 * 1024 * 1024)).status).to.equal(413);
  });

  function markdown(body: unknown) {
    return served.post(`/api/runs/${runId}/export/markdown`, body);
  }
});

function pointers(body: { readonly errors: readonly { readonly pointer: string }[] }): string[] {
  return body.errors.map(({ pointer }) => pointer);
}
