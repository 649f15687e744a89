import { expect } from 'chai';
import { RowTables } from '../../../src/server/rows/row-table.js';
import { finished } from '../../store/builders.js';
import { type GivenRow, serveRows } from './served-rows.js';

const find = (text: string) => `search=${encodeURIComponent(text)}`;

/** Rows that hold the word `needle` in one of the fields that are searched each, and two that do not. */
const everywhere: readonly GivenRow[] = [
  { plan: { function: 'a needle', id: 'e::0' }, finish: {} },
  { plan: { input: 'a needle' }, finish: {} },
  { finish: { output: { deep: ['a needle'] } } },
  { plan: { reference: ['needle'] }, finish: {} },
  { finish: { status: 'error', error: 'Error: needle', scores: [] } },
  { plan: { metadata: { a: 'needle' }, labels: ['needle'], dataset: 'needle', id: 'e::needle' } },
  { finish: { scores: [{ key: 'needle', passed: true, notes: 'needle' }] } },
];

describe('searching rows', () => {
  it('looks in function, input, output, reference, error and annotation', async () => {
    const { indices, owner } = await serveRows(everywhere);
    expect(await indices(find('needle'))).to.deep.equal([0, 1, 2, 3, 4]);
    await owner.run.edit(6, { annotation: 'The needle again' });
    expect(await indices(find('needle'))).to.deep.equal([0, 1, 2, 3, 4, 6]);
    await owner.run.edit(6, { annotation: '' });
    expect(await indices(find('needle'))).to.deep.equal([0, 1, 2, 3, 4]);
  });

  it('does not mind case, in any script', async () => {
    const texts = ['Größe', 'GRÖSSE', 'ΟΔΟΣ', 'οδοσ', 'İstanbul', 'ПРИВЕТ'];
    const { indices } = await serveRows(texts.map((output) => ({ finish: { output } })));
    expect(await indices(find('GRÖßE'))).to.deep.equal([0]);
    expect(await indices(find('grösse'))).to.deep.equal([1]);
    expect(await indices(find('Οδος'))).to.deep.equal([2, 3]);
    expect(await indices(find('οδο'))).to.deep.equal([2, 3]);
    expect(await indices(find('STANBUL'))).to.deep.equal([4]);
    expect(await indices(find('привет'))).to.deep.equal([5]);
  });

  it('finds text in structures as it reads and as JSON writes it', async () => {
    const { indices } = await serveRows([
      { finish: { output: { say: 'a "quoted" word\nand a second line', 'k"y': 1 } } },
      { finish: { output: { order: 'A-1', open: true } } },
    ]);
    expect(await indices(find('a "quoted" word'))).to.deep.equal([0]);
    expect(await indices(find('word\nand'))).to.deep.equal([0]);
    expect(await indices(find('k"y'))).to.deep.equal([0]);
    expect(await indices(find('{"order":"A-1","open":true}'))).to.deep.equal([1]);
  });

  it('takes every character as itself, and finds nothing across two fields', async () => {
    const { indices } = await serveRows([
      { plan: { input: 'left', reference: 'right' }, finish: { output: '.*\\d 100%\u0000\ufffd' } },
    ]);
    for (const text of ['.*', '\\d', '100%', '\u0000', '\ufffd', ' ']) {
      expect(await indices(find(text)), text).to.deep.equal([0]);
    }
    for (const text of ['a.*b', 'leftright', 'right.*', '100%%']) {
      expect(await indices(find(text)), text).to.deep.equal([]);
    }
  });

  it('is exact for rows that are not held in memory, long ones and those beyond the budget', async () => {
    const rows: readonly GivenRow[] = Array.from({ length: 40 }, (_, index) => ({
      finish: {
        output: `${'filler '.repeat(index % 4 === 0 ? 12_000 : 3000)} Needle-${index % 2}`,
      },
    }));
    const expected = [...rows.keys()].filter((index) => index % 2 === 1);
    for (const budget of [0, 256 * 1024, 64 * 1024 * 1024]) {
      const { indices, owner } = await serveRows(rows, new RowTables(budget));
      expect(await indices(find('needle-1'))).to.deep.equal(expected);
      await owner.run.edit(4, { annotation: 'needle-1' });
      expect(await indices(find('needle-1'))).to.deep.equal([...expected, 4].sort((a, b) => a - b));
    }
  });

  it('stays exact when runs take the room from each other', async () => {
    const tables = new RowTables(256 * 1024);
    const rows = (word: string): GivenRow[] =>
      Array.from({ length: 12 }, () => ({ finish: { output: `${word} `.repeat(3000) } }));
    const first = await serveRows(rows('first'), tables);
    const second = await serveRows(rows('second'), tables);
    for (let round = 0; round < 3; round += 1) {
      expect(await first.indices(find('first'))).to.have.lengthOf(12);
      expect(await second.indices(find('second'))).to.have.lengthOf(12);
      expect(await first.indices(find('second'))).to.deep.equal([]);
    }
  });

  it('knows rows as they are while the run goes on, asked from several sides', async () => {
    const { indices, rows, owner } = await serveRows(Array.from({ length: 200 }, () => ({})));
    for (let done = 0; done < 200; done += 20) {
      const asked = Promise.all([
        indices(find('finished-')),
        rows(`${find('FINISHED-')}&status=completed`),
        indices('has=error'),
      ]);
      owner.finish(
        Array.from({ length: 20 }, (_, at) =>
          finished(done + at, { output: `finished-${done + at}` }),
        ),
      );
      await asked;
      expect(await indices(find('finished-'))).to.have.lengthOf(done + 20);
    }
    expect(await indices(find('finished-199'))).to.deep.equal([199]);
    owner.schedule({ kind: 'rerun', rows: [199] });
    expect(await indices(find('finished-199'))).to.deep.equal([]);
  });
});
