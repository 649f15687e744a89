import { expect } from 'chai';
import { AssayError } from '../../src/errors.js';
import type { ExportOptions } from '../../src/exporters/exporter.js';
import { jsonExporter, renderRunJson } from '../../src/exporters/json.js';
import type { Call } from '../../src/model/calls/model-call.js';
import { buildEntry, buildHead, buildRun, renderAll } from './sample-run.js';

describe('json export', () => {
  it('puts each field of the head and each result on its own line', async () => {
    const first = buildEntry({ id: 'a::x~1', trial: 1, trial_of: 'a::x' });
    const second = buildEntry({}, { output: { b: [1, 'two\nlines'] } });
    const document = await renderAll(jsonExporter, buildRun([first, second]));
    expect(document).to.equal(`{
  "run_id": "3f9a0c12be77",
  "session_name": "default",
  "run_name": "brisk-otter",
  "created_at": 1760000000,
  "started_at": 1760000000,
  "updated_at": 1760000009,
  "path": "evals",
  "config_name": "default",
  "total_evaluations": 2,
  "total_functions": 2,
  "total_passed": 1,
  "total_errors": 0,
  "total_with_scores": 2,
  "average_latency": 0.25,
  "summary": {"pass_rate":null,"verdicts":{"passed":0,"failed":0,"errors":0,"none":0},"latency":{"p50":null,"p95":null},"repeats":0,"passes":1,"scores":[]},
  "state": "finished",
  "results": [
    ${JSON.stringify(first)},
    ${JSON.stringify(second)}
  ]
}
`);
  });

  it('is the run JSON when parsed', async () => {
    const entries = [
      buildEntry({}, { output: '\u2028 "quoted" \\ \ud83d\ude00 </script>', latency: 0.1 }),
      buildEntry({ labels: ['a', 'b'], regradable: true }, { error: 'Error: no\n  at x' }),
    ];
    const document = await renderAll(jsonExporter, buildRun(entries));
    expect(JSON.parse(document)).to.deep.equal({ ...buildHead(2), results: entries });
  });

  it('is valid without results', async () => {
    const document = await renderAll(jsonExporter, buildRun([]));
    expect(document).to.match(/ {2}"results": \[\]\n\}\n$/);
    expect(JSON.parse(document)).to.deep.equal({ ...buildHead(0), results: [] });
  });

  it('has the trial fields, before the state, only for runs with trials', async () => {
    const estimate = { estimate: 0.5, low: null, high: null };
    const trials = {
      trials: 1,
      pass_at_k: 0.5,
      pass_all_k: 0.5,
      trial_statistics: { flaky: 0, by_k: [{ k: 1, n: 2, pass_at: estimate, pass_all: estimate }] },
    };
    const parsed = JSON.parse(await renderAll(jsonExporter, buildRun([], trials)));
    expect(parsed).to.deep.include(trials);
    expect(Object.keys(parsed).slice(-6)).to.deep.equal([
      ...Object.keys(trials),
      'state',
      'results',
    ]);
  });

  it('takes extra fields between those of the head and the results, and leaves out what is undefined', async () => {
    let document = '';
    const extra = { is_paused: false, discovery_error: undefined, score_chips: [] };
    for await (const piece of renderRunJson(buildRun([]), { extra })) document += piece;
    expect(document).to.match(
      /"state": "finished",\n {2}"is_paused": false,\n {2}"score_chips": \[\],\n {2}"results"/,
    );
    expect(document).not.to.include('discovery_error');
  });

  it('has the calls of results only when they are asked for', async () => {
    const call = { number: 1, role: 'target', method: 'GET', url: 'http://a.example/', start: 0 };
    const { calls, ...result } = buildEntry().result;
    const run = {
      ...buildRun([{ ...buildEntry(), result }]),
      trace: () => ({ calls: [call as Call] }),
    };
    const resultWith = async (options?: ExportOptions) =>
      JSON.parse(await renderAll(jsonExporter, run, options)).results[0].result;
    expect(await resultWith()).not.to.have.property('calls');
    expect((await resultWith({ calls: true })).calls).to.deep.equal([call]);
  });

  it('refuses to leave out columns', () => {
    const run = buildRun([]);
    expect(() => jsonExporter.render(run, { columns: ['id'] })).to.throw(AssayError, 'no columns');
  });
});
