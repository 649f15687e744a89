import { expect } from 'chai';
import { parse } from 'csv-parse/sync';
import { runProblems } from '../../helpers/run-shape.js';
import { ServedProject } from '../../helpers/served-project.js';
import { mixedEvals } from './evals.js';

type Run = Awaited<ReturnType<ServedProject['active']>>;

describe('the contract: export', () => {
  let served: ServedProject;
  let first: string;
  let active: string;

  before(async () => {
    served = await ServedProject.start({ 'evals/mixed.eval.mjs': mixedEvals });
    first = (await served.runAll()).run_id;
    const result = {
      annotation: 'note | with "signs",\nand lines',
      scores: [{ key: 's', value: 1 }],
    };
    await served.patch('/api/runs/latest/results/1', { result });
    active = (await served.post('/api/runs/new?wait=true', { run_name: 'a *bold* name' })).body
      .run_id;
  });

  const exported = async (run: string, format: string, ...more: readonly string[]) =>
    (await served.project.assay(['export', run, '-f', format, ...more])).stdout;

  for (const [format, type] of [
    ['json', 'application/json'],
    ['csv', 'text/csv'],
  ] as const) {
    describe(`GET /api/runs/{run_id}/export/${format}`, () => {
      it('is downloaded as a file named by the run id', async () => {
        const { status, headers } = await served.get(`/api/runs/${first}/export/${format}`);
        expect(status).to.equal(200);
        expect(headers.get('content-type')).to.match(new RegExp(`^${type}(;|$)`));
        expect(headers.get('content-disposition')).to.match(/^attachment;/);
        expect(headers.get('content-disposition')).to.include(`filename="${first}.${format}"`);
      });

      it('is byte-equal to what the command line writes, of any saved run', async () => {
        for (const run of [first, active]) {
          const { text } = await served.get(`/api/runs/${run}/export/${format}`);
          expect(text).to.equal(await exported(run, format));
        }
      });

      it('takes latest for the active run', async () => {
        const { text, headers } = await served.get(`/api/runs/latest/export/${format}`);
        expect(text).to.equal((await served.get(`/api/runs/${active}/export/${format}`)).text);
        expect(headers.get('content-disposition')).to.include(`${active}.${format}`);
      });

      it('answers 404 for an unknown run', async () => {
        const { status } = await served.get(`/api/runs/000000000000/export/${format}`);
        expect(status).to.equal(404);
      });
    });
  }

  it('has in JSON the run JSON without the extra fields of the API, also of the active run', async () => {
    const { body } = await served.get('/api/runs/latest/export/json');
    expect(runProblems(body)).to.deep.equal([]);
    const { score_chips, eval_path, is_paused, selected_total, ...run } = await served.active();
    expect(body).to.deep.equal(run);
  });

  it('has in CSV a line for every result below the head', async () => {
    const { text } = await served.get(`/api/runs/${active}/export/csv`);
    expect(parse(text)).to.have.length(5);
  });

  it('has in CSV for programs, with raw=true, texts as they are', async () => {
    const annotation = '=1+1';
    await served.patch(`/api/runs/${first}/results/0`, { result: { annotation } });
    const path = `/api/runs/${first}/export/csv`;
    const annotations = (text: string) => {
      const rows: Record<string, string>[] = parse(text, { columns: true });
      return rows[0]?.annotation;
    };
    const raw = await served.get(`${path}?raw=true`);
    expect([raw.status, annotations(raw.text)]).to.deep.equal([200, annotation]);
    expect(raw.text).to.equal(await exported(first, 'csv', '--raw'));
    expect(raw.headers.get('content-disposition')).to.include(`filename="${first}.csv"`);
    for (const query of ['', '?raw=false']) {
      const guarded = await served.get(path + query);
      expect(annotations(guarded.text), query).to.equal(`'${annotation}`);
      expect(guarded.headers.get('etag')).to.not.equal(raw.headers.get('etag'));
    }
    expect((await served.get(`${path}?raw=1`)).status).to.equal(400);
  });

  it('is for a run of the command line what assay run --json printed', async () => {
    const { stdout } = await served.project.assay(['run', '--json']);
    const printed: Run = JSON.parse(stdout);
    const { body } = await served.get(`/api/runs/${printed.run_id}/export/json`);
    expect(body).to.deep.equal(printed);
  });

  describe('POST /api/runs/{run_id}/export/markdown', () => {
    const stats = {
      total: 4,
      filtered: 2,
      avgLatency: 1.5,
      chips: [
        { key: 'exact', type: 'ratio', passed: 1, total: 4 },
        { key: 'size', type: 'avg', avg: 0.5, count: 2 },
      ],
    };
    const whole = { visible_indices: [0, 1], visible_columns: ['eval', 'output'], stats };
    const report = (body: unknown, run = active) =>
      served.post(`/api/runs/${run}/export/markdown`, body);
    const rows = (text: string) => text.slice(text.indexOf('| eval')).trim().split('\n');

    it('is downloaded as a file named by the run id', async () => {
      const { status, headers } = await report(whole);
      expect(status).to.equal(200);
      expect(headers.get('content-type')).to.match(/^text\/markdown(;|$)/);
      expect(headers.get('content-disposition')).to.match(/^attachment;/);
      expect(headers.get('content-disposition')).to.include(`filename="${active}.md"`);
    });

    it('has the name as title, the session and the counts', async () => {
      const { text } = await report({ ...whole, run_name: 'Given', session_name: 'Sitting' });
      expect(text.split('\n')[0]).to.equal('# Given');
      expect(text).to.include('Session: Sitting').and.include('Results: 4');
      expect(text).to.include('2 of 4').and.include('1.5');
    });

    it('takes name and session of the run when they are not given, escaped', async () => {
      const { text } = await report(whole);
      expect(text.split('\n')[0]).to.equal('# a \\*bold\\* name');
      expect(text).to.include('Session: default');
    });

    it('has one bar of 20 cells with the percentage or mean per chip', async () => {
      const { text } = await report(whole);
      const bars = text.match(/[█░]+/g) ?? [];
      expect(bars).to.deep.equal([`${'█'.repeat(5)}${'░'.repeat(15)}`, '██████████░░░░░░░░░░']);
      expect(text)
        .to.match(/exact.*25(\.0)? ?%/)
        .and.match(/size.* 0\.5 /);
    });

    it('has a table of the chosen rows and columns, in the order of the columns', async () => {
      const { text } = await report({
        ...whole,
        visible_indices: [1, 0],
        visible_columns: ['output', 'dataset', 'eval'],
      });
      const table = text.slice(text.indexOf('| output')).trim().split('\n');
      expect(table).to.have.length(4);
      expect(table[0]).to.equal('| output | dataset | eval |');
      expect(table[2]).to.include('neutral | reviews | graded\\[bad\\]');
      expect(table[3]).to.include('pos | reviews | graded\\[good\\]');
    });

    it('takes eval and function for one column', async () => {
      const byEval = await report({ ...whole, visible_columns: ['eval'] });
      const byFunction = await report({ ...whole, visible_columns: ['function'] });
      expect(byFunction.text).to.equal(byEval.text);
    });

    it('ignores indices out of range and unknown keys', async () => {
      const { status, text } = await report({
        ...whole,
        visible_indices: [-1, 0, 4, 1_000_000],
        unknown: true,
      });
      expect(status).to.equal(200);
      expect(rows(text)).to.have.length(3);
    });

    it('has no rows for no indices', async () => {
      expect(rows((await report({ ...whole, visible_indices: [] })).text)).to.have.length(2);
    });

    it('takes every documented column and the scores of one key', async () => {
      const visible_columns = [
        ...['eval', 'dataset', 'labels', 'input', 'output', 'reference', 'scores', 'status'],
        ...['error', 'latency', 'annotation', 'metadata', 'score:exact'],
      ];
      const { status, text } = await report({ ...whole, visible_columns });
      expect(status).to.equal(200);
      expect(rows(text)[0]).to.equal(`| ${visible_columns.join(' | ')} |`);
    });

    it('is byte-equal to that of the command line for all rows and its figures', async () => {
      const run = (await served.get(`/api/runs/${first}/data`)).body;
      const columns = ['eval', 'input', 'output', 'scores'];
      const { text } = await report(
        {
          visible_indices: [0, 1, 2, 3],
          visible_columns: columns,
          stats: { total: 4, filtered: 4, avgLatency: run.average_latency, chips: run.score_chips },
          run_name: run.run_name,
          session_name: run.session_name,
        },
        first,
      );
      expect(text).to.equal(await exported(first, 'md', '--columns', columns.join(',')));
    });

    it('takes latest for the active run', async () => {
      const { text } = await report(whole, 'latest');
      expect(text).to.equal((await report(whole)).text);
    });

    it('answers 404 for an unknown run', async () => {
      expect((await report(whole, '000000000000')).status).to.equal(404);
    });

    for (const key of Object.keys(whole)) {
      it(`answers 400 when ${key} is missing, and points at it`, async () => {
        const { status, body } = await report({ ...whole, [key]: undefined });
        expect(status).to.equal(400);
        expect(body.errors[0].pointer).to.equal(`/${key}`);
      });
    }

    for (const key of Object.keys(stats)) {
      it(`answers 400 when stats.${key} is missing, and points at it`, async () => {
        const { status, body } = await report({ ...whole, stats: { ...stats, [key]: undefined } });
        expect(status).to.equal(400);
        expect(body.errors[0].pointer).to.equal(`/stats/${key}`);
      });
    }

    for (const [what, change] of [
      ['an unknown column', { visible_columns: ['eval', 'colour'] }],
      ['columns that are no list', { visible_columns: 'eval' }],
      ['a column that is no text', { visible_columns: [1] }],
      ['indices that are no numbers', { visible_indices: ['0'] }],
      ['half an index', { visible_indices: [0.5] }],
      ['a total that is no whole number', { stats: { ...stats, total: 1.5 } }],
      ['a latency that is no number', { stats: { ...stats, avgLatency: '1' } }],
      ['a chip of an unknown type', { stats: { ...stats, chips: [{ key: 'a', type: 'sum' }] } }],
      ['a name that is no text', { run_name: 5 }],
      ['a session that is no text', { session_name: {} }],
    ] as const) {
      it(`answers 400 to ${what}`, async () => {
        expect((await report({ ...whole, ...change })).status).to.equal(400);
      });
    }
  });
});
