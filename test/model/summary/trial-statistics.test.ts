import { expect } from 'chai';
import type { TrialFields } from '../../../src/model/run.js';
import { passRate } from '../../../src/model/summary/pass-rate.js';
import { trialFields } from '../../../src/model/summary/trial-statistics.js';
import type { Estimate } from '../../../src/statistics/bounds.js';
import { passAllK, passAtK } from '../../../src/statistics/pass-at-k.js';
import { wilsonBounds, wilsonInterval } from '../../../src/statistics/wilson-interval.js';
import { rowFacts, trialRows } from '../row-facts.js';

function fieldsOf(...evaluations: readonly string[]): TrialFields {
  const rows = evaluations.flatMap((outcomes, i) => trialRows(`case[${i}]`, outcomes));
  const fields = trialFields(rows);
  if (fields === undefined) throw new Error('No trial fields');
  return fields;
}

describe('trialFields', () => {
  it('is undefined when no row is a trial', () => {
    expect(trialFields([])).to.equal(undefined);
    expect(trialFields([rowFacts(), rowFacts({ status: 'error' })])).to.equal(undefined);
  });

  it('counts case by case the evaluations that passed in one trial and in every trial', () => {
    const { trials, pass_at_k, pass_all_k } = fieldsOf('+++', '+-+', '---', '-+-');
    expect({ trials, pass_at_k, pass_all_k }).to.deep.equal({
      trials: 3,
      pass_at_k: 0.75,
      pass_all_k: 0.25,
    });
  });

  it('leaves evaluations without trials out', () => {
    const rows = [rowFacts({ scores: [{ key: 'k', passed: true }] }), ...trialRows('a', '--')];
    expect(trialFields(rows)).to.include({ trials: 2, pass_at_k: 0, pass_all_k: 0 });
  });

  it('takes the largest number of trials', () => {
    expect(fieldsOf('++', '+++++', '-').trials).to.equal(5);
  });

  it('finds the trials of an evaluation wherever they stand', () => {
    const [a, b] = [trialRows('a', '+-+'), trialRows('b', '--+')];
    const mixed = a.flatMap((row, i) => [row, ...b.slice(i, i + 1)]);
    expect(trialFields(mixed)).to.deep.equal(trialFields([...b, ...a]));
  });

  it('counts errors as finished and not passing', () => {
    const { pass_all_k, trial_statistics } = fieldsOf('+!');
    expect(pass_all_k).to.equal(0);
    expect(trial_statistics.flaky).to.equal(1);
    expect(trial_statistics.by_k[0]?.pass_at.estimate).to.equal(0.5);
  });

  it('leaves out trials without a verdict, as the pass rate does', () => {
    const rows = trialRows('a', '+-').map((row, i) =>
      i === 0 ? row : { ...row, scores: [{ key: 'size', value: 3 }] },
    );
    const { by_k, flaky } = trialFields(rows)?.trial_statistics ?? expect.fail();
    expect(by_k).to.have.lengthOf(1);
    expect(by_k[0]?.pass_at.estimate).to.equal(1);
    expect(flaky).to.equal(0);
  });

  it('takes only finished trials into the statistics', () => {
    const { trials, pass_at_k, pass_all_k, trial_statistics } = fieldsOf('++??', '+-+?');
    expect({ trials, pass_at_k, pass_all_k }).to.deep.equal({
      trials: 4,
      pass_at_k: 1,
      pass_all_k: 0,
    });
    expect(trial_statistics.flaky).to.equal(1);
    expect(trial_statistics.by_k.map(({ k }) => k)).to.deep.equal([1, 2, 3]);
    expect(trial_statistics.by_k[1]?.pass_all.estimate).to.be.closeTo(
      (1 + passAllK(3, 2, 2)) / 2,
      1e-15,
    );
  });

  for (const status of ['not_started', 'pending', 'running', 'cancelled'] as const) {
    it(`takes a trial that is ${status} for not finished`, () => {
      const rows = trialRows('a', '+?').map((row) => (row.trial === 2 ? { ...row, status } : row));
      expect(trialFields(rows)?.trial_statistics).to.deep.include({ flaky: 0 });
      expect(trialFields(rows)?.trial_statistics.by_k).to.have.length(1);
    });
  }

  it('has no statistics before a trial has finished', () => {
    expect(fieldsOf('???', '???')).to.deep.equal({
      trials: 3,
      pass_at_k: 0,
      pass_all_k: 0,
      trial_statistics: { flaky: 0, by_k: [] },
    });
  });

  it('counts as flaky the evaluations with passing and other finished trials', () => {
    expect(fieldsOf('+++', '---', '+-+', '-+?', '!!+', '++?').trial_statistics.flaky).to.equal(3);
  });

  it('averages pass@k and pass^k over evaluations for every k', () => {
    const { by_k } = fieldsOf('++---', '+++++', '-----').trial_statistics;
    expect(by_k.map(({ k }) => k)).to.deep.equal([1, 2, 3, 4, 5]);
    for (const { k, pass_at, pass_all } of by_k) {
      expect(pass_at.estimate).to.be.closeTo((passAtK(5, 2, k) + 1) / 3, 1e-15);
      expect(pass_all.estimate).to.be.closeTo((passAllK(5, 2, k) + 1) / 3, 1e-15);
    }
  });

  it('ends in by_k exactly at the shares, when every evaluation has finished equally many trials', () => {
    const outcomes = Array.from({ length: 41 }, (_, i) =>
      '+-+-+---'.repeat(2).slice(i % 9, (i % 9) + 4),
    );
    const { pass_at_k, pass_all_k, trial_statistics } = fieldsOf(...outcomes, '++++');
    expect(trial_statistics.by_k.at(-1)?.pass_at.estimate).to.equal(pass_at_k);
    expect(trial_statistics.by_k.at(-1)?.pass_all.estimate).to.equal(pass_all_k);
  });

  it('says over how many evaluations each k is', () => {
    const { by_k } = fieldsOf('+-+', '--+', '+-', '?').trial_statistics;
    expect(by_k.map(({ k, n }) => [k, n])).to.deep.equal([
      [1, 3],
      [2, 3],
      [3, 2],
    ]);
  });

  it('leaves evaluations out of the statistics of which nothing was graded', () => {
    const ungraded = trialRows('b', '++').map((row) => ({
      ...row,
      scores: [{ key: 'size', value: 3 }],
    }));
    expect(trialFields(ungraded)?.trial_statistics).to.deep.equal({ flaky: 0, by_k: [] });
    const { by_k } = trialFields([...trialRows('a', '++'), ...ungraded])?.trial_statistics ?? {};
    expect(by_k?.map(({ n, pass_at }) => [n, pass_at.estimate])).to.deep.equal([
      [1, 1],
      [1, 1],
    ]);
  });

  it('has at k = 1 the interval of the pass rate, and at the largest k that of as many single results', () => {
    const outcomes = ['+++', '+-+', '---', '-+-', '+++', '+++', '+++'];
    const rows = outcomes.flatMap((outcome, i) => trialRows(`case[${i}]`, outcome));
    const { by_k } = fieldsOf(...outcomes).trial_statistics;
    const rate = passRate(rows);
    expect(by_k[0]?.pass_at.low).to.be.closeTo(rate?.low ?? 0, 1e-14);
    expect(by_k[0]?.pass_all.high).to.be.closeTo(rate?.high ?? 0, 1e-14);
    expect(by_k[2]?.pass_at.low).to.be.closeTo(wilsonInterval(6, 7).low ?? 0, 1e-14);
    expect(by_k[2]?.pass_all.high).to.be.closeTo(wilsonInterval(4, 7).high ?? 0, 1e-14);
  });

  it('has intervals with the digits of their formula', () => {
    const outcomes = ['++++', '++--', '+++-', '++++', '----', '+---', '++++', '++++'];
    const { by_k } = fieldsOf(...outcomes).trial_statistics;
    const digits = (figure: Estimate | undefined) =>
      [figure?.low, figure?.high].map((bound) => bound?.toFixed(12));
    expect(digits(by_k[1]?.pass_at)).to.deep.equal(['0.473075427031', '0.941464581104']);
    expect(digits(by_k[1]?.pass_all)).to.deep.equal(['0.282964242509', '0.832402335250']);
    expect(digits(by_k[2]?.pass_at)).to.deep.equal(['0.504792204005', '0.991985422752']);
  });

  it('is no narrower than if trials were independent', () => {
    // Each evaluation passes twice in four: less variation than chance would have.
    const { by_k } = fieldsOf(...Array<string>(30).fill('++--')).trial_statistics;
    const all = 1 / 6;
    const variance = (1 / 6) * all ** 2 + (4 / 6) * all ** 1.5 + (1 / 6) * all - all ** 2;
    const size = (30 * all * (1 - all)) / variance;
    const { low, high } = wilsonBounds(all * size, size);
    expect(by_k[1]?.pass_all.low).to.be.closeTo(low ?? 0, 1e-12);
    expect(by_k[1]?.pass_all.high).to.be.closeTo(high ?? 0, 1e-12);
  });

  it('never has an interval without a width', () => {
    const { by_k } = fieldsOf(...Array<string>(15).fill('+++++')).trial_statistics;
    for (const { pass_at, pass_all } of by_k) {
      expect(pass_at).to.deep.equal(pass_all);
      expect(pass_at.low).to.be.closeTo(wilsonInterval(15, 15).low ?? 0, 1e-14);
    }
  });

  it('can be written as JSON without loss', () => {
    const fields = fieldsOf('+-+', '--+', '?');
    expect(JSON.parse(JSON.stringify(fields))).to.deep.equal(fields);
  });
});
