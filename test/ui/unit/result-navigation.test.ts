import { expect } from 'chai';
import { defaultView, withChoice } from '../../../ui/src/dashboard/view-state.js';
import {
  neighbours,
  resultAddress,
  tableAddress,
  viewOfResult,
  viewWord,
} from '../../../ui/src/result/addresses.js';

describe('walking through results', () => {
  it('goes along the order of the table', () => {
    expect(neighbours([5, 2, 9], 2)).to.deep.equal({
      position: 1,
      count: 3,
      previous: 5,
      next: 9,
    });
    expect(neighbours([5], 5)).to.include({ previous: undefined, next: undefined });
  });

  it('goes on from where it was when a result leaves the filter', () => {
    expect(neighbours([5, 9, 1], 2, [5, 2, 9, 1])).to.deep.equal({
      position: undefined,
      count: 3,
      previous: 5,
      next: 9,
    });
  });

  it('starts at the nearest indices when the result was never in the filter', () => {
    expect(neighbours([1, 4, 8], 5)).to.include({ previous: 4, next: 8 });
    expect(neighbours([], 5)).to.include({ previous: undefined, next: undefined });
  });

  it('keeps the view in the address, and the way back', () => {
    const view = withChoice({ ...defaultView, run: 'abc', search: 'a&b' }, 'status', {
      include: ['failed'],
      exclude: [],
    });
    const address = resultAddress(view, 'abc', 7);
    expect(address).to.equal('/runs/abc/results/7?search=a%26b&status=failed');
    expect(viewOfResult('abc', address.split('?')[1] ?? '')).to.deep.equal(view);
    expect(tableAddress(view)).to.equal('/?run=abc&search=a%26b&status=failed');
  });

  it('says what it is among', () => {
    const failing = withChoice(defaultView, 'status', {
      include: ['failed', 'error'],
      exclude: [],
    });
    expect(viewWord(defaultView)).to.equal('results');
    expect(viewWord(failing)).to.equal('failing');
    expect(viewWord({ ...failing, search: 'x' })).to.equal('matching');
  });
});
