import { type CommandRow, testAsJson, testCommands } from './command-rows.js';

const row = (
  what: string,
  from: string,
  files: Readonly<Record<string, string>>,
  says: string | RegExp,
): CommandRow => ({
  what: `translating ${what}`,
  argv: ['init', '--from', from],
  files,
  says: [says, 'Nothing was written.'],
});

const config = 'prompts: [hi]\nproviders: [echo]\n';

const rows: readonly CommandRow[] = [
  row('a file that is missing', 'nope.yaml', {}, 'nope.yaml: there is no such file.'),
  row('a folder', 'evals.yaml', { 'evals.yaml/a': '' }, 'evals.yaml: it is a folder.'),
  row('nothing', '', {}, 'The name of a file to translate is empty.'),
  row('a glob without a match', 'no/*.eval.ts', {}, 'no/*.eval.ts matches no file.'),
  row('another kind of file', 'a.py', { 'a.py': '' }, /^a\.py is neither YAML of promptfoo nor/),
  row(
    'what is no YAML',
    'a.yaml',
    { 'a.yaml': 'prompts:\n  - "a\n' },
    /^a\.yaml:\d+:\d+: it is not YAML: /,
  ),
  row(
    'bytes that are no text',
    'a.yaml',
    { 'a.yaml': 'a\0' },
    /^a\.yaml:1:2: it contains a NUL character/,
  ),
  row(
    'YAML of something else',
    'a.yaml',
    { 'a.yaml': 'services: {}\n' },
    'a.yaml is no configuration of promptfoo: it has no prompts, providers or tests.',
  ),
  row('a list', 'a.yaml', { 'a.yaml': '- a\n' }, /^a\.yaml is no configuration of promptfoo: /),
  row(
    'a file of 10 MB',
    'a.yaml',
    { 'a.yaml': `${config}# ${'x'.repeat(10 * 1024 * 1024)}\n` },
    'a.yaml: it is larger than 5 MB.',
  ),
  row(
    'a configuration without its prompt',
    'a.yaml',
    { 'a.yaml': 'prompts: [file://prompts/a.txt]\nproviders: [echo]\n' },
    'a.yaml names prompts/a.txt, which does not exist.',
  ),
  row(
    'a configuration without its tests',
    'a.yaml',
    { 'a.yaml': `${config}tests: file://cases/*.yaml\n` },
    'a.yaml names cases/*.yaml, which matches no file.',
  ),
  row(
    'a broken table',
    'a.yaml',
    { 'a.yaml': `${config}tests: t.csv\n`, 't.csv': 'a,b\n1\n' },
    /^t\.csv is no CSV: /,
  ),
  row(
    'aliases without end',
    'a.yaml',
    { 'a.yaml': 'prompts: *a\n' },
    /^a\.yaml(:\d+:\d+)?: it is not YAML: /,
  ),
  row(
    'a configuration in code',
    'promptfooconfig.ts',
    { 'promptfooconfig.ts': 'export default {};\n' },
    'promptfooconfig.ts is a configuration of promptfoo in code: write it as YAML first.',
  ),
  row(
    'broken TypeScript',
    'a.eval.ts',
    { 'a.eval.ts': 'const = 1;\n' },
    /^a\.eval\.ts is no TypeScript: /,
  ),
  row(
    'an eval file of assay',
    'evals/good.eval.ts',
    {},
    'evals/good.eval.ts is no eval file of evalite: it calls no evalite().',
  ),
];

testCommands('assay init --from', rows);

describe('assay init --from', () => {
  testAsJson(
    rows.filter(({ files = {} }) => Object.keys(files).length === 0),
    'bad-request',
  );
});
