import { execFileSync } from 'node:child_process';
import { symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import type { Project } from '../helpers/project.js';
import { type CommandRow, testCommands } from './command-rows.js';
import { exportedRun } from './exported-run.js';
import { rowWithRuns as row, runId } from './saved-runs.js';

const bounds = [
  '2 to 12 runs can be compared, not',
  'The first is the base: assay sessions compare BASE RUN',
];

const comparing: readonly CommandRow[] = [
  row('comparing one run', ['sessions', 'compare', runId], `${bounds[0]} 1.`, bounds[1] ?? ''),
  row(
    'comparing thirteen',
    ['sessions', 'compare', ...Array(13).fill(runId)],
    `${bounds[0]} 13.`,
    bounds[1] ?? '',
  ),
  row(
    'a number of evaluations that is none',
    ['sessions', 'compare', runId, runId, '--limit', 'x'],
    '--limit takes a whole number from 0, not "x".',
  ),
  row(
    'blessing into nowhere',
    ['sessions', 'bless', runId, 'no/b.json'],
    'Cannot write no/b.json: its folder does not exist.',
  ),
  row(
    'blessing without a name',
    ['sessions', 'bless', runId, ''],
    'The name of a file to write is empty.',
  ),
  ...(
    [
      [
        'a baseline with both sides of a merge',
        '{\n  "assay_baseline": 1,\n<<<<<<< HEAD\n',
        [
          'b.json:3:1: this is no baseline: it is not JSON: "<" instead of "key".',
          'After a merge: take one side of it, or bless a run again.',
        ],
      ],
      [
        'a baseline without evaluations',
        '{"assay_baseline":1}',
        ['b.json: evaluations must be a list, not missing.'],
      ],
      [
        'a baseline of a newer version',
        '{"assay_baseline":99}',
        ['b.json: It was written by a newer assay (version 99, this one knows 2).'],
      ],
    ] as const
  ).map(([what, text, says]) => ({
    ...row(what, ['sessions', 'compare', 'b.json', runId], ...says),
    files: { 'b.json': text },
  })),
];

const { results: only } = JSON.parse(exportedRun());
/** An export of `--where status=passed`. */
const chosen = exportedRun({ summary: { pass_rate: null, counts_only: true } });
const noRates = 'has counts and no rates: its results may have been chosen by what came of them.';
const whatToExport =
  'Export the whole run, or choose by what was planned: id, dataset, label, input, reference or metadata.';

const imports: readonly CommandRow[] = [
  ...(
    [
      ['a file that is missing', 'nope.json', 'there is no such file'],
      ['a folder', 'evals', 'it is a folder'],
      ['an endless device', '/dev/zero', 'it is no regular file'],
    ] as const
  ).map(([what, path, reason]) =>
    row(
      `importing ${what}`,
      ['sessions', 'import', path],
      `${path} is no exported run JSON: ${reason}.`,
    ),
  ),
  ...(
    [
      ['a pipe', 'it is no regular file', (path: string) => execFileSync('mkfifo', [path])],
      [
        'a link to itself',
        'it is a link that leads in a circle',
        (path: string) => symlinkSync(path, path),
      ],
      [
        'a file of 1 GiB',
        'it is larger than 512 MB',
        (path: string) => {
          writeFileSync(path, '');
          truncateSync(path, 1024 ** 3);
        },
      ],
      [
        'brackets without end',
        'it is nested deeper than 400 levels',
        (path: string) => writeFileSync(path, '['.repeat(100_000)),
      ],
    ] as const
  ).map(([what, reason, put]) => ({
    what: `importing ${what}`,
    argv: ['sessions', 'import', 'r.json'],
    prepare: (project: Project) => put(project.path('r.json')),
    says: [`r.json is no exported run JSON: ${reason}.`],
  })),
  ...(
    [
      [
        'nothing',
        '',
        '1:1: this is no exported run JSON: it is not JSON: the end of the text instead of value.',
      ],
      [
        'half a run',
        '{"run_id": "a",',
        '1:16: this is no exported run JSON: it is not JSON: the end of the text instead of "key".',
      ],
      ['a list', '[]', ' Not an exported run: The document must be an object, not [].'],
      ['null', 'null', ' Not an exported run: The document must be an object, not null.'],
      [
        'a prototype',
        '{"__proto__":{"run_id":"x"}}',
        ' Not an exported run: /run_id must be a text, not missing.',
      ],
      [
        'a number for an id',
        exportedRun({ run_id: 5 }),
        ' Not an exported run: /run_id must be a text, not 5.',
      ],
      ['a blank session', exportedRun({ session_name: '' }), ' A session name must not be blank.'],
      [
        'a name with an escape sequence',
        exportedRun({ run_name: 'a\u001b' }),
        ' A run name must not contain control characters.',
      ],
      [
        'a time that is none',
        exportedRun({ created_at: 'now' }),
        ' Not an exported run: /created_at must be a time in Unix seconds, not "now".',
      ],
      [
        'a time beyond all dates',
        exportedRun({ created_at: 1e99 }),
        ' Not an exported run: /created_at must be a time in Unix seconds, not 1e+99.',
      ],
      [
        'results that are no list',
        exportedRun({ results: {} }),
        ' Not an exported run: /results must be a list, not {}.',
      ],
      [
        'a status that is none',
        exportedRun({}, { status: 'nope' }),
        ' Not an exported run: /results/0/result/status must be one of not_started, pending, running, completed, error, cancelled, not "nope".',
      ],
      [
        'a score without a key',
        exportedRun({}, { scores: [{ key: '' }] }),
        ' Not an exported run: /results/0/result/scores/0/key must be a text of 1 to 200 characters, not "".',
      ],
      [
        'two scores of a key',
        exportedRun(
          {},
          {
            scores: [
              { key: 'a', value: 1 },
              { key: 'a', value: 2 },
            ],
          },
        ),
        ' Not an exported run: /results/0/result/scores/1 has the key of another score, "a".',
      ],
      [
        'a latency that is none',
        exportedRun({}, { latency: '1 s' }),
        ' Not an exported run: /results/0/result/latency must be a number or null, not "1 s".',
      ],
      [
        'calls that are none',
        exportedRun({}, { calls: [{ number: 1 }] }),
        ' Not an exported run: /results/0/result/calls must be a list of calls, not [{"number":1}].',
      ],
      [
        'metadata that is a list',
        exportedRun({}, { metadata: [] }),
        ' Not an exported run: /results/0/result/metadata must be an object, not [].',
      ],
      [
        'a correction of nothing',
        exportedRun({}, { correction_history: [{}] }),
        ' Not an exported run: /results/0/result/correction_history/0/field must be annotation or scores, not missing.',
      ],
      [
        'fewer results than it says',
        exportedRun({ total_evaluations: 9 }),
        ' Not an exported run: it says 9 results and has 1.',
      ],
      [
        'a result twice',
        exportedRun({ results: [...only, ...only] }),
        ' Not an exported run: /results/1 has the id of /results/0, "a.eval.ts::a".',
      ],
      ['results that came out in one way', chosen, ` The file ${noRates}`, whatToExport],
    ] as const
  ).map(([what, text, message, ...hints]) => ({
    what: `importing ${what}`,
    argv: ['sessions', 'import', 'r.json'],
    files: { 'r.json': text },
    says: [`r.json:${message}`, ...hints],
  })),
];

const judging: readonly CommandRow[] = [
  { argv: ['sessions', 'gate', 'p.json', '--fail-under', '0.9'], name: 'The file' },
  { argv: ['sessions', 'compare', runId, 'p.json'], name: 'p.json' },
  { argv: ['sessions', 'bless', 'p.json', 'b.json'], name: 'p.json' },
].map(({ argv, name }) => ({
  ...row(
    `${argv[1]} of results that came out in one way`,
    argv,
    `${name} ${noRates}`,
    whatToExport,
  ),
  files: { 'p.json': chosen },
}));

testCommands('bad input: comparisons and baselines', [...comparing, ...judging]);
testCommands('bad input: imports', imports);
