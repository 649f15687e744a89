import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { closeServers, ServedProject } from '../../helpers/served-project.js';
import { EventClient } from './events-client.js';

const evals = `
import { evaluation } from 'assay';
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
export const quick = evaluation({ cases: [{ input: 1 }, { input: 2 }] }, async (ctx) => {
  ctx.output = ctx.input;
});
export const slow = evaluation({}, async (ctx) => {
  await wait(700);
  ctx.output = 'done';
});
`;

describe('GET /api/events', () => {
  const clients: EventClient[] = [];
  let served: ServedProject;
  beforeEach(async () => {
    served = await ServedProject.start({ 'a.eval.ts': evals });
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) client.leave();
    await closeServers();
  });

  async function connect(): Promise<EventClient> {
    const client = await EventClient.connect(served.url);
    clients.push(client);
    return client;
  }

  it('answers with a stream that says hello and when to come again, and nothing of the past', async () => {
    await served.runAll();
    const client = await connect();
    expect(client.response.status).to.equal(200);
    expect(client.response.headers.get('content-type')).to.equal('text/event-stream');
    expect(client.response.headers.get('cache-control')).to.contain('no-store');
    await setTimeout(800);
    expect(client.comments).to.deep.equal(['hello']);
    expect(client.retry).to.equal(1000);
    expect(client.events).to.deep.equal([]);
  });

  it('tells of a run from its start to its end', async () => {
    const client = await connect();
    const { run_id } = (await served.post('/api/runs/rerun', {})).body;
    const running = await client.next('run', (data) => data.state === 'running');
    expect(running.data).to.include({ run_id, active: true, selected_total: 3 });
    await client.next('sessions');
    const completed = (index: number) =>
      client.next('results', (data) =>
        data.rows.some((row) => row.index === index && row.status === 'completed'),
      );
    expect((await completed(0)).data.run_id).to.equal(run_id);
    await completed(2);
    const end = await client.next('run', (data) => data.state === 'finished');
    expect(end.data).to.include({ total_passed: 3, unfinished: 0 });
    const seen = client.events.length;
    await setTimeout(1200);
    const late = client.events.slice(seen).filter((event) => event.type !== 'sessions');
    expect(late).to.deep.equal([]);
  });

  it('tells of an edit within 100 ms', async () => {
    await served.runAll();
    const client = await connect();
    const took: number[] = [];
    for (const annotation of ['one', 'two', 'three']) {
      await setTimeout(300);
      await served.patch('/api/runs/latest/results/1', { result: { annotation } });
      const answered = performance.now();
      const { at, data } = await client.next(
        'results',
        ({ rows }) => rows[0]?.annotation === annotation,
      );
      expect(data.rows.map((row) => row.index)).to.deep.equal([1]);
      took.push(at - answered);
    }
    expect(Math.min(...took)).to.be.lessThan(100);
  });

  it('tells of names, settings, the active run and deleted runs', async () => {
    const { run_id } = await served.runAll();
    const client = await connect();
    await served.patch(`/api/runs/${run_id}`, { run_name: 'renamed' });
    await client.next('run', (data) => data.run_name === 'renamed');
    await client.next('sessions');
    await served.put('/api/config', { concurrency: 3 });
    await client.next('settings');
    const { body } = await served.post('/api/runs/new', { indices: [0] });
    await client.next('run', (data) => data.run_id === body.run_id && data.active);
    await client.next('run', (data) => data.run_id === run_id && !data.active);
    await client.next('run', (data) => data.run_id === body.run_id && data.state === 'finished');
    await setTimeout(1200);
    const seen = client.events.length;
    await served.delete(`/api/runs/${body.run_id}`);
    await client.next('sessions', () => true, seen);
    await client.next('run', (data) => data.active && data.state === 'not_started', seen);
  });

  it('tells of a run that another process executes, within a second', async () => {
    const client = await connect();
    const other = served.project.start(['run', '--run-name', 'elsewhere']);
    await client.next('sessions');
    const { run_id } = (await served.get('/api/sessions/default/runs')).body.runs[0];
    expect((await served.get(`/api/runs/${run_id}/data`)).body.run_name).to.equal('elsewhere');
    const end = await client.next(
      'run',
      (data) => data.run_id === run_id && data.state === 'finished',
    );
    expect(end.data).to.include({ total_passed: 3, active: false });
    expect((await other.ended).code).to.equal(0);
    const { runs } = (await served.get('/api/sessions/default/runs')).body;
    expect(runs[0]).to.include({ run_id, state: 'finished', total_passed: 3 });
  });

  it('ends when the server does', async () => {
    const client = await connect();
    await served.close();
    await client.ended;
  });
});
