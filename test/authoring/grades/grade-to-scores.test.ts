import { ExactMatch, JSONDiff, Levenshtein, ListContains, NumericDiff, ValidJSON } from 'autoevals';
import { expect } from 'chai';
import { evaluatorNames, gradeToScores } from '../../../src/authoring/grades/grade-to-scores.js';

describe('gradeToScores', () => {
  const shapes: readonly (readonly [what: string, grade: unknown, scores: unknown])[] = [
    ['a boolean', true, [{ key: 'tone', passed: true }]],
    ['a number', 0.7, [{ key: 'tone', value: 0.7 }]],
    ['null', null, []],
    ['undefined', undefined, []],
    [
      'a score',
      { key: 'k', passed: false, value: 0, notes: 'n' },
      [{ key: 'k', passed: false, value: 0, notes: 'n' }],
    ],
    [
      'a score without a key',
      { passed: true, notes: 'n' },
      [{ key: 'tone', passed: true, notes: 'n' }],
    ],
    [
      'a score of which lower is better',
      { value: 5, better: 'lower' },
      [{ key: 'tone', value: 5, better: 'lower' }],
    ],
    [
      'scores',
      [
        { key: 'a', value: 1 },
        { name: 'b', score: 0.5 },
      ],
      [
        { key: 'a', value: 1 },
        { key: 'b', value: 0.5 },
      ],
    ],
    ['no scores', [], []],
    ['a named grade', { name: 'Judge', score: 0.25 }, [{ key: 'Judge', value: 0.25 }]],
    ['a named grade without a name', { score: 1 }, [{ key: 'tone', value: 1 }]],
    ['a named grade with nothing to grade', { name: 'Judge', score: null }, []],
    ['a named grade that passed', { name: 'Judge', score: true }, [{ key: 'Judge', passed: true }]],
    [
      'a rationale',
      { score: 1, metadata: { rationale: 'because' } },
      [{ key: 'tone', value: 1, notes: 'because' }],
    ],
    [
      'a rationale that is no text',
      { score: 1, metadata: { rationale: [1] } },
      [{ key: 'tone', value: 1 }],
    ],
  ];
  describe('with a scale', () => {
    const rules = { tone: { scale: [0, 100] as const } };

    it('takes values from its least to its greatest', () => {
      for (const value of [0, 55.5, 100]) {
        expect(gradeToScores(value, 'tone', 0, rules)).to.deep.equal([{ key: 'tone', value }]);
      }
      expect(gradeToScores({ key: 'other', value: 101 }, 'tone', 0, rules)).to.have.length(1);
    });

    for (const value of [-0.01, 100.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      it(`refuses ${value}, by the names of evaluator and score`, () => {
        const text = `evaluator "tone": "value" of the score "tone" must be a number from 0 to 100, its scale, not ${value}`;
        for (const grade of [value, { value }, { name: 'tone', score: value }, [{ value }]]) {
          expect(() => gradeToScores(grade, 'tone', 0, rules)).to.throw(TypeError, text);
        }
      });
    }
  });

  for (const [what, grade, scores] of shapes) {
    it(`reads ${what}`, () => expect(gradeToScores(grade, 'tone', 0)).to.deep.equal(scores));
  }

  it('numbers an evaluator without a name', () => {
    expect(gradeToScores(true, '', 2)).to.deep.equal([{ key: 'evaluator_2', passed: true }]);
  });

  const refusals: readonly (readonly [grade: unknown, message: string])[] = [
    [
      'good',
      'evaluator "tone" must return true or false, a number, a score, an array of scores or null, but returned "good"',
    ],
    [
      { value: 1, better: 'higher' },
      'evaluator "tone": "better" of the score "tone" must be "lower" or absent, not "higher"',
    ],
    [Number.NaN, 'evaluator "tone": "value" of the score "tone" must be a finite number, not NaN'],
    [
      { pass: true },
      'evaluator "tone": the score "tone" needs "passed" (true or false) or "value" (a number), but is an object with "pass"',
    ],
    [
      [true],
      'evaluator "tone" must return an array of scores, each an object with "passed" or "value", but returned an array with true in it',
    ],
    [
      [{ value: 1 }, { value: 2 }],
      'evaluator "tone" returned two scores with one key; give each its own',
    ],
    [
      { score: 'high' },
      'evaluator "tone": "value" of the score "tone" must be a finite number, not "high"',
    ],
    [{ name: 7, score: 1 }, 'evaluator "tone": a score\'s key must be 1 to 200 characters, not 7'],
    [() => true, 'but returned a function'],
  ];
  for (const [grade, message] of refusals) {
    it(`refuses ${JSON.stringify(grade) ?? 'a function'}`, () => {
      expect(() => gradeToScores(grade, 'tone', 0)).to.throw(TypeError, message);
    });
  }

  it('takes a failure of a scorer for one', () => {
    const grade = { name: 'Judge', score: null, error: new Error('no key') };
    expect(() => gradeToScores(grade, 'Judge', 0)).to.throw('evaluator "Judge" failed: no key');
  });

  describe('with the scorers of autoevals', () => {
    const grade = async (scorer: (args: never) => unknown, output: unknown, expected?: unknown) => {
      const args = {
        input: 'q',
        output,
        reference: expected,
        expected,
        metadata: {},
        traceData: {},
      };
      const [name = ''] = evaluatorNames([scorer]);
      return gradeToScores(await scorer(args as never), name, 0);
    };

    for (const [scorer, output, expected, value] of [
      [ExactMatch, 'a', 'a', 1],
      [ExactMatch, { a: 1 }, { a: 2 }, 0],
      [Levenshtein, 'kitten', 'mitten', 1 - 1 / 6],
      [NumericDiff, 9, 10, 1 - 1 / 19],
      [JSONDiff, { a: 1 }, { a: 1 }, 1],
      [ValidJSON, '{"a":1}', undefined, 1],
      [ValidJSON, '{a', undefined, 0],
      [ListContains, ['a', 'b'], ['a', 'b'], 1],
    ] as const) {
      const [key = ''] = evaluatorNames([scorer]);
      it(`reads ${key}: ${value}`, async () => {
        expect(await grade(scorer, output, expected)).to.deep.equal([{ key, value }]);
      });
    }
  });
});

describe('evaluatorNames', () => {
  it('takes names of functions and numbers those that have none', () => {
    function politeness() {}
    const names = evaluatorNames([politeness, () => 1, politeness.bind(null), Levenshtein]);
    expect(names).to.deep.equal(['politeness', 'evaluator_1', 'politeness_2', 'Levenshtein']);
  });

  it('tells functions of one name apart, and knows one that comes twice', () => {
    const matches = (pattern: RegExp) => {
      const check = ({ output }: { output: string }) => pattern.test(output);
      return check;
    };
    const first = matches(/a/);
    expect(evaluatorNames([first, matches(/b/), first, matches(/c/)])).to.deep.equal([
      'check',
      'check_2',
      'check',
      'check_3',
    ]);
  });
});
