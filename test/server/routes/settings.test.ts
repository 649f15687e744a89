import { expect } from 'chai';
import { ServedProject } from '../../helpers/served-project.js';
import { sampleFiles } from './sample-files.js';

const everything = {
  concurrency: 1,
  timeout: 0.5,
  trials: 2,
  results_dir: 'elsewhere',
  completion_notifications: true,
};

describe('settings over HTTP', () => {
  let served: ServedProject;

  before(async () => {
    served = await ServedProject.start(sampleFiles);
  });
  beforeEach(() => served.project.write('assay.yaml', sampleFiles['assay.yaml'] ?? ''));

  it('shows what the file sets, as it is now', async () => {
    expect((await served.get('/api/config')).body).to.deep.equal({ concurrency: 4, verbose: true });
    served.project.write('assay.yaml', 'timeout: 9\ntrials: 0\nverbose: false\nresults_dir:\n');
    expect((await served.get('/api/config')).body).to.deep.equal({ timeout: 9 });
  });

  it('shows nothing where there is no file, and makes one when something is saved', async () => {
    served.project.remove('assay.yaml');
    expect((await served.get('/api/config')).body).to.deep.equal({});
    await served.put('/api/config', { trials: 3 });
    expect(served.read('assay.yaml')).to.equal('trials: 3\n');
  });

  it('says which file they are in, whether it is there, and whether runs are isolated', async () => {
    const file = async () => (await served.get('/api/config/file')).body;
    const { project } = await file();
    expect(project).to.match(/^[0-9a-f]{16}$/);
    const there = { file: 'assay.yaml', file_exists: true, project, redis: null };
    expect(await file()).to.deep.equal({ ...there, isolate: false });
    served.project.write('assay.yaml', 'isolate: true\n');
    expect(await file()).to.deep.equal({ ...there, isolate: true });
    served.project.remove('assay.yaml');
    expect(await file()).to.deep.equal({ ...there, file_exists: false, isolate: false });
  });

  it('saves all five and shows them', async () => {
    const { body } = await served.put('/api/config', everything);
    expect(body).to.deep.equal({ ok: true, config: { ...everything, verbose: true } });
    expect((await served.get('/api/config')).body).to.deep.equal(body.config);
  });

  it('keeps comments, other keys and those that are not among the five', async () => {
    await served.put('/api/config', { timeout: 60, verbose: false, other: 2 });
    expect(served.read('assay.yaml')).to.equal(
      '# mine\n# four\nother: 1\nverbose: true\nconfigs:\n  fast:\n    concurrency: 2\ntimeout: 60\n',
    );
  });

  for (const unset of [undefined, null, 0, false]) {
    it(`takes ${unset === undefined ? 'a missing value' : unset} for the default`, async () => {
      await served.put('/api/config', everything);
      const body = Object.fromEntries(Object.keys(everything).map((key) => [key, unset]));
      const { body: answer } = await served.put('/api/config', body);
      expect(answer.config).to.deep.equal({ verbose: true });
    });
  }

  const wrong: readonly (readonly [keyof typeof everything, readonly unknown[]])[] = [
    ['concurrency', [2.5, -1, 1001, '4', true, [], {}]],
    ['timeout', [-0.1, 86_401, '60', true]],
    ['trials', [1.5, 1001, -2, '3']],
    ['results_dir', [5, true, ['a'], 'a\0b', 'a.eval.ts/below']],
    ['completion_notifications', [1, 'yes', {}]],
  ];
  for (const [key, values] of wrong) {
    it(`refuses a ${key} of the wrong type or range and leaves the file`, async () => {
      const before = served.read('assay.yaml');
      for (const value of values) {
        const { status, body } = await served.put('/api/config', { ...everything, [key]: value });
        expect([value, status]).to.deep.equal([value, 400]);
        expect(JSON.stringify(body)).to.include(key);
      }
      expect(served.read('assay.yaml')).to.equal(before);
    });
  }

  it('names line and column of a file that does not parse, and leaves it', async () => {
    const text = 'concurrency: 4\ntrials: [1\n';
    served.project.write('assay.yaml', text);
    for (const answer of [
      await served.get('/api/config'),
      await served.put('/api/config', everything),
      await served.get('/api/configs'),
      await served.post('/api/configs/select', { name: 'fast' }),
      await served.post('/api/server/restart'),
    ]) {
      expect(answer.status).to.equal(400);
      expect(answer.body.detail).to.match(/assay\.yaml:\d+:\d+: /);
    }
    expect(served.read('assay.yaml')).to.equal(text);
  });

  it('lists run configs with default first, and the one that is chosen', async () => {
    expect((await served.get('/api/configs')).body).to.deep.equal({
      names: ['default', 'fast'],
      active: 'default',
    });
    const { body } = await served.post('/api/configs/select', { name: 'fast' });
    expect(body).to.deep.equal({ ok: true, active: 'fast' });
    expect((await served.get('/api/configs')).body.active).to.equal('fast');
  });

  it('refuses a run config that there is not', async () => {
    const { status, body } = await served.post('/api/configs/select', { name: 'fats' });
    expect(status).to.equal(400);
    expect(body.detail).to.include('fast');
    expect((await served.post('/api/configs/select', {})).status).to.equal(400);
  });
});
