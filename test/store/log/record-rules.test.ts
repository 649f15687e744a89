import { expect } from 'chai';
import type { ResultEntry } from '../../../src/model/result.js';
import type { Score } from '../../../src/model/scores/score.js';
import { parseRecord } from '../../../src/store/log/records.js';
import type { RunOwner } from '../../../src/store/run-owner.js';
import { finished, newRun, plan, startedRun, temporaryStore } from '../builders.js';

const human: Score = { key: 'tone', passed: false, source: 'human' };

async function owner(count = 1): Promise<RunOwner> {
  return startedRun(await temporaryStore(), count);
}

function result(of: RunOwner, index = 0): ResultEntry['result'] {
  return of.run.entry(index).result;
}

describe('log records', () => {
  it('calls: a line that names a text which it does not have is damaged', () => {
    const line = (places: object, texts: readonly unknown[]) => {
      const model_call = { provider: 'openai', operation: 'chat', ...places };
      const call = { number: 1, role: 'target', method: 'POST', url: 'http://a/', start: 0 };
      return JSON.stringify({ type: 'calls', index: 0, calls: [{ ...call, model_call }], texts });
    };
    const texts = [{ role: 'user', parts: [] }, 'tool'];
    const parsed = (places: object) => parseRecord(line(places, texts))?.type;
    expect(parsed({ messages: [0], answer: [0], tools: [1] })).to.equal('calls');
    for (const places of [{ messages: [2] }, { answer: [1] }, { tools: [2] }, { messages: [-1] }]) {
      expect(parsed(places), JSON.stringify(places)).to.equal(undefined);
    }
    expect(parseRecord(`\uFEFF${line({}, [])}`)?.type).to.equal('calls');
  });

  it('planned: a row is there with every field, not started', async () => {
    const made = await (await temporaryStore()).createRun(newRun());
    made.plan([plan(0, { trial: 1, trial_of: 'evals/a.eval.ts::refund' })]);
    expect(made.run.entry(0)).to.deep.equal({
      id: 'evals/a.eval.ts::refund[0]',
      function: 'refund[0]',
      dataset: 'a',
      labels: ['smoke'],
      trial: 1,
      trial_of: 'evals/a.eval.ts::refund',
      result: {
        input: 'in 0',
        output: null,
        reference: null,
        scores: [],
        error: null,
        latency: null,
        metadata: { kind: 'authored' },
        trace_data: {},
        status: 'not_started',
        annotation: '',
        correction_history: [],
      },
    });
    expect(made.run.state).to.equal('not_started');
  });

  it('planned again: the base fields are the new ones, what came out stays until it is scheduled', async () => {
    const made = await owner();
    made.finish([finished(0)]);
    made.plan([plan(0, { dataset: 'b', input: 'new', labels: [] })]);
    const entry = made.run.entry(0);
    expect(entry).to.include({ dataset: 'b', regradable: true });
    expect(entry.result).to.include({ input: 'new', output: 'out 0', status: 'completed' });
    expect(made.run.rows).to.have.lengthOf(1);
    expect(made.run.rows[0]).to.include({ dataset: 'b', status: 'completed' });
  });

  it('scheduled: rows become pending; the others stay', async () => {
    const made = await (await temporaryStore()).createRun(newRun());
    made.plan([plan(0), plan(1), plan(2)]);
    made.schedule({ kind: 'run', rows: [2, 0] });
    expect(made.run.rows.map((row) => row.status)).to.deep.equal([
      'pending',
      'not_started',
      'pending',
    ]);
    expect(made.run.selectedTotal).to.equal(2);
    expect(made.run.state).to.equal('running');
  });

  it('finished: everything that came out is stored', async () => {
    const made = await owner();
    made.finish([finished(0, { metadata: { seen: 1 }, error: 'late', status: 'error' })]);
    expect(result(made)).to.deep.include({
      output: 'out 0',
      scores: [{ key: 'exact', passed: true, notes: 'fine' }],
      error: 'late',
      latency: 0.25,
      metadata: { seen: 1 },
      trace_data: { logs: [] },
      status: 'error',
    });
    expect(made.run.regradable(0)).to.equal(true);
    expect(made.run.entry(0).regradable).to.equal(true);
  });

  it('finished: a score a person set meanwhile stays, on one key it wins', async () => {
    const made = await owner();
    await made.run.edit(0, { scores: [human, { key: 'exact', passed: false }] });
    made.finish([finished(0)]);
    expect(result(made).scores).to.deep.equal([
      { key: 'exact', passed: false, source: 'human' },
      human,
    ]);
  });

  it('scheduled again: what came out is cleared, annotation and history stay, the attempt is kept', async () => {
    const made = await owner();
    made.finish([finished(0, { at: '2026-01-02T03:04:05.678Z', metadata: { seen: 1 } })]);
    await made.run.edit(0, { annotation: 'look', scores: [human] });
    made.schedule({ kind: 'rerun', rows: [0] });
    expect(result(made)).to.deep.include({
      output: null,
      scores: [],
      error: null,
      latency: null,
      trace_data: {},
      metadata: { kind: 'authored' },
      status: 'pending',
      annotation: 'look',
    });
    expect(made.run.entry(0)).to.not.have.property('regradable');
    expect(result(made).correction_history.map((one) => one.field)).to.deep.equal([
      'annotation',
      'scores',
    ]);
    expect(made.run.attempts(0)).to.deep.equal([
      {
        input: 'in 0',
        output: 'out 0',
        reference: null,
        scores: [human],
        error: null,
        latency: 0.25,
        metadata: { seen: 1 },
        trace_data: { logs: [] },
        status: 'completed',
        finished_at: '2026-01-02T03:04:05.678Z',
      },
    ]);
  });

  it('attempts: newest first, and only those that finished', async () => {
    const made = await owner();
    made.finish([finished(0, { output: 'first' })]);
    made.schedule({ kind: 'rerun', rows: [0] });
    made.cancel([0]);
    made.schedule({ kind: 'resume', rows: [0] });
    made.finish([finished(0, { output: 'second' })]);
    made.schedule({ kind: 'rerun', rows: [0] });
    expect(made.run.attempts(0).map((one) => one.output)).to.deep.equal(['second', 'first']);
  });

  it('scheduled: a rerun and a regrade move the start of the run, a resume does not', async () => {
    const made = await owner();
    const start = made.run.header.created_at_ms;
    made.schedule({ kind: 'resume', rows: 'all', at: '2031-01-01T00:00:00.000Z' });
    expect(made.run.header.created_at_ms).to.equal(start);
    made.schedule({ kind: 'rerun', rows: 'all', at: '2032-01-01T00:00:00.123Z' });
    expect(made.run.header.created_at_ms).to.equal(Date.UTC(2032, 0, 1, 0, 0, 0, 123));
    made.schedule({ kind: 'regrade', rows: [0], at: '2033-01-01T00:00:00.000Z' });
    expect(made.run.head().created_at).to.equal(Date.UTC(2033, 0, 1) / 1000);
  });

  it('regraded: machine scores are replaced, human ones stay, the history says what was replaced', async () => {
    const made = await owner();
    made.finish([finished(0)]);
    await made.run.edit(0, { scores: [...result(made).scores, human] });
    made.schedule({ kind: 'regrade', rows: [0] });
    expect(result(made)).to.include({ status: 'completed', output: 'out 0' });
    made.regrade([
      {
        index: 0,
        at: '2026-01-02T03:04:05.678Z',
        status: 'error',
        error: 'grader failed',
        scores: [{ key: 'other', value: 0.5 }],
      },
    ]);
    const after = result(made);
    expect(after).to.include({ status: 'error', error: 'grader failed', output: 'out 0' });
    expect(after.latency).to.equal(0.25);
    expect(after.scores).to.deep.equal([{ key: 'other', value: 0.5 }, human]);
    expect(after.correction_history[1]).to.deep.equal({
      field: 'scores',
      before: [{ key: 'exact', passed: true, notes: 'fine' }, human],
      after: [{ key: 'other', value: 0.5 }, human],
      timestamp: '2026-01-02T03:04:05.678Z',
    });
    expect(made.run.regradable(0)).to.equal(true);
  });

  it('regraded: the same scores leave no trace in the history, different notes do', async () => {
    const made = await owner();
    made.finish([finished(0)]);
    const same = { index: 0, status: 'completed', error: null } as const;
    made.regrade([{ ...same, scores: [{ notes: 'fine', key: 'exact', passed: true }] }]);
    expect(result(made).correction_history).to.deep.equal([]);
    made.regrade([{ ...same, scores: [{ key: 'exact', passed: true, notes: 'hm' }] }]);
    expect(result(made).correction_history).to.have.lengthOf(1);
  });

  it('regraded, then rerun: the history still says what the regrade replaced', async () => {
    const made = await owner();
    made.finish([finished(0)]);
    made.regrade([{ index: 0, status: 'completed', error: null, scores: [] }]);
    const before = result(made).correction_history;
    made.schedule({ kind: 'rerun', rows: [0] });
    made.finish([finished(0)]);
    expect(result(made).correction_history).to.deep.equal(before);
    expect(before[0]?.before).to.deep.equal([{ key: 'exact', passed: true, notes: 'fine' }]);
  });

  it('edited, then rerun: the history still says what the edit replaced', async () => {
    const made = await owner();
    made.finish([finished(0)]);
    await made.run.edit(0, { scores: [human] });
    const before = result(made).correction_history;
    made.schedule({ kind: 'rerun', rows: [0] });
    made.finish([finished(0)]);
    expect(result(made).correction_history).to.deep.equal(before);
    expect(before[0]?.before).to.deep.equal([{ key: 'exact', passed: true, notes: 'fine' }]);
  });

  it('cancelled: only pending rows', async () => {
    const made = await owner(3);
    made.finish([finished(1)]);
    made.cancel([0, 1]);
    expect(made.run.rows.map((row) => row.status)).to.deep.equal([
      'cancelled',
      'completed',
      'pending',
    ]);
    expect(result(made, 0).status).to.equal('cancelled');
  });

  it('renamed: the last name counts', async () => {
    const made = await owner();
    await made.run.rename('  calm-heron ');
    expect(made.run.head().run_name).to.equal('calm-heron');
  });

  it('closed: a run with pending rows is interrupted, without it is finished', async () => {
    const made = await owner(2);
    made.finish([finished(0)]);
    await made.close('stopped');
    expect(made.run.state).to.equal('interrupted');
    const other = await owner(2);
    other.finish([finished(0)]);
    other.cancel([1]);
    await other.close('stopped');
    expect(other.run.state).to.equal('finished');
  });

  it('running: shown in rows and results, never written down', async () => {
    const store = await temporaryStore();
    const made = await startedRun(store, 2);
    made.markRunning([0]);
    expect(made.run.rows.map((row) => row.status)).to.deep.equal(['running', 'pending']);
    expect(result(made).status).to.equal('running');
    await made.run.edit(0, { annotation: 'live' });
    expect(made.run.rows[0]?.status).to.equal('running');
    const elsewhere = await store.openRun(made.run.runId);
    expect(elsewhere.rows[0]?.status).to.equal('pending');
    made.finish([finished(0)]);
    made.markRunning([1]);
    made.unmark([0, 1]);
    expect(made.run.rows.map((row) => row.status)).to.deep.equal(['completed', 'pending']);
    await elsewhere.close();
  });

  it('a regrade that ends early leaves rows that were shown as running as they were', async () => {
    const made = await owner();
    made.finish([finished(0)]);
    made.schedule({ kind: 'regrade', rows: [0] });
    made.markRunning([0]);
    made.cancel([0]);
    expect(result(made)).to.include({ status: 'completed', output: 'out 0' });
    await made.close('stopped');
    expect(made.run.state).to.equal('finished');
  });

  it('paused: the state says so while the owner says so', async () => {
    const made = await owner();
    made.paused = true;
    expect(made.run.state).to.equal('paused');
    made.paused = false;
    expect(made.run.state).to.equal('running');
  });
});
