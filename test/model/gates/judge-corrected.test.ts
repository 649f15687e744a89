import { expect } from 'chai';
import type { GatedRun } from '../../../src/model/gates/gate-verdict.js';
import { judgeCorrected } from '../../../src/model/gates/judge-corrected.js';

const rows = Array.from({ length: 1000 }, (_, i) => ({
  ...{ id: `${i}`, evaluation: 'e', status: 'completed' as const, latency: 1 },
  scores: [{ key: 'k', passed: i < 400, rubric_version: 'v1' }],
}));
const run: GatedRun = {
  rows,
  summary: () => {
    throw new Error('not needed');
  },
};
const counted = {
  ...{ rubric_version: null, judge: 'v1', m0: 200, m1: 200, q0: 0.7, q1: 0.9 },
  ...{ size0: 200, size1: 200 },
};

function judge(change: object = {}, { errors = 0, limit = 0.15, key = 'k' } = {}) {
  const judges = { k: { ...counted, ...change } };
  const file = { assay_calibration: 1, run_id: 'r', run_name: 'brisk-otter', at: '', judges };
  return judgeCorrected({ key, limit, errors }, run, file);
}

describe('judgeCorrected', () => {
  for (const [name, verdict, expected, text] of [
    [
      'a rate by a judge that may be another one',
      judge({ judge: undefined }),
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
});
