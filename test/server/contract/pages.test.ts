import { expect } from 'chai';
import { ServedProject } from '../../helpers/served-project.js';
import { mixedEvals } from './evals.js';

describe('the contract: pages', () => {
  let served: ServedProject;

  before(async () => {
    served = await ServedProject.start({ 'mixed.eval.mjs': mixedEvals });
  });

  it('GET / is a web page', async () => {
    const { status, headers, text } = await served.get('/');
    expect(status).to.equal(200);
    expect(headers.get('content-type')).to.match(/^text\/html/);
    expect(text).to.match(/^<!doctype html>/i);
  });

  it('pages of runs, for latest and for an id, and of sessions are the same web page', async () => {
    const { run_id } = await served.active();
    const { text } = await served.get('/');
    for (const path of [
      '/runs/latest/results/0',
      `/runs/${run_id}/results/3`,
      '/sessions/a%2Fb/trends',
    ]) {
      const page = await served.get(path);
      expect(page.status).to.equal(200);
      expect(page.headers.get('content-type')).to.match(/^text\/html/);
      expect(page.text).to.equal(text);
    }
  });

  it('are only read: everything else is 405 with Allow', async () => {
    for (const path of ['/', '/runs/latest/results/0']) {
      const { status, headers } = await served.post(path, {});
      expect(status).to.equal(405);
      expect(headers.get('allow')).to.equal('GET, HEAD');
    }
  });

  for (const path of ['/nothing', '/runs', '/runs/latest', '/results/0', '/index.php', '/api']) {
    it(`GET ${path} is 404`, async () => {
      expect((await served.get(path)).status).to.equal(404);
    });
  }
});
