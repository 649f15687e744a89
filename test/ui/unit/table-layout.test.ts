import { expect } from 'chai';
import { TableLayout } from '../../../ui/src/dashboard/table/scrolling/table-layout.js';

const fold = { position: 2, id: 'cancel', trials: [20, 21, 22], details: [21] };
const open = { position: 0, id: 'first', trials: [], details: [7] };

/** All lines in short: `row 0`, `detail 0/7`. */
function lines(layout: TableLayout): string[] {
  return Array.from({ length: layout.count }, (_, n) => {
    const { kind, position, index } = layout.at(n);
    return `${kind} ${position}${index === undefined ? '' : `/${index}`}`;
  });
}

describe('the lines of the table', () => {
  it('are its rows when nothing is open', () => {
    expect(lines(new TableLayout(3, []))).to.deep.equal(['row 0', 'row 1', 'row 2']);
  });

  it('have trials and details below the rows they belong to, whatever was opened first', () => {
    expect(lines(new TableLayout(4, [fold, open]))).to.deep.equal([
      'row 0',
      'detail 0/7',
      'row 1',
      'row 2',
      'trial 2/20',
      'trial 2/21',
      'detail 2/21',
      'trial 2/22',
      'row 3',
    ]);
  });

  it('are found by the position of a row and the index of a trial', () => {
    const layout = new TableLayout(4, [fold, open]);
    for (const [position, index, n] of [
      [0, undefined, 0],
      [1, undefined, 2],
      [2, undefined, 3],
      [2, 21, 5],
      [2, 99, 3],
      [3, undefined, 8],
    ] as const) {
      expect(layout.find(position, index)).to.equal(n);
    }
  });

  it('have groups before their rows, and none of folded ones', () => {
    const groups = [2, 2, 1].map((rows, n) => ({ rows, isFolded: n === 1 }));
    const layout = new TableLayout(5, [open, fold, { ...open, position: 4 }], groups);
    expect(lines(layout)).to.deep.equal([
      'group 0',
      'row 0',
      'detail 0/7',
      'row 1',
      'group 2',
      'group 4',
      'row 4',
      'detail 4/7',
    ]);
    expect([0, 1, 2].map((group) => layout.findGroup(group))).to.deep.equal([0, 4, 5]);
    expect([0, 1, 2, 3, 4].map((row) => layout.find(row))).to.deep.equal([1, 3, 4, 4, 6]);
    expect([0, 1, 2, 3, 4].map((row) => layout.groupOf(row))).to.deep.equal([0, 0, 1, 1, 2]);
    expect([layout.hasRows(2, 4), layout.hasRows(2, 5)]).to.deep.equal([false, true]);
  });

  it('leave out what was opened behind the last row', () => {
    expect(new TableLayout(2, [fold]).count).to.equal(2);
  });
});
