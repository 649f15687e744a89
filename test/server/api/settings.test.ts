import { expect } from 'chai';
import { ServedProject } from '../../helpers/served-project.js';
import { sampleFiles } from './sample-files.js';

describe('the settings file over HTTP', () => {
  let served: ServedProject;

  before(async () => {
    served = await ServedProject.start(sampleFiles);
  });
  beforeEach(() => served.project.write('assay.yaml', sampleFiles['assay.yaml'] ?? ''));

  it('is named, with whether it is there, and whether runs are isolated', async () => {
    const file = async () => (await served.get('/api/config/file')).body;
    const { project } = await file();
    expect(project).to.match(/^[0-9a-f]{16}$/);
    const folder = served.project.path('.').replace(/\/$/, '');
    const there = {
      file: 'assay.yaml',
      file_exists: true,
      project,
      redis: null,
      folder,
      editor: null,
    };
    expect(await file()).to.deep.equal({ ...there, isolate: false });
    served.project.write('assay.yaml', 'isolate: true\neditor: zed\n');
    expect(await file()).to.deep.equal({ ...there, isolate: true, editor: 'zed' });
    served.project.remove('assay.yaml');
    expect(await file()).to.deep.equal({ ...there, file_exists: false, isolate: false });
  });

  it('is left alone when it does not parse, and named with line and column', async () => {
    const text = 'concurrency: 4\ntrials: [1\n';
    served.project.write('assay.yaml', text);
    for (const answer of [
      await served.get('/api/config'),
      await served.put('/api/config', { concurrency: 1, trials: 2 }),
      await served.get('/api/configs'),
      await served.post('/api/configs/select', { name: 'fast' }),
      await served.post('/api/server/restart'),
    ]) {
      expect(answer.status).to.equal(400);
      expect(answer.body.detail).to.match(/assay\.yaml:\d+:\d+: /);
    }
    expect(served.read('assay.yaml')).to.equal(text);
  });
});
