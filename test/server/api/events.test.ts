import { expect } from 'chai';
import { closeServers, ServedProject } from '../../helpers/served-project.js';
import { EventClient } from './events-client.js';

const evals = `
import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { evaluation } from 'assay';
export const quick = evaluation({ cases: [{ input: 1 }, { input: 2 }] }, async (ctx) => {
  ctx.output = ctx.input;
});
export const slow = evaluation({}, async (ctx) => {
  while (!existsSync(new URL('go', import.meta.url))) await delay(5);
  ctx.output = 'done';
});
`;

describe('GET /api/events', () => {
  const clients: EventClient[] = [];
  let served: ServedProject;
  beforeEach(async () => {
    served = await ServedProject.start({ 'a.eval.ts': evals, go: '' });
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
    await served.put('/api/config', { concurrency: 3 });
    await client.next('settings');
    expect(client.comments).to.deep.equal(['hello']);
    expect(client.retry).to.equal(1000);
    expect(client.events.map(({ type }) => type)).to.deep.equal(['settings']);
  });

  it('tells of a run from its start to its end', async () => {
    served.project.remove('go');
    const client = await connect();
    const { run_id } = (await served.post('/api/runs/rerun', {})).body;
    const running = await client.next('run', (data) => data.state === 'running');
    expect(running.data).to.include({ run_id, active: true, selected_total: 3 });
    await client.next('sessions');
    const changed = (index: number) =>
      client.next('results', (data) => data.indices.includes(index));
    expect((await changed(0)).data.run_id).to.equal(run_id);
    served.project.write('go', '');
    await changed(2);
    const end = await client.next('run', (data) => data.state === 'finished');
    expect(end.data).to.include({ total_passed: 3, unfinished: 0 });
    const seen = client.events.length;
    await served.put('/api/config', { concurrency: 3 });
    await client.next('settings');
    const late = client.events.slice(seen).map(({ type }) => type);
    expect(late.filter((type) => type !== 'sessions')).to.deep.equal(['settings']);
  });

  it('tells of an edit which result it is', async () => {
    await served.runAll();
    const client = await connect();
    await served.patch('/api/runs/latest/results/1', { result: { annotation: 'odd' } });
    const { data } = await client.next('results');
    expect(data.indices).to.deep.equal([1]);
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
    const seen = client.events.length;
    await served.delete(`/api/runs/${body.run_id}`);
    await client.next('sessions', () => true, seen);
    await client.next('run', (data) => data.active && data.state === 'not_started', seen);
  });

  it('tells of a run that another process executes', async () => {
    served.project.remove('go');
    const client = await connect();
    const other = served.project.assay(['run', '--run-name', 'elsewhere']);
    await client.next('sessions');
    const { run_id } = (await served.get('/api/sessions/default/runs')).body.runs[0];
    expect((await served.get(`/api/runs/${run_id}/data`)).body.run_name).to.equal('elsewhere');
    served.project.write('go', '');
    const end = await client.next(
      'run',
      (data) => data.run_id === run_id && data.state === 'finished',
    );
    expect(end.data).to.include({ total_passed: 3, active: false });
    expect((await other).code).to.equal(0);
    const { runs } = (await served.get('/api/sessions/default/runs')).body;
    expect(runs[0]).to.include({ run_id, state: 'finished', total_passed: 3 });
  });

  it('ends when the server does', async () => {
    const client = await connect();
    await served.close();
    await client.ended;
  });
});
