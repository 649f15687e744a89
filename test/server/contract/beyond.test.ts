import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect } from 'chai';
import { ServedProject } from '../../helpers/served-project.js';
import { slowEvals } from './evals.js';

type Run = Awaited<ReturnType<ServedProject['active']>>;

const operations = [
  'get /results',
  'get /api/runs/{run_id}/data',
  'get /api/runs/{run_id}/results/{index}',
  'patch /api/runs/{run_id}/results/{index}',
  'post /api/runs/rerun',
  'post /api/runs/regrade',
  'post /api/runs/new',
  'post /api/runs/pause',
  'post /api/runs/resume',
  'post /api/runs/stop',
  'put /api/pending-run-name',
  'post /api/server/restart',
  'get /api/sessions',
  'get /api/sessions/{session_name}/runs',
  'delete /api/sessions/{name}',
  'patch /api/runs/{run_id}',
  'delete /api/runs/{run_id}',
  'post /api/runs/{run_id}/activate',
  'get /api/runs/{run_id}/export/json',
  'get /api/runs/{run_id}/export/csv',
  'post /api/runs/{run_id}/export/markdown',
  'get /api/config',
  'put /api/config',
  'get /api/configs',
  'post /api/configs/select',
  'get /api/events',
  'get /api/runs/{run_id}/rows',
  'get /api/runs/{run_id}/rows/indices',
  'get /api/openapi.json',
  'get /api/health',
];

const filler = `
import { evaluation } from 'assay';
export const long = evaluation({ input: 'long '.repeat(1000), target: () => 'x' });
`;

describe('the contract: beyond', () => {
  let served: ServedProject;

  before(async () => {
    served = await ServedProject.start({ 'slow.eval.mjs': slowEvals, 'z.eval.mjs': filler });
  });

  it('GET /api/health answers ok and the version', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    const { status, body } = await served.get('/api/health');
    expect(status).to.equal(200);
    expect(body).to.deep.equal({ ok: true, version });
  });

  it('GET /api/openapi.json is a valid OpenAPI 3.1 document', async () => {
    const { body } = await served.get('/api/openapi.json');
    expect(body.openapi).to.match(/^3\.1\./);
    const { valid, errors } = await new Validator().validate(structuredClone(body));
    expect(valid, JSON.stringify(errors)).to.equal(true);
  });

  it('GET /api/openapi.json describes every operation', async () => {
    const { body } = await served.get('/api/openapi.json');
    const described = Object.entries<object>(body.paths).flatMap(([path, item]) =>
      Object.keys(item)
        .filter((key) => ['get', 'post', 'put', 'patch', 'delete'].includes(key))
        .map((method) => `${method} ${path}`),
    );
    expect(described).to.include.members(operations);
  });

  it('what has no version is no-store', async () => {
    for (const path of ['/api/sessions', '/api/config', '/api/configs', '/api/health']) {
      const { headers } = await served.get(path);
      expect(headers.get('cache-control')).to.equal('no-store');
      expect(headers.get('etag')).to.equal(null);
    }
  });

  it('HEAD answers as GET does, without a body', async () => {
    for (const path of ['/results', '/api/sessions', '/api/runs/latest/export/csv', '/']) {
      const [got, head] = await Promise.all(
        ['GET', 'HEAD'].map((method) => fetch(`${served.url}${path}`, { method })),
      );
      expect(head?.status, path).to.equal(200);
      expect(head?.headers.get('content-type')).to.equal(got?.headers.get('content-type'));
      expect(await head?.text()).to.equal('');
    }
  });

  it('GET /api/runs/{run_id}/rows answers with a page of light rows and a summary', async () => {
    const rowsPath = `/api/runs/${await served.activeId()}/rows`;
    const path = `${rowsPath}?limit=2&offset=1&search=LONG&status=not_started`;
    const { status, body } = await served.get(`${rowsPath}?limit=2&offset=1`);
    expect(status).to.equal(200);
    expect(body).to.include.all.keys('total', 'filtered', 'rows', 'summary');
    expect(body).to.include({ total: 4, filtered: 4 });
    expect(body.rows.map(({ index }: Run) => index)).to.deep.equal([1, 2]);
    expect((await served.get(path)).body).to.include({ total: 4, filtered: 1 });
    const { indices } = (await served.get(`${rowsPath}/indices?search=long`)).body;
    expect(indices).to.deep.equal([3]);
    for (const wrong of ['limit=501', 'limit=x', 'offset=-1', 'sort=colour', 'order=up', 'has=x']) {
      expect((await served.get(`${rowsPath}?${wrong}`)).status, wrong).to.equal(400);
    }
    expect((await served.get('/api/runs/000000000000/rows')).status).to.equal(404);
  });
});
