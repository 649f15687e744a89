import { expect } from 'chai';
import { Chalk } from 'chalk';
import { renderTable, type TableColumn } from '../../../src/cli/terminal/responsive-table.js';
import { widthOf } from '../../../src/cli/terminal/terminal-text.js';

const colours = new Chalk({ level: 0 });

function column(
  title: string,
  texts: readonly string[],
  more: Partial<TableColumn> = {},
): TableColumn {
  return { title, cells: texts.map((text) => ({ text })), ...more };
}

const columns = [
  column('measure', ['pass rate', 'a score with a long name'], { shrinkTo: 10 }),
  column('value', ['74.1 %', '9.0 %'], { align: 'right' }),
  column('95 %', ['71.3–76.7', '1.0–20.0'], { rank: 2 }),
  column('of', ['741 of 1,000', '9 of 100'], { rank: 1 }),
  column('empty', ['', '']),
];

describe('renderTable', () => {
  it('aligns columns and leaves out those that are empty', () => {
    expect(renderTable(columns, 120, colours)).to.deep.equal([
      '  measure                     value   95 %        of',
      '  pass rate                  74.1 %   71.3–76.7   741 of 1,000',
      '  a score with a long name    9.0 %   1.0–20.0    9 of 100',
    ]);
  });

  it('cuts what may be cut, and leaves out the lowest ranks first, where there is no room', () => {
    const [head] = renderTable(columns, 45, colours);
    expect(head).to.match(/^ {2}measure +value +95 % +of$/);
    const [narrower] = renderTable(columns, 36, colours);
    expect(narrower).to.match(/^ {2}measure +value +95 %$/);
    for (const width of [60, 45, 36, 30, 24]) {
      const lines = renderTable(columns, width, colours);
      expect(Math.max(...lines.map(widthOf))).to.be.at.most(width);
    }
  });

  it('cuts names in front where their ends tell them apart', () => {
    const names = ['nightly-2026-11-19', 'nightly-2026-11-20'];
    const lines = renderTable([column('run', names, { shrinkTo: 5, cut: 'start' })], 12, colours);
    expect(lines).to.deep.equal(['  run', '  …026-11-19', '  …026-11-20']);
  });
});
