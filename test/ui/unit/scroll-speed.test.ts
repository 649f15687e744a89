import { expect } from 'chai';
import { ScrollSpeed } from '../../../ui/src/dashboard/table/scrolling/scroll-speed.js';

const scrolled = (...steps: (readonly [top: number, now: number])[]) => {
  const pace = new ScrollSpeed();
  for (const [top, now] of steps) pace.note(top, now);
  return pace;
};

describe('the pace of scrolling', () => {
  it('is pixels a millisecond, negative upwards', () => {
    expect(scrolled([0, 0], [160, 16], [320, 32]).speed(33)).to.equal(10);
    expect(scrolled([320, 0], [160, 16], [0, 32]).speed(33)).to.equal(-10);
    expect(scrolled([0, 0], [160, 16], [240, 32]).speed(33)).to.equal(5);
  });

  it('is nothing after a jump, a turn, and a pause', () => {
    expect(scrolled([0, 0], [90_000, 16]).speed(17)).to.equal(0);
    expect(scrolled([0, 0], [160, 16], [0, 32]).speed(33)).to.equal(0);
    expect(scrolled([0, 0], [160, 16], [320, 32]).speed(500)).to.equal(0);
    expect(scrolled([0, 0], [160, 16], [320, 32], [480, 900]).speed(901)).to.equal(0);
  });

  it('is nothing soon after the last of quick steps, and later where frames are few', () => {
    const quick = scrolled([0, 0], [160, 16], [320, 32]);
    expect(quick.speed(32 + 90)).to.equal(10);
    expect(quick.speed(32 + 110)).to.equal(0);
    const slow = scrolled(...[0, 1, 2, 3, 4, 5, 6].map((n) => [n * 1000, n * 100] as const));
    expect(slow.speed(600 + 300)).to.equal(10);
    expect(slow.speed(600 + 401)).to.equal(0);
  });
});
