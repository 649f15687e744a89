import { expect } from 'chai';
import { relativeTime } from '../../../src/cli/terminal/relative-time.js';

const now = new Date(2026, 10, 20, 15, 0, 0).getTime();
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

describe('relativeTime', () => {
  const cases: readonly [number, string][] = [
    [0, 'just now'],
    [minute - 1, 'just now'],
    [-minute + 1, 'just now'],
    [minute, '1 minute ago'],
    [59 * minute, '59 minutes ago'],
    [hour, '1 hour ago'],
    [14 * hour, '14 hours ago'],
    [16 * hour, 'yesterday'],
    [day + 15 * hour - 1, 'yesterday'],
    [2 * day, '2 days ago'],
    [13 * day, '13 days ago'],
    [14 * day, '2026-11-06'],
    [-2 * day, '2026-11-22'],
    [Number.NaN, 'unknown'],
  ];
  for (const [ago, text] of cases) {
    it(`says ${text} of ${ago} ms`, () => {
      expect(relativeTime(now - ago, now)).to.equal(text);
    });
  }

  it('counts hours over midnight as long as it is less than half a day', () => {
    const early = new Date(2026, 10, 20, 1, 0, 0).getTime();
    expect(relativeTime(early - 2 * hour, early)).to.equal('2 hours ago');
  });
});
