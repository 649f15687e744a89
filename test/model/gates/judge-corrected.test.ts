import { expect } from 'chai';
import type { GatedRun } from '../../../src/model/gates/gate-verdict.js';
import { judgeCorrected } from '../../../src/model/gates/judge-corrected.js';
import { judgeGate } from '../../../src/model/gates/judge-gate.js';
import type { Summary } from '../../../src/model/summary/summary.js';
import type { Estimate } from '../../../src/statistics/bounds.js';

const rows = Array.from({ length: 1000 }, (_, i) => ({
  ...{ id: `${i}`, evaluation: 'e', status: 'completed' as const, latency: 1 },
  scores: [{ key: 'k', passed: i < 400, rubric_version: 'v1' }],
}));
const usual: GatedRun = {
  rows,
  summary: () => {
    throw new Error('not needed');
  },
  judges: { judgeOf: () => undefined, rubricOf: () => undefined },
};
const counted = {
  ...{ rubric_version: null, judge: 'v1', m0: 200, m1: 200, q0: 0.7, q1: 0.9 },
  ...{ size0: 200, size1: 200 },
};

interface Asked {
  readonly errors?: number;
  readonly limit?: number;
  readonly key?: string;
  readonly run?: Partial<GatedRun>;
  readonly ownRate?: Estimate;
}

function judge(
  change: object = {},
  { errors = 0, limit = 0.15, key = 'k', run = {}, ownRate }: Asked = {},
) {
  const judges = { k: { ...counted, ...change } };
  const file = { assay_calibration: 1, run_id: 'r', run_name: 'brisk-otter', at: '', judges };
  return judgeCorrected({ key, limit, errors, ownRate }, { ...usual, ...run }, file);
}

const versioned = (rubric_version?: string) =>
  rows.map((one) => ({
    ...one,
    scores: one.scores.map(({ key, passed }) => ({
      ...{ key, passed },
      ...(rubric_version !== undefined && { rubric_version }),
    })),
  }));
/** By these models in turns. */
const askedOf = (...models: readonly string[]) =>
  rows.map((one, i) => ({
    ...one,
    usage: {
      ...{ calls: 1, cost: null, by_role: {} },
      judge_models: { k: [models[i % models.length] ?? ''], other: ['x'] },
    },
  }));
const rubricOf = (of: string | undefined) => ({ judgeOf: () => undefined, rubricOf: () => of });
const byPerson = rows.map((one) => ({
  ...one,
  scores: [{ key: 'k', passed: true, source: 'human' as const }],
}));

describe('judgeCorrected', () => {
  for (const [name, verdict, expected, text] of [
    [
      'a rate by a judge that may be another one',
      judge({ judge: undefined }, { run: { rows: versioned() } }),
      'yes',
      'k corrected 16.7 % (95 %: 5.6–26.3; 40.0 % as judged; the calibration does not say which judge brisk-otter had), at least 15 % asked for',
    ],
    [
      'a rate that is enough',
      judge(),
      'yes',
      'k corrected 16.7 % (95 %: 5.6–26.3; 40.0 % as judged), at least 15 % asked for',
    ],
    [
      'one that is not',
      judge({}, { limit: 0.2 }),
      'no',
      'k corrected 16.7 % (95 %: 5.6–26.3; 40.0 % as judged) is under 20 %',
    ],
    [
      'errors, which have not passed',
      judge({}, { errors: 1000 }),
      'no',
      'k corrected 8.3 % (95 %: 2.8–13.1; 40.0 % as judged; 1,000 errors) is under 15 %',
    ],
    [
      'a judge without calibration',
      judge({}, { key: 'other' }),
      'cannot-tell',
      'other, corrected, cannot be judged: the calibration has no judge other; it has: k',
    ],
    [
      'another judge',
      judge({ judge: 'v0' }),
      'cannot-tell',
      'k, corrected, cannot be judged: its judge has changed: rubric_version v0 was calibrated, and v1 judged 1,000 results; calibrate it again',
    ],
    [
      'another model of the judge',
      judge({ models: ['big'] }, { run: { rows: askedOf('big', 'small') } }),
      'cannot-tell',
      'k, corrected, cannot be judged: its judge has changed: model big was calibrated, and small judged 500 results; calibrate it again',
    ],
    [
      'a rate of the calibrated models',
      judge({ models: ['big', 'small'] }, { run: { rows: askedOf('big', 'small') } }),
      'yes',
      'k corrected 16.7 % (95 %: 5.6–26.3; 40.0 % as judged), at least 15 % asked for',
    ],
    [
      'a rate of models that the calibration does not say',
      judge({}, { run: { rows: askedOf('big') } }),
      'yes',
      'k corrected 16.7 % (95 %: 5.6–26.3; 40.0 % as judged), at least 15 % asked for',
    ],
    [
      'a judge that may be another one than that of the calibration, which does not say',
      judge({ judge: undefined }),
      'cannot-tell',
      'k, corrected, cannot be judged: the calibration does not say which judge brisk-otter had, and rubric_version v1 judged 1,000 results; calibrate it again',
    ],
    [
      'labels of the same run, whatever judged',
      judge({ judge: undefined }, { ownRate: { estimate: 0.2, low: 0.1, high: 0.3 } }),
      'yes',
      'k corrected 20.0 % (95 %: 10.0–30.0; 40.0 % as judged), at least 15 % asked for',
    ],
    [
      'a judge that says no version where the calibrated one did',
      judge({}, { run: { rows: versioned() } }),
      'cannot-tell',
      'k, corrected, cannot be judged: its judge has changed: rubric_version v1 was calibrated, and none judged 1,000 results; calibrate it again',
    ],
    [
      'results that people label by another rubric',
      judge({ rubric_version: 'a' }, { run: { judges: rubricOf('b') } }),
      'cannot-tell',
      'k, corrected, cannot be judged: people label 1,000 results by another rubric, b, than the calibrated one, a; calibrate it again',
    ],
    [
      'results with a rubric, of a calibration without one',
      judge({}, { run: { judges: rubricOf('b') } }),
      'cannot-tell',
      'k, corrected, cannot be judged: people label 1,000 results by another rubric, b, than the calibrated one, none; calibrate it again',
    ],
    [
      'results whose rubric is not known, also of the same judge',
      judge({ rubric_version: 'a' }),
      'cannot-tell',
      'k, corrected, cannot be judged: 1,000 results do not say by which rubric people label them, and the calibration is of a: judge the run itself, or a JSON export of all of it, or calibrate it again',
    ],
    [
      'the verdicts of the judge where a person has corrected them',
      judge(
        {},
        {
          run: {
            rows: byPerson,
            judges: {
              judgeOf: (index) => ({ passed: index < 400, rubric_version: 'v1' }),
              rubricOf: () => undefined,
            },
          },
        },
      ),
      'yes',
      'k corrected 16.7 % (95 %: 5.6–26.3; 40.0 % as judged), at least 15 % asked for',
    ],
    [
      'scores that only people gave',
      judge({}, { run: { rows: byPerson } }),
      'cannot-tell',
      'k, corrected, cannot be judged: no result has a verdict of k',
    ],
    [
      'a rate that is no number',
      judge({ size0: Number.NaN }),
      'cannot-tell',
      'k, corrected, cannot be judged: the calibration of brisk-otter gives no rate',
    ],
    [
      'a judge no better than chance',
      judge({ q0: 0.3, q1: 0.7 }),
      'cannot-tell',
      'k, corrected, cannot be judged: the judge is no better than chance: it passed 70.0 % of what people passed and failed 30.0 % of what they failed in brisk-otter',
    ],
  ] as const) {
    it(`judges ${name}`, () => {
      expect(verdict).to.deep.equal({ verdict: expected, text });
    });
  }

  it('says how many results have a verdict of the judge', () => {
    const without = [0, 1, 2].map((id) => ({ ...versioned()[0], id: `x${id}`, scores: [] }));
    const judges = { k: counted };
    const corrected = {
      assay_calibration: 1,
      run_id: 'r',
      run_name: 'brisk-otter',
      at: '',
      judges,
    };
    const run = {
      ...{ ...usual, summary: () => ({}) as Summary },
      rows: [...rows, ...without] as GatedRun['rows'],
    };
    expect(judgeGate({ kind: 'score', key: 'k', limit: 0.15, corrected }, run).text).to.match(
      /at least 15 % asked for; 1,000 of 1,003 results have it, 3 have none$/,
    );
  });
});
