import { expect } from 'chai';
import { passedOf, standingOf } from '../../../src/model/scores/verdict.js';
import { rowFacts } from '../row-facts.js';

describe('standingOf', () => {
  it('is the verdict of completed results and the status of all others', () => {
    const passed = [{ key: 'a', passed: true }];
    const failed = [...passed, { key: 'b', passed: false }];
    expect(standingOf(rowFacts({ scores: passed }))).to.equal('passed');
    expect(standingOf(rowFacts({ scores: failed }))).to.equal('failed');
    expect(standingOf(rowFacts({ scores: [{ key: 'a', value: 1 }] }))).to.equal('no_verdict');
    expect(standingOf(rowFacts())).to.equal('no_verdict');
    expect(standingOf(rowFacts({ status: 'error', scores: passed }))).to.equal('error');
    expect(standingOf(rowFacts({ status: 'running' }))).to.equal('running');
  });
});

describe('passedOf', () => {
  it('is null without a verdict', () => {
    expect(passedOf(rowFacts({ scores: [{ key: 'a', passed: false }] }))).to.equal(false);
    expect(passedOf(rowFacts({ scores: [{ key: 'a', passed: true }] }))).to.equal(true);
    expect(passedOf(rowFacts())).to.equal(null);
    expect(passedOf(rowFacts({ status: 'error', scores: [{ key: 'a', passed: true }] }))).to.equal(
      null,
    );
  });
});
