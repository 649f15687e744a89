import { expect } from 'chai';
import fc from 'fast-check';
import { renderBaseline } from '../../../src/compare/baseline/baseline.js';
import { parseBaseline } from '../../../src/compare/baseline/baseline-file.js';
import type { CaseScore, EvalCase } from '../../../src/compare/cases/eval-case.js';
import { compareCases } from '../../../src/compare/compare-cases.js';
import { evalCase, passed, valued, valuedTrials, verdicts } from '../eval-cases.js';

const head = { run_id: '3f9a0c12be77', run_name: 'brisk-otter', created_at: 1_763_648_400 };

function render(cases: readonly EvalCase[]): string {
  return renderBaseline({ ...head, cases });
}

function parse(text: string) {
  return parseBaseline(JSON.parse(text));
}

describe('renderBaseline', () => {
  it('writes one line for each case, sorted by id, with what a comparison needs', () => {
    const scores: CaseScore[] = [
      { key: 'polite', kind: 'value', sum: 0.1 + 0.2, count: 2, values: [0.1, 0.2] },
      { key: 'exact', kind: 'ratio', sum: 1, count: 2 },
    ];
    const text = render([
      evalCase('b.eval.ts::b', {
        trials: 2,
        passes: 1,
        judged: 2,
        errors: 1,
        scores,
        outputHash: 'ab',
      }),
      passed('a.eval.ts::Z', 1, 1, { latency: 3 }),
      evalCase('a.eval.ts::never', { trials: 0 }),
      passed('a.eval.ts::a', 0),
    ]);
    expect(text).to.equal(`{
  "assay_baseline": 2,
  "run_name": "brisk-otter",
  "run_id": "3f9a0c12be77",
  "date": "2025-11-20T14:20:00Z",
  "evaluations": [
    {"id":"a.eval.ts::Z","trials":1,"passes":1,"judged":1,"scores":{"correctness":{"passed":1,"of":1}}},
    {"id":"a.eval.ts::a","trials":1,"passes":0,"judged":1,"scores":{"correctness":{"passed":0,"of":1}}},
    {"id":"b.eval.ts::b","trials":2,"passes":1,"judged":2,"errors":1,"scores":{"exact":{"passed":1,"of":2},"polite":{"values":[0.1,0.2]}},"output":"ab"}
  ]
}
`);
  });

  it('changes one line when one evaluation changes', () => {
    const before = render(verdicts('+++-+')).split('\n');
    const after = render(verdicts('+-+-+')).split('\n');
    expect(after.filter((line) => !before.includes(line))).to.have.lengthOf(1);
  });

  it('does not depend on the order of cases and scores', () => {
    const one = passed('a', 1, 1, { scores: [...valued('x', 1), ...valued('y', 2)] });
    const two = passed('a', 1, 1, { scores: [...valued('y', 2), ...valued('x', 1)] });
    expect(render([one, passed('b', 1)])).to.equal(render([passed('b', 1), two]));
  });

  it('gives the same comparison as the run itself', () => {
    const base = [
      ...verdicts('++-+-++'),
      passed('t', 3, 5),
      evalCase('v', { scores: valued('x', 0.25) }),
    ];
    const now = [
      ...verdicts('+--++-+'),
      passed('t', 1, 5),
      evalCase('v', { scores: valued('x', 0.5) }),
    ];
    const fromFile = parse(render(base)).cases;
    expect(compareCases(fromFile, now).summary).to.deep.equal(compareCases(base, now).summary);
  });

  it('has what the calls of the run and of each case used, and compares it', () => {
    const usage = {
      ...{ calls: 3, input: 20, output: 10, cost: 0.3, unpriced: 1, unpriced_models: ['m'] },
      by_role: { target: { calls: 3, input: 20, output: 10, cost: 0.3, unpriced: 1 } },
    };
    const cases = [
      passed('a', 2, 2, { usage: { calls: 2, tokens: 20, cost: 0.1 + 0.2 } }),
      passed('b', 1, 1, { usage: { calls: 1, tokens: null, cost: null } }),
      passed('c', 1, 1, { usage: { calls: 0, tokens: 0, cost: 0 } }),
    ];
    const text = renderBaseline({ ...head, usage, cases });
    expect(text).to.include('"usage":{"calls":2,"tokens":20,"cost":0.3}}');
    const read = parse(text);
    expect(read.usage).to.deep.equal(usage);
    expect(read.cases.map((one) => one.usage?.cost)).to.deep.equal([0.3, null, 0]);
    const { summary } = compareCases(read.cases, cases);
    expect(summary.usage?.cost).to.include({ pairs: 2, unknown: 1 });
    const { usage: wanted } = compareCases(cases, cases).summary;
    expect(summary.usage?.tokens).to.deep.equal(wanted?.tokens);
    expect(summary.usage?.calls).to.deep.equal(wanted?.calls);
  });

  it('stays readable when sums leave the range of numbers', () => {
    const values = [Number.MAX_VALUE, Number.MAX_VALUE];
    const huge = [evalCase('a', { scores: valuedTrials('x', values) })];
    const read = parse(render(huge)).cases;
    expect(read[0]?.scores[0]?.values).to.deep.equal(values);
    expect(compareCases(read, read).summary).to.deep.equal(compareCases(huge, huge).summary);
  });

  it('keeps ids and score keys of any kind', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ minLength: 1, maxLength: 50 })), (names) => {
        const all = [...names, '__proto__', 'constructor', '1'];
        const cases = [...new Set(all)].map((name) => evalCase(name, { scores: valued(name, 1) }));
        const read = parse(render(cases)).cases;
        const keys = (list: readonly EvalCase[]) =>
          list.map(({ id, scores }) => [id, ...scores.keys()].join('\n')).sort();
        expect(keys(read)).to.deep.equal(keys(cases));
      }),
      { numRuns: 50 },
    );
  });
});

describe('parseBaseline', () => {
  it('reads the first version, which has sums of values and no errors', () => {
    const { cases } = parseBaseline({
      assay_baseline: 1,
      run_name: 'brisk-otter',
      run_id: '3f9a0c12be77',
      date: '2025-11-20T14:20:00Z',
      evaluations: [
        { id: 'a', trials: 2, passes: 1, judged: 2, scores: { x: { sum: 0.5, count: 2 } } },
        { id: 'b', trials: 1, passes: 1, judged: 1, scores: { x: { passed: 1, of: 1 } } },
      ],
    });
    expect(cases.map(({ errors }) => errors)).to.deep.equal([undefined, undefined]);
    expect(cases.map(({ scores }) => scores)).to.deep.equal([
      [{ key: 'x', kind: 'value', sum: 0.5, count: 2 }],
      [{ key: 'x', kind: 'ratio', sum: 1, count: 1 }],
    ]);
  });

  it('keeps values that stand beside verdicts', () => {
    const scores: CaseScore[] = [
      { key: 'x', kind: 'ratio', sum: 1, count: 2, values: [0.25, 0.75] },
    ];
    const [read] = parse(render([evalCase('a', { trials: 2, judged: 2, scores })])).cases;
    expect(read?.scores).to.deep.equal(scores);
  });

  const good = JSON.parse(render([passed('a', 1), evalCase('b', { scores: valued('x', 1) })]));

  it('takes every score key that a run can have: up to 200 characters, whatever they are', () => {
    const read = (key: string) =>
      parse(render([evalCase('a', { scores: valued(key, 1) })])).cases[0];
    for (const key of ['😀'.repeat(200), '__proto__', 'x'.repeat(200)]) {
      expect(read(key)?.scores).to.deep.equal(valued(key, 1));
    }
    expect(() => read('😀'.repeat(201))).to.throw('keys of 1 to 200 characters');
  });

  /** A place in the document, a wrong value there, and what is said of it. */
  const wrong: readonly [place: string, value: unknown, says: string][] = [
    ['assay_baseline', 'one', 'assay_baseline must be the version, 1 to 2, not "one".'],
    ['assay_baseline', 3, 'It was written by a newer assay (version 3'],
    ['evaluations', {}, 'evaluations must be a list, not {}.'],
    ['evaluations.1.trials', 0, 'evaluations[1].trials must be a whole number from 1, not 0.'],
    ['evaluations.0.passes', 2, 'evaluations[0].passes must be a whole number from 0 to 1, not 2.'],
    ['evaluations.0.scores', undefined, 'evaluations[0].scores must be an object, not missing.'],
    [
      'evaluations.0.scores.correctness.passed',
      -1,
      'evaluations[0].scores.correctness.passed must be a whole number from 0 to 1, not -1.',
    ],
    [
      'evaluations.1.scores.x.values',
      ['NaN'],
      'evaluations[1].scores.x.values must be a list of numbers, not ["NaN"].',
    ],
    ['run_name', null, 'run_name must be text, not null.'],
    ['usage', { calls: 1 }, 'usage must be what calls used, not {"calls":1}.'],
    [
      'evaluations.0.usage',
      { calls: 1, tokens: null, cost: -1 },
      'evaluations[0].usage.cost must be a number of at least 0, or null, not -1.',
    ],
    // As after a careless merge.
    ['evaluations.1', good.evaluations[0], '"a" occurs twice in evaluations.'],
  ];
  for (const [place, value, says] of wrong) {
    it(`refuses ${JSON.stringify(value) ?? 'nothing'} at ${place}`, () => {
      const document = structuredClone(good);
      const keys = place.split('.');
      const last = keys.pop() ?? '';
      keys.reduce((at, key) => at[key], document)[last] = value;
      expect(() => parseBaseline(document)).to.throw(says);
    });
  }

  it('refuses what is no document', () => {
    expect(() => parseBaseline([])).to.throw('The document must be an object, not [].');
  });
});
