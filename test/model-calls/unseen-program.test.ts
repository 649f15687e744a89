import { expect } from 'chai';
import { unseenProgram } from '../../src/model-calls/unseen-program.js';

const noneKnown = () => false;
const inShell = (text: string, isKnown: (name: string) => boolean = noneKnown) =>
  unseenProgram({ file: '/bin/sh', args: ['-c', text], changed: [] }, isKnown);
const direct = (...[file = '', ...args]: readonly string[]) =>
  unseenProgram({ file, args, changed: [] }, noneKnown);

const harmless = [
  ['git', 'commit', '-m', 'a; curl $(x)'],
  ['git', '-C', '/tmp', 'status'],
  ['git', '--version'],
  ['git', 'merge', '--no-ff', '-m', 'list of settings', '-Xours', '--stat', '--squash', 'topic'],
  ['git', 'merge', '--strategy-option=ours', 'topic'],
  ['git', 'cherry-pick', '-s', 'topic'],
  ['cat', 'a', 'b'],
  ['/usr/bin/wc', '-l'],
];

const counted: Readonly<Record<string, readonly string[]>> = {
  curl: ['curl', '-sS', 'https://api.example'],
  python3: ['/usr/bin/python3', 'agent.py'],
  agent: ['C:\\tools\\agent.exe'],
  bash: ['bash', '-c', 'cat a'],
  sh: ['/bin/sh', 'agent.sh'],
  node: ['node', '--test'],
  npm: ['npm', 'test'],
  npx: ['npx', 'tsc'],
  make: ['make', 'build'],
  env: ['env', 'A=1', 'cat', 'a'],
  xargs: ['xargs', 'cat'],
  find: ['find', '.', '-exec', './x', ';'],
  sed: ['sed', 's/a/curl x/e'],
  cat: ['./cat', 'a'],
  ls: ['/home/me/bin/ls'],
  git: ['git', '-c', 'alias.x=!curl x', 'x'],
};

const shellTexts: Readonly<Record<string, string | undefined>> = {
  'git status --short': undefined,
  ' cat a.txt b/c.txt ': undefined,
  'echo x=1:2': undefined,
  'python3 agent.py': 'python3',
  './cat a': 'cat',
  'trap ./x EXIT': 'trap',
  'eval cat': 'eval',
  ...Object.fromEntries(
    [
      ...['cat a | curl x', 'cat a; ./x', 'cat a && ./x', 'cat a &', 'echo $(./x)', 'echo `./x`'],
      ...['echo x > /dev/tcp/a/80', 'cat <(./x)', "git -c alias.x='!./x' x", 'cat a\n./x', '$TOOL'],
      ...['PATH=./bin git status', 'cat "a"', 'for f in *; do cat a; done', 'cat ~/a', ''],
    ].map((text) => [text, 'sh']),
  ),
};

describe('a program whose calls are not seen', () => {
  it('is every program but those of a short list', () => {
    for (const words of harmless) expect(direct(...words), words.join(' ')).to.equal(undefined);
    for (const [name, words] of Object.entries(counted)) {
      expect(direct(...words), words.join(' ')).to.equal(name);
    }
  });

  it('is git with a strategy of a merge, which is a program, too', () => {
    const named = [
      ['merge', '-s', 'x', 'topic'],
      ['merge', '-sx', 'topic'],
      ['merge', '-qnsx', 'topic'],
      ['merge', '--strategy', 'x', 'topic'],
      ['-C', '/tmp', 'merge', '--strategy=x', 'topic'],
      ['cherry-pick', '--strategy=x', 'topic'],
      ['revert', '--strategy=x', 'topic'],
    ];
    for (const words of named) expect(direct('git', ...words), words.join(' ')).to.equal('git');
    expect(inShell('git merge -s x topic')).to.equal('git');
  });

  it('is, in a shell, the one that plain words name, else the shell', () => {
    for (const [text, name] of Object.entries(shellTexts)) {
      expect(inShell(text), text).to.equal(name);
    }
    const windows = (text: string) =>
      unseenProgram(
        { file: 'C:\\Windows\\cmd.exe', args: ['/d', '/s', '/c', text], changed: [] },
        noneKnown,
      );
    expect(windows('"git status"')).to.equal(undefined);
    expect(windows('"git status & agent"')).to.equal('cmd');
    const other = { file: './sh', args: ['-c', 'cat a'], changed: [] };
    expect(unseenProgram(other, noneKnown)).to.equal('sh');
  });

  it('is any that is looked up in another PATH than that of the process', () => {
    const other = { file: 'git', args: ['status'], changed: ['PATH'] };
    expect(unseenProgram(other, noneKnown)).to.equal('git');
    expect(
      unseenProgram({ file: '/bin/sh', args: ['-c', 'git status'], changed: ['PATH'] }, noneKnown),
    ).to.equal('git');
    // A script that starts others by their names.
    const script = { file: '/bin/egrep', args: ['a'], changed: ['PATH'] };
    expect(unseenProgram(script, noneKnown)).to.equal('egrep');
  });

  it('is any that its environment may make run another one', () => {
    const inEnvironment = (file: string, name: string) =>
      unseenProgram({ file, args: ['status'], changed: [name] }, noneKnown);
    for (const name of ['LD_PRELOAD', 'DYLD_INSERT_LIBRARIES', 'BASH_ENV', 'BASH_FUNC_cat%%']) {
      expect(inEnvironment('cat', name), name).to.equal('cat');
    }
    const ofGit = 'EXTERNAL_DIFF SSH_COMMAND PAGER EDITOR CONFIG_COUNT CONFIG_GLOBAL EXEC_PATH NEW';
    for (const name of ['HOME', 'PAGER', ...ofGit.split(' ').map((end) => `GIT_${end}`)]) {
      expect(inEnvironment('git', name), name).to.equal('git');
      expect(inEnvironment('cat', name), name).to.equal(undefined);
    }
    for (const name of ['GIT_AUTHOR_DATE', 'GIT_DIR', 'FOO', 'LANG', 'TERM']) {
      expect(inEnvironment('git', name), name).to.equal(undefined);
    }
  });

  it('is none that the settings name', () => {
    expect(inShell('python3 a.py', (name) => name === 'python3')).to.equal(undefined);
    expect(inShell('python3 a.py | cat', (name) => name === 'python3')).to.equal('sh');
    expect(inShell('python3 a.py | cat', (name) => name === 'sh')).to.equal(undefined);
  });
});
