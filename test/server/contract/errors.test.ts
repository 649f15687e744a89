import { expect } from 'chai';
import { type Answered, ServedProject } from '../../helpers/served-project.js';
import { mixedEvals } from './evals.js';

/** Every path of the API with the methods that it knows. */
const methods: readonly (readonly [string, string])[] = [
  ['/results', 'GET, HEAD'],
  ['/api/runs/latest/data', 'GET, HEAD'],
  ['/api/runs/latest/results/0', 'GET, HEAD, PATCH'],
  ['/api/runs/rerun', 'POST'],
  ['/api/runs/latest', 'DELETE, GET, HEAD, PATCH'],
  ['/api/runs/latest/activate', 'POST'],
  ['/api/pending-run-name', 'PUT'],
  ['/api/server/restart', 'POST'],
  ['/api/sessions', 'GET, HEAD'],
  ['/api/sessions/default', 'DELETE'],
  ['/api/sessions/default/runs', 'GET, HEAD'],
  ['/api/runs/latest/export/json', 'GET, HEAD'],
  ['/api/runs/latest/export/csv', 'GET, HEAD'],
  ['/api/runs/latest/export/markdown', 'POST'],
  ['/api/config', 'GET, HEAD, PUT'],
  ['/api/configs', 'GET, HEAD'],
  ['/api/configs/select', 'POST'],
  ['/api/openapi.json', 'GET, HEAD'],
  ['/api/health', 'GET, HEAD'],
];

describe('the contract: errors', () => {
  let served: ServedProject;
  let text: string;
  let id: string;

  before(async () => {
    served = await ServedProject.start({
      'mixed.eval.mjs': mixedEvals,
      'assay.yaml': 'trials: 1\n',
    });
    await served.runAll();
    ({ text } = await served.get('/results'));
    id = (await served.active()).run_id;
  });

  const at = (path: string) => path.replace('{run_id}', id);

  afterEach(async () => {
    expect((await served.get('/results')).text).to.equal(text);
    expect(served.read('assay.yaml')).to.equal('trials: 1\n');
  });

  const expectProblem = ({ headers, body, status }: Answered, expected: number) => {
    expect(status).to.equal(expected);
    expect(headers.get('content-type')).to.match(/^application\/problem\+json(;|$)/);
    expect(body).to.include({ status: expected });
    expect(body).to.include.all.keys('type', 'title', 'status', 'detail');
    for (const key of Object.keys(body)) {
      expect(['type', 'title', 'status', 'detail', 'errors']).to.include(key);
    }
    expect(body.detail).to.match(/^\S.*[.!?]$/s);
    expect(body.detail).to.not.match(/node:|\n +at |\/src\/|\/dist\//);
  };

  it('are problem documents with type, title, status and one sentence of detail', async () => {
    expectProblem(await served.get('/api/runs/000000000000/data'), 404);
    expectProblem(await served.get('/api/nothing'), 404);
    expectProblem(await served.post('/results', {}), 405);
    expectProblem(await served.post('/api/runs/pause'), 409);
    expectProblem(await served.post('/api/runs/rerun', '{'), 400);
  });

  for (const [path, key, near] of [
    ['/api/runs/rerun', 'config', 'config_name'],
    ['/api/runs/new', 'run_nam', 'run_name'],
    ['/api/runs/regrade', 'indexes', 'indices'],
    ['/api/runs/new', 'x'.repeat(1000), undefined],
  ] as const) {
    it(`name a key of ${path} that there is not, since what was meant would not be done: ${key.slice(0, 9)}`, async () => {
      const answer = await served.post(at(path), { [key]: 'x' });
      expectProblem(answer, 400);
      const [{ pointer, detail }] = answer.body.errors;
      expect(pointer).to.equal(`/${key.slice(0, 100)}`);
      expect(detail).to.equal(
        `There is no such key.${near === undefined ? '' : ` Did you mean ${near}?`}`,
      );
    });
  }

  for (const [path, allow] of methods) {
    it(`405 with Allow for other methods of ${path}`, async () => {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'GET']) {
        if (allow.split(', ').includes(method)) continue;
        const answer = await served.send(method, path);
        expectProblem(answer, 405);
        expect(answer.headers.get('allow')).to.equal(allow);
      }
    });
  }
});
