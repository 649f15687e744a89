import { expect } from 'chai';
import { isWhole, newPassOf } from '../../../src/runner/planning/new-pass.js';
import { rowFacts } from '../../model/row-facts.js';

const row = (evaluation: string, more = {}) => rowFacts({ id: evaluation, evaluation, ...more });
const never = () => false;

describe('newPassOf', () => {
  const rows = [row('a'), row('a'), row('b'), row('b', { pruned: true })];

  it('has the rows of evaluations that run whole, without pruned ones', () => {
    expect(newPassOf(rows, [0, 1, 2], never)).to.deep.equal([0, 1, 2]);
    expect(newPassOf(rows, [0, 2], never)).to.deep.equal([2]);
    expect(newPassOf(rows, [1], never)).to.deep.equal([]);
  });

  it('does not wait for rows that are left, and takes new ones in', () => {
    expect(newPassOf(rows, [0, 2, 4], (_, index) => index === 1)).to.deep.equal([0, 2, 4]);
  });
});

describe('isWhole', () => {
  it('is true of all rows, whoever names them', () => {
    const rows = [row('a'), row('b'), row('c', { pruned: true })];
    expect([isWhole(rows, 'all'), isWhole(rows, [1, 0]), isWhole(rows, [0])]).to.deep.equal([
      ...[true, true, false],
    ]);
  });
});
