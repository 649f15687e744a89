import { expect } from 'chai';
import fc from 'fast-check';
import { renderBaseline } from '../../src/compare/baseline/baseline.js';
import { parseBaseline } from '../../src/compare/baseline/baseline-file.js';
import type { CaseScore, EvalCase } from '../../src/compare/cases/eval-case.js';
import { compareCases } from '../../src/compare/compare-cases.js';
import { judgeGates } from '../../src/compare/gates/judge-gates.js';
import { mergeHumanScores, type Score } from '../../src/model/scores/score.js';
import { passAllK, passAtK } from '../../src/statistics/pass-at-k.js';
import { wilsonInterval } from '../../src/statistics/wilson-interval.js';
import { createRedactor } from '../../src/text/redact.js';
import { patience, rounds } from '../helpers/rounds.js';
import { anyText } from './hostile-values.js';

const few = { draws: 200 };

describe('gates against a baseline, whatever the run', function () {
  this.timeout(patience);

  it('are never red when nothing has changed', () => {
    fc.assert(
      fc.property(cases(), fc.context(), (run, said) => {
        const gates = judgeGates(compareCases(run, [...run].reverse(), few));
        said.log(JSON.stringify(gates));
        for (const { verdict } of Object.values(gates)) expect(verdict).not.to.equal('no');
        expect(gates.regression.worse_units_total).to.equal(0);
      }),
      rounds(50),
    );
  });

  it('are never red when a baseline of the very run is read back', () => {
    fc.assert(
      fc.property(cases(), (run) => {
        const blessed = { run_id: '0123456789ab', run_name: 'a', created_at: 0, cases: run };
        const base = parseBaseline(JSON.parse(renderBaseline(blessed)));
        const gates = judgeGates(compareCases(base.cases, run, few));
        for (const { verdict } of Object.values(gates)) expect(verdict).not.to.equal('no');
      }),
      rounds(50),
    );
  });

  it('hold nothing back of which every result has passed', () => {
    fc.assert(
      fc.property(cases(), (run) => {
        const plain = run.map((evalCase) => ({ ...evalCase, scores: [] }));
        const passed = plain.map((evalCase) => ({ ...evalCase, passes: evalCase.judged }));
        const { regression, new_failures: failures } = judgeGates(compareCases(plain, passed, few));
        expect([regression.verdict, failures.verdict]).not.to.include('no');
      }),
      rounds(50),
    );
  });
});

describe('pass@k and pass^k, whatever the counts', function () {
  this.timeout(patience);

  it('grow and shrink with k, meet at k = 1, and never fall when more has passed', () => {
    const counts = fc
      .integer({ min: 2, max: 400 })
      .chain((n) => fc.tuple(fc.constant(n), fc.nat(n - 1), fc.integer({ min: 1, max: n - 1 })));
    fc.assert(
      fc.property(counts, ([n, c, k]) => {
        const slack = 1e-12;
        expect(passAtK(n, c, k + 1)).to.be.at.least(passAtK(n, c, k) - slack);
        expect(passAllK(n, c, k + 1)).to.be.at.most(passAllK(n, c, k) + slack);
        expect(passAtK(n, c + 1, k)).to.be.at.least(passAtK(n, c, k) - slack);
        expect(passAllK(n, c + 1, k)).to.be.at.least(passAllK(n, c, k) - slack);
        expect(passAllK(n, c, k)).to.be.within(0, c / n + slack);
        expect(passAtK(n, c, k)).to.be.within(c / n - slack, 1);
        // One side's any is the other side's not all.
        expect(passAtK(n, c, k)).to.be.closeTo(1 - passAllK(n, n - c, k), slack);
      }),
      rounds(250),
    );
  });
});

describe('a Wilson interval, whatever the counts', function () {
  this.timeout(patience);

  it('rises with what has passed, narrows with what was tried, and widens with confidence', () => {
    const counts = fc
      .integer({ min: 1, max: 1e6 })
      .chain((total) => fc.tuple(fc.nat(total - 1), fc.constant(total)));
    fc.assert(
      fc.property(counts, ([passed, total]) => {
        const { low, high, estimate } = bounds(passed, total);
        expect([low, estimate, high]).to.deep.equal([low, estimate, high].sort((a, b) => a - b));
        expect(low).to.be.at.least(0);
        expect(high).to.be.at.most(1);
        const next = bounds(passed + 1, total);
        expect(next.low).to.be.above(low);
        if (passed + 1 < total) expect(next.high).to.be.above(high);
        const twice = bounds(passed * 2, total * 2);
        expect(twice.high - twice.low).to.be.below(high - low);
        const surer = bounds(passed, total, 0.99);
        expect(surer.low).to.be.at.most(low);
        expect(surer.high).to.be.at.least(high);
      }),
      rounds(250),
    );
  });
});

describe('scores that a person has set, whatever a machine says', function () {
  this.timeout(patience);

  it('stay as they are, each key once, and stay so the second time', () => {
    fc.assert(
      fc.property(scores(), scores(), (machine, current) => {
        const graded: Score[] = machine.map(({ source: _, ...score }) => score);
        const merged = mergeHumanScores(graded, current);
        const human = current.filter((score) => score.source === 'human');
        expect(merged).to.include.members(human);
        expect(new Set(merged.map(({ key }) => key)).size).to.equal(merged.length);
        expect(merged.filter((score) => score.source === 'human')).to.have.lengthOf(human.length);
        expect(mergeHumanScores(graded, merged)).to.deep.equal(merged);
      }),
      rounds(125),
    );
  });
});

describe('redaction, whatever the environment and the text', function () {
  this.timeout(patience);

  it('leaves no secret, plain or inside JSON, and all other text', () => {
    const secret = fc
      .string({ unit: 'grapheme', minLength: 8, maxLength: 20 })
      .map((text) => `${text}#`.trim())
      // What stands in the place of a secret may hold a silly one.
      .filter((text) => text.length >= 8 && !'[redacted:A_KEY][redacted:B_TOKEN]'.includes(text));
    fc.assert(
      fc.property(secret, secret, fc.array(fc.nat(3)), anyText(), (one, two, order, between) => {
        const { redact } = createRedactor({ A_KEY: one, B_TOKEN: two }, () => false);
        const pieces = [one, two, between, JSON.stringify(`${one}"${two}`)];
        const text = order.map((at) => pieces[at]).join(' ');
        const redacted = redact(text);
        expect(redacted).not.to.include(one);
        expect(redacted).not.to.include(two);
        expect(redact(between)).to.equal(between);
      }),
      rounds(125),
    );
  });
});

function bounds(passed: number, total: number, confidence?: number) {
  const { low, high, estimate } = wilsonInterval(passed, total, confidence);
  return { low: low ?? Number.NaN, high: high ?? Number.NaN, estimate };
}

function cases(): fc.Arbitrary<EvalCase[]> {
  const evalCase = fc
    .record({
      id: anyText().filter((text) => text !== ''),
      trials: fc.nat(6),
      errors: fc.constant(0),
      judgedShare: fc.nat(6),
      passShare: fc.nat(6),
      scores: fc.uniqueArray(caseScore(), { selector: ({ key }) => key, maxLength: 3 }),
      outputHash: fc.option(fc.constantFrom('a', 'b')),
      latency: fc.option(fc.double({ min: 0, max: 1e9, noNaN: true })),
    })
    .map(({ judgedShare, passShare, scores, ...facts }): EvalCase => {
      const judged = Math.min(judgedShare, facts.trials);
      const passes = Math.min(passShare, judged);
      const own = facts.trials === 0 ? [] : scores;
      return { function: 'f', dataset: 'd', judged, passes, scores: own, ...facts };
    });
  return fc.uniqueArray(evalCase, { selector: ({ id }) => id, maxLength: 40 });
}

function caseScore(): fc.Arbitrary<CaseScore> {
  const count = fc.integer({ min: 1, max: 6 });
  const ratio = fc.record({ key: fc.constantFrom('exact', '__proto__'), count, of: fc.nat(6) });
  const value = fc.record({
    key: fc.constantFrom('size', 'cost'),
    count,
    sum: fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer()),
  });
  return fc.oneof(
    ratio.map(
      ({ of, ...one }): CaseScore => ({ ...one, kind: 'ratio', sum: Math.min(of, one.count) }),
    ),
    value.map((one): CaseScore => ({ ...one, kind: 'value' })),
  );
}

function scores(): fc.Arbitrary<Score[]> {
  const score = fc.record(
    {
      key: fc.constantFrom('a', 'b', 'c', '__proto__'),
      passed: fc.boolean(),
      source: fc.constant('human' as const),
    },
    { requiredKeys: ['key', 'passed'] },
  );
  return fc.uniqueArray(score, { selector: ({ key }) => key });
}
