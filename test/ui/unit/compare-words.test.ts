import { expect } from 'chai';
import type { Pair, RunComparison } from '../../../ui/src/api/schema.js';
import {
  firstSide,
  isNotable,
  outputNote,
  type SideOfPair,
  sideStanding,
  verdictTags,
} from '../../../ui/src/compare/pairs/pair-words.js';
import {
  latencyScale,
  measuresOf,
  movedFirst,
  onScale,
} from '../../../ui/src/compare/summary/measures.js';
import { renderComparison } from '../../../ui/src/compare/summary/render-comparison.js';
import {
  amountsText,
  carriedNote,
  clearScores,
  detectableText,
  leftOutTexts,
  lostNotes,
  measureLines,
  noPairsText,
  noVerdictText,
  passRateText,
} from '../../../ui/src/compare/summary/words.js';
import {
  changeText,
  intervalText,
  verdictOf,
  wholeText,
} from '../../../ui/src/components/figures/difference-text.js';
import { signed } from '../../../ui/src/components/figures/figures.js';
import { nameParts } from '../../../ui/src/components/names/evaluation-name.js';

type Row = NonNullable<SideOfPair['row']>;

const row = (more: Partial<Row> = {}): Row => ({
  index: 0,
  id: 'e.ts::a',
  function: 'a',
  dataset: 'd',
  labels: [],
  status: 'completed',
  passed: true,
  latency: 1,
  scores: [],
  input: null,
  output: 'out',
  reference: null,
  error: null,
  annotation: '',
  has: [],
  cut: [],
  ...more,
});
const side = (change: SideOfPair['change'], more?: Partial<Row> | null): SideOfPair => ({
  change,
  moved_scores: [],
  same_output: change === 'same',
  indices: more === null ? [] : [0],
  row: more === null ? null : row(more),
});
const pair = (...runs: SideOfPair[]): Pair => ({
  id: 'e.ts::a',
  function: 'a',
  dataset: 'd',
  runs,
});
const texts = (...runs: SideOfPair[]) => verdictTags(pair(...runs)).map(({ text }) => text);

const counts = {
  regressed: 0,
  fixed: 0,
  changed: 0,
  same: 1,
  only_base: 0,
  only_other: 0,
  not_paired: 0,
};
const means = {
  pairs: 331,
  base: 0.775,
  other: 0.807,
  difference: { estimate: 0.032, low: -0.01, high: 0.074 },
  higher: 23,
  lower: 14,
};
const said = {
  ...means,
  p: 0.12,
  p_lower: 0.95,
  p_higher: 0.06,
  p_attainable: 0,
  p_adjusted: 0.24,
  among: 2,
  beyond_chance: false,
  detectable: 0.06,
  only_base: 0,
  only_other: 0,
};
const run = (name: string, passed: number, mean: number) => ({
  run_id: name,
  run_name: name,
  session_name: 's',
  config_name: 'default',
  timestamp: 0,
  state: 'finished' as const,
  units: 10,
  finished: 10,
  pass_rate: { passed, total: 10, rate: { estimate: passed / 10, low: 0.1, high: 0.9 } },
  scores: [
    {
      key: 'size',
      type: 'avg' as const,
      count: 10,
      mean: { estimate: mean, low: mean - 1, high: mean + 1 },
    },
  ],
  latency: { count: 0, mean: null, p5: null, p50: null, p95: null },
});
const comparison: RunComparison = {
  runs: [run('one|two', 7, 4), run('three', 8, 6)],
  comparisons: [
    {
      run_id: 'three',
      run_name: 'three',
      changes: counts,
      carried: 0,
      lost: { verdicts: 0, whole_verdicts: 0, scores: [], judged_alike: 0 },
      pass_rate: said,
      scores: [
        {
          ...said,
          key: 'size',
          name: 'size',
          gated: true,
          type: 'avg',
          better: 'higher',
          same_as_pass_rate: false,
          beyond_chance: true,
        },
        {
          ...said,
          key: 'exact',
          name: 'exact',
          gated: true,
          type: 'ratio',
          better: 'higher',
          same_as_pass_rate: true,
          beyond_chance: true,
        },
      ],
      latency: {
        ...means,
        difference: { estimate: 0.61, low: 0.4, high: 0.8 },
        higher: 214,
        lower: 117,
        median: 0.58,
        p50: { base: 1, other: 2 },
        p95: { base: 1, other: 2 },
      },
      gates: {
        regression: {
          verdict: 'yes',
          text: 'nothing is worse',
          measures: [],
          worse_units: [],
          worse_units_total: 0,
          tested_units: 0,
          errors: { base: 0, other: 0 },
        },
        new_failures: { verdict: 'yes', text: 'none', failed: [], failed_total: 0 },
        missing: {
          verdict: 'yes',
          text: 'none',
          gone: [],
          gone_total: 0,
          unfinished: [],
          unfinished_total: 0,
          lost: [],
          lost_total: 0,
        },
      },
    },
  ],
};
const [against] = comparison.comparisons;
if (against === undefined) throw new Error('There is one.');

describe('words of a comparison', () => {
  it('tags say what became of a pair, and where', () => {
    expect(texts(side(null), side('regressed'))).to.deep.equal(['regressed']);
    expect(texts(side(null), side('changed'), side('fixed'))).to.deep.equal([
      'fixed in C',
      'changed in B',
    ]);
    expect(texts(side(null), side('fixed'), side('fixed'), side('fixed'))).to.deep.equal([
      'fixed in B, C and D',
    ]);
    expect(texts(side(null), side('same'))).to.deep.equal(['same']);
  });

  it('says which scores of a changed pair moved', () => {
    const moved = (...moved_scores: string[]) =>
      verdictTags(pair(side(null), { ...side('changed'), moved_scores }))[0]?.moved;
    expect(moved('quality')).to.equal('quality');
    expect(moved('a', 'b', 'c', 'd')).to.equal('a, b and 2 more');
    expect(moved()).to.equal(undefined);
    const cut = row({ cut: ['output'] });
    const scored = { ...side('changed', { cut: ['output'] }), same_output: true };
    expect(outputNote(cut, scored)).to.equal('same output as A');
  });

  it('tags say who has a pair', () => {
    expect(texts(side(null, null), side(null, null), side('only_other'))).to.deep.equal([
      'only in C',
    ]);
    expect(texts(side(null), side('only_base', null))).to.deep.equal(['only in A']);
    expect(texts(side(null), side('only_base', null), side('regressed'))).to.deep.equal([
      'not in B',
      'regressed in C',
    ]);
    expect(texts(side(null), side('not_paired', { status: 'cancelled' }))).to.deep.equal([
      'not finished in B',
    ]);
  });

  it('an output that is the same is not shown twice', () => {
    const base = row();
    expect(outputNote(base, side('regressed'))).to.equal('same output as A');
    expect(outputNote(base, side('changed', { output: 'other' }))).to.equal(undefined);
    expect(outputNote(row({ cut: ['output'] }), side('changed'))).to.equal(undefined);
    expect(outputNote(row({ cut: ['output'] }), side('same'))).to.equal('same output as A');
    expect(outputNote(row({ error: 'Error' }), side('fixed'))).to.equal(undefined);
  });

  it('opens what changed before what did not', () => {
    expect(firstSide(pair(side(null), side('same'), side('fixed')))).to.equal(2);
    expect(firstSide(pair(side(null), side('same')))).to.equal(1);
    expect(firstSide(pair(side(null), side('only_base', null)))).to.equal(0);
  });

  it('trials that disagree are flaky', () => {
    const fold = {
      id: 'a',
      indices: [0, 1],
      trials: 2,
      finished: 2,
      passed: 1,
      flaky: true,
      standings: ['passed', 'failed'] as const,
      distinct_outputs: 2,
      chips: [],
      average_latency: 1,
    };
    expect(sideStanding(row({ fold }))).to.equal('flaky');
    const all = { ...fold, passed: 2, flaky: false, standings: ['passed', 'passed'] as const };
    expect(sideStanding(row({ fold: all }))).to.equal('passed');
  });

  it('a name ends where its case begins', () => {
    expect(nameParts('refund[day_30]')).to.deep.equal(['refund', '[day_30]']);
    expect(nameParts('refund')).to.deep.equal(['refund', '']);
    expect(nameParts('[odd]')).to.deep.equal(['[odd]', '']);
  });

  it('marks latencies that moved by much', () => {
    expect(isNotable(3.06, 1.84)).to.equal(true);
    expect(isNotable(3.06, 0.36)).to.equal(false);
    expect(isNotable(0.01, 0.01)).to.equal(false);
  });

  it('differences have a sign unless they are nothing', () => {
    expect([0.36, -1.84, 0].map((one) => signed(one, 'seconds'))).to.deep.equal([
      '+0.36 s',
      '−1.84 s',
      '0.0 ms',
    ]);
    expect([signed(0.018, 'avg'), signed(-1.25, 'avg'), signed(0, 'avg')]).to.deep.equal([
      '+0.018',
      '−1.25',
      '0',
    ]);
  });

  it('says differences with their interval, and whether they are beyond chance', () => {
    expect(passRateText(against)).to.equal(
      'Passes 3.2 points more often: 77.5 → 80.7 % over 331 pairs (−1.0 to +7.4)',
    );
    expect(wholeText(said, 'ratio')).to.equal(
      '77.5 → 80.7, +3.2 points, 95 % interval −1.0 to +7.4, over 331 pairs, p .12: may be chance',
    );
    const few = { ...said, difference: { estimate: 0.032, low: null, high: null } };
    expect(wholeText(few, 'ratio')).to.contain('no 95 % interval: n too small');
    expect(clearScores(against).map(({ key }) => key)).to.deep.equal(['size']);
  });

  it('calls a measure identical that no pair has changed', () => {
    const nothing = { estimate: 0, low: 0, high: 0 };
    const same = { ...said, difference: nothing, higher: 0, lower: 0, p: 1 };
    expect(wholeText(same, 'ratio')).to.match(/over 331 pairs, p 1: identical$/);
    // As many pairs are higher as are lower.
    const balanced = { ...same, higher: 7, lower: 7 };
    expect(wholeText(balanced, 'ratio')).to.match(/p 1: may be chance$/);
    const unchanged = { ...comparison, comparisons: [{ ...against, pass_rate: same }] };
    expect(renderComparison(unchanged)).to.match(/^\| pass rate \|.*\| 1 \| identical \|$/m);
  });

  it('says the corrected p-value where it is no verdict, and what has too little data', () => {
    const among = { ...said, p: 0.03125, p_adjusted: 0.125, among: 4 };
    expect(wholeText(among, 'ratio')).to.match(/, p \.031, \.125 among 4: may be chance$/);
    const few = { ...said, p: 0.03125, p_adjusted: null, among: null };
    expect(wholeText(few, 'ratio')).to.match(/, p \.031: too little data$/);
    expect(wholeText({ ...few, gated: false }, 'avg')).to.match(/, p \.031: not judged$/);
    const rendered = { ...comparison, comparisons: [{ ...against, pass_rate: few }] };
    expect(renderComparison(rendered)).to.match(
      /^\| pass rate .* \| \.031 \| too little data \|$/m,
    );
  });

  it('says how many pairs were carried over', () => {
    const some = { ...against, carried: 219, changes: { ...counts, same: 261 } };
    const note = '219 of 261 pairs carried, left out of the tests';
    expect(carriedNote(some)).to.equal(note);
    expect(renderComparison({ ...comparison, comparisons: [some] })).to.include(`${note}.`);
    const none = { ...said, pairs: 0, base: null, other: null, difference: null };
    expect(passRateText({ ...some, carried: 261, pass_rate: none })).to.equal(
      'All 261 pairs carried, nothing to test',
    );
    expect(carriedNote(against)).to.equal(undefined);
  });

  it('says what is lost, and over which scores the pass rate is compared then', () => {
    const hard = { key: 'hard', cases: 60, verdicts: 60, gone: true };
    const lost = { verdicts: 24, whole_verdicts: 24, scores: [hard], judged_alike: 36 };
    const notes = [
      '24 cases lost their verdict',
      'Score hard is gone',
      'The pass rate of 36 cases is compared over the scores that both runs have',
    ];
    expect(lostNotes({ lost })).to.deep.equal(notes);
    const found = renderComparison({ ...comparison, comparisons: [{ ...against, lost }] });
    for (const note of notes) expect(found).to.include(`${note}.`);
    expect(lostNotes(against)).to.deep.equal([]);
  });

  it('says percentiles of unbounded values, and no interval of their mean', () => {
    const tokens = {
      ...said,
      base: 500,
      other: 3500,
      difference: { estimate: 3000, low: null, high: null },
      beyond_chance: true,
      p: 0.004,
      p_adjusted: 0.008,
      percentiles: { base: { p50: 410, p95: 900 }, other: { p50: 412, p95: 60000 } },
    };
    expect(wholeText(tokens, 'avg')).to.equal(
      'p50 410 → 412, p95 900 → 60,000, mean +3,000, no 95 % interval: unbounded values, over 331 pairs, p .004: beyond chance',
    );
    expect(changeText(tokens, 'avg')).to.equal('▲ mean +3,000');
    const [runA, runB] = comparison.runs.map((one) => ({
      ...one,
      scores: one.scores.map((score) => ({ ...score, percentiles: { p50: 410, p95: 900 } })),
    }));
    if (runA === undefined || runB === undefined) throw new Error('There are two.');
    const score = {
      ...tokens,
      key: 'size',
      name: 'size',
      gated: true,
      type: 'avg',
      better: 'higher',
      same_as_pass_rate: false,
    } as const;
    const found = { runs: [runA, runB], comparisons: [{ ...against, scores: [score] }] };
    expect(measuresOf(found)[1]?.figures[0]).to.include({
      estimate: 410,
      text: 'p50 410, p95 900',
    });
    const lines = renderComparison(found);
    expect(lines).to.include(
      '| size | p50 410, p95 900 | p50 412, p95 60,000 | mean +3,000 | unbounded values | 331 | .004 | beyond chance |',
    );
    expect(lines).to.include('no interval of it is honest');
  });

  it('says latencies with their interval and without a verdict, and why', () => {
    expect(detectableText(against)).to.equal('Finds a drop of 6.0 points 4 times in 5');
    const least = (detectable: number | null) =>
      detectableText({ ...against, pass_rate: { ...against.pass_rate, detectable } });
    expect(least(against.pass_rate.base)).to.equal('Finds at most a fall to none: too few cases');
    expect(least(null)).to.equal('Cannot find any drop: too few cases');
    expect(amountsText(against)).to.equal('Latency +0.61 s');
    expect(noVerdictText([against])).to.match(/^Latencies get no verdict: .* share its load,/);
    expect(wholeText(against.latency, 'seconds')).not.to.match(/chance|p [<=]/);
  });

  it('says what calls used as it says latencies, and what is left out', () => {
    const used = (base: number, other: number, unknown: number) => {
      const estimate = other - base;
      const difference = { estimate, low: estimate / 2, high: 2 * estimate };
      return { ...means, pairs: 40, base, other, difference, median: estimate, unknown };
    };
    const usage = {
      cost: used(0.0042, 0.0024, 3),
      tokens: used(812, 4100, 1),
      calls: used(1, 1.5, 0),
    };
    const called = { ...against, usage };
    expect(amountsText(called)).to.equal(
      'Latency +0.61 s, cost −$0.0018, model tokens +3.3k, calls +0.5',
    );
    expect(leftOutTexts(called)).to.deep.equal([
      'Cost is compared without 3 cases with calls of unknown cost',
      'Model tokens are compared without 1 case with calls of unknown tokens',
    ]);
    const alike = { ...usage.calls, difference: { estimate: 0, low: null, high: null } };
    expect(intervalText({ ...alike, higher: 0, lower: 0 }, 'calls')).to.equal('all alike');
    expect(intervalText(alike, 'calls')).to.equal('n too small');
    expect(noVerdictText([against, called])).to.match(
      /^Latency, cost, model tokens and calls get no/,
    );
    expect(wholeText(usage.cost, 'dollars')).to.match(/over 40 pairs, no verdict$/);
    const names = measureLines(called).map(({ name }) => name);
    expect(names.slice(-4)).to.deep.equal(['latency', 'cost', 'model tokens', 'calls']);
    const lines = renderComparison({ ...comparison, comparisons: [called] });
    expect(lines).to.include(
      '| cost | $0.0042 | $0.0024 | −$0.0018 | −$0.00090 to −$0.0036 | 40 |  | no verdict |',
    );
    expect(lines).to.include('Cost is compared without 3 cases with calls of unknown cost.');
    expect(renderComparison(comparison)).not.to.match(/\| (cost|tokens|calls) \|/);
  });

  it('what is beyond chance is better or worse by the direction of its score', () => {
    const more = { ...said, beyond_chance: true };
    expect([verdictOf(more), changeText(more, 'ratio')]).to.deep.equal(['better', '▲ +3.2']);
    const lower = { ...more, better: 'lower' } as const;
    expect([verdictOf(lower), changeText(lower, 'ratio')]).to.deep.equal(['worse', '▲ +3.2']);
    expect([verdictOf(said), changeText(said, 'ratio')]).to.deep.equal([undefined, '+3.2']);
  });

  it('scores that moved come first, the worse before the better, then all others by p', () => {
    const clear = { ...said, beyond_chance: true };
    const down = { estimate: -0.2, low: -0.3, high: -0.1 };
    const measures = [
      { differences: [said] },
      { key: 'still', differences: [{ ...said, p_adjusted: 1, p: 0.4 }] },
      { key: 'risen', differences: [{ ...clear, p_adjusted: 0.001 }] },
      { key: 'close', differences: [{ ...said, p_adjusted: 1, p: 0.06 }] },
      { key: 'large', differences: [{ ...said, p_adjusted: 1, p: 0.4, difference: down }] },
      { key: 'untested', differences: [{ ...said, p_adjusted: null, p: null }] },
      { key: 'absent', differences: [undefined] },
      { key: 'fallen', differences: [undefined, { ...clear, p_adjusted: 0.04, difference: down }] },
      // A value beside a verdict stays with it.
      { key: 'risen', differences: [{ ...said, gated: false, p_adjusted: null }] },
      { key: 'costly', differences: [{ ...clear, p_adjusted: 0.01, better: 'lower' as const }] },
    ];
    const { passRate, moved, rest } = movedFirst(measures);
    expect(passRate).to.equal(measures[0]);
    expect(moved.map(({ key, verdict, lines }) => [key, verdict, lines.length])).to.deep.equal([
      ['costly', 'worse', 1],
      ['fallen', 'worse', 1],
      ['risen', 'better', 2],
    ]);
    const order = ['close', 'large', 'still', 'untested', 'absent'];
    expect(rest.map(({ key }) => key)).to.deep.equal(order);
  });

  it('says why nothing can be compared', () => {
    const none = { ...counts, same: 0 };
    expect(noPairsText(against, 1)).to.equal(undefined);
    expect(noPairsText({ ...against, changes: { ...none, only_base: 2 } }, 2)).to.match(
      /^No case of C is in A/,
    );
    expect(noPairsText({ ...against, changes: { ...none, not_paired: 2 } }, 1)).to.match(
      /^Nothing has finished in both A and B/,
    );
  });

  it('means beyond one have a scale of their own', () => {
    const [passRate, size] = measuresOf(comparison);
    expect(passRate?.scale).to.deep.equal([0, 1]);
    expect(size?.scale).to.deep.equal([0, 7]);
    expect(onScale(3.5, [0, 7])).to.equal(0.5);
  });

  it('latencies lie on a scale between powers of two', () => {
    const scale = latencyScale([0.4, 12, null]);
    expect(scale?.text).to.equal('0.25 – 32 s');
    expect(scale?.at(0.25)).to.equal(0);
    expect(scale?.at(32)).to.equal(1);
    expect(latencyScale([null])).to.equal(undefined);
  });

  it('Markdown holds names in their cells', () => {
    const text = renderComparison(comparison);
    expect(text).to.contain('| A | one\\|two | default | 70.0 % | 10.0–90.0 | 10 |');
    expect(text).to.contain(
      '| pass rate | 77.5 | 80.7 | +3.2 | −1.0 to +7.4 | 331 | .12 | may be chance |',
    );
    expect(text).to.contain(
      '| latency | 0.78 s | 0.81 s | +0.61 s | +0.40 s to +0.80 s | 331 |  | no verdict |',
    );
    expect(text).to.contain('Regression: nothing is worse');
  });
});
