import { expect } from 'chai';
import { shareWidths } from '../../../src/cli/terminal/table.js';

describe('shareWidths', () => {
  /** Natural widths, weights and room; the widths that columns get. */
  for (const [what, naturals, weights, room, widths] of [
    ['gives every column what it needs when there is room', [10, 5], [1, 2], 100, [10, 5]],
    ['shares what modest columns leave by weight', [4, 90, 90], [1, 1, 2], 34, [4, 10, 20]],
    ['never cuts a column without weight, nor any to nothing', [12, 90], [0, 1], 10, [12, 1]],
  ] as const) {
    it(what, () => {
      const columns = naturals.map((natural, at) => ({ natural, weight: weights[at] ?? 0 }));
      expect(shareWidths(columns, room)).to.deep.equal(widths);
    });
  }
});
