import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { type CommandRow, testCommands } from './command-rows.js';

const howEvalsAreNamed = 'An eval file is named *.eval.ts and exports what evaluation() returns.';
const good = 'evals/good.eval.ts';

const paths: readonly CommandRow[] = [
  ...[
    ['a path that is not there', 'nowhere/at/all', 'No such path: nowhere/at/all.'],
    [
      'a path near one that is there',
      'evals/god.eval.ts',
      `No such path: evals/god.eval.ts. Did you mean ${good}?`,
    ],
    ['a path with a line break', 'a\nb', 'No such path: "a\\nb".'],
    ['a path with a blank at its end', 'evals ', 'No such path: "evals ". Did you mean evals?'],
    ['a path that would write backwards', '\u202egnp.exe', 'No such path: \\u{202e}gnp.exe.'],
    ['a path in Arabic', 'مسار', 'No such path: مسار.'],
    ['a path of emoji', '👩‍🚀/🧪', 'No such path: 👩‍🚀/🧪.'],
    ['a path of 6000 characters', 'x/'.repeat(3000), `No such path: ${'x/'.repeat(80)}….`],
    ['a path below a file', `${good}/x`, `No such path: ${good}/x.`],
    ['a URL of a file', 'file:///evals', 'No such path: file:///evals.'],
    ['a URL', 'https://example.com/a.eval.ts', 'No such path: https://example.com/a.eval.ts.'],
    ['a home folder in quotes', '~/evals', 'No such path: ~/evals.'],
    ['a dash', '-', 'No such path: -.'],
    ['an empty path', '', '"" is not a path: a path must not be empty.'],
    ['a blank path', '  ', '"  " is not a path: a path must not be empty.'],
    [
      'a path that is only a name',
      '::refund',
      '"::refund" is not a path: a path must not be empty.',
    ],
    [
      'a path without the name',
      `${good}::`,
      `${good}::: the name of an evaluation must follow ::.`,
    ],
    ['a device', '/dev/null', '/dev/null is neither a file nor a folder.'],
    ['an endless device', '/dev/zero', '/dev/zero is neither a file nor a folder.'],
    [
      'the memory of the process',
      '/proc/self/mem',
      '/proc/self/mem is not a TypeScript or JavaScript file.',
    ],
    [
      'a file of another kind',
      'package.json',
      'package.json is not a TypeScript or JavaScript file.',
    ],
  ].map(([what = '', path = '', message = '']) => ({ what, argv: ['run', path], says: [message] })),
  ...[
    ['a glob that matches nothing', 'evals/*.spec.ts'],
    ['a glob that is not closed', '{a,'],
    ['a range that runs backwards', '[z-a]'],
    ['a glob of brackets', '**(('],
  ].map(([what = '', path = '']) => ({
    what,
    argv: ['run', path],
    says: [`No eval files in ${path}.`, howEvalsAreNamed],
  })),
  {
    what: 'a path with an escape sequence',
    argv: ['run', 'a\u001b[31mred'],
    says: ['No eval files in "a\\u001b[31mred".', howEvalsAreNamed],
  },
  {
    what: 'a path behind two dashes',
    argv: ['run', '--', '--limit'],
    says: ['No such path: --limit.'],
  },
  {
    what: 'a folder without evals',
    argv: ['run', 'src'],
    files: { 'src/a.ts': '' },
    says: ['No eval files in src.', howEvalsAreNamed],
  },
  {
    what: 'a folder that is named as an eval file',
    argv: ['run', 'folder.eval.ts'],
    prepare: (project) => mkdirSync(project.path('folder.eval.ts')),
    says: ['No eval files in folder.eval.ts.', howEvalsAreNamed],
  },
  {
    what: 'a name behind a folder of two eval files',
    argv: ['run', 'evals::refund'],
    files: { 'evals/more.eval.ts': '' },
    says: ['evals::refund: only a file can be followed by ::, not a folder.'],
  },
  {
    what: 'a link that leads to itself',
    argv: ['run', 'loop.eval.ts'],
    prepare: (project) => symlinkSync('loop.eval.ts', project.path('loop.eval.ts')),
    says: ['No such path: loop.eval.ts. It is a link that leads in a circle.'],
  },
  {
    what: 'a link to something that is gone',
    argv: ['run', 'gone.eval.ts'],
    prepare: (project) => symlinkSync('nowhere.ts', project.path('gone.eval.ts')),
    says: ['No such path: gone.eval.ts. It is a link to something that is gone.'],
  },
  {
    what: 'a pipe',
    argv: ['run', 'pipe.eval.ts'],
    prepare: (project) => execFileSync('mkfifo', [project.path('pipe.eval.ts')]),
    says: ['pipe.eval.ts is neither a file nor a folder.'],
  },
  {
    what: 'a folder that holds itself',
    argv: ['run', 'evals', '--list'],
    prepare: (project) => symlinkSync('..', project.path('evals/up')),
    code: 0,
    says: ['3 would run'],
  },
  ...[
    ['a folder that is left out', 'evals'],
    ['a file that is left out', good],
    ['everything left out', '**'],
  ].map(([what = '', glob = '']) => ({
    what,
    argv: ['run', 'evals', '--ignore', glob],
    says: [`${good} is left out by --ignore ${glob}.`],
  })),
];

const names: readonly CommandRow[] = [
  ...[
    ['a name near one that is there', 'refnd', 'refnd. Did you mean refund?'],
    ['a name near none', 'xyzzy', 'xyzzy.'],
    ['a case near one that is there', 'cancel[x]', 'cancel[x]. Did you mean cancel?'],
    ['a name with a bell in it', 're\u0007fund', '"re\\u0007fund". Did you mean refund?'],
  ].map(([what = '', name = '', message = '']) => ({
    what,
    argv: ['run', `${good}::${name}`],
    says: [`${good} has no evaluation named ${message}`, 'It has: refund, cancel'],
  })),
  ...[
    [
      'a dataset that is not there',
      '--dataset',
      'suport',
      'dataset suport; there are: support, good',
    ],
    ['an empty dataset', '--dataset', '', 'dataset ""; there are: support, good'],
    ['a label that is not there', '--label', 'smoke', 'label smoke; there are: tone'],
    ['a list of nothing', '--label', ',', 'label "" or ""; there are: tone'],
  ].map(([what = '', flag = '', value = '', hint = '']) => ({
    what,
    argv: ['run', flag, value],
    says: ['No evaluation matches the filters.', hint],
  })),
];

testCommands('bad input: paths', paths);
testCommands('bad input: names of evaluations', names);
