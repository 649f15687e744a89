import { expect } from 'chai';
import { decide } from './decide.js';
import { codeOf, graphOf } from './graph-of.js';

interface Row {
  readonly title: string;
  /** Beside, or instead of, those of `base`. */
  readonly files?: Readonly<Record<string, string>>;
  readonly file: string;
  /** The text that is replaced, by what. */
  readonly edit: readonly [string, string];
  readonly expected: string;
}

const evalFile = `import { evaluation } from 'assay';
import { answer } from './agent.js';
import { politeness } from './graders.js';
/* text */
export const a = evaluation(
  {
    labels: ['smoke'], timeout: 3, trials: 2,
    cases: [{ id: 'one', input: 'first' }, { id: 'two', input: 'second' }],
    target: (ctx) => answer(ctx.input),
    evaluators: [politeness],
    scores: { politeness: { min: 0.5 } },
  },
  (ctx) => { ctx.score(ctx.output.length); },
);
export const other = evaluation({ input: 'q', target: () => 'other' });
`;

const base = {
  'a.eval.js': evalFile,
  'agent.js': `import { prompt, unused } from './prompts.js';
export async function answer(text) { return prompt + text; }
export function unusedHelper() { return unused; }
`,
  'prompts.js': "export const prompt = 'Answer: ';\nexport const unused = 'not read';\n",
  'graders.js': `import { has } from './words.js';
export function politeness({ output }) { return has(output, 'please'); }
export function length({ output }) { return output.length; }
`,
  'words.js': 'export function has(text, word) { return text.includes(word); }\n',
};

const rows: Row[] = [
  row('ignores comments', 'agent.js', ['export async', '// new\nexport async'], 'carry'),
  row('ignores formatting', 'agent.js', ['{ return prompt', '{\n\n  return   prompt'], 'carry'),
  row(
    'sees a change of a function',
    'agent.js',
    ['prompt + text', 'text + prompt'],
    'run: agent.js (answer)',
  ),
  row('sees a change of a constant below', 'prompts.js', ['Answer: ', 'A: '], 'run: prompts.js'),
  row('ignores an unused constant', 'prompts.js', ['not read', 'still not'], 'carry'),
  row('ignores an unused function', 'agent.js', ['return unused', 'return 1'], 'carry'),
  row(
    'ignores functions that moved',
    'graders.js',
    [
      "export function politeness({ output }) { return has(output, 'please'); }\nexport function length({ output }) { return output.length; }",
      "export function length({ output }) { return output.length; }\nexport function politeness({ output }) { return has(output, 'please'); }",
    ],
    'carry',
  ),
  row(
    'regrades after a change of a grader',
    'graders.js',
    ["'please'", "'thank'"],
    'regrade: graders.js (politeness)',
  ),
  row(
    'regrades after a change below a grader',
    'words.js',
    ['text.includes(word)', 'text === word'],
    'regrade: words.js',
  ),
  row(
    'regrades after a change of the body',
    'a.eval.js',
    ['ctx.score(ctx.output.length)', 'ctx.score(1)'],
    'regrade: a.eval.js (a)',
  ),
  row(
    'regrades after a change of a threshold',
    'a.eval.js',
    ['min: 0.5', 'min: 0.6'],
    'regrade: a.eval.js (a)',
  ),
  row(
    'runs after a change of the target',
    'a.eval.js',
    ['answer(ctx.input)', "answer(ctx.input + '!')"],
    'run: a.eval.js (a)',
  ),
  row(
    'leaves inline cases to their values',
    'a.eval.js',
    ["input: 'second'", "input: 'third'"],
    'carry',
  ),
  row(
    'leaves labels, timeout and trials to their values',
    'a.eval.js',
    ["labels: ['smoke'], timeout: 3, trials: 2", "labels: ['slow'], timeout: 4, trials: 3"],
    'carry',
  ),
  row('ignores another evaluation', 'a.eval.js', ["=> 'other'", "=> 'changed'"], 'carry'),
  row(
    'counts statements with effects for all',
    'a.eval.js',
    ['/* text */', 'console.log(1);'],
    'run: a.eval.js',
  ),
  row(
    'counts effects of imported modules',
    'words.js',
    ['export function', 'globalThis.words = 1;\nexport function'],
    'run: words.js',
  ),
  row(
    'counts a new import for its effects',
    'a.eval.js',
    ['/* text */', "import './setup.js';"],
    'run: setup.js',
    { 'setup.js': 'globalThis.x = 1;' },
  ),
  row(
    'ignores a new import without effects',
    'a.eval.js',
    ['/* text */', "import './setup.js';"],
    'carry',
    { 'setup.js': 'export const x = [1];' },
  ),
  row(
    'joins what writes to a value',
    'agent.js',
    ["state.tone = 'kind'", "state.tone = 'rude'"],
    'run: agent.js',
    {
      'agent.js':
        "const state = {};\nstate.tone = 'kind';\nexport function answer(text) { return state.tone + text; }",
    },
  ),
  row(
    'joins functions that write to a value',
    'agent.js',
    ['list.push(1)', 'list.push(2)'],
    'run: agent.js (add)',
    {
      'agent.js':
        'const list = [];\nexport function add() { list.push(1); }\nexport function answer(text) { return list.join() + text; }',
    },
  ),
];

function row(
  title: string,
  file: string,
  edit: readonly [string, string],
  expected: string,
  files: Readonly<Record<string, string>> = {},
): Row {
  return { title, file, edit, expected, files };
}

describe('the code of an evaluation', () => {
  for (const { title, files, file, edit, expected } of rows) {
    it(title, () => {
      const before: Record<string, string> = { ...base, ...files };
      const text = before[file] ?? '';
      expect(text).to.include(edit[0]);
      const after = { ...before, [file]: text.replace(edit[0], () => edit[1]) };
      expect(decide(codeOf(graphOf(before)), codeOf(graphOf(after)))).to.equal(expected);
    });
  }
});
