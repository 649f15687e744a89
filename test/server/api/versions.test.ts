import { expect } from 'chai';
import { ServedProject } from '../../helpers/served-project.js';
import { sampleFiles } from './sample-files.js';

const one = '/api/runs/latest/results/0';
const reads = [
  '/results',
  '/api/runs/latest/data',
  one,
  '/api/runs/latest/export/json',
  '/api/runs/latest/export/csv',
];

describe('versions of run reads', () => {
  let served: ServedProject;

  before(async () => {
    served = await ServedProject.start(sampleFiles);
    await served.runAll();
  });

  for (const path of reads) {
    it(`${path} answers 304 until the run changes`, async () => {
      const tag = await tagOf(path);
      const again = await ask(path, tag);
      expect(again.headers.get('cache-control')).to.equal('private, no-cache');
      expect([again.status, again.text]).to.deep.equal([304, '']);
      await served.patch(one, { result: { annotation: path } });
      expect((await ask(path, tag)).status).to.equal(200);
      expect(await tagOf(path)).not.to.equal(tag);
    });
  }

  it('what changes no result changes the tag as well: a name', async () => {
    const before = await Promise.all(reads.map(tagOf));
    const { run_id } = await served.active();
    await served.patch(`/api/runs/${run_id}`, { run_name: 'another' });
    const after = await Promise.all(reads.map(tagOf));
    expect(after.filter((tag) => before.includes(tag))).to.deep.equal([]);
  });

  it('an edit that changes nothing keeps the tag', async () => {
    const before = await tagOf('/results');
    await served.patch(one, { result: {} });
    expect(await tagOf('/results')).to.equal(before);
  });

  it('a run has another tag while it is the active one', async () => {
    const { run_id } = await served.active();
    const data = `/api/runs/${run_id}/data`;
    const active = await tagOf(data);
    await served.post('/api/runs/new?wait=true', { indices: [0] });
    expect(await tagOf(data)).not.to.equal(active);
    await served.post(`/api/runs/${run_id}/activate`);
    expect(await tagOf(data)).to.equal(active);
  });

  it('a run that was run again with the same outcome has another tag', async () => {
    const before = await tagOf('/results');
    await served.post('/api/runs/rerun?wait=true', { indices: [] });
    expect(await tagOf('/results')).to.equal(before);
    await served.post('/api/runs/rerun?wait=true', { indices: [0] });
    expect(await tagOf('/results')).not.to.equal(before);
  });

  async function tagOf(path: string): Promise<string> {
    const { headers } = await served.get(path);
    return headers.get('etag') ?? '';
  }

  function ask(path: string, tag: string) {
    return served.send('GET', path, undefined, { 'If-None-Match': tag });
  }
});
