import { expect } from 'chai';
import { renderBaseline } from '../../src/compare/baseline/baseline.js';
import { parseBaseline } from '../../src/compare/baseline/baseline-file.js';
import type { EvalCase } from '../../src/compare/cases/eval-case.js';
import { casesOf } from '../../src/compare/cases/group-by-case.js';
import { compareCases } from '../../src/compare/compare-cases.js';
import { judgeRegression } from '../../src/compare/gates/judge-regression.js';
import type { RowFacts } from '../../src/model/result.js';
import type { ScoreFacts } from '../../src/model/scores/score.js';
import { driftNotes, driftTexts } from '../../src/text/judge-drift-text.js';

const [old, now, third] = ['3f9a0c12be77', '77be12000000', '010101010101'];

/** A score, with the models of its judge and the code that grades. */
type Judged = Partial<ScoreFacts> & { readonly models?: readonly string[]; readonly code?: string };
const by = (rubric_version: string): Judged => ({ passed: true, rubric_version });
const unknown: Judged = { passed: true };
const byPerson: Judged = { passed: false, source: 'human' };

/** A run with a result for each of these scores of `tone`; those of one list are trials of one case. */
function casesWith(scores: readonly (Judged | readonly Judged[])[]): EvalCase[] {
  const rows = scores.flatMap((of, at) =>
    [of].flat().map(
      ({ models, code, ...score }, trial): RowFacts => ({
        ...{ id: `e::a[${at}]~${trial}`, trial_of: `e::a[${at}]`, trial: trial + 1 },
        ...{ function: 'a', dataset: 'd', labels: [], evaluation: 'e::a' },
        ...{ status: 'completed', latency: 1 },
        ...(models && {
          usage: { calls: 1, cost: null, by_role: {}, judge_models: { tone: models } },
        }),
        ...(code !== undefined && { code }),
        scores: [{ key: 'tone', ...score }],
      }),
    ),
  );
  return casesOf(rows, 'run', ({ code }) => code);
}

describe('judgeDrifts', () => {
  const none: string[] = [];
  const cases = [
    ['is nothing without versions', [unknown], [unknown], none],
    ['is nothing for one version', [by(old), by(old)], [by(old), by(old)], none],
    [
      'is nothing for the same versions of several judges',
      [by(old), by(now)],
      [by(now), by(old)],
      none,
    ],
    ['is another version', [by(old)], [by(now)], ['judge changed (rubric 3f9a0c → 77be12)']],
    [
      'is another version of a part of the results',
      [by(old), by(old)],
      [by(old), by(now)],
      ['judge changed (rubric 3f9a0c → 3f9a0c, 77be12)'],
    ],
    [
      'is that of some trials',
      [[by(old), by(old)]],
      [[by(old), by(third)]],
      ['judge changed (rubric 3f9a0c → 010101, 3f9a0c)'],
    ],
    [
      'may be, if the base is unknown',
      [unknown],
      [by(now)],
      ['judge may have changed (rubric unknown → 77be12)'],
    ],
    [
      'may be, if the run is unknown',
      [by(old)],
      [unknown],
      ['judge may have changed (rubric 3f9a0c → unknown)'],
    ],
    ['is nothing for a correction by hand', [by(old), by(old)], [by(old), byPerson], none],
    ['is nothing for a case that only one run has', [by(old)], [by(old), by(now)], none],
    [
      'is that of values, too',
      [{ value: 0.4, rubric_version: old }],
      [{ value: 0.5, rubric_version: now }],
      ['judge changed (rubric 3f9a0c → 77be12)'],
    ],
    [
      'is told once of a score with verdicts and values',
      [{ ...by(old), value: 0.4 }],
      [{ ...by(now), value: 0.5 }],
      ['judge changed (rubric 3f9a0c → 77be12)'],
    ],
    [
      'is another model of the same rubric',
      [{ ...by(old), models: ['gpt-5'] }],
      [{ ...by(old), models: ['gpt-5-mini'] }],
      ['judge changed (model gpt-5 → gpt-5-mini)'],
    ],
    [
      'is another model of a judge without a rubric',
      [{ passed: true, models: ['gpt-5', 'o4'] }],
      [{ passed: true, models: ['o4'] }],
      ['judge changed (model gpt-5, o4 → o4)'],
    ],
    [
      'is nothing where the models of one run are not known',
      [{ ...by(old), models: ['gpt-5'] }, by(old)],
      [by(old), { ...by(old), models: ['gpt-5'] }],
      none,
    ],
    [
      'may be by other code, of a score that a judge gives',
      [{ ...by(old), code: 'c1' }],
      [{ ...by(old), code: 'c2' }],
      ['judge may have changed (the code that grades)'],
    ],
    [
      'is nothing by other code of a score that no judge gives',
      [{ passed: true, code: 'c1' }],
      [{ passed: true, code: 'c2' }],
      none,
    ],
    [
      'is all that differs',
      [{ ...by(old), models: ['gpt-5'], code: 'c1' }],
      [{ ...by(now), models: ['o4'], code: 'c2' }],
      ['judge changed (rubric 3f9a0c → 77be12, model gpt-5 → o4, the code that grades)'],
    ],
    [
      'names three versions',
      [by(old), by(old), by(old), by(old)],
      [by(old), by(now), by(third), by('ffffff00')],
      ['judge changed (rubric 3f9a0c → 010101, 3f9a0c, 77be12 and 1 more)'],
    ],
  ] as const;
  for (const [fact, base, other, wanted] of cases) {
    it(fact, () => {
      const { scores } = compareCases(casesWith(base), casesWith(other)).summary;
      expect(driftTexts(scores)).to.deep.equal(wanted.map((text) => `tone: ${text}`));
    });
  }

  it('is kept in a baseline file, and offers to grade the base again', () => {
    const file = renderBaseline({
      ...{ run_id: 'a1', run_name: 'old', created_at: 0 },
      cases: casesWith([{ ...by(old), models: ['gpt-5'] }]),
    });
    const { cases: base } = parseBaseline(JSON.parse(file));
    const { scores } = compareCases(base, casesWith([by(now)])).summary;
    expect(scores[0]?.judge_drift).to.deep.equal({ status: 'changed', base: [old], other: [now] });
    const other = casesWith([{ ...by(old), models: ['o4'] }]);
    expect(driftTexts(compareCases(base, other).summary.scores)).to.deep.equal([
      'tone: judge changed (model gpt-5 → o4)',
    ]);
    const text = 'tone: judge changed (rubric 3f9a0c → 77be12): assay run --regrade';
    expect(driftNotes(scores, 'a1')).to.deep.equal([`${text} a1`]);
    expect(driftNotes(scores, 'a b', true)).to.deep.equal([`${text} "a b" --bless FILE`]);
  });

  it('is said by the gate against regressions, which judges as before', () => {
    const failed = (version: string) => ({ passed: false, rubric_version: version });
    const base = casesWith(Array.from({ length: 10 }, () => by(old)));
    const judge = (scores: readonly Judged[]) =>
      judgeRegression(compareCases(base, casesWith(scores)));
    const drift = '; tone: judge changed (rubric 3f9a0c → 77be12)';
    for (const [score, verdict] of [
      [by, 'yes'],
      [failed, 'no'],
    ] as const) {
      const [same, changed] = [old, now].map((version) => judge(Array(10).fill(score(version))));
      expect(same?.verdict).to.equal(verdict);
      expect(changed).to.deep.equal({ ...same, text: `${same?.text}${drift}` });
    }
  });
});
