import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { type CommandRow, testCommands } from './command-rows.js';

const fix = 'Fix the file by hand; it was not changed.';
const whole = 'must be a whole number from 1 to 1000';
const seconds = 'must be a number of seconds above 0 and at most 86400';

/** A settings file, and what is said about it. */
function file(what: string, text: string, ...says: CommandRow['says']): CommandRow {
  return { what, argv: ['config'], files: { 'assay.yaml': text }, says: [...says, fix] };
}

const values: readonly CommandRow[] = (
  [
    ['concurrency: 5000', '1:1', `concurrency ${whole}, not 5000.`],
    ['concurrency: "8"', '1:1', `concurrency ${whole}, not "8".`],
    ['concurrency: 1.5', '1:1', `concurrency ${whole}, not 1.5.`],
    ['concurrency: -1', '1:1', `concurrency ${whole}, not -1.`],
    ['concurrency: .nan', '1:1', `concurrency ${whole}, not NaN.`],
    ['concurrency: .inf', '1:1', `concurrency ${whole}, not Infinity.`],
    ['concurrency: yes', '1:1', `concurrency ${whole}, not "yes".`],
    ['concurrency: true', '1:1', `concurrency ${whole}, not true.`],
    ['concurrency: ٣', '1:1', `concurrency ${whole}, not "٣".`],
    [`concurrency: ${'9'.repeat(400)}`, '1:1', `concurrency ${whole}, not Infinity.`],
    ['concurrency: |\n  4', '1:1', `concurrency ${whole}, not "4\\n".`],
    ['concurrency: "\\e[31m"', '1:1', `concurrency ${whole}, not "\\u001b[31m".`],
    ['concurrency: &a [*a]', '1:1', `concurrency ${whole}, not a value that contains itself.`],
    ['# mine\n\ntimeout: 5s', '3:1', `timeout ${seconds}, not "5s".`],
    ['timeout: 90000', '1:1', `timeout ${seconds}, not 90000.`],
    ['trials: [1]', '1:1', `trials ${whole}, not [1].`],
    ['trials: {a: 1}', '1:1', `trials ${whole}, not {"a":1}.`],
    ['results_dir: 5', '1:1', /^results_dir must be a path.*, not 5\.$/],
    ['results_dir: "a\\0b"', '1:1', /^results_dir must be a path.*, not "a\\u0000b"\.$/],
    [
      'completion_notifications: "yes"',
      '1:1',
      'completion_notifications must be true or false, not "yes".',
    ],
    ['verbose: 1', '1:1', 'verbose must be true or false, not 1.'],
    ['configs: [a]', '1:1', 'configs must be a list of run configs by name, not ["a"].'],
    ['configs:\n  fast: {trials: many}', '2:10', `configs.fast.trials ${whole}, not "many".`],
    [
      'configs: {fast: {params: [1]}}',
      '1:18',
      'configs.fast.params must be a list of name: value, not [1].',
    ],
    [
      'configs: {fast: {params: {a: .nan}}}',
      '1:27',
      'configs.fast.params.a must be a JSON value, not NaN.',
    ],
    [
      'configs: {fast: {params: &p {a: *p}}}',
      '1:30',
      'configs.fast.params.a must be a JSON value, not a value that contains itself.',
    ],
    ['views: [a]', '1:1', 'views must be a list of views by name, not ["a"].'],
    [
      'views:\n  slow: latency=2..',
      '2:3',
      'views.slow must be a list of key: value, such as query: status=failed, not "latency=2..".',
    ],
    [
      'views: {slow: {query: 5}}',
      '1:16',
      'views.slow.query must be text of at most 8000 characters, such as status=failed, not 5.',
    ],
    [
      'views: {slow: {columns: output}}',
      '1:16',
      'views.slow.columns must be a list of columns, such as [output, scores], not "output".',
    ],
    [
      'views: {slow: {colums: []}}',
      '1:16',
      'views.slow.colums is not part of a view. Did you mean columns?',
    ],
    [
      'views: {" ": {query: a}}',
      '1:9',
      'views." " needs a name of 1 to 100 printable characters without " and without spaces around it, not {"query":"a"}.',
    ],
    ['scores: [a]', '1:1', 'scores must be a list of rules by score key, not ["a"].'],
    [
      'scores:\n  tone: 0.8',
      '2:3',
      'scores.tone must be a list of key: value, such as threshold: 0.8, not 0.8.',
    ],
    [
      'scores:\n  tone: { threshold: high }',
      '2:11',
      'scores.tone.threshold must be a number, not "high".',
    ],
    [
      'scores: {tone: {threshold: .nan}}',
      '1:17',
      'scores.tone.threshold must be a number, not NaN.',
    ],
    [
      'scores: {tone: {better: up}}',
      '1:17',
      'scores.tone.better must be higher or lower, not "up".',
    ],
    [
      'scores:\n  tone:\n    threshold: 1\n    bettr: lower',
      '4:5',
      'scores.tone.bettr is not part of the rule of a score. Did you mean better?',
    ],
    [
      'scores: {tone: {least: 1}}',
      '1:17',
      'scores.tone.least is not part of the rule of a score. It has threshold, better, scale.',
    ],
    ['scores: {"": {}}', '1:10', 'scores."" needs a score key of 1 to 200 characters, not {}.'],
    [
      'scores: {__proto__: {threshold: 3}}',
      '1:10',
      /^scores.__proto__ needs a score key of 1 to 200 characters/,
    ],
    [
      'configs: {"": {}}',
      '1:11',
      'configs."" needs a name of 1 to 100 printable characters without spaces around it, not {}.',
    ],
    [
      'configs: {"a\\nb": {}}',
      '1:11',
      'configs."a\\nb" needs a name of 1 to 100 printable characters without spaces around it, not {}.',
    ],
    [
      'configs: {__proto__: {trials: 3}}',
      '1:11',
      'configs.__proto__ needs a name of 1 to 100 printable characters without spaces around it, not {"trials":3}.',
    ],
  ] as const
).map(([text, place, message]) =>
  file(
    JSON.stringify(text.slice(0, 40)),
    text,
    typeof message === 'string'
      ? `assay.yaml:${place}: ${message}`
      : new RegExp(`^assay\\.yaml:${place}: ${message.source.slice(1)}`),
  ),
);

const aMap = 'must be a list of key: value, such as concurrency: 8';

const yaml: readonly CommandRow[] = [
  file(
    'a list that is not closed',
    'concurrency: 4\ntimeout: [1, 2\n# a comment\n',
    'assay.yaml:4:1: Flow sequence in block collection must be sufficiently indented and end with a ].',
  ),
  file(
    'a key that stands twice',
    'trials: 4\ntrials: 5\n',
    'assay.yaml:2:1: Map keys must be unique.',
  ),
  file('a tab', '\ttrials: 4', 'assay.yaml:1:1: Tabs are not allowed as indentation.'),
  file(
    'two documents',
    'a: 1\n---\nb: 2\n',
    'assay.yaml:2:1: A settings file is one YAML document.',
  ),
  file('a list', '- 1\n- 2\n', `assay.yaml:1:1: The file ${aMap}, not [1,2].`),
  file('a word', 'hello', `assay.yaml:1:1: The file ${aMap}, not "hello".`),
  file('a function', '!!js/function "x"', `assay.yaml:1:15: The file ${aMap}, not "x".`),
  file('an expression', 'trials: !!js/regexp /x/', `assay.yaml:1:1: trials ${whole}, not "/x/".`),
  file('a text that is not closed', 'x: "open', 'assay.yaml:1:9: Missing closing "quote.'),
  file(
    'an alias of nothing',
    'a: *nope',
    'assay.yaml:1:1: Unresolved alias (the anchor must be set before the alias): nope.',
  ),
  file(
    'a billion laughs',
    `a: &a [x, x]\n${['b', 'c', 'd', 'e', 'f'].map((to, at) => `${to}: &${to} [${`*${'abcde'[at]}, `.repeat(9)}]\n`).join('')}`,
    'assay.yaml:1:1: Excessive alias count indicates a resource exhaustion attack.',
  ),
  file(
    'a merge key out of range',
    '<<: {trials: 4000}',
    `assay.yaml:1:1: trials ${whole}, not 4000.`,
  ),
  {
    ...file('a thousand brackets', '['.repeat(20_000)),
    says: [/^assay\.yaml:1:\d+: This is nested too deeply\.$/, /./, /./, /./, /./, /./, fix],
  },
  file(
    'several mistakes',
    'configs: {fast: {trials: 2000}}\ntrials: x\ntimeout: y',
    `assay.yaml:3:1: timeout ${seconds}, not "y".`,
    `assay.yaml:2:1: trials ${whole}, not "x".`,
    `assay.yaml:1:18: configs.fast.trials ${whole}, not 2000.`,
  ),
];

const accepted: readonly CommandRow[] = [
  {
    text: '\ufefftrials: 4\r\ntimeout: 5\r\n',
    shows: [/trials +4 +assay\.yaml:1/, /timeout +5 +assay\.yaml:2/],
  },
  { text: '', shows: [/trials +1 +default/] },
  { text: 'null', shows: [/trials +1 +default/] },
  { text: 'trials: 0x10', shows: [/trials +16/] },
  { text: 'base: &b {trials: 7}\n<<: *b\n', shows: [/trials +7/] },
  {
    text: 'trials:: 4',
    shows: ['! assay.yaml:1:1: trials: is not a setting. Did you mean trials?'],
  },
  { text: 'TRIALS: 3', shows: ['! assay.yaml:1:1: TRIALS is not a setting. Did you mean trials?'] },
  { text: '__proto__: {trials: 3}', shows: [/trials +1 +default/] },
  {
    text: 'configs: {fast: {trails: 3}}',
    shows: ['! assay.yaml:1:18: trails is not part of a run config. Did you mean trials?'],
  },
  {
    text: 'configs: {fast: {verbose: true}}',
    shows: ['It applies to all runs: move it to the top of the file.'],
  },
  {
    text: '%YAML 3.0\n---\ntrials: 4',
    shows: ['! assay.yaml:1:7: Unsupported YAML version 3.0', /trials +4/],
  },
].map(({ text, shows }) => ({
  what: JSON.stringify(text),
  argv: ['config'],
  files: { 'assay.yaml': text },
  code: 0,
  says: shows,
}));

/** Something that lies where the settings file should be, and where `.env` should be. */
function lying(
  what: string,
  put: (path: string) => unknown,
  message: string,
  hints: readonly string[] = [],
  place = '',
): CommandRow[] {
  const files = { 'assay.yaml': 'The settings file', '.env': 'The environment file' };
  return Object.entries(files).map(([name, called]) => ({
    what: `${what} at ${name}`,
    argv: ['config'],
    prepare: (project) => put(project.path(name)),
    says: [`<project>/${name}${place}: ${called} ${message}`, ...hints],
  }));
}

function makeSparse(path: string): void {
  writeFileSync(path, '');
  truncateSync(path, 1024 ** 3);
}

const giveText = 'Give a text file, or move it away.';

const places: readonly CommandRow[] = [
  lying('a folder', (path) => mkdirSync(path), 'is a folder.', [giveText]),
  lying('a pipe', (path) => execFileSync('mkfifo', [path]), 'is no regular file.', [giveText]),
  lying('a file of 1 GiB', makeSparse, 'is larger than 16 MiB.'),
  lying(
    'a link to itself',
    (path) => symlinkSync(path, path),
    'cannot be read: it is a link that leads in a circle.',
  ),
  lying(
    'text in Latin-1',
    (path) => writeFileSync(path, 'a: caf\xe9', 'latin1'),
    'cannot be read: it is not UTF-8 text.',
    ['Save it as UTF-8.'],
    ':1:7',
  ),
  lying(
    'text in UTF-16',
    (path) => writeFileSync(path, '\ufefftrials: 3', 'utf16le'),
    'cannot be read: it is not UTF-8 text.',
    ['Save it as UTF-8.'],
    ':1:1',
  ),
].flat();

const named: readonly CommandRow[] = [
  {
    what: 'a settings file that is missing',
    argv: ['run', '--settings', 'other.yaml'],
    says: ['<project>/other.yaml: There is no settings file other.yaml.'],
  },
  {
    what: 'an empty --settings',
    argv: ['config', '--settings', ''],
    says: ['--settings must not be empty.'],
  },
  {
    what: 'a settings file with the ending .yml',
    argv: ['config'],
    files: { 'assay.yml': 'trials: 3' },
    code: 0,
    says: ['! assay.yml is not read: rename it to assay.yaml.', /trials +1 +default/],
  },
];

const variables: readonly CommandRow[] = (
  [
    ['ASSAY_CONCURRENCY', ['lots', '-1', '٣', '1001', '1.5'], 'a whole number from 1 to 1000'],
    ['ASSAY_TIMEOUT', ['soon', '1e9', '0x10'], 'a number of seconds above 0 and at most 86400'],
    ['ASSAY_VERBOSE', ['maybe', '2'], 'true or false'],
  ] as const
).flatMap(([name, given, wanted]) =>
  given.map((value) => ({
    what: `${name}=${value}`,
    argv: ['run'],
    env: { [name]: value },
    says: [
      `${name} must be ${wanted}, not ${JSON.stringify(value)}.`,
      `Set it to ${wanted}, or unset it.`,
    ],
  })),
);

const howToWriteKeys = [
  'Write names with dots between them: configs.fast.params.model',
  `Put a name that contains a dot in quotes: 'configs."gpt-4.1".params.model'`,
];

const keys: readonly CommandRow[] = [
  ...['', 'a..b', '.trials', 'configs."x', '__proto__.x', 'configs.__proto__.trials'].map(
    (key) => ({
      what: `the key ${JSON.stringify(key)}`,
      argv: ['config', 'set', key, '1'],
      says: [`${JSON.stringify(key)} is not a key.`, ...howToWriteKeys],
    }),
  ),
  {
    what: 'a key that is misspelt',
    argv: ['config', 'set', 'concurency', '3'],
    says: ['There is no setting concurency.', 'Did you mean concurrency?'],
  },
  {
    what: 'a key below a setting',
    argv: ['config', 'get', 'trials.x'],
    says: ['There is no setting trials.x.', 'trials has no keys below it.'],
  },
  {
    what: 'a config without a key',
    argv: ['config', 'set', 'configs.fast', '3'],
    says: ['There is no setting configs.fast.', 'Name a config and its key: configs.fast.trials'],
  },
  ...(
    [
      ['trials', 'many', `trials ${whole}, not "many".`],
      ['trials', '-1', `trials ${whole}, not -1.`],
      ['trials', '[1', `trials ${whole}, not "[1".`],
      ['timeout', '.inf', `timeout ${seconds}, not Infinity.`],
      ['configs.fast.trials', '1e9', `configs.fast.trials ${whole}, not 1000000000.`],
      ['configs.fast.params.x', '.nan', 'configs.fast.params.x must be a JSON value, not NaN.'],
    ] as const
  ).map(([key, value, message]) => ({
    what: `${key} set to ${value}`,
    argv: ['config', 'set', key, value],
    says: [message],
  })),
  {
    what: 'a results directory that is a file',
    argv: ['config', 'set', 'results_dir', 'package.json'],
    says: [
      'Results cannot be saved in <project>/package.json: <project>/package.json is not a folder.',
      'Choose another folder as results_dir.',
    ],
  },
  {
    what: 'a broken file that a value is to be written to',
    argv: ['config', 'set', 'trials', '3'],
    files: { 'assay.yaml': 'trials: [1\n' },
    says: [/^assay\.yaml:2:1: /, fix],
  },
  {
    what: 'a param with an escape sequence in its name',
    argv: ['config', 'set', 'configs.fast.params.a\u001bb', '1'],
    code: 0,
    says: ['configs.fast.params.a\\u{1b}b: 1   (<project>/assay.yaml)'],
    changes: ['+ assay.yaml'],
  },
];

testCommands('bad input: values in the settings file', values);
testCommands('bad input: YAML of the settings file', yaml);
testCommands('odd input: settings files', accepted);
testCommands('bad input: what lies at the place of the settings', [...places, ...named]);
testCommands('bad input: settings in the environment', variables);
testCommands('bad input: config set and get', keys);
