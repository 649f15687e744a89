import { expect } from 'chai';
import type { RowSummary } from '../../../ui/src/api/schema.js';
import { versusLast, whyNotCompared } from '../../../ui/src/dashboard/summary/score-lines.js';

type Previous = NonNullable<RowSummary['previous']>;
type Comparison = NonNullable<Previous['comparison']>;
type Score = Comparison['scores'][number];

const score = (more: Partial<Score>): Score => ({
  key: 'exact',
  name: 'exact',
  type: 'ratio',
  gated: true,
  better: 'higher',
  same_as_pass_rate: false,
  pairs: 50,
  base: 0.8,
  other: 0.6,
  difference: { estimate: -0.2, low: -0.3, high: -0.1 },
  higher: 1,
  lower: 11,
  p: 0.004,
  p_lower: 0.002,
  p_higher: 0.999,
  p_attainable: 0,
  p_adjusted: 0.008,
  among: 2,
  detectable: 0.1,
  beyond_chance: true,
  only_base: 0,
  only_other: 0,
  ...more,
});
const previous = (...scores: Score[]): Previous => ({
  run_id: 'a',
  run_name: 'brisk-otter',
  total_evaluations: 60,
  total_passed: 40,
  total_errors: 0,
  timestamp: 0,
  started_at: 0,
  updated_at: 0,
  score_chips: [],
  comparison: { scores, carried: 0 } as unknown as Comparison,
  is_current: true,
});

describe('a score against the run before', () => {
  it('says what was carried over, and is not compared', () => {
    const against = (more: Partial<Score>) => {
      const last = previous(score(more));
      const comparison = { ...last.comparison, carried: 219 } as Comparison;
      return versusLast({ ...last, comparison }, 'exact');
    };
    expect(against({})?.hint).to.match(/beyond chance, without 219 carried$/);
    expect(against({ pairs: 0, difference: null })).to.include({ text: 'carried', pairs: '' });
  });

  it('is the paired difference, with how many pairs it is over', () => {
    const { text, pairs, verdict, hint } = versusLast(previous(score({})), 'exact') ?? {};
    expect([text, pairs, verdict]).to.deep.equal(['▼ −20.0', '50', 'worse']);
    expect(hint).to.equal(
      'Against brisk-otter: 80.0 → 60.0, −20.0 points, 95 % interval −30.0 to −10.0, over 50 pairs, p .004: beyond chance',
    );
  });

  it('has a verdict only beyond chance, means too', () => {
    const quiet = versusLast(previous(score({ beyond_chance: false })), 'exact');
    expect([quiet?.text, quiet?.verdict]).to.deep.equal(['−20.0', undefined]);
    const mean = score({
      type: 'avg',
      base: 4,
      other: 7,
      difference: { estimate: 3, low: 1, high: 5 },
    });
    expect(versusLast(previous(mean), 'exact')).to.include({ text: '▲ +3', verdict: 'better' });
    const tokens = versusLast(previous({ ...mean, better: 'lower' }), 'exact');
    expect(tokens).to.include({ text: '▲ +3', verdict: 'worse' });
  });

  it('says in words why there is no difference', () => {
    const words = (of: Score, key = 'exact') => versusLast(previous(of), key)?.text;
    expect(words(score({}), 'fresh')).to.equal('new');
    expect(words(score({ type: 'mixed', pairs: 0, difference: null }))).to.equal('not alike');
    expect(words(score({ pairs: 0, difference: null }))).to.equal('no pairs');
    const whyNone = 'no earlier run of config nano';
    expect(whyNotCompared(previous(), undefined)).to.equal(undefined);
    expect(whyNotCompared(null, whyNone)).to.equal(whyNone);
    const none = { ...previous(), comparison: null };
    expect(whyNotCompared(none, undefined)).to.contain('cannot be read');
    expect(whyNotCompared({ ...none, is_current: false }, undefined)).to.contain('being compared');
    expect(versusLast(none, 'exact')).to.equal(undefined);
  });
});
