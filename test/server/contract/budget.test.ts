import { expect } from 'chai';
import { type FakeProvider, startFakeProvider } from '../../helpers/fake-provider.js';
import { ServedProject } from '../../helpers/served-project.js';

// Each call has 120 tokens in and 30 out, and so costs $0.15.
const settings = 'prices:\n  cheap: { input: 1000, output: 1000 }\nconcurrency: 1\n';

describe('max_cost over HTTP', () => {
  let provider: FakeProvider;
  let served: ServedProject;

  before(async () => {
    provider = await startFakeProvider();
    served = await ServedProject.start(
      {
        'assay.yaml': settings,
        'a.eval.ts': `
        import { evaluation } from 'assay';
        export const many = evaluation({
          cases: Array.from({ length: 5 }, (_, at) => ({ id: String(at) })),
          target: async () => {
            const body = JSON.stringify({ model: 'cheap', messages: [{ role: 'user', content: 'hi' }] });
            const url = ${JSON.stringify(provider.url)} + '/v1/chat/completions';
            return (await fetch(url, { method: 'POST', body })).json();
          },
        });`,
      },
      { hosts: true },
    );
  });

  const statuses = async () => {
    const { results } = await served.active();
    return results.map(({ result }: { result: { status: string } }) => result.status);
  };
  const done = (count: number) => [
    ...Array<string>(count).fill('completed'),
    ...Array<string>(5 - count).fill('cancelled'),
  ];

  it('ends a run that has spent it, and a resume with a higher one goes on', async () => {
    const rerun = (body: object) => served.post('/api/runs/rerun?wait=true', body);
    expect((await rerun({ max_cost: 0.25 })).status).to.equal(200);
    expect(await served.active()).to.include({ state: 'finished', outcome: 'budget' });
    expect(await statuses()).to.deep.equal(done(2));

    for (const [body, text] of [
      [undefined, 'above $0.30'],
      [{}, 'above $0.30'],
      [{ max_cost: null }, 'above $0.30'],
      [{ max_cost: 0.3 }, 'above $0.30'],
      [{ max_cost: 0 }, 'max_cost'],
      [{ max_cost: '1' }, 'max_cost'],
    ] as const) {
      const refused = await served.post('/api/runs/resume', body);
      expect(refused.status, JSON.stringify(body)).to.equal(400);
      expect(refused.text).to.include(text);
    }
    expect(await statuses()).to.deep.equal(done(2));

    const resumed = await served.post('/api/runs/resume', { max_cost: 0.5 });
    expect(resumed.body).to.include({ ok: true, resumed: true });
    await served.until(({ state, outcome }) => state === 'finished' && outcome === 'budget');
    expect(await statuses()).to.deep.equal(done(4));

    await served.post('/api/runs/resume', { max_cost: 5 });
    const whole = await served.until(
      ({ total_errors, state, results }) =>
        state === 'finished' && total_errors === 0 && results[4].result.status === 'completed',
    );
    expect(whole).to.not.have.property('outcome');
    const nothing = await served.post('/api/runs/resume', {});
    expect(nothing.body).to.include({ resumed: false });
  });

  it('may be in the settings, also for a resume; one of the request takes precedence', async () => {
    served.project.write('assay.yaml', `${settings}max_cost: 0.4\n`);
    await served.post('/api/runs/new?wait=true', { max_cost: 0.1 });
    expect(await statuses()).to.deep.equal(done(1));
    expect((await served.post('/api/runs/resume')).body).to.include({ resumed: true });
    await served.until(
      ({ state, results }) => state === 'finished' && results[2].result.status === 'completed',
    );
    expect(await statuses()).to.deep.equal(done(3));
  });

  it('of a run in progress is known, and stays what it is', async () => {
    served.project.write('assay.yaml', settings);
    await served.post('/api/runs/rerun', { max_cost: 4 });
    await served.post('/api/runs/pause');
    const { run_id } = await served.active();
    for (const path of ['/results', `/api/runs/${run_id}`, `/api/runs/${run_id}/data`]) {
      const { body } = await served.get(path);
      expect(body, path).to.include({ state: 'paused', max_cost: 4 }).and.not.have.key('outcome');
    }
    const refused = await served.post('/api/runs/resume', { max_cost: 3 });
    expect(refused.status, refused.text).to.equal(400);
    expect(refused.text).to.include('in progress');
    await served.post('/api/runs/resume', {});
    expect(await served.until(({ state }) => state === 'finished')).to.have.property('max_cost', 4);
    await served.post('/api/runs/rerun?wait=true', {});
    expect(await served.active()).not.to.have.property('max_cost');
  });
});
