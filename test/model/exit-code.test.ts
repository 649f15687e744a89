import { expect } from 'chai';
import { exitCode, exitCouldNotRun } from '../../src/model/exit-code.js';

const verdicts = (...all: ('yes' | 'no' | 'cannot-tell')[]) =>
  all.map((verdict) => ({ verdict, text: '' }));

describe('exitCode', () => {
  it('is 0 when it ran and no gate says no', () => {
    expect(exitCode({ gates: [] })).to.equal(0);
    expect(exitCode({ gates: verdicts('yes', 'yes') })).to.equal(0);
  });

  it('is 1 when a gate says no', () => {
    expect(exitCode({ gates: verdicts('yes', 'no') })).to.equal(1);
  });

  it('is 2 when a gate cannot be applied, whatever the others say', () => {
    expect(exitCode({ gates: verdicts('no', 'cannot-tell', 'yes') })).to.equal(2);
    expect(exitCouldNotRun).to.equal(2);
  });

  it('is 128 and the number of the signal that ended it, whatever gates say', () => {
    expect(exitCode({ signal: 'SIGINT', gates: verdicts('no') })).to.equal(130);
    expect(exitCode({ signal: 'SIGTERM', gates: [] })).to.equal(143);
  });
});
