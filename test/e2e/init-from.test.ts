import { expect } from 'chai';
import ts from 'typescript';
import { Project } from '../helpers/project.js';
import { linkPackages } from '../helpers/project-folder.js';

const schema = '{ type: object, required: [a], properties: { a: { type: number } } }';

/** What promptfoo 0.123 says of these outputs: each prompt is its own answer. */
const config = `description: Echoes
prompts:
  - file://prompts/plain.txt
  - label: loud
    raw: "Say: {{text}}"
providers: [echo]
defaultTest:
  assert:
    - { type: not-contains, value: password }
    - { type: javascript, value: "output.includes(context.vars.text)" }
tests:
  - description: text
    vars: { text: Five days }
    assert:
      - { type: icontains-any, value: 'DAYS, weeks' }
      - { type: regex, value: '^Five' }
      - { type: levenshtein, value: Six days, threshold: 3 }
  - description: json
    vars: { text: '{"a": 1}' }
    assert:
      - { type: equals, value: { a: 1 } }
      - { type: is-json, value: ${schema} }
      - { type: contains-json }
      - type: javascript
        value: |
          const found = output.match(/\\d/);
          return found.length === 1 && output.split('').some(one => one === '1');
  - description: secret
    vars: { text: my password }
  - description: twice encoded
    vars: { text: '"{\\\\"a\\\\": 1}"' }
    assert:
      - { type: is-json, value: ${schema} }
  - description: half
    vars: { text: one }
    threshold: 0.5
    options: { disableDefaultAsserts: true }
    assert:
      - { type: contains, value: one }
      - { type: contains, value: two }
  - description: left
    vars: { text: anything }
    assert:
      - { type: similar, value: anything }
`;

describe('assay init --from', () => {
  it('writes what TypeScript takes, and what decides as promptfoo does', async function () {
    this.timeout(120_000);
    const project = new Project({
      'promptfooconfig.yaml': config,
      'prompts/plain.txt': '{{text}}\n',
      'models.yaml': `prompts:
  - '[{"role": "system", "content": "Be brief."}, {"role": "user", "content": "{{question}}"}]'
providers:
  - openai:gpt-4.1
  - { id: 'anthropic:messages:claude-haiku-4-5', label: haiku, config: { max_tokens: 50 } }
  - google:gemini-2.5-flash
tests: file://tests.csv
defaultTest: { assert: [{ type: llm-rubric, value: Is it polite? }] }
`,
      'tests.csv': 'question,__expected\nCapital of France?,Paris\nCapital of Italy?,Rome\n',
    });
    const { code, stderr, stdout } = await project.assay([
      'init',
      '--from',
      'promptfooconfig.yaml',
      'models.yaml',
      '--json',
    ]);
    expect(code, stderr).to.equal(0);
    const { translated, next } = JSON.parse(stdout);
    expect(translated[0]).to.deep.equal({
      ...{ from: 'promptfooconfig.yaml', to: 'promptfoo.eval.ts', cases: 6, ungraded: 0 },
      ...{ assertions: 13, translated_assertions: 12, untranslated: { similar: 1 } },
    });
    expect(next).to.include('npm install --save-dev ajv openai @anthropic-ai/sdk @google/genai');
    linkPackages(project.folder, [
      'ajv',
      'openai',
      '@anthropic-ai/sdk',
      '@google/genai',
      '@types/node',
    ]);
    expect(faultsIn(project, ['promptfoo.eval.ts', 'models.eval.ts'])).to.deep.equal([]);
    expect(project.read('models.eval.ts')).to.include(
      "fromCsv(new URL('./tests.csv', import.meta.url)",
    );

    const run = await project.assay([
      'run',
      'promptfoo.eval.ts',
      '--param',
      'prompt=plain,loud',
      '--json',
    ]);
    const { runs } = JSON.parse(run.stdout);
    const verdicts = runs.map(({ results }: { results: readonly Row[] }) =>
      Object.fromEntries(
        results.map((row) => [row.function.slice('promptfoo['.length, -1), verdictOf(row.result)]),
      ),
    );
    const same = { secret: 'failed', 'twice encoded': 'failed', half: 'passed', left: 'error' };
    expect(verdicts).to.deep.equal([
      { ...same, text: 'passed', json: 'passed' },
      { ...same, text: 'failed', json: 'failed' },
    ]);
  });

  it('overwrites nothing', async () => {
    const project = new Project({
      'promptfooconfig.yaml': config,
      'promptfoo.eval.ts': '// mine',
      'prompts/plain.txt': 'x',
    });
    const { stderr } = await project.assay(['init', '--from', 'promptfooconfig.yaml']);
    expect(stderr).to.include('promptfoo.eval.ts is there: it stays as it is');
    expect(project.read('promptfoo.eval.ts')).to.equal('// mine');
  });

  it('runs evaluations of evalite', async () => {
    const project = new Project({
      'evals/a.eval.ts': `import { Levenshtein } from 'autoevals';
import { createScorer, evalite } from 'evalite';

evalite('Greetings', {
  data: async () => [
    { input: 'Ada', expected: 'Hello Ada' },
    { input: 'Bob', expected: 'Hi Bob' },
  ],
  task: async (name) => \`Hello \${name}\`,
  scorers: [
    Levenshtein,
    createScorer({ name: 'Same', scorer: ({ output, expected }) => (output === expected ? 1 : 0) }),
    { name: 'Short', scorer: ({ output }) => ({ score: output.length < 20 ? 1 : 0, metadata: 'x' }) },
  ],
});
`,
    });
    const { code, stdout, stderr } = await project.assay(['init', '--from', 'evals/*.eval.ts']);
    expect(code, stderr).to.equal(0);
    expect(stdout).to.include('assay run evals/a.assay.eval.ts');
    linkPackages(project.folder, ['@types/node']);
    expect(faultsIn(project, ['evals/a.assay.eval.ts'])).to.deep.equal([]);
    const run = await project.assay(['run', 'evals/a.assay.eval.ts', '--json']);
    const scores = (JSON.parse(run.stdout).results as readonly Row[]).map(({ result }) =>
      result.scores.map(({ key, value }) => [key, value]),
    );
    expect(scores).to.deep.equal([
      [
        ['Levenshtein', 1],
        ['Same', 1],
        ['Short', 1],
      ],
      [
        ['Levenshtein', 1 - 4 / 9],
        ['Same', 0],
        ['Short', 1],
      ],
    ]);
  });
});

interface Row {
  readonly function: string;
  readonly result: {
    readonly status: string;
    readonly scores: readonly {
      readonly key: string;
      readonly passed?: boolean;
      readonly value?: number;
    }[];
  };
}

function verdictOf({ status, scores }: Row['result']): string {
  if (status !== 'completed') return status;
  const verdicts = scores.map(({ passed }) => passed).filter((one) => one !== undefined);
  return verdicts.length === 0 ? 'none' : verdicts.every(Boolean) ? 'passed' : 'failed';
}

function faultsIn(project: Project, files: readonly string[]): string[] {
  const program = ts.createProgram(
    files.map((name) => project.path(name)),
    {
      ...{ strict: true, noEmit: true, skipLibCheck: true, noUncheckedIndexedAccess: true },
      module: ts.ModuleKind.NodeNext,
      target: ts.ScriptTarget.ES2022,
      types: ['node'],
      typeRoots: [project.path('node_modules/@types')],
    },
  );
  return ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => {
    return `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
  });
}
