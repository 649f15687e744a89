import { endServedRun, type HttpRow, testRequests } from './http-rows.js';

/** Bodies of a request, each with the detail of the 400 it gets and what it points at. */
function bodies(
  [method, path]: readonly [method: string, path: string],
  rows: readonly (readonly [body: string, detail: string, ...pointers: string[]])[],
): HttpRow[] {
  return rows.map(([body, detail, ...pointers]) => ({
    method,
    path,
    body,
    status: 400,
    detail,
    pointers,
  }));
}

/** The same, where the detail is what the schema says of the place. */
function invalid(
  request: readonly [method: string, path: string],
  rows: readonly (readonly [body: string, place: string, problem: string])[],
): HttpRow[] {
  return bodies(
    request,
    rows.map(([body, place, problem]) => {
      const where = place === '' ? '' : ` at ${place}`;
      return [body, `The body is not valid${where}: ${problem}`, place] as const;
    }),
  );
}

const result = ['PATCH', '/api/runs/{run}/results/0'] as const;
const scored = (score: string) => `{"result":{"scores":[${score}]}}`;

const noJson = bodies(result, [
  ['{', "The body is not JSON: Expected property name or '}' in JSON at position 1."],
  [
    '{"result":{}} x',
    'The body is not JSON: Unexpected non-whitespace character after JSON at position 14.',
  ],
  [
    '{"__proto__":{},"result":{}}',
    'The body is not valid at /__proto__: no key may be named __proto__.',
    '/__proto__',
  ],
  [
    '{"result":{"constructor":1}}',
    'The body is not valid at /result/constructor: no key may be named constructor.',
    '/result/constructor',
  ],
  [
    '{"result":{"x":{"prototype":1}}}',
    'The body is not valid at /result/x/prototype: no key may be named prototype.',
    '/result/x/prototype',
  ],
  [
    `{"result":{"x":${'['.repeat(63)}${']'.repeat(63)}}}`,
    'The body is nested deeper than 64 levels.',
  ],
  [
    `{"result":${'{"x":'.repeat(100_000)}1${'}'.repeat(100_000)}}`,
    'The body is nested deeper than 64 levels.',
  ],
]);

const patches = invalid(result, [
  ['', '/result', 'It is missing; it must be an object.'],
  ['{}', '/result', 'It is missing; it must be an object.'],
  ['[]', '', 'must be an object.'],
  ['null', '', 'must be an object.'],
  ['"x"', '', 'must be an object.'],
  ['{"result":null}', '/result', 'must be an object.'],
  ['{"result":[]}', '/result', 'must be an object.'],
  ['{"result":{"annotation":5}}', '/result/annotation', 'must be a text.'],
  ['{"result":{"annotation":["a"]}}', '/result/annotation', 'must be a text.'],
  ['{"result":{"scores":{}}}', '/result/scores', 'must be a list.'],
  [scored('null'), '/result/scores/0', 'must be an object.'],
  [scored('{}'), '/result/scores/0/key', 'It is missing; it must be a text.'],
  [scored('{"key":"a"}'), '/result/scores/0', 'must have passed or value.'],
  [scored('{"key":5,"passed":true}'), '/result/scores/0/key', 'must be a text.'],
  [scored('{"key":"","passed":true}'), '/result/scores/0/key', 'must not be empty.'],
  [
    scored(`{"key":"${'k'.repeat(201)}","value":1}`),
    '/result/scores/0/key',
    'must have at most 200 characters.',
  ],
  [scored('{"key":"a","passed":"yes"}'), '/result/scores/0/passed', 'must be true or false.'],
  [
    scored('{"key":"a","passed":"no","value":1}'),
    '/result/scores/0/passed',
    'must be true or false.',
  ],
  [scored('{"key":"a","value":"1"}'), '/result/scores/0/value', 'must be a number.'],
  [scored('{"key":"a","value":1e999}'), '/result/scores/0/value', 'must be a number.'],
  [scored('{"key":"a","value":1,"notes":5}'), '/result/scores/0/notes', 'must be a text.'],
  [
    scored('{"key":"a","value":1},{"key":"a","value":2}'),
    '/result/scores/1/key',
    'must not be the key of another score.',
  ],
]);

const runName = (request: readonly [string, string]) =>
  invalid(request, [
    ['{}', '/run_name', 'It is missing; it must be a text.'],
    ['{"run_name":5}', '/run_name', 'must be a text.'],
    ['{"run_name":null}', '/run_name', 'must be a text.'],
    ['{"run_name":""}', '/run_name', 'A run name must not be blank.'],
    ['{"run_name":" \\u200b"}', '/run_name', 'A run name must not be blank.'],
    ['{"run_name":"a\\nb"}', '/run_name', 'A run name must not contain control characters.'],
    ['{"run_name":"\\ud800"}', '/run_name', 'A run name must not contain control characters.'],
    [
      '{"run_name":"a\\u202eb"}',
      '/run_name',
      'A run name must not contain marks that change the direction of text.',
    ],
    [
      `{"run_name":"${'x'.repeat(101)}"}`,
      '/run_name',
      'A run name has at most 100 characters, this one has 101.',
    ],
  ]);

const indices = (path: string) => [
  ...invalid(
    ['POST', path],
    [
      ['[]', '', 'must be an object.'],
      ['{"indices":5}', '/indices', 'must be a list.'],
      ['{"indices":["0"]}', '/indices/0', 'must be a whole number.'],
      ['{"indices":[0,-1]}', '/indices/1', 'must not be negative.'],
      ['{"indices":[1.5]}', '/indices/0', 'must be a whole number.'],
      ['{"indices":[1e99]}', '/indices/0', 'must be a whole number.'],
      ['{"indices":[null]}', '/indices/0', 'must be a whole number.'],
    ],
  ),
  ...bodies(
    ['POST', path],
    [['{"indices":[0,99]}', 'The run has no result 99: it has 3, counted from 0.']],
  ),
];

const noConfig = (name: string) =>
  `There is no run config named "${name}". Run configs: default. They are listed under configs in <project>/assay.yaml.`;

const configs: readonly HttpRow[] = [
  ...bodies(
    ['POST', '/api/runs/rerun'],
    ['nope', '__proto__', ''].map((name) => [
      JSON.stringify({ config_name: name }),
      noConfig(name),
    ]),
  ),
  ...bodies(
    ['POST', '/api/configs/select'],
    ['nope', '__proto__', ''].map((name) => [JSON.stringify({ name }), noConfig(name)]),
  ),
  ...invalid(
    ['POST', '/api/configs/select'],
    [
      ['{}', '/name', 'It is missing; it must be a text.'],
      ['{"name":5}', '/name', 'must be a text.'],
    ],
  ),
];

const whole = 'must be a whole number from 1 to 1000.';
const seconds = 'must be a number of seconds above 0 and at most 86400.';

const settings: readonly HttpRow[] = [
  ...invalid(
    ['PUT', '/api/config'],
    [
      ['[]', '', 'must be an object.'],
      ['{"concurrency":"8"}', '/concurrency', whole],
      ['{"concurrency":0.5}', '/concurrency', whole],
      ['{"concurrency":-1}', '/concurrency', whole],
      ['{"concurrency":1001}', '/concurrency', whole],
      ['{"trials":1e3,"timeout":1e9}', '/timeout', seconds],
      ['{"timeout":-1}', '/timeout', seconds],
      ['{"trials":[1]}', '/trials', whole],
      ['{"results_dir":5}', '/results_dir', 'must be a path without control characters.'],
      ['{"results_dir":"a\\u0000b"}', '/results_dir', 'must be a path without control characters.'],
      ['{"completion_notifications":"yes"}', '/completion_notifications', 'must be true or false.'],
    ],
  ),
  ...bodies(
    ['PUT', '/api/config'],
    [
      [
        '{"results_dir":"package.json"}',
        'Results cannot be saved in <project>/package.json: <project>/package.json is not a folder.',
        '/results_dir',
      ],
    ],
  ),
];

const stats = '"stats":{"total":1,"filtered":1,"avgLatency":0,"chips":[]}';

const markdown: readonly HttpRow[] = [
  ...bodies(
    ['POST', '/api/runs/{run}/export/markdown'],
    [
      [
        '{}',
        'The body is not valid at /visible_indices: It is missing; it must be a list.',
        '/visible_indices',
        '/visible_columns',
        '/stats',
        '/run_name',
        '/session_name',
      ],
    ],
  ).map(({ pointers: _, ...row }) => row),
  {
    method: 'POST',
    path: '/api/runs/{run}/export/markdown',
    body: `{"visible_indices":[],"visible_columns":["nope"],${stats},"run_name":"x","session_name":"y"}`,
    status: 400,
    detail: /^Unknown column: nope\. Columns: id, /,
  },
];

const unknown: readonly HttpRow[] = [
  [
    'PATCH',
    '/api/runs/{run}/results/99',
    '{"result":{}}',
    'Run {run} has no result 99; it has 3, counted from 0.',
  ],
  ['PATCH', '/api/runs/ffffffffffff/results/0', '{"result":{}}', 'There is no run ffffffffffff.'],
  ['PATCH', '/api/runs/ffffffffffff', '{"run_name":"x"}', 'There is no run ffffffffffff.'],
  ['POST', '/api/runs/rerun', '{"run_id":"ffffffffffff"}', 'There is no run ffffffffffff.'],
  ['POST', '/api/runs/rerun', '{"run_id":"../../etc"}', 'There is no run ../../etc.'],
  ['POST', '/api/runs/regrade', '{"run_id":"nope"}', 'There is no run nope.'],
  ['POST', '/api/runs/regrade', '{"run_id":"a\\nb"}', 'There is no run "a\\nb".'],
].map(([method = '', path = '', body = '', detail = '']) => ({
  method,
  path,
  body,
  status: 404,
  detail,
}));

describe('bad input over HTTP:', () => {
  after(endServedRun);
  testRequests('bodies that are no JSON, or too much of it', [
    ...noJson,
    {
      method: 'PATCH',
      path: '/api/runs/{run}/results/0',
      body: JSON.stringify({ result: { annotation: 'x'.repeat(1024 ** 2) } }),
      status: 413,
      detail: 'The body is larger than the 1048576 bytes that are taken.',
    },
  ]);
  testRequests('edits', [...patches, ...unknown]);
  testRequests('names over HTTP', [
    ...runName(['PATCH', '/api/runs/{run}']),
    ...runName(['PUT', '/api/pending-run-name']),
  ]);
  testRequests('what is to be run', [
    ...indices('/api/runs/rerun'),
    ...indices('/api/runs/regrade'),
    ...indices('/api/runs/new'),
    ...configs,
  ]);
  testRequests('settings over HTTP', settings);
  testRequests('reports', markdown);
});
