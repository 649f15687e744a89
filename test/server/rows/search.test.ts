import { expect } from 'chai';
import type { JsonObject } from '../../../src/model/json.js';
import { RowTables } from '../../../src/server/rows/row-table.js';
import { finished } from '../../store/builders.js';
import { type GivenRow, serveRows } from './served-rows.js';

type Hit = { readonly found?: { readonly in: string } };

const find = (text: string) => `search=${encodeURIComponent(text)}`;

/** Rows that hold the word `needle` in one of the texts that are searched each, and two that do not. */
const everywhere: readonly GivenRow[] = [
  { plan: { function: 'a needle', id: 'e::0' }, finish: {} },
  { plan: { input: 'a needle' }, finish: {} },
  { finish: { output: { deep: ['a needle'] } } },
  { plan: { reference: ['needle'] }, finish: {} },
  { finish: { status: 'error', error: 'Error: needle', scores: [] } },
  { plan: { metadata: { needle: 1 } } },
  { plan: { labels: ['needle'] } },
  { plan: { dataset: 'needle' } },
  { finish: { scores: [{ key: 'exact', passed: true, notes: 'needle' }] } },
  { finish: { trace_data: { logs: [{ stream: 'stdout', text: 'needle' }] } } },
  { finish: { trace_data: { messages: [{ role: 'system', content: 'Find the needle.' }] } } },
  { finish: { trace_data: { messages: [{ role: 'assistant', tool_calls: [asked('needle')] }] } } },
  {
    finish: { trace_data: { messages: [{ role: 'tool', tool_call_id: 'x', content: 'needle' }] } },
  },
  { finish: { scores: [{ key: 'needle', passed: true }] }, plan: { id: 'e::needle' } },
  {},
];

function asked(name: string, given = '{"a":1}') {
  return { id: 'x', type: 'function', function: { name, arguments: given } };
}

describe('searching rows', () => {
  it('looks everywhere but in ids and keys of scores, and says where it found a word', async () => {
    const { indices, rows, owner } = await serveRows(everywhere);
    const found = [...everywhere.keys()].slice(0, -2);
    expect(await indices(find('needle'))).to.deep.equal(found);
    await owner.run.edit(14, { annotation: 'The needle again' });
    expect(await indices(find('needle'))).to.deep.equal([...found, 14]);
    const page = await rows(find('needle'));
    expect(page.rows.map((row: Hit) => row.found?.in)).to.deep.equal([
      ...['name', 'input', 'output', 'reference', 'error', 'metadata', 'label', 'dataset', 'note'],
      ...['log', 'prompt', 'call', 'answer', 'annotation'],
    ]);
    expect(page.rows[8].found).to.include({ in: 'note', of: 'exact', match: 'needle' });
    const places = new Set(page.summary.found.map(({ in: place }: { in: string }) => place));
    expect(places).to.deep.equal(new Set(page.rows.map((row: Hit) => row.found?.in)));
    await owner.run.edit(14, { annotation: '' });
    expect(await indices(find('needle'))).to.deep.equal(found);
  });

  it('finds rows with all words, wherever they stand, and without others', async () => {
    const texts = ['visa refused', 'refused the visa', 'refused', '-5 visa'];
    const { indices } = await serveRows(texts.map((output) => ({ finish: { output } })));
    const expected = {
      'visa refused': [0, 1],
      '"visa refused"': [0],
      'visa -refused': [3],
      '-"the visa" refused': [0, 2],
      '-5': [3],
      'visa input': [],
      '"refused': [0, 1, 2],
      '  ': [0, 1, 2, 3],
    };
    for (const [text, found] of Object.entries(expected)) {
      expect(await indices(find(text)), text).to.deep.equal(found);
    }
  });

  it('shows the text around a word as it is', async () => {
    const long = `${'before '.repeat(20)}Ōkami\nand ${'after '.repeat(60)}`;
    const { rows } = await serveRows([{ finish: { output: long } }]);
    const [row] = (await rows(find('o\u0304KAMI'))).rows;
    expect(row.found.before).to.equal('…re before ');
    expect(row.found.match).to.equal('Ōkami');
    expect(row.found.after).to.match(/^ and after .{140,160}…$/);
  });

  it('does not mind case, in any script', async () => {
    const texts = [
      'Größe',
      'GRÖSSE',
      'ΟΔΟΣ',
      'οδοσ',
      'İstanbul',
      'ПРИВЕТ',
      '大阪城',
      'تأشيرة',
      'cafe\u0301',
      '\u212Aelvin',
    ];
    const { indices } = await serveRows(texts.map((output) => ({ finish: { output } })));
    expect(await indices(find('GRÖßE'))).to.deep.equal([0]);
    expect(await indices(find('grösse'))).to.deep.equal([1]);
    expect(await indices(find('Οδος'))).to.deep.equal([2, 3]);
    expect(await indices(find('οδο'))).to.deep.equal([2, 3]);
    expect(await indices(find('STANBUL'))).to.deep.equal([4]);
    expect(await indices(find('привет'))).to.deep.equal([5]);
    expect(await indices(find('阪'))).to.deep.equal([6]);
    expect(await indices(find('تأشيرة'))).to.deep.equal([7]);
    expect(await indices(find('CAFÉ'))).to.deep.equal([8]);
    expect(await indices(find('kelvin'))).to.deep.equal([9]);
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

  it('finds at once what no line of the log has in these letters and digits', async () => {
    const given = (n: string) => ({ role: 'assistant', tool_calls: [asked('find', `{"n":${n}}`)] });
    const said = (part: JsonObject) => ({ role: 'model', parts: [part] });
    const texts: readonly (readonly [message: JsonObject, search: string])[] = [
      [given('1e3'), '1000'],
      [given(' -25e1'), '-250'],
      [given('0.00000012'), '1.2e-7'],
      [given('0.12345678901234567890'), '0.12345678901234568'],
      [given('[12345678901234567890]'), '12345678901234567000'],
      [{ type: 'item_reference', id: 'msg_1' }, 'earlier'],
      [said({ executableCode: { code: 'print(1)' } }), 'execution'],
      [said({ functionCall: { args: {} } }), 'tool'],
    ];
    const rows = texts.map(([message]) => ({ finish: { trace_data: { messages: [message] } } }));
    for (const [at, [, text]] of texts.entries()) {
      const { indices } = await serveRows(rows);
      expect(await indices(find(text)), text).to.include(at);
    }
    const { indices } = await serveRows([{ finish: { output: 'A-4321 and 4330' } }, {}]);
    expect(await indices(find('a-4321'))).to.deep.equal([0]);
    expect(await indices(find('4322'))).to.deep.equal([]);
  });

  it('takes every character as itself, and finds nothing across two fields', async () => {
    const { indices } = await serveRows([
      { plan: { input: 'left', reference: 'right' }, finish: { output: '.*\\d 100%\u0000\ufffd' } },
    ]);
    for (const text of ['.*', '\\d', '100%', '\u0000', '\ufffd', '" "']) {
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
