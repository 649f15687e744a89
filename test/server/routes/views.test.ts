import { expect } from 'chai';
import { removeProjects } from '../../helpers/project.js';
import { closeServers, ServedProject } from '../../helpers/served-project.js';
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
  after(async () => {
    await closeServers();
    removeProjects();
  });

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
    expect(await views()).to.deep.equal([empty, { ...slow, name: 'late' }]);
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
