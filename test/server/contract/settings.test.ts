import { expect } from 'chai';
import { ServedProject } from '../../helpers/served-project.js';
import { changingProject, slowEvals, statusesOf } from './evals.js';

const commented = `# our settings
concurrency: 4 # as many as the key allows
timeout: 12.5

team: red # no setting of assay
verbose: true
configs: # run configs
  fast: { concurrency: 2, params: { tool: hammer } }
scores: # what values have to reach
  Levenshtein: { threshold: 0.8 }
`;

describe('the contract: settings', () => {
  let served: ServedProject;

  before(async () => {
    served = await ServedProject.start(changingProject);
  });

  beforeEach(() => served.project.write('assay.yaml', commented));

  const config = async () => (await served.get('/api/config')).body;
  const put = (body: unknown) => served.put('/api/config', body);

  describe('GET /api/config', () => {
    it('answers with what the settings file sets', async () => {
      const { status, body } = await served.get('/api/config');
      expect(status).to.equal(200);
      expect(body).to.deep.equal({ concurrency: 4, timeout: 12.5, verbose: true });
    });

    it('shows no key beyond those, and saving leaves them in the file', async () => {
      served.project.write('assay.yaml', 'isolate: true\ntrials: 2\n');
      expect(await config()).to.deep.equal({ trials: 2 });
      const { body } = await put({ trials: 3 });
      expect(body).to.deep.equal({ ok: true, config: { trials: 3 } });
      expect(served.project.read('assay.yaml')).to.include('isolate: true');
    });

    it('omits what is unset, zero, null or false', async () => {
      served.project.write(
        'assay.yaml',
        'concurrency: 0\ntimeout: null\ntrials:\ncompletion_notifications: false\nverbose: false\n',
      );
      expect(await config()).to.deep.equal({});
    });

    it('has all six when all are set', async () => {
      const all = {
        concurrency: 1,
        timeout: 86400,
        trials: 1000,
        results_dir: 'out',
        completion_notifications: true,
        verbose: true,
      };
      served.project.write('assay.yaml', JSON.stringify(all));
      expect(await config()).to.deep.equal(all);
    });

    it('answers with nothing when there is no settings file', async () => {
      served.project.remove('assay.yaml');
      expect(await config()).to.deep.equal({});
    });
  });

  describe('PUT /api/config', () => {
    it('answers ok and the settings as they are from then on', async () => {
      const five = {
        concurrency: 3,
        timeout: 0.5,
        trials: 2,
        results_dir: '.assay/sessions',
        completion_notifications: true,
      };
      const { status, body } = await put(five);
      expect(status).to.equal(200);
      expect(body).to.deep.equal({ ok: true, config: { ...five, verbose: true } });
      expect(await config()).to.deep.equal(body.config);
    });

    it('replaces all five: a missing or null key returns to its default', async () => {
      const { body } = await put({ trials: 3, timeout: null });
      expect(body.config).to.deep.equal({ trials: 3, verbose: true });
      expect((await put({})).body.config).to.deep.equal({ verbose: true });
    });

    it('leaves verbose and all other keys of the body alone', async () => {
      await put({ concurrency: 4, timeout: 12.5, verbose: false, team: 'blue', configs: {} });
      expect(served.read('assay.yaml')).to.equal(commented);
    });

    it('answers 400 to a results_dir that cannot be made', async () => {
      const { status } = await put({ results_dir: 'words.txt/below' });
      expect(status).to.equal(400);
      expect(served.read('assay.yaml')).to.equal(commented);
    });
  });
});

describe('the contract: what settings do', () => {
  it('limits how many evaluations run at the same time, and for how long, in seconds', async () => {
    const files = { 'slow.eval.mjs': slowEvals, 'assay.yaml': 'concurrency: 1\n' };
    const served = await ServedProject.start(files);
    await served.put('/api/config', { concurrency: 2 });
    await served.post('/api/runs/rerun', {});
    await served.until((one) => statusesOf(one).join() === 'running,running,pending');
    await served.post('/api/runs/stop');
    await served.put('/api/config', { concurrency: 2, timeout: 0.2 });
    const run = await served.runAll();
    expect(statusesOf(run)).to.deep.equal(['error', 'error', 'error']);
    expect(run.results[0].result.error).to.include('timed out after 0.2 s');
    expect(run.total_errors).to.equal(3);
  });
});
