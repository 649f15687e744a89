import { expect } from 'chai';
import { ServedProject } from '../../helpers/served-project.js';
import { sampleFiles } from './sample-files.js';

const settings = `# ours
concurrency: 4 # four
views:
  # by hand
  slow:
    query: latency=2.. # two seconds
  empty:
`;
const slow = { name: 'slow', query: 'latency=2..' };
const empty = { name: 'empty', query: '' };

describe('saved views over HTTP', () => {
  let served: ServedProject;
  const views = async () => (await served.get('/api/views')).body.views;

  before(async () => {
    served = await ServedProject.start(sampleFiles);
  });
  beforeEach(() => served.project.write('assay.yaml', settings));

  it('are those of the settings file, as it is now', async () => {
    expect(await views()).to.deep.equal([slow, empty]);
    served.project.remove('assay.yaml');
    expect(await views()).to.deep.equal([]);
  });

  it('are saved under any name, and replaced; the rest of the file stays', async () => {
    const tone = { query: 'dataset=tone&status=failed', columns: ['output', 'score:exact.match'] };
    const name = "Ton: 100 % / 'a.b'?";
    const address = `/api/views/${encodeURIComponent(name)}`;
    const { body } = await served.put(address, tone);
    expect(body).to.deep.equal({ ok: true, view: { name, ...tone } });
    await served.put('/api/views/slow', { query: 'latency=9..' });
    expect(await views()).to.deep.equal([
      { ...slow, query: 'latency=9..' },
      empty,
      { name, ...tone },
    ]);
    const text = served.read('assay.yaml');
    for (const kept of ['# ours', 'concurrency: 4 # four', '  # by hand'])
      expect(text).to.contain(kept);
    expect((await served.delete(address)).status).to.equal(200);
    expect(await views()).to.have.length(2);
  });

  it('are renamed, but not to the name of another one', async () => {
    const rename = (from: string, name: string) => served.patch(`/api/views/${from}`, { name });
    expect((await rename('slow', 'empty')).status).to.equal(409);
    expect((await rename('slow', 'slow')).status).to.equal(200);
    expect((await rename('slow', 'late')).body.view).to.deep.equal({ ...slow, name: 'late' });
    expect(await views()).to.deep.equal([{ ...slow, name: 'late' }, empty]);
    expect(served.read('assay.yaml')).to.equal(settings.replace('slow:', 'late:'));
  });

  it('keep the comments in a view that is saved again', async () => {
    await served.put('/api/views/slow', { query: 'latency=3..', columns: ['output'] });
    expect(served.read('assay.yaml')).to.contain(
      '  # by hand\n  slow:\n    query: latency=3.. # two seconds\n    columns:',
    );
    await served.put('/api/views/slow', { query: 'latency=2..' });
    expect(served.read('assay.yaml')).to.equal(settings);
  });

  it('are all kept when many are saved, renamed and deleted at the same time', async () => {
    const names = Array.from({ length: 8 }, (_, n) => `view ${n}`);
    const address = (name: string) => `/api/views/${encodeURIComponent(name)}`;
    const saved = await Promise.all([
      ...names.map((name) => served.put(address(name), { query: `q=${name}`, replaces: null })),
      served.patch('/api/views/slow', { name: 'late' }),
      served.delete('/api/views/empty'),
    ]);
    expect(saved.map(({ status }) => status)).to.deep.equal(saved.map(() => 200));
    expect(await views()).to.have.deep.members([
      { ...slow, name: 'late' },
      ...names.map((name) => ({ name, query: `q=${name}` })),
    ]);
    const renamed = await Promise.all(
      names.map((name) => served.patch(address(name), { name: 'one' })),
    );
    expect(renamed.map(({ status }) => status).sort()).to.deep.equal([200, ...Array(7).fill(409)]);
    expect(await views()).to.have.length(9);
  });

  it('of one name are not replaced by somebody who knows another one', async () => {
    const save = (name: string, replaces: object | null, query = 'q=mine') =>
      served.put(`/api/views/${name}`, { query, replaces });
    const both = await Promise.all([save('new', null, 'q=a'), save('new', null, 'q=b')]);
    const refused = both.find(({ status }) => status === 409);
    expect(both.map(({ status }) => status).sort()).to.deep.equal([200, 409]);
    expect(refused?.body.detail).to.equal(
      'The view new was saved elsewhere meanwhile. Nothing is saved: save again to replace it, or choose another name.',
    );
    const winner = both[0]?.status === 200 ? 'q=a' : 'q=b';
    expect((await views()).at(-1)).to.deep.equal({ name: 'new', query: winner });
    for (const [name, replaces, what] of [
      ['slow', { query: 'latency=1..' }, 'changed'],
      ['slow', { query: 'latency=2..', columns: ['output'] }, 'changed'],
      ['empty', null, 'saved'],
      ['gone', { query: '' }, 'deleted'],
    ] as const) {
      const { status, body } = await save(name, replaces);
      expect([status, body.detail.includes(`was ${what} elsewhere`)]).to.deep.equal([409, true]);
    }
    expect((await save('slow', { query: 'latency=2..' })).status).to.equal(200);
    expect((await save('empty', { query: '' })).status).to.equal(200);
  });

  it('are deleted, also the last one', async () => {
    for (const name of ['slow', 'empty']) {
      expect((await served.delete(`/api/views/${name}`)).body).to.deep.equal({ ok: true });
    }
    expect(await views()).to.deep.equal([]);
    expect(served.read('assay.yaml')).to.contain('concurrency: 4 # four');
  });

  it('that are unknown or invalid are refused, and the file stays as it is', async () => {
    for (const answer of [
      await served.patch('/api/views/none', { name: 'other' }),
      await served.delete('/api/views/none'),
    ]) {
      expect(answer.status).to.equal(404);
      expect(answer.body.detail).to.equal('There is no view none.');
    }
    for (const answer of [
      await served.put('/api/views/a%22b', { query: '' }),
      await served.put('/api/views/%20', { query: '' }),
      await served.put('/api/views/a', { query: 5 }),
      await served.put('/api/views/a', { query: 'x'.repeat(8001) }),
      await served.put('/api/views/a', { query: '', columns: [1] }),
      await served.patch('/api/views/slow', { name: '..' }),
    ]) {
      expect(answer.status).to.equal(400);
    }
    expect(served.read('assay.yaml')).to.equal(settings);
    served.project.write('assay.yaml', 'views: [1]\n');
    const broken = await served.put('/api/views/a', { query: '' });
    expect(broken.status).to.equal(400);
    expect(broken.body.detail).to.contain('views must be a list of views by name');
    expect(served.read('assay.yaml')).to.equal('views: [1]\n');
  });
});
