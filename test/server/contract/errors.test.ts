import { expect } from 'chai';
import { type Answered, ServedProject } from '../../helpers/served-project.js';
import { mixedEvals } from './evals.js';

/** Every operation that takes a body, with one that would do something. */
const withBody: readonly (readonly [string, string, unknown])[] = [
  ['PATCH', '/api/runs/latest/results/0', { result: { annotation: 'changed' } }],
  ['POST', '/api/runs/rerun', {}],
  ['POST', '/api/runs/regrade', {}],
  ['POST', '/api/runs/new', {}],
  ['PUT', '/api/pending-run-name', { run_name: 'changed' }],
  ['PATCH', '/api/runs/{run_id}', { run_name: 'changed' }],
  ['PUT', '/api/config', { concurrency: 2 }],
  ['POST', '/api/configs/select', { name: 'default' }],
  [
    'POST',
    '/api/runs/latest/export/markdown',
    {
      visible_indices: [],
      visible_columns: [],
      stats: { total: 0, filtered: 0, avgLatency: 0, chips: [] },
    },
  ],
];

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

  for (const [method, path, body] of withBody) {
    describe(`of ${method} ${path}`, () => {
      const raw = (sent: string) => served.send(method, at(path), sent);

      for (const [what, sent] of [
        ['what is no JSON', '{"a": '],
        ['JSON with something after it', '{} {}'],
        ['a list', '[]'],
        ['text', '"text"'],
        ['a number', '1'],
        ['null', 'null'],
        ['__proto__', `{"__proto__": {"a": 1}, ${JSON.stringify(body).slice(1, -1) || '"b": 1'}}`],
        ['constructor deep inside', '{"a": [{"constructor": {"prototype": 1}}]}'],
        ['prototype', '{"prototype": {}}'],
        ['what is nested deeper than 64', `{"a":${'['.repeat(70)}${']'.repeat(70)}}`],
      ] as const) {
        it(`400 for ${what}`, async () => {
          expectProblem(await raw(sent), 400);
        });
      }

      it('415 for another media type than JSON', async () => {
        for (const type of [
          'text/plain',
          'application/x-www-form-urlencoded',
          'multipart/form-data',
        ]) {
          const headers = { 'content-type': type };
          const answer = await served.send(method, at(path), JSON.stringify(body), headers);
          expectProblem(answer, 415);
        }
      });

      it('403 for a foreign origin', async () => {
        const headers = { origin: 'http://evil.example' };
        expectProblem(await served.send(method, at(path), JSON.stringify(body), headers), 403);
      });

      it('413 for more than 1 MiB, or 8 MiB for a report', async () => {
        const limit = path.endsWith('markdown') ? 8 * 1024 * 1024 : 1024 * 1024;
        expectProblem(await raw(`{"a": "${'x'.repeat(limit)}"}`), 413);
      });
    });
  }

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

  for (const [method, path, pointer] of [
    ['PATCH', '/api/runs/latest/results/0', '/result'],
    ['PATCH', '/api/runs/{run_id}', '/run_name'],
    ['PUT', '/api/pending-run-name', '/run_name'],
    ['POST', '/api/configs/select', '/name'],
    ['POST', '/api/runs/latest/export/markdown', '/visible_indices'],
  ] as const) {
    it(`take an empty body of ${method} ${path} for {}`, async () => {
      for (const body of [undefined, '', '{}']) {
        const answer = await served.send(method, at(path), body);
        expectProblem(answer, 400);
        expect(answer.body.errors[0].pointer).to.equal(pointer);
      }
    });
  }

  for (const path of [
    '/api/runs/stop',
    '/api/runs/resume',
    '/api/server/restart',
    '/api/runs/{run_id}/activate',
  ]) {
    it(`refuse malformed JSON, prototype keys and large bodies at ${path}, which takes no body`, async () => {
      expectProblem(await served.post(at(path), '{"a"'), 400);
      expectProblem(await served.post(at(path), '{"__proto__": {}}'), 400);
      expectProblem(await served.post(at(path), `{"a": "${'x'.repeat(1024 * 1024)}"}`), 413);
    });
  }

  it('name with a pointer each value of a body that is wrong', async () => {
    const answer = await served.post('/api/runs/rerun', { indices: [0, 'x', -1], config_name: 5 });
    expectProblem(answer, 400);
    const pointers = answer.body.errors.map(({ pointer }: { pointer: string }) => pointer);
    expect(pointers).to.have.members(['/indices/1', '/indices/2', '/config_name']);
    for (const error of answer.body.errors) {
      expect(error).to.have.all.keys('pointer', 'detail');
      expect(error.detail).to.be.a('string').and.not.empty;
    }
  });

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

  for (const path of ['/api', '/api/', '/api/nothing', '/api/runs', '/api/runs/latest/nothing']) {
    it(`404 for every method of ${path}`, async () => {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
        expectProblem(await served.send(method, path), 404);
      }
    });
  }

  it('414 for a URL that is too long', async () => {
    expectProblem(await served.get(`/api/sessions/${'x'.repeat(9000)}/runs`), 414);
  });

  it('400 for a path that is not percent-encoded UTF-8, or has a NUL', async () => {
    expectProblem(await served.get('/api/sessions/%ff/runs'), 400);
    expectProblem(await served.get('/api/sessions/%zz/runs'), 400);
    expectProblem(await served.get('/api/sessions/a%00b/runs'), 400);
  });
});
