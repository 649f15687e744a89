import { expect } from 'chai';
import { translateEvalite } from '../../../../src/cli/init/from/evalite/translate.js';

const translated = (text: string, path = 'a.eval.ts') => {
  const { files, tally, cases } = translateEvalite(path, text);
  return { text: files[0]?.text ?? '', left: Object.fromEntries(tally.left), tally, cases };
};

describe('an eval file of evalite', () => {
  it('becomes evaluations, and keeps what is around them', () => {
    const { text, left, cases, tally } = translated(`// Größe
import { createScorer, evalite } from 'evalite';
import { Levenshtein } from 'autoevals';
import { answer } from './answer.js';

const exact = createScorer<string, string>({
  name: 'Exact',
  scorer: ({ output, expected }) => (output === expected ? 1 : 0),
});

evalite('Capitals', {
  data: () => {
    return [{ input: 'France', expected: 'Paris' }, { input: 'Italy', expected: 'Rome' }];
  },
  task: async (country) => answer(country),
  scorers: [exact, Levenshtein, { name: 'Short', scorer: ({ output }) => (output.length < 9 ? 1 : 0) }],
  columns: () => [
    { label: 'a', value: 1 },
  ],
  trialCount: 3,
});
`);
    const [body = ''] = text.split('/** An evaluator from');
    expect(body).to.equal(`// Größe
import { type Evaluator, type EvaluatorArgs, evaluation } from 'assay';
import { Levenshtein } from 'autoevals';
import { answer } from './answer.js';

const exact = scorerOf<string, string>({
  name: 'Exact',
  scorer: ({ output, expected }) => (output === expected ? 1 : 0),
});

export const capitals = evaluation({
  name: 'Capitals',
  cases: () => {
    return [{ input: 'France', expected: 'Paris' }, { input: 'Italy', expected: 'Rome' }];
  },
  target: async ({ input: country }) => answer(country),
  evaluators: [exact, Levenshtein, scorerOf({ name: 'Short', scorer: ({ output }) => (output.length < 9 ? 1 : 0) })],
  // TODO: assay has no such option.
  //   columns: () => [
  //     { label: 'a', value: 1 },
  //   ]
  trials: 3,
});

`);
    expect(left).to.deep.equal({ columns: 1 });
    expect(cases).to.equal(2);
    expect([...tally.assertions.values()]).to.deep.equal([true, true, true]);
  });

  const tasks: readonly [task: string, target: string][] = [
    ['task: (input) => input', 'target: ({ input }) => input'],
    ['task: input => input', 'target: ({ input }) => input'],
    [
      'task: async (input: string) => input',
      'target: async ({ input }: { input: string }) => input',
    ],
    ['task: ({ a, b }) => a + b', 'target: ({ input: { a, b } }) => a + b'],
    ['task: (q = 1) => q', 'target: ({ input }) => ((q = 1) => q)(input)'],
    ['task: answer', 'target: ({ input }) => answer(input)'],
    ['task() { return 1 }', 'target() { return 1 }'],
    ['async task(q) { return q }', 'async target({ input: q }) { return q }'],
  ];
  for (const [task, target] of tasks) {
    it(`has ${target} for ${task}`, () => {
      const { text } = translated(
        `import { evalite } from 'evalite';\nevalite('a', { data, ${task} });\n`,
      );
      expect(text).to.equal(
        `import { evaluation } from 'assay';\nexport const a = evaluation({ cases: data, ${target} });\n`,
      );
    });
  }

  it('has an evaluation for each variant', () => {
    const { text } = translated(`import { evalite } from 'evalite';

evalite.each([{ name: 'A', input: { temp: 0 } }])('Models', {
  data: [{ input: 1 }],
  task: (input, { temp }) => input + temp,
});
`);
    expect(text).to.equal(`import { evaluation } from 'assay';

export const models = [{ name: 'A', input: { temp: 0 } }].map(({ name: variantName, input: { temp } }) =>
  evaluation({
    name: \`Models [\${variantName}]\`,
    cases: [{ input: 1 }],
    target: ({ input }) => input + temp,
  }),
);
`);
  });

  it('takes the wrappers of models off, and skips what was skipped', () => {
    const { text } = translated(`import { evalite } from 'evalite';
import { traceAISDKModel } from 'evalite/ai-sdk';
evalite.skip('a', { data: [], task: () => ask(traceAISDKModel(model('x'))) });
`);
    expect(text).to.equal(`import { evaluation } from 'assay';

export const a = evaluation({ skip: true, cases: [], target: () => ask(model('x')) });
`);
  });

  it('keeps and counts what assay has not', () => {
    const { text, left } = translated(`import { evalite } from 'evalite';
import { reportTrace } from 'evalite/traces';
import { contains } from 'evalite/scorers';
evalite('a', { data: [], task: (input) => reportTrace(input), scorers: [contains] });
for (const name of ['b']) evalite(name, { data: [], task: (input) => input });
`);
    expect(text).to.include(
      "// TODO: assay has nothing like this.\nimport { reportTrace } from 'evalite/traces';",
    );
    expect(text).to.include("todo('contains')").and.to.include('function todo(what: string)');
    expect(left).to.deep.equal({
      contains: 1,
      'evalite() that is no statement of its own': 1,
      'reportTrace of evalite': 1,
    });
  });

  it('gets no types where it is JavaScript', () => {
    const { text } = translated(
      "import { evalite } from 'evalite';\nevalite('a', { data: [], scorers: [{ name: 'x', scorer: () => 1 }] });\n",
      'a.eval.js',
    );
    expect(text)
      .to.include("import { evaluation } from 'assay';")
      .and.to.include('function scorerOf({ name, scorer }) {');
  });
});
