import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { OpenApiDocument } from '../../src/server/openapi.js';
import { schemaProblems } from '../helpers/openapi-schemas.js';
import { ServedProject } from '../helpers/served-project.js';

const openapi = new URL('../../docs/openapi.json', import.meta.url);
const document = JSON.parse(readFileSync(openapi, 'utf8')) as OpenApiDocument;

const scores = (...list: unknown[]) => ({ result: { scores: list } });
const report = (more: object) => ({
  visible_indices: [],
  visible_columns: [],
  stats: { total: 0, filtered: 0, avgLatency: 0, chips: [] },
  ...more,
});
const long = 'x'.repeat(100);
const wide = '😀'.repeat(200);

/** Operations with bodies that they take, and bodies that they refuse whatever there is. */
const operations: readonly {
  readonly method: string;
  readonly path: string;
  readonly good: readonly unknown[];
  readonly bad: readonly unknown[];
}[] = [
  {
    method: 'PATCH',
    path: '/api/runs/{run_id}/results/{index}',
    good: [
      scores({ key: 'a', passed: true }),
      scores({ key: 'a', value: 0 }),
      scores({ key: 'a', passed: null, value: 1, notes: null }),
      scores({ key: wide, passed: false, source: 'human' }),
      { result: { scores: null, annotation: null } },
      { result: {} },
    ],
    bad: [
      scores({ key: 'a' }),
      scores({ key: 'a', passed: null, value: null }),
      scores({ key: 'a', notes: 'x' }),
      scores({ key: '', passed: true }),
      scores({ key: `${wide}x`, passed: true }),
      scores({ key: 'a', passed: 'yes' }),
      scores({ passed: true }),
      { result: { annotation: 5 } },
      {},
    ],
  },
  {
    method: 'PUT',
    path: '/api/pending-run-name',
    good: ['a', '  a  ', ' \t a b \n', long, ` ${long}\n`, '日本/語', '\u200ba'].map(
      (run_name) => ({
        run_name,
      }),
    ),
    bad: [
      ...['', ' \n', '\u200b', '\u200b\t', 'a\nb', 'a\u0000', `${long}x`, 'a\u2028b', '\ud800'].map(
        (run_name) => ({ run_name }),
      ),
      { run_name: null },
      {},
    ],
  },
  {
    method: 'POST',
    path: '/api/runs/{run_id}/export/markdown',
    good: [
      report({}),
      report({ visible_columns: ['eval', 'function', 'output', 'code', 'pruned'] }),
      report({ run_name: null, session_name: null }),
    ],
    bad: [
      report({ visible_columns: ['outputs'] }),
      report({ visible_columns: ['Score:a'] }),
      report({ visible_columns: null }),
      report({ visible_indices: ['1'] }),
      report({ stats: { total: -1, filtered: 0, avgLatency: 0, chips: [] } }),
    ],
  },
  {
    method: 'PUT',
    path: '/api/config',
    good: [
      {},
      {
        concurrency: null,
        timeout: 0,
        trials: false,
        results_dir: '',
        completion_notifications: 0,
      },
      { concurrency: 1000, timeout: 86400, results_dir: 'a b' },
    ],
    bad: [
      { concurrency: 1001 },
      { timeout: 86401 },
      { trials: 1.5 },
      { results_dir: 'a\nb' },
      { completion_notifications: 'yes' },
    ],
  },
  {
    method: 'POST',
    path: '/api/runs/rerun',
    good: [
      { indices: [] },
      { indices: [], config_name: null, run_id: null, prune: null, isolate: null },
    ],
    bad: [
      { indices: [-1] },
      { indices: [0.5] },
      { config_name: 5 },
      { prune: 'yes' },
      { isolate: 'yes' },
      { run_config: 'v2' },
    ],
  },
];

describe('the published schemas of bodies', () => {
  let served: ServedProject;

  before(async () => {
    served = await ServedProject.start({
      'a.eval.mjs':
        "import { evaluation } from 'assay';\nexport const a = evaluation({}, (ctx) => ctx.score('a', 1));\n",
    });
    await served.runAll();
  });

  for (const { method, path, good, bad } of operations) {
    const name = `/paths/${path.replaceAll('/', '~1')}/${method.toLowerCase()}`;
    const pointer = `#${name}/requestBody/content/application~1json/schema`;
    const at = path.replace('{run_id}', 'latest').replace('{index}', '0');

    it(`say of ${method} ${path} what the server says`, async () => {
      for (const [bodies, isGood] of [
        [good, true],
        [bad, false],
      ] as const) {
        for (const body of bodies) {
          const text = JSON.stringify(body).slice(0, 200);
          const problems = schemaProblems(document, pointer, body);
          expect(problems.length === 0, `${text}: ${problems}`).to.equal(isGood);
          const { status } = await served.send(method, at, JSON.stringify(body));
          expect(status, text).to.equal(isGood ? 200 : 400);
        }
      }
    });
  }
});
