import { expect } from 'chai';
import {
  type ColumnId,
  defaultColumns,
  fitColumns,
  readKept,
  visibleColumns,
} from '../../../ui/src/dashboard/table/columns/columns.js';

const usage = ['calls', 'tokens', 'cost'] as const;
const fits = (width: number, order?: readonly ColumnId[]) =>
  visibleColumns(
    fitColumns(
      { ...(order ? { ...readKept({ order }), order } : defaultColumns), hasUsage: true },
      width,
    ),
  );

describe('the columns that have room', () => {
  it('are all where it is wide, then some, and three in a row of several lines', () => {
    const texts = ['input', 'reference', 'output', 'scores'];
    expect(fits(1441)).to.deep.equal([...texts, ...usage, 'latency']);
    expect(fits(901)).to.deep.equal(['output', 'scores', ...usage, 'latency']);
    expect(fits(900)).to.deep.equal(['output', 'scores', 'cost', 'latency']);
    expect(fits(640)).to.deep.equal(['output', 'scores', 'latency']);
  });

  it('give way in order: texts, what was added last, usage', () => {
    const added: ColumnId[] = ['field:a', 'field:b', 'score:c'];
    const all: ColumnId[] = ['input', 'reference', 'output', ...added, ...usage, 'latency'];
    const gone: ColumnId[] = [];
    for (let width = 1441; width > 900; width -= 20) {
      const now = fits(width, all);
      gone.push(...all.filter((id) => !now.includes(id) && !gone.includes(id)));
    }
    const order: ColumnId[] = ['reference', 'input', ...added.toReversed(), ...usage];
    expect(gone.length).to.be.above(1);
    expect(gone).to.deep.equal(order.slice(0, gone.length));
  });

  it('are without columns of scores up to 900 pixels', () => {
    const order: ColumnId[] = ['output', 'score:a', 'scores', 'latency'];
    expect(fits(901, order)).to.deep.equal(['output', 'score:a', 'latency']);
    expect(fits(900, order)).to.deep.equal(['output', 'scores', 'latency']);
  });
});
