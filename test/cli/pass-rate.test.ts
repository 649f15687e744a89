import { expect } from 'chai';
import { passRate, renderSparkline } from '../../src/cli/pass-rate.js';

describe('passRate', () => {
  it('is null when nothing has a verdict or the counts do not fit', () => {
    expect(passRate({ passed: 0, of: 0 })).to.equal(null);
    expect(passRate({ passed: 3, of: 2 })).to.equal(null);
  });

  it('has an interval', () => {
    expect(passRate({ passed: 1, of: 2 })?.estimate).to.equal(0.5);
    expect(passRate({ passed: 1, of: 2 })?.low).to.be.closeTo(0.0945, 0.0001);
  });
});

describe('renderSparkline', () => {
  it('goes from the lowest to the highest bar and marks what has no rate', () => {
    const rates = [0, 0.2, 0.3, 0.5, 0.6, 0.8, 1].map((share) =>
      passRate({ passed: share * 10, of: 10 }),
    );
    expect(renderSparkline([...rates, null])).to.equal('▁▂▃▄▅▆▇·');
  });
});
