import { type CommandRow, testAsJson, testCommands } from './command-rows.js';

/** Numbers as people, scripts and other alphabets write them. */
const numbers: readonly CommandRow[] = (
  [
    [
      '--concurrency',
      'a whole number from 1 to 1000',
      ['0', '-1', '1001', '1.5', 'many', '', '1e3', '0x10', ' 8', '٣', '1e9', 'NaN', '+8', '8,8'],
    ],
    ['--workers', 'a whole number from 1 to 64', ['0', '65', '2.5']],
    ['--trials', 'a whole number from 1 to 1000', ['0', '1001', '-2', 'null']],
    ['--limit', 'a whole number from 1', ['0', '-5', 'all', '９', '99999999999999999999']],
    [
      '--timeout',
      'a number of seconds above 0 and at most 86400',
      ['0', '-1', '86401', '5s', '', 'Infinity', '1e-400', '1_000'],
    ],
    ['--fail-under', 'a rate', ['1.5', '-1', '101%', 'exact=', '=0.5', '', '1e-1', 'exact=2%%']],
  ] as const
).flatMap(([flag, takes, values]) =>
  values.map((value) => ({
    what: `${flag} ${JSON.stringify(value)}`,
    argv: ['run', `${flag}=${value}`],
    says: [
      `${flag} takes ${takes}, not ${JSON.stringify(value)}.`,
      ...(flag === '--fail-under'
        ? ['Such as 0.8 or 80% for the pass rate, exact=0.9 for one score.']
        : []),
    ],
  })),
);

const shards: readonly CommandRow[] = [
  '0/4',
  '5/4',
  'a/b',
  '1/0',
  '2',
  '1/2/3',
  '',
  '-1/4',
  '1/10001',
].map((given) => ({
  what: `--shard ${JSON.stringify(given)}`,
  argv: ['run', '--shard', given],
  says: [`--shard takes I/N with I from 1 to N, such as 2/4, not ${JSON.stringify(given)}.`],
}));

const inspectors: readonly CommandRow[] = [
  ...['', 'localhost', '65536', '::1', '9229x', '-1'].map((given) => ({
    what: `--inspect-brk=${given}`,
    argv: ['run', `--inspect-brk=${given}`],
    says: [
      `--inspect-brk takes a port, or HOST:PORT, not ${JSON.stringify(given)}.`,
      'Such as --inspect-brk=9230. Without one, it is 127.0.0.1:9229.',
    ],
  })),
  ...['--isolate', '--watch', '--list', '--workers=2'].map((other) => ({
    what: `--inspect with ${other}`,
    argv: ['run', '--inspect', other],
    says: [`--inspect and ${other.replace('=2', '')} cannot be given together.`],
  })),
];

const limits: readonly CommandRow[] = [
  'cost',
  'cost=',
  'cost=-1',
  'cost=$2',
  'cost=1k',
  'tokens=1G',
  'latency.p95=10s',
  '=1',
].map((given) => ({
  what: `--fail-over ${given}`,
  argv: ['run', `--fail-over=${given}`],
  says: [
    `--fail-over takes a figure and its limit, not ${JSON.stringify(given)}.`,
    'Such as cost=2, cost.evaluators=1, tokens=1M, calls=500 or latency.p95=10.',
  ],
}));

const saved = ['--rerun', '--resume', '--regrade'] as const;
const newRunsOnly: readonly (readonly string[])[] = [
  ['--trials', '2'],
  ['--run-name', 'x'],
  ['--ignore', 'x'],
  ['--allow-only'],
  ['--list'],
  ['--no-save'],
];

/** Every pair of flags that contradict each other. */
const pairs: readonly CommandRow[] = [
  ...saved.flatMap((one) => [
    ...saved.filter((other) => other > one).map((other) => pair([one, 'x'], [other, 'y'])),
    ...newRunsOnly.map((other) => pair([one, 'x'], other)),
  ]),
  pair(['--resume', 'x'], ['--run-config', 'fast']),
  pair(['--regrade', 'x'], ['--run-config', 'fast']),
  pair(['--list'], ['--bless', 'b.json']),
  pair(['--list'], ['--reporter', 'junit=j.xml']),
  {
    ...pair(['--resume', 'x'], ['--only', 'failed']),
    says: ['--only and --resume cannot be given together.', '--only needs --rerun or --regrade.'],
  },
  {
    what: '--only by itself',
    argv: ['run', '--only', 'failed'],
    says: ['--only needs --rerun or --regrade.'],
  },
];

function pair(one: readonly string[], other: readonly string[]): CommandRow {
  const names = [one[0], other[0]];
  return {
    what: `${names.join(' with ')}`,
    argv: ['run', ...one, ...other],
    says: [`${names.sort().join(' and ')} cannot be given together.`],
  };
}

const spelling: readonly CommandRow[] = [
  {
    what: 'a flag that is misspelt',
    argv: ['run', '--concurency', '3'],
    says: ['There is no flag --concurency.', 'Did you mean --concurrency?'],
  },
  {
    what: 'a flag in capitals',
    argv: ['run', '--Limit', '3'],
    says: ['There is no flag --Limit.', 'Did you mean --limit or --list?'],
  },
  {
    what: 'a flag with one dash',
    argv: ['run', '-limit', '3'],
    says: ['There is no flag -limit.', 'Did you mean --limit?'],
  },
  {
    what: 'a flag that cannot be switched off',
    argv: ['run', '--no-concurrency'],
    says: ['There is no flag --no-concurrency.', 'Did you mean --concurrency?'],
  },
  { what: 'an unknown flag', argv: ['run', '--zzzz'], says: ['There is no flag --zzzz.'] },
  { what: 'an unknown letter', argv: ['run', '-z'], says: ['There is no flag -z.'] },
  { what: 'a flag without its value', argv: ['run', '-c'], says: ['--concurrency needs a value.'] },
  {
    what: 'a flag that is given twice',
    argv: ['run', '--limit', '3', '--limit', '4'],
    says: ['--limit can be given only once.'],
  },
  {
    what: 'a switch with a value',
    argv: ['run', '--list=yes'],
    says: ['--list takes no value: write --list, or leave it out.'],
  },
  {
    what: 'a switch that is set to false',
    argv: ['run', '--verbose=false'],
    says: ['--verbose takes no value: write --verbose or --no-verbose.'],
  },
  {
    what: '--json with a value',
    argv: ['sessions', '--json=1'],
    says: ['--json takes no value: write --json, or leave it out.'],
  },
  {
    what: 'a gate that is misspelt',
    argv: ['run', '--fail-on', 'eror'],
    says: [
      '--fail-on takes errors, failures, no-calls, carried, carried-wrongly, regression, new-failures or missing, not "eror".',
    ],
  },
  {
    what: 'a kind of rows that is misspelt',
    argv: ['run', '--rerun', 'x', '--only', 'faild'],
    says: [
      '--only takes failed, errors, flaky, unfinished or changed, not "faild".',
      'Did you mean failed?',
    ],
  },
  {
    what: 'a gate that compares with nothing',
    argv: ['run', '--fail-on', 'missing,regression'],
    says: [
      '--fail-on regression,missing needs a baseline.',
      'Name a run or a baseline file: --baseline RUN',
    ],
  },
];

const names: readonly CommandRow[] = (
  [
    ['session', ['', '  ', '\u200b\u2060'], 'must not be blank.'],
    ['run', ['', '\t', '\u3000'], 'must not be blank.'],
    ['session', ['x'.repeat(5000)], 'has at most 100 characters, this one has 5000.'],
    ['run', ['👩‍🚀'.repeat(34)], 'has at most 100 characters, this one has 102.'],
    ['session', ['a\nb', 'a\u2028b'], 'must not contain control characters.'],
    ['run', ['a\u001b[31mb', 'a\u0085b'], 'must not contain control characters.'],
  ] as const
).flatMap(([kind, values, problem]) =>
  values.map((value) => ({
    what: `a ${kind} name like ${JSON.stringify(value.slice(0, 12))}`,
    argv: ['run', kind === 'run' ? '--run-name' : '--session', value],
    says: [`A ${kind} name ${problem}`],
  })),
);

const noConfig = (name: string) => [
  `There is no run config named ${JSON.stringify(name)}.`,
  'Run configs: default.',
  'They are listed under configs in <project>/assay.yaml.',
];

const configs: readonly CommandRow[] = ['fast', '', '__proto__', 'toString'].map((name) => ({
  what: `a run config named ${JSON.stringify(name)}`,
  argv: ['run', '--run-config', name],
  says: noConfig(name),
}));

const outputs: readonly CommandRow[] = [
  ...(['-o', '--bless', '--reporter'] as const).flatMap((flag): CommandRow[] => {
    const file = (path: string) => (flag === '--reporter' ? `junit=${path}` : path);
    return [
      {
        what: `${flag} into a folder that is not there`,
        argv: ['run', flag, file('missing/out.json')],
        says: ['Cannot write missing/out.json: its folder does not exist.'],
      },
      {
        what: `${flag} into a folder`,
        argv: ['run', flag, file('evals')],
        says: ['Cannot write evals: it is a folder.', 'Name a file in it.'],
      },
      {
        what: `${flag} below a file`,
        argv: ['run', flag, file('package.json/out.json')],
        says: ['Cannot write package.json/out.json: a part of its path is not a folder.'],
      },
      {
        what: `${flag} with a name that is too long`,
        argv: ['run', flag, file(`${'x'.repeat(300)}.json`)],
        says: [/^Cannot write x{300}\.json: its name is too long\.$/],
      },
    ];
  }),
  ...['-o', '--bless'].map((flag) => ({
    what: `${flag} without a name`,
    argv: ['run', flag, ''],
    says: ['The name of a file to write is empty.'],
  })),
  {
    what: 'an output file of an unknown kind',
    argv: ['run', '-o', 'out.xml'],
    says: ['No export format is called .xml: out.xml.', 'Endings: .json, .csv, .md, .otlp.jsonl'],
  },
  {
    what: 'an output file that is an eval file',
    argv: ['run', '-o', 'evals/good.eval.ts'],
    says: [
      'No export format is called .ts: evals/good.eval.ts.',
      'Endings: .json, .csv, .md, .otlp.jsonl',
    ],
  },
  ...['xml', 'junit=', '', 'github=x'].map((name) => ({
    what: `the reporter ${JSON.stringify(name)}`,
    argv: ['run', '--reporter', name],
    says: [`There is no reporter ${JSON.stringify(name)}.`, 'They are: github, junit, junit=FILE'],
  })),
  {
    what: 'a reporter for stdout beside results for stdout',
    argv: ['run', '--reporter', 'junit', '-o', '-'],
    says: [
      '--reporter junit is for stdout, where something else goes.',
      'Name a file: --reporter junit=junit.xml',
    ],
  },
];

testCommands('bad input: numbers', numbers);
testCommands('bad input: limits', limits);
testCommands('bad input: shards', shards);
testCommands('bad input: inspectors', inspectors);
testCommands('bad input: flags that contradict each other', pairs);
testCommands('bad input: spelling of flags', spelling);
testCommands('bad input: names and run configs', [...names, ...configs]);
testCommands('bad input: output files', outputs);

describe('bad input: flags', () => {
  testAsJson([...numbers, ...pairs, ...spelling], 'usage');
});
