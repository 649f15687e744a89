import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { ServedProject } from '../../helpers/served-project.js';
import { slowEvals } from './evals.js';

describe('the contract: beyond', () => {
  let served: ServedProject;

  before(async () => {
    served = await ServedProject.start({ 'slow.eval.mjs': slowEvals });
  });

  it('GET /api/health answers ok and the version', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    const { status, body } = await served.get('/api/health');
    expect(status).to.equal(200);
    expect(body).to.deep.equal({ ok: true, version });
  });

  it('what has no version is no-store', async () => {
    for (const path of ['/api/sessions', '/api/config', '/api/configs', '/api/health']) {
      const { headers } = await served.get(path);
      expect(headers.get('cache-control')).to.equal('no-store');
      expect(headers.get('etag')).to.equal(null);
    }
  });
});
