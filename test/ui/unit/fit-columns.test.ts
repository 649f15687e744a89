import { expect } from 'chai';
import type { TableRow } from '../../../ui/src/api/schema.js';
import {
  type ColumnId,
  defaultColumns,
  fitColumns,
  readKept,
  sameColumns,
  visibleColumns,
} from '../../../ui/src/dashboard/table/columns/columns.js';

const usage = ['calls', 'tokens', 'cost'] as const;
const fits = (width: number, order?: readonly ColumnId[], same: readonly ColumnId[] = []) =>
  visibleColumns(
    fitColumns(
      { ...(order ? { ...readKept({ order }), order } : defaultColumns), hasUsage: true, same },
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

  it('give way first where every row says the same', () => {
    const gone = (same: readonly ColumnId[]) => {
      const left = fits(1181, undefined, same);
      return fits(1441).filter((id) => !left.includes(id));
    };
    expect(gone([])).to.deep.equal(['reference']);
    expect(gone(['input'])).to.deep.equal(['input']);
    expect(gone(['calls', 'cost']))
      .to.include('calls')
      .and.not.include('tokens');
    const row = {
      input: 'a',
      reference: null,
      error: null,
      usage: { calls: 1, input: 2, output: 3, cost: 0.1 },
    };
    const rows = (...changes: object[]) =>
      changes.map((one) => ({ ...row, ...one }) as unknown as TableRow);
    expect(sameColumns(rows({}, { input: 'b' }))).to.deep.equal([
      'reference',
      'error',
      'calls',
      'tokens',
      'cost',
    ]);
    expect(sameColumns(rows({}, { usage: undefined }))).to.deep.equal([
      'input',
      'reference',
      'error',
    ]);
    expect(sameColumns(rows({}))).to.deep.equal([]);
  });

  it('are without columns of scores up to 900 pixels', () => {
    const order: ColumnId[] = ['output', 'score:a', 'scores', 'latency'];
    expect(fits(901, order)).to.deep.equal(['output', 'score:a', 'latency']);
    expect(fits(900, order)).to.deep.equal(['output', 'scores', 'latency']);
  });
});
