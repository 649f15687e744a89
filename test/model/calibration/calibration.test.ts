import { expect } from 'chai';
import { calibrationsOf, disagreementsOf } from '../../../src/model/calibration/calibration.js';
import {
  parseCalibration,
  renderCalibration,
} from '../../../src/model/calibration/calibration-file.js';
import type { ReviewedRun } from '../../../src/model/calibration/judgements.js';
import { judgementsOf } from '../../../src/model/calibration/judgements.js';
import type { ReviewLabel, ReviewSample } from '../../../src/model/labels.js';
import type { RowFacts } from '../../../src/model/result.js';
import { predictionPowered } from '../../../src/statistics/corrected-rate.js';
import { LabelledSample } from '../../../src/statistics/labelled-sample.js';

const at = '2026-01-02T00:00:00.000Z';

function row(
  id: number,
  judge: boolean | number | undefined,
  more: Partial<RowFacts> = {},
): RowFacts {
  const given = typeof judge === 'number' ? { value: judge } : { passed: judge };
  return {
    ...{
      id: `a.eval.ts::f[${id}]`,
      function: `f[${id}]`,
      evaluation: 'a.eval.ts::f',
      dataset: 'd',
    },
    ...{ labels: [], status: 'completed', latency: 1, outputHash: `${id}` },
    scores: judge === undefined ? [] : [{ key: 'k', ...given }],
    startedAt: Date.parse(at) - 60_000,
    ...more,
  };
}

function sample(
  drawn: readonly number[],
  rows: number,
  more: Partial<ReviewSample> = {},
): ReviewSample {
  return {
    at,
    id: 's',
    seed: 1,
    by: 'none',
    strata: [{ name: '', rows, drawn: [...drawn] }],
    ...more,
  };
}

function label(
  index: number,
  verdict: ReviewLabel['verdict'],
  more: Partial<ReviewLabel> = {},
): ReviewLabel {
  return {
    ...{ at, index, verdict, key: 'k', reviewer: 'ada' },
    sample: 's',
    output_hash: `${index}`,
    ...more,
  };
}

/** 100 rows, of which the first 80 were drawn: 40 passed by both, 10 only by people, 5 only by the judge, 25 by none. */
const judge = (i: number) => (i < 80 ? i < 40 || (i >= 50 && i < 55) : i < 90);
const people = (i: number) => (i < 50 ? 'pass' : 'fail');
const usual: ReviewedRun = {
  rows: Array.from({ length: 100 }, (_, i) => row(i, judge(i))),
  samples: [sample([...Array(80).keys()], 100)],
  labels: Array.from({ length: 80 }, (_, i) => label(i, people(i))),
  judgeOf: () => undefined,
  rubricOf: () => undefined,
};

function only(run: ReviewedRun) {
  const [calibration, ...others] = calibrationsOf(judgementsOf(run));
  if (calibration === undefined || others.length > 0) throw new Error('Not one');
  return calibration;
}

describe('calibrationsOf', () => {
  it('says how far a judge agrees with people, and corrects its pass rate', () => {
    const { figures, corrected, confusion, prevalence, judged, missing } = only(usual);
    expect(confusion).to.deep.equal({ pass_pass: 40, pass_fail: 10, fail_pass: 5, fail_fail: 25 });
    expect(figures?.tpr).to.include({ estimate: 0.8, n: 50, size: 50 });
    expect(figures?.tnr.estimate).to.be.closeTo(25 / 30, 1e-12);
    expect(prevalence?.estimate).to.equal(0.625);
    expect(figures?.agreement.estimate).to.equal(0.8125);
    expect(figures?.kappa?.estimate).to.be.closeTo(0.6129032258, 1e-9);
    expect(judged).to.include({ estimate: 0.55, n: 100 });
    const plain = new LabelledSample({
      ...{ clusters: [...Array(100).keys()], strata: new Array(100).fill(0), sizes: [100] },
      labelled: [...Array(80).keys()],
    });
    const verdicts = Float64Array.from({ length: 100 }, (_, i) => Number(judge(i)));
    const labels = Float64Array.from({ length: 80 }, (_, i) => Number(people(i) === 'pass'));
    expect(corrected?.estimate).to.equal(predictionPowered(plain, labels, verdicts).estimate);
    expect(missing).to.equal(undefined);
  });

  it('says what is missing, and about how many labels it takes', () => {
    const few = { ...usual, labels: usual.labels.slice(0, 64) };
    const { missing, figures, corrected, n, labels } = only(few);
    expect(labels.not_labelled).to.equal(16);
    expect({ missing, figures, corrected, n }).to.deep.equal({
      ...{ missing: { passes: 50, fails: 14, more: 30 }, n: 64 },
      ...{ figures: undefined, corrected: undefined },
    });
  });

  for (const [name, change, counts, n] of [
    ['unsure', () => [label(79, 'unsure')], { unsure: 1 }, 79],
    ['skipped', () => [label(79, 'skipped')], { skipped: 1 }, 79],
    [
      'tied',
      () => [label(79, 'fail'), label(79, 'pass', { reviewer: 'bob' })],
      { tied: 1, reviewers: 2 },
      79,
    ],
    [
      'decided by the majority',
      () =>
        ['bob', 'eve', 'kim'].map((reviewer) =>
          label(79, reviewer === 'kim' ? 'pass' : 'fail', { reviewer }),
        ),
      { tied: 0, reviewers: 4 },
      80,
    ],
    [
      'picked by hand',
      () => [label(90, 'fail', { sample: undefined }), label(79, 'fail')],
      { not_drawn: 1 },
      80,
    ],
    [
      'of a sample of another run',
      () => [label(79, 'fail', { sample: 'x' })],
      { not_drawn: 1 },
      79,
    ],
  ] as [string, () => ReviewLabel[], object, number][]) {
    it(`counts a result that is ${name}`, () => {
      const found = only({ ...usual, labels: [...usual.labels.slice(0, 79), ...change()] });
      expect(found.labels).to.include(counts);
      expect(found.n).to.equal(n);
    });
  }

  it('leaves out what ran again since it was drawn, and what the judge did not judge', () => {
    const rows = usual.rows.map((one, i) => {
      if (i === 0) return { ...one, startedAt: Date.parse(at) + 1 };
      return i === 1 ? row(i, undefined) : one;
    });
    const { labels, n } = only({ ...usual, rows });
    expect(labels).to.include({ not_drawn: 1, not_judged: 1, not_labelled: 0 });
    expect(n).to.equal(78);
  });

  it('takes the verdict of the judge where a person has replaced it', () => {
    const rows = usual.rows.map((one, i) =>
      i === 50 ? { ...one, scores: [{ key: 'k', passed: false, source: 'human' as const }] } : one,
    );
    expect(
      only({ ...usual, rows, judgeOf: () => ({ passed: true }) }).confusion?.fail_pass,
    ).to.equal(5);
  });

  it('does not mix versions of a rubric, and has the newest first', () => {
    const older = usual.labels.map((one) => ({
      ...one,
      rubric_version: 'a',
      at: '2026-01-01T00:00:00.000Z',
    }));
    const newer = usual.labels.slice(0, 10).map((one) => ({ ...one, rubric_version: 'b' }));
    const found = calibrationsOf(judgementsOf({ ...usual, labels: [...older, ...newer] }));
    expect(found.map(({ rubric_version, n }) => [rubric_version, n])).to.deep.equal([
      ['b', 10],
      ['a', 80],
    ]);
  });

  it('is of the evaluations to which the version of the rubric applies', () => {
    const rows = Array.from({ length: 200 }, (_, i) =>
      i < 100 ? row(i, judge(i)) : row(i, true, { evaluation: i < 150 ? 'b' : 'c' }),
    );
    const labels = usual.labels.map((one) => ({ ...one, rubric_version: 'v' }));
    const rubricOf = (evaluation: string) => (evaluation === 'b' ? 'other' : 'v');
    const { judged, prevalence } = only({ ...usual, rows, labels, rubricOf });
    expect(judged).to.include({ estimate: 105 / 150, n: 150 });
    expect(prevalence?.estimate).to.equal(0.625);
    // Of evaluations whose rubric has changed since, the labels say which had it.
    expect(only({ ...usual, rows, labels, rubricOf: () => 'new' }).judged.n).to.equal(100);
  });

  it('knows less where trials of a case are alike', () => {
    const rows = usual.rows.map((one, i) => ({ ...one, trial_of: `c${Math.floor(i / 10)}` }));
    const alike = only({ ...usual, rows });
    const apart = only(usual);
    expect(alike.figures?.tpr.size).to.be.lessThan(25);
    expect(alike.figures?.ac1.standard_error).to.be.greaterThan(
      (apart.figures?.ac1.standard_error ?? 1) * 1.5,
    );
    expect(alike.corrected?.low).to.be.lessThan(apart.corrected?.low ?? 0);
  });

  it('weights a sample by verdict back, also when the judge has changed its verdicts since', () => {
    // 1,000 rows, 900 passed by the judge; 50 of each drawn; people fail 5 of the one 50 and 40 of the other.
    const drawn = [...Array(50).keys(), ...Array.from({ length: 50 }, (_, i) => 900 + i)];
    const byVerdict = (rows: readonly RowFacts[]): ReviewedRun => ({
      ...{ rows, judgeOf: () => undefined, rubricOf: () => undefined },
      samples: [
        sample([], 0, {
          ...{ by: 'verdict', key: 'k' },
          strata: [
            { name: 'failed', rows: 100, drawn: drawn.slice(50) },
            { name: 'passed', rows: 900, drawn: drawn.slice(0, 50) },
          ],
        }),
      ],
      labels: drawn.map((index, n) => label(index, n < 45 || n >= 90 ? 'pass' : 'fail')),
    });
    const rows = Array.from({ length: 1000 }, (_, i) => row(i, i < 900));
    const before = only(byVerdict(rows));
    expect(before.corrected?.estimate).to.be.closeTo(0.9 * 0.9 + 0.1 * 0.2, 1e-12);
    expect(before.prevalence?.estimate).to.be.closeTo(0.83, 1e-12);
    expect(before.figures?.tnr.estimate).to.be.closeTo(0.08 / (0.08 + 0.09), 1e-12);
    const changed = rows.map((one, i) => (i >= 960 ? row(i, true) : one));
    expect(only(byVerdict(changed)).prevalence?.estimate).to.be.closeTo(0.83, 1e-12);
  });

  it('takes successive samples, and rows that came later, as what they are', () => {
    const rows = usual.rows.map((one, i) =>
      i < 40 ? one : { ...one, startedAt: Date.parse(at) + 1000 },
    );
    const samples = [
      sample([...Array(10).keys()], 40),
      sample(
        [...Array(30).keys()].map((i) => i + 40),
        100,
        { id: 't', at: '2026-01-03T00:00:00.000Z' },
      ),
    ];
    const labels = [
      ...Array.from({ length: 10 }, (_, i) => label(i, 'pass')),
      ...Array.from({ length: 30 }, (_, i) =>
        label(i + 40, i < 6 ? 'pass' : 'fail', { sample: 't' }),
      ),
    ];
    // 40 rows of which all of 10 pass, 60 of which a fifth of 30 do.
    const found = only({ ...usual, rows, samples, labels });
    expect(found.prevalence?.estimate).to.be.closeTo(0.4 + 0.6 * 0.2, 1e-12);
  });

  it('corrects a judge of values by what they say of labels', () => {
    const rows = usual.rows.map((one, i) => row(i, judge(i) ? 4 : 2, { id: one.id }));
    const { gives, figures, judged, corrected } = only({ ...usual, rows });
    expect({ gives, figures, judged }).to.deep.equal({
      ...{ gives: 'values', figures: undefined },
      judged: { estimate: 3.1, n: 100 },
    });
    expect(corrected?.estimate).to.be.closeTo(
      0.625 - (corrected?.lambda ?? 0) * ((2 * 45) / 80 - 1),
      1e-2,
    );
  });

  it('says how far reviewers agree', () => {
    const second = usual.labels
      .slice(0, 60)
      .map((one, i) => label(i, i === 0 ? 'fail' : one.verdict, { reviewer: 'bob' }));
    const { alpha } = only({ ...usual, labels: [...usual.labels, ...second] });
    expect(alpha?.n).to.equal(60);
    expect(alpha?.estimate).to.be.within(0.9, 0.99);
  });

  it('calibrates 10,000 labels of 20,000 results', () => {
    const rows = Array.from({ length: 20_000 }, (_, i) => row(i, i % 7 > 0));
    const drawn = [...Array(10_000).keys()];
    const labels = drawn.map((i) => label(i, i % 5 > 0 ? 'pass' : 'fail'));
    expect(only({ ...usual, rows, samples: [sample(drawn, 20_000)], labels }).n).to.equal(10_000);
  });
});

describe('disagreementsOf', () => {
  it('lists results of which people and judge say the opposite', () => {
    const found = disagreementsOf(judgementsOf(usual)).map(({ index, judged }) => [index, judged]);
    expect(found).to.have.length(15);
    expect(found[0]).to.deep.equal([40, false]);
    expect(found[10]).to.deep.equal([50, true]);
  });
});

describe('a calibration file', () => {
  const run = { run_id: '0123456789ab', run_name: 'brisk-otter', at };
  const judges = calibrationsOf(judgementsOf(usual)).map((one) => ({
    ...one,
    judge_versions: ['v1'],
    judge_models: ['gpt-5'],
  }));

  it('has the counts of each judge that can be told', () => {
    const { judges: read } = parseCalibration(renderCalibration(run, judges), 'f.json');
    expect(read.k).to.deep.equal({
      ...{
        rubric_version: null,
        judge: 'v1',
        models: ['gpt-5'],
        m0: 30,
        m1: 50,
        q0: 25 / 30,
        q1: 0.8,
      },
      ...{ size0: 30, size1: 50 },
    });
  });

  for (const [text, message] of [
    ['<', 'f.json is no JSON.'],
    ['{}', 'f.json is no calibration: /assay_calibration must be a whole number, not missing.'],
    [
      renderCalibration(run, judges).replace('"m0": 30', '"m0": -1'),
      'f.json is no calibration: /judges/k/m0 must be a whole number above 0, not -1.',
    ],
    [
      renderCalibration(run, judges).replace('"q1": 0.8', '"q1": 7'),
      'f.json is no calibration: /judges/k/q1 must be a number from 0 to 1, not 7.',
    ],
    [
      renderCalibration(run, judges).replace('"size0": 30', '"size0": 0'),
      'f.json is no calibration: /judges/k/size0 must be a number above 0, not 0.',
    ],
    [
      renderCalibration(run, judges).replace('"size1": 50', '"size1": 1e999'),
      'f.json is no calibration: /judges/k/size1 must be a number above 0, not',
    ],
  ] as const) {
    it(`refuses what ${message.slice(0, 55)}…`, () => {
      expect(() => parseCalibration(text, 'f.json')).to.throw(message);
    });
  }
});
