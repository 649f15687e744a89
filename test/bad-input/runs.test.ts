import { type CommandRow, testCommands } from './command-rows.js';
import { exportedRun } from './exported-run.js';
import { rowWithRuns as row, runId } from './saved-runs.js';

const howRunsAreNamed =
  'RUN is an id, the beginning of one, a run name, latest, previous, latest~N, a run folder or an exported run JSON.';

const noRuns: readonly CommandRow[] = [
  ['export', 'latest'],
  ['run', '--rerun', 'latest'],
  ['run', '--resume', 'latest'],
  ['sessions', 'compare', 'latest', 'latest'],
  ['sessions', 'bless', 'latest', 'b.json'],
  ['sessions', 'rename-run', 'latest', 'x'],
  ['sessions', 'delete-run', 'latest', '--yes'],
  ['serve', '--run', 'latest', '--port', '0'],
].map((argv) => ({
  what: `${argv.slice(0, 2).join(' ')} without any run`,
  argv,
  says: ['There are no saved runs yet.', 'Make one: assay run PATH'],
}));

const near = 'Did you mean 3f9a0c12be78 or 3f9a0c12be77?';

const references: readonly CommandRow[] = [
  row('an empty run', ['export', ''], 'RUN must not be empty.'),
  row('a blank run', ['run', '--rerun', ' '], 'RUN must not be empty.'),
  row('three digits of a run id', ['export', '3f9'], 'There is no run "3f9".', near),
  row(
    'the beginning of two run ids',
    ['export', '3f9a'],
    '2 run ids begin with 3f9a.',
    '3f9a0c12be78  calm-heron  (session default)',
    '3f9a0c12be77  brisk-otter  (session default)',
  ),
  row(
    'a run id with a wrong digit',
    ['export', '3f9a0c12be7z'],
    'There is no run "3f9a0c12be7z".',
    near,
  ),
  row(
    'a run name that is misspelt',
    ['export', 'brisk-oter'],
    'There is no run "brisk-oter".',
    'Did you mean brisk-otter?',
  ),
  ...['ffffffffffff', 'constructor', 'a\nb', '\u001b[31m', '*'].map((name) =>
    row(
      `the run ${JSON.stringify(name)}`,
      ['export', name],
      `There is no run ${JSON.stringify(name)}.`,
      howRunsAreNamed,
    ),
  ),
  row(
    'latest in capitals',
    ['export', 'LATEST'],
    'There is no run "LATEST".',
    'Did you mean latest?',
  ),
  row(
    'a run further back than there are any',
    ['export', 'latest~9'],
    'There are only 2 saved runs.',
    'latest~1 is the oldest.',
  ),
  row(
    'a run name of 5000 characters',
    ['export', 'x'.repeat(5000)],
    `There is no run "${'x'.repeat(160)}…".`,
    howRunsAreNamed,
  ),
  row(
    'a run in another session',
    ['export', 'brisk-otter', '--session', 'none'],
    'There is no run "brisk-otter" in session "none".',
    'There is one in session default.',
  ),
  row(
    'the latest of a session without runs',
    ['export', 'latest', '--session', 'none'],
    'There are no saved runs in session none yet.',
    'Make one: assay run PATH',
  ),
  row(
    'a folder that is no run',
    ['run', '--rerun', 'evals'],
    'evals is a folder, but not that of a run.',
    'A run folder contains run.json and results.jsonl.',
  ),
  row(
    'a folder above',
    ['export', '..'],
    '.. is a folder, but not that of a run.',
    'A run folder contains run.json and results.jsonl.',
  ),
  row(
    'a path to nothing',
    ['export', './no/run.json'],
    'There is no run "./no/run.json".',
    'There is no such file or folder either.',
  ),
  row('a device', ['export', '/dev/null'], '/dev/null is not a regular file.'),
  row(
    'a file that is no JSON',
    ['export', 'evals/good.eval.ts'],
    'evals/good.eval.ts:1:1: this is no exported run JSON: it is not JSON: "i" instead of value.',
  ),
  row(
    'JSON that is no run',
    ['export', 'package.json'],
    'package.json: Not an exported run: /run_id must be a text, not missing.',
  ),
  row('one run too many', ['export', runId, 'x'], 'There is one argument too many: x.'),
  row('no run at all', ['export'], 'RUN is missing.', /^RUN: Run id or its beginning/),
];

const exports: readonly CommandRow[] = [
  row(
    'an unknown format',
    ['export', 'latest', '-f', 'xml'],
    '--format takes json, csv, md, otlp, html or jsonl, not "xml".',
  ),
  ...['nope', 'score:nope', '__proto__', ''].map((name) =>
    row(
      `the column ${JSON.stringify(name)}`,
      ['export', 'latest', '-f', 'csv', '--columns', name],
      `Unknown column: ${name === '' ? '""' : name}.`,
      /^Columns: id, function, .*, score:<key> for each score of the run, and values in the results: /,
    ),
  ),
  row(
    'columns of JSON',
    ['export', 'latest', '--columns', 'eval'],
    'A JSON export has no columns to choose.',
    'Choose csv or md to export some of its columns',
  ),
  row('raw JSON', ['export', 'latest', '--raw'], '--raw is for CSV, and this is json.'),
  row(
    'a folder to write',
    ['export', 'latest', '-o', 'evals'],
    'Cannot write evals: it is a folder.',
    'Name a file in it.',
  ),
];

const lists = 'assay sessions lists them.';
const ask = [
  'This deletes permanently, and there is no terminal to ask for confirmation.',
  'Pass --yes to delete without confirmation.',
];

const sessions: readonly CommandRow[] = [
  ...['nope', '', '__proto__', '*', '..', '.', 'a\nb'].flatMap((name) => [
    row(
      `showing session ${JSON.stringify(name)}`,
      ['sessions', 'show', name],
      `There is no session ${JSON.stringify(name)}.`,
      lists,
    ),
    row(
      `deleting session ${JSON.stringify(name)}`,
      ['sessions', 'delete', name, '--yes'],
      `There is no session ${JSON.stringify(name)}.`,
      lists,
    ),
  ]),
  row(
    'a session that is misspelt',
    ['sessions', 'show', 'defalt'],
    'There is no session "defalt".',
    'Did you mean default?',
  ),
  row('deleting a session unasked', ['sessions', 'delete', 'default'], ...ask),
  row('deleting a run unasked', ['sessions', 'delete-run', 'latest'], ...ask),
  row(
    'deleting a folder that is no run',
    ['sessions', 'delete-run', 'evals', '--yes'],
    'evals is a folder, but not that of a run.',
    'A run folder contains run.json and results.jsonl.',
  ),
  row(
    'a blank name',
    ['sessions', 'rename-run', runId, ' \u200b'],
    'A run name must not be blank.',
  ),
  row(
    'a long name',
    ['sessions', 'rename-run', runId, 'x'.repeat(101)],
    'A run name has at most 100 characters, this one has 101.',
  ),
  row(
    'a name with a NUL',
    ['sessions', 'rename-run', runId, 'a\0b'],
    'A run name must not contain control characters.',
  ),
  row(
    'no name',
    ['sessions', 'rename-run', runId],
    'NAME is missing.',
    'NAME: New name, 1 to 100 characters.',
  ),
];

const notes: readonly CommandRow[] = [
  row(
    'rerunning what the run does not have',
    ['run', '--rerun', 'latest', '--label', 'zzz'],
    'No result of calm-heron matches the filters.',
    'label zzz; there are: smoke',
  ),
  {
    ...row(
      'rerunning an exported run',
      ['run', '--rerun', 'r.json'],
      'r.json is an exported run, not a saved one.',
      'Save it first: assay sessions import FILE',
    ),
    files: { 'r.json': exportedRun() },
  },
];

testCommands('bad input: runs where there are none', noRuns);
testCommands('bad input: what runs are called', [...references, ...notes]);
testCommands('bad input: exports', exports);
testCommands('bad input: sessions', sessions);
