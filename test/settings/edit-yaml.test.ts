import { expect } from 'chai';
import * as yaml from 'yaml';
import { editYaml, RenamedKey, type SettingChange } from '../../src/settings/edit-yaml.js';
import { parseKeyPath } from '../../src/settings/key-path.js';
import { refusal } from '../store/builders.js';

const texts = {
  'comments everywhere': `# 1

# 2
concurrency: 4 # 3
# 4

timeout: 2
configs: # 5
  # 6
  a: # 7
    # 8
    trials: 2 # 9
    # 10
    params: # 11
      # 12
      model: x # 13
      # 14
  # 15
  b: {trials: 3} # 16
# 17
`,
  'one line in braces': '{trials: 2, configs: {a: {trials: 3}}} # 1\n# 2\n',
  'block texts and lists': `trials: 2 # 1


# 2
other:
- x # 3
- y
# 4
configs:
    a:
        params:
            model: |
                two
                lines
            # 5
            k: >-
                folded
                text
`,
  'a document with markers': '%YAML 1.2\n---\n# 1\ntrials: 1\n...\n',
  'odd gaps and no last line end':
    'trials:\n  2 # 1\nconfigs:\n\n  a:\n\n    # 2\n\n    trials: 5\n\n\n# 3',
  'only comments': '# 1\n\n# 2\n',
};
const keys = [
  ...['trials', 'verbose', 'configs.a.trials', 'configs.a.timeout', 'configs.a.params.model'],
  ...['configs.a.params.deep.er', 'configs.new.params.model'],
];
const values: readonly SettingChange[] = [
  undefined,
  7,
  'a: b # c',
  '',
  null,
  true,
  ['x'],
  { y: 1 },
];

describe('editYaml', () => {
  for (const [name, text] of Object.entries(texts)) {
    it(`changes just one key and keeps every comment: ${name}`, () => {
      for (const source of [text, text.replaceAll('\n', '\r\n')]) {
        for (const key of keys) for (const value of values) check(source, key, value);
      }
    });
  }

  it('changes nothing when the value is there already or the key is not', () => {
    const text = 'a:   [1,2]\nb:   x\n';
    expect(editYaml(yaml, text, ['b'], 'x')).to.equal(text);
    expect(editYaml(yaml, text, ['a'], [1, 2])).to.equal(text);
    expect(editYaml(yaml, text, ['c'], undefined)).to.equal(text);
  });

  it('puts what is new beside what is there, and comments where they were', () => {
    for (const [before, key, value, after] of [
      ['a: 1\n\n\n# end\n', 'b', ['x'], 'a: 1\nb:\n  - x\n\n# end\n'],
      ['a:   1   # one\nb: 2\n', 'a', { y: 1 }, 'a:\n  # one\n  y: 1\nb: 2\n'],
      [
        'configs: # here\n  a:\n  # c\n',
        'configs.a.b',
        1,
        'configs: # here\n  a:\n    # c\n    b: 1\n',
      ],
      [
        'x: # one\n  # two\n  - 1 # three\nb: # four\n  c: 1\n',
        'b.c',
        2,
        'x: # one\n  # two\n  - 1 # three\nb: # four\n  c: 2\n',
      ],
      ['a: {b: [1]}   # one\n# two\n', 'a.c', 2, 'a: {b: [1], c: 2} # one\n\n# two\n'],
      ['a: &x {b: 1}   # one\nc: {<<: *x}\n', 'a.d', 2, 'a: &x {b: 1, d: 2} # one\nc: {<<: *x}\n'],
      ['a: &x\n  b: 1\nc: {<<: *x}\n', 'a.b', 2, 'a: &x\n  b: 2\nc: {<<: *x}\n'],
      ['a:\n  b: 1 # one\n  # two\nc: 3\n', 'a.b', undefined, 'a:\n  {}\n  # one\n  # two\nc: 3\n'],
      ['a:\n  b: 1\n  # two\n', 'a.c', 'x\ny', 'a:\n  b: 1\n  c: |-\n    x\n    y\n  # two\n'],
      ['a:\n  b: 1\n    # two\n', 'a.c', 'x\ny', 'a:\n  b: 1 # two\n  c: |-\n    x\n    y\n'],
    ] as const) {
      expect(editYaml(yaml, before, parseKeyPath(key), value), before).to.equal(after);
    }
  });

  it('renames a key in its place, with all comments', async () => {
    for (const [before, key, name, after] of [
      ['a:\n  # one\n  b: 1 # two\n  c: 2\n', 'a.b', 'd', 'a:\n  # one\n  d: 1 # two\n  c: 2\n'],
      [
        'a:\n  b: # one\n    # two\n    c: 1\n',
        'a.b',
        'x: #y',
        'a:\n  "x: #y": # one\n    # two\n    c: 1\n',
      ],
      ['a: {b: 1, c: 2} # one\n', 'a.b', 'x, y', 'a: {"x, y": 1, c: 2} # one\n'],
      ['a:\r\n  "b.c": &x 1\r\nd: *x\r\n', 'a."b.c"', '7', 'a:\r\n  "7": &x 1\r\nd: *x\r\n'],
      ['a:\n  b:\n  c: 1\n', 'a.b', 'true', 'a:\n  "true":\n  c: 1\n'],
      ['a: {b}\n', 'a.b', 'c', 'a: {c}\n'],
    ] as const) {
      const edited = editYaml(yaml, before, parseKeyPath(key), new RenamedKey(name));
      expect(edited, before).to.equal(after);
    }
    for (const text of [
      'x: &x {b: 1}\na: *x\n',
      'x: &x {b: 1}\na: {<<: *x}\n',
      'a: 1\n',
      'c: 1\n',
    ]) {
      const error = await refusal(() => editYaml(yaml, text, ['a', 'b'], new RenamedKey('c')));
      expect(error.message, text).to.equal('a.b cannot be changed from here.');
    }
  });

  it('refuses to take away what an alias points to', async () => {
    const text = 'a: &x\n  trials: 2\nb: *x\nc: { <<: *x }\n';
    for (const value of [undefined, 1]) {
      const error = await refusal(() => editYaml(yaml, text, ['a'], value));
      expect(error.message).to.equal('a cannot be changed from here.');
    }
  });
});

function check(source: string, key: string, value: SettingChange): void {
  const path = parseKeyPath(key);
  const edited = editYaml(yaml, source, path, value);
  const about = JSON.stringify({ key, value, edited });
  const document = yaml.parseDocument(edited);
  expect(document.errors, about).to.deep.equal([]);
  const got: unknown = document.toJS() ?? {};
  expect(valueAt(got, path) ?? undefined, about).to.deep.equal(value ?? undefined);
  expect(without(got, path), about).to.deep.equal(without(yaml.parse(source) ?? {}, path));
  expect(comments(edited), about).to.include.members(comments(source));
  expect(edited.replaceAll('\r\n', ''), about).to.not.match(
    source.includes('\r') ? /[\r\n]/ : /\r/,
  );
}

function comments(text: string): string[] {
  return [...text.matchAll(/# ?(\d+)$/gm)].map((match) => match[1] ?? '');
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (at, key) => (at as Record<string, unknown> | undefined)?.[key],
    value,
  );
}

/** The value without what is at `path`, and without maps that are empty then. */
function without(value: unknown, path: readonly string[]): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const [first, ...rest] = path;
  const kept = Object.entries(value)
    .filter(([key]) => key !== first || rest.length > 0)
    .map(([key, inner]) => [key, without(inner, key === first ? rest : [])] as const)
    .filter(([, inner]) => inner !== undefined && inner !== null);
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}
