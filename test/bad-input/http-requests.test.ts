import { expect } from 'chai';
import { type RawAnswer, request, sendRaw } from '../server/http/raw-request.js';
import { endServedRun, expectProblem, expectSameFiles, servedRun } from './http-rows.js';

/** One wrong request as it goes over the wire, and the problem document it must get. */
interface WireRow {
  /** Method and target; `{run}` is the id of the active run. */
  readonly line: string;
  readonly headers?: readonly string[];
  readonly body?: string;
  readonly status: number;
  readonly detail: string | RegExp;
}

const nothingAt = (path: string, why = '') =>
  `There is nothing at ${path}${why === '' ? '.' : `: ${why}`}`;
const anIdAlone = 'run_id must be a run id of 12 hexadecimal digits.';
const notLatest =
  'run_id must be a run id here, not latest: that of the active run is run_id in GET /results.';
const anId = 'run_id must be a run id of 12 hexadecimal digits, or latest.';
const aPosition = 'index must be the position of a result, counted from 0.';

const ids: readonly WireRow[] = [
  ...[
    'a',
    '0123456789a',
    '0123456789abc',
    'AAAAAAAAAAAA',
    'LATEST',
    'latest%20',
    '*',
    '..',
    '%2e%2e',
    'a%2fb',
    'latest%2f..',
    '..%5c..',
    '__proto__',
    '%E2%80%AE',
    '%F0%9F%A7%AA',
  ].map((id) => ({
    line: `GET /api/runs/${id}/data`,
    status: 404,
    detail: nothingAt(`/api/runs/${id}/data`, anId),
  })),
  { line: 'GET /api/runs/ffffffffffff/data', status: 404, detail: 'There is no run ffffffffffff.' },
  { line: 'GET /api/runs/%00/data', status: 400, detail: 'The path has a NUL character.' },
  { line: 'GET /api/runs/%ff/data', status: 400, detail: 'The URL is not percent-encoded UTF-8.' },
  { line: 'GET /api/runs/%zz/data', status: 400, detail: 'The URL is not percent-encoded UTF-8.' },
  {
    line: 'DELETE /api/runs/..%2f..',
    status: 404,
    detail: nothingAt('/api/runs/..%2f..', anIdAlone),
  },
  { line: 'DELETE /api/runs/ffffffffffff', status: 404, detail: 'There is no run ffffffffffff.' },
  {
    line: 'POST /api/runs/ffffffffffff/activate',
    status: 404,
    detail: 'There is no run ffffffffffff.',
  },
  { line: 'DELETE /api/sessions/..%2f..', status: 404, detail: 'There is no session "../..".' },
  { line: 'DELETE /api/sessions/nope', status: 404, detail: 'There is no session "nope".' },
  { line: 'DELETE /api/sessions/a%0Ab', status: 404, detail: 'There is no session "a\\nb".' },
  {
    line: 'DELETE /api/sessions/%1b%5b2J',
    status: 404,
    detail: 'There is no session "\\u001b[2J".',
  },
  {
    line: `DELETE /api/sessions/${'x'.repeat(500)}`,
    status: 404,
    detail: `There is no session "${'x'.repeat(160)}…".`,
  },
];

const positions: readonly WireRow[] = [
  ...[
    '-1',
    '1.5',
    '1e99',
    '007',
    '99999999999999999999',
    '0x0',
    'NaN',
    '+1',
    '%D9%A0',
    '__proto__',
    '0%20',
    '0;1',
  ].map((index) => ({
    line: `GET /api/runs/latest/results/${index}`,
    status: 404,
    detail: nothingAt(`/api/runs/latest/results/${index}`, aPosition),
  })),
  {
    line: 'GET /api/runs/latest/results/3',
    status: 404,
    detail: 'Run {run} has no result 3; it has 3, counted from 0.',
  },
  {
    line: 'GET /api/runs/latest/results/0%00',
    status: 400,
    detail: 'The path has a NUL character.',
  },
];

const parameter = (name: string, problem: string) =>
  `A parameter is not valid at ${name}: ${problem}`;
const offset = (value: string) =>
  parameter('offset', `must be a whole number from 0, not "${value}".`);
const noParameter = (name: string, near = '') =>
  parameter(name, `There is no such parameter.${near === '' ? '' : ` Did you mean ${near}?`}`);
const scoreForm = 'must be KEY:passed, KEY:failed, KEY:>=NUMBER, KEY:<=NUMBER or KEY:FROM..TO';

const queries: readonly WireRow[] = [
  ...(
    [
      ['rows?offset=-1', offset('-1')],
      ['rows?offset=1.5', offset('1.5')],
      ['rows?offset=1e3', offset('1e3')],
      ['rows?offset=%D9%A3', offset('٣')],
      ['rows?offset=', offset('')],
      ['rows?limit=501', parameter('limit', 'must be a whole number from 0 to 500, not "501".')],
      ['rows?limit=1&limit=2', parameter('limit', 'must be given once.')],
      [
        'rows?sort=nope',
        parameter(
          'sort',
          'must be index, function, dataset, status, latency, calls, tokens, cost, score:KEY or field:FIELD, not "nope".',
        ),
      ],
      ['rows?order=up', parameter('order', 'must be asc or desc, not "up".')],
      [
        'rows?status=!',
        parameter(
          'status',
          'must be one of not_started, pending, running, completed, error, cancelled, passed, failed, no_verdict, pruned, not "!".',
        ),
      ],
      [
        'rows?has=nope',
        parameter('has', 'must be one of annotation, error, trace_url, messages, not "nope".'),
      ],
      ['rows?flaky=maybe', parameter('flaky', 'must be true or false, not "maybe".')],
      ['rows?fold=x', parameter('fold', 'must be trials, not "x".')],
      ['rows?score=exact', parameter('score', `${scoreForm}, not "exact".`)],
      ['rows?score=:failed', parameter('score', `${scoreForm}, not ":failed".`)],
      ['rows?score=exact:%3E=x', parameter('score', `${scoreForm}, not "exact:>=x".`)],
      [
        `rows?search=${'x'.repeat(1001)}`,
        parameter('search', `must be at most 1000 characters, not "${'x'.repeat(100)}…".`),
      ],
      ['rows/indices?sort=nope', /^A parameter is not valid at sort: /],
      ['rows?sorted=latency', noParameter('sorted', 'sort')],
      ['rows?xyzzy=1', noParameter('xyzzy')],
      ['rows?__proto__=1', noParameter('__proto__')],
      ['rows?=1', /^A parameter is not valid: There is no such parameter\.$/],
      [`rows?${'a'.repeat(5000)}=1`, /There is no such parameter\.$/],
      ['rows/indices?lable=smoke', noParameter('lable', 'label')],
      ['rows/indices?limit=1', noParameter('limit')],
      ['export/csv?where=input%3D99', noParameter('where')],
      ['export/json?call=true', noParameter('call', 'calls')],
    ] as const
  ).map(([query, detail]) => ({ line: `GET /api/runs/{run}/${query}`, status: 400, detail })),
  ...(
    [
      ['compare', parameter('run', 'must be given 2 to 4 times, the base first.')],
      ['compare?run={run}', parameter('run', 'must be given 2 to 4 times, the base first.')],
      [`compare?${'run={run}&'.repeat(5)}`, parameter('run', 'must be given at most 4 times.')],
      ['compare?run={run}&run={run}&runs=x', noParameter('runs', 'run')],
      ['compare/rows?run={run}&run={run}&changed=same', noParameter('changed', 'change')],
    ] as const
  ).map(([query, detail]) => ({ line: `GET /api/${query}`, status: 400, detail })),
  {
    line: 'GET /api/runs/latest/rows',
    status: 404,
    detail: nothingAt('/api/runs/latest/rows', notLatest),
  },
  { line: 'GET /api/compare?run={run}&run=latest', status: 404, detail: 'There is no run latest.' },
  { line: 'GET /api/compare?run={run}&run=..%2fx', status: 404, detail: 'There is no run ../x.' },
  {
    line: 'POST /api/runs/rerun?wait=maybe',
    status: 400,
    detail: parameter('wait', 'must be true or false.'),
  },
  {
    line: 'POST /api/runs/rerun?wait=true&wait=true',
    status: 400,
    detail: parameter('wait', 'must be given once.'),
  },
  {
    line: 'GET /api/runs/{run}/rows?%ff=1',
    status: 400,
    detail: 'The URL is not percent-encoded UTF-8.',
  },
];

const targets: readonly WireRow[] = [
  ...[
    '/api/nope',
    '/api/',
    '/api//sessions',
    '/API/SESSIONS',
    '/api/sessions/',
    '/api/runs/latest/export/xml',
    '/../package.json',
    '/%2e%2e/package.json',
    '/assets/..%2f..%2fpackage.json',
    '//evil.example/api',
    '/.env',
    '/assay.yaml',
  ].map((path) => ({
    line: `GET ${path}`,
    status: 404,
    detail: nothingAt(path),
  })),
  { line: 'GET api/sessions', status: 400, detail: /./ },
  { line: `GET /${'x'.repeat(9000)}`, status: 414, detail: /too long|longer than/ },
  { line: 'PUT /results', status: 405, detail: 'There is no PUT here, only GET, HEAD.' },
  {
    line: 'DELETE /api/config',
    status: 405,
    detail: 'There is no DELETE here, only GET, HEAD, PUT.',
  },
  { line: 'POST /api/sessions', status: 405, detail: 'There is no POST here, only GET, HEAD.' },
  { line: 'OPTIONS /results', status: 405, detail: 'There is no OPTIONS here, only GET, HEAD.' },
  { line: 'PROPFIND /results', status: 405, detail: 'There is no PROPFIND here, only GET, HEAD.' },
  { line: 'TRACE /results', status: 405, detail: 'There is no TRACE here, only GET, HEAD.' },
  { line: 'GET /api/runs/rerun', status: 405, detail: 'There is no GET here, only POST.' },
  {
    line: 'BREW /results',
    status: 400,
    detail: 'This is not an HTTP request that can be understood.',
  },
];

const notJson =
  'The body must be JSON: send it uncompressed, with "Content-Type: application/json".';
const edit = 'PATCH /api/runs/{run}/results/0';
const body = '{"result":{"annotation":"changed"}}';

const media: readonly WireRow[] = [
  ...[
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-16',
    'application/jsonp',
    '*/*',
    'application/json, text/plain',
  ].map((type) => ({
    line: edit,
    headers: [`Content-Type: ${type}`],
    body,
    status: 415,
    detail: notJson,
  })),
  { line: edit, body, status: 415, detail: notJson },
  {
    line: edit,
    headers: ['Content-Type: application/json', 'Content-Encoding: gzip'],
    body,
    status: 415,
    detail: notJson,
  },
];

describe('bad input: requests as they come over the wire', () => {
  after(endServedRun);

  async function tryRow(row: WireRow, send: () => Promise<RawAnswer>): Promise<void> {
    const at = await servedRun();
    const answer = await send();
    expect(answer.status, answer.body).to.equal(row.status);
    expect(answer.header('content-type')).to.equal('application/problem+json');
    const detail =
      typeof row.detail === 'string' ? row.detail.replaceAll('{run}', at.runId) : row.detail;
    expectProblem(answer.body, { ...row, detail });
    expectSameFiles(at);
  }

  for (const row of [...ids, ...positions, ...queries, ...targets, ...media]) {
    const { line, headers = [], body = '', status } = row;
    const shown = line.length > 80 ? `${line.slice(0, 60)}…` : line;
    it(`${[shown, ...headers].join(', ')} is answered with ${status}`, () =>
      tryRow(row, async () => {
        const { served, runId } = await servedRun();
        return request(
          Number(new URL(served.url).port),
          line.replaceAll('{run}', runId),
          headers,
          body,
        );
      }));
  }

  for (const [what, bytes, detail] of [
    [
      'bytes that are no text',
      Buffer.from([0x22, 0xff, 0xfe, 0x22]),
      /^The body is not (UTF-8|JSON)/,
    ],
    [
      'half a character',
      Buffer.from('{"result":{"annotation":"caf\xc3"}}', 'latin1'),
      /^The body is not (UTF-8|JSON)/,
    ],
    ['UTF-16', Buffer.from('{"result":{}}', 'utf16le'), /^The body is not (UTF-8|JSON)/],
  ] as const) {
    it(`a body of ${what} is answered with 400`, () =>
      tryRow({ line: edit, status: 400, detail }, async () => {
        const { served, runId } = await servedRun();
        const port = Number(new URL(served.url).port);
        const head = [
          `${edit.replace('{run}', runId)} HTTP/1.1`,
          `Host: 127.0.0.1:${port}`,
          'Connection: close',
          'Content-Type: application/json',
          `Content-Length: ${bytes.length}`,
        ];
        return sendRaw(port, Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), bytes]));
      }));
  }
});
