import { expect } from 'chai';
import {
  clock,
  counted,
  figure,
  isSlow,
  seconds,
} from '../../../ui/src/components/figures/figures.js';

const all = <T>(write: (value: T) => string, ...values: T[]) => values.map(write);

describe('figures', () => {
  it('values of scores are short', () => {
    expect(all(figure, 0.923, 0, 1, 4.26, 17.04, 12_400, -0.5, 0.0031, 2.5e7)).to.deep.equal([
      '0.923',
      '0',
      '1',
      '4.26',
      '17.04',
      '12,400',
      '-0.5',
      '0.003',
      '25,000,000',
    ]);
  });

  it('a latency is slow if it is shown as longer than p95', () => {
    expect(isSlow(2, 1.5)).to.equal(true);
    expect(isSlow(1.5, 1.5)).to.equal(false);
    expect(isSlow(2, null)).to.equal(false);
    expect(isSlow(0.0004, 0.0003)).to.equal(false);
  });

  it('latencies in columns of seconds have about three digits', () => {
    expect(all(seconds, 1.844, 10.04, 123.6, 0.0042, 0.00001)).to.deep.equal([
      '1.84',
      '10.0',
      '124',
      '0.004',
      '<0.001',
    ]);
  });

  it('clocks and nouns count', () => {
    expect(all(clock, 107, 3725, -1)).to.deep.equal(['1:47', '1:02:05', '0:00']);
    expect([counted(1, 'result'), counted(342, 'result')]).to.deep.equal([
      '1 result',
      '342 results',
    ]);
  });
});
