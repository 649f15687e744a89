import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import type { Case } from '../../../src/authoring/case.js';
import type { CaseFileError } from '../../../src/authoring/case-files/case-file-error.js';
import type { CaseFile } from '../../../src/authoring/case-files/case-loaders.js';
import { definition } from '../../../src/authoring/definition.js';
import { expandCases } from '../../../src/authoring/options/expand-cases.js';
import { evaluation, fromCsv, fromJson, fromJsonl, fromYaml } from '../../../src/index.js';
import { temporaryFolder } from '../../store/builders.js';

async function write(name: string, content: string | Uint8Array): Promise<string> {
  const file = join(temporaryFolder(), name);
  await writeFile(file, content);
  return file;
}

async function all(cases: AsyncIterable<unknown>): Promise<unknown[]> {
  const read: unknown[] = [];
  for await (const one of cases) read.push(one);
  return read;
}

async function failure(cases: AsyncIterable<unknown>): Promise<CaseFileError> {
  try {
    await all(cases);
  } catch (error) {
    if (error instanceof Error && error.name === 'CaseFileError') return error as CaseFileError;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('case loaders', () => {
  it('read one and the same case from every format', async () => {
    const expected = [
      { id: 'a', input: 'x', reference: 'y', labels: ['one', 'two'] },
      { id: 'b', input: 'ü, "q"', reference: '', labels: [] },
    ];
    const files = [
      fromJson(await write('c.json', JSON.stringify(expected))),
      fromJsonl(await write('c.jsonl', expected.map((one) => JSON.stringify(one)).join('\n'))),
      fromYaml(
        await write(
          'c.yaml',
          '- id: a\n  input: x\n  reference: y\n  labels: [one, two]\n- {id: b, input: "ü, \\"q\\"", reference: "", labels: []}\n',
        ),
      ),
      fromCsv(
        await write('c.csv', 'id,input,reference,labels\na,x,y,"one, two"\nb,"ü, ""q""",,\n'),
      ),
    ];
    for (const file of files) expect(await all(file)).to.deep.equal(expected);
  });

  it('do not mind a byte order mark, CRLF and blank lines', async () => {
    const mark = '\uFEFF';
    const expected = [{ input: 'a' }, { input: 'b' }];
    const files = [
      fromJson(await write('c.json', `${mark}[\r\n{"input":"a"},\r\n{"input":"b"}\r\n]\r\n`)),
      fromJsonl(await write('c.jsonl', `${mark}{"input":"a"}\r\n\r\n{"input":"b"}\r\n`)),
      fromYaml(await write('c.yaml', `${mark}- input: a\r\n\r\n- input: b\r\n`)),
      fromCsv(await write('c.csv', `${mark}input\r\na\r\n\r\nb\r\n`)),
    ];
    for (const file of files) expect(await all(file)).to.deep.equal(expected);
  });

  it('say on which line each row begins', async () => {
    const deep = { input: '[{"a": 1}, "\\"', metadata: { list: [[], [1, 2], {}], text: 'x\ny' } };
    const rows = [{ input: 1 }, deep, { input: [[2]] }, { input: {} }];
    const json = (space?: number) => JSON.stringify(rows, null, space);
    const files: [(source: string) => CaseFile<Case<string, string>>, string, string, number[]][] =
      [
        [fromJson, 'a.json', json(), [1, 1, 1, 1]],
        [fromJson, 'b.json', `\n\n${json(2)}`, [4, 7, 21, 28]],
        [fromJson, 'c.json', '[]', []],
        [fromJson, 'd.json', '\uFEFF[\r\n{"input":1}\r\n,\r\n{"input":2}]', [2, 4]],
        [fromJsonl, 'a.jsonl', '\n{"input":1}\r\n\r\n{"input":2}', [2, 4]],
        [
          fromYaml,
          'a.yaml',
          '# cases\n- input: |\n    a\n    b\n-\n  input: c\n- {input: d}\n',
          [2, 6, 7],
        ],
        [fromCsv, 'a.csv', 'input,reference\n"a\nb",c\n\nd,e\n', [2, 5]],
        [fromCsv, 'b.csv', 'input,reference\r"a\r\nb",c\r\nd,e\n', [2, 4]],
      ];
    for (const [read, name, text, lines] of files) {
      const source = await write(name, text);
      const cases = await expandCases(
        definition(evaluation({ cases: read(source), target: () => 1 })),
      );
      expect(
        cases.map(({ place }) => place?.line),
        JSON.stringify(text),
      ).to.deep.equal(lines);
      for (const { place } of cases) expect(resolve(place?.file ?? '')).to.equal(source);
    }
    const mapped = fromCsv(new URL(pathToFileURL(await write('m.csv', 'q\na\nb\n'))), {
      map: ({ q }) => ({ input: q }),
    });
    const cases = await expandCases(definition(evaluation({ cases: mapped, target: () => 1 })));
    expect(cases.map(({ place }) => place?.line)).to.deep.equal([2, 3]);
  });

  it('end a CSV row at CRLF, LF and CR alike, whichever the rows before had', async () => {
    const ends = ['\r\n', '\n', '\r'];
    const expected = [
      { id: 'a', input: 'x\r\ny\rz\n', reference: '1' },
      { id: 'b', input: 'y', reference: '2' },
    ];
    for (const first of ends)
      for (const second of ends)
        for (const last of [...ends, '']) {
          const rows = [
            `id,input,reference${first}`,
            `a,"x\r\ny\rz\n",1${second}`,
            `"b",y,2${last}`,
          ];
          const read = await all(fromCsv(await write('c.csv', rows.join(''))));
          expect(read, JSON.stringify(rows)).to.deep.equal(expected);
        }
  });

  it('make cases of rows with map, also asynchronously', async () => {
    const file = await write('c.csv', 'question,answer\nwhy?,because\nhow?,so\n');
    const cases = fromCsv(pathToFileURL(file), {
      map: async (row, index) => ({ id: `q${index}`, input: row.question, reference: row.answer }),
    });
    expect(await all(cases)).to.deep.equal([
      { id: 'q0', input: 'why?', reference: 'because' },
      { id: 'q1', input: 'how?', reference: 'so' },
    ]);
  });

  it('feed an evaluation, which can be expanded again', async () => {
    const file = await write('c.jsonl', '{"input":1}\n{"input":2,"id":"two"}\n');
    const data = definition(evaluation({ cases: fromJsonl(file) }));
    for (const _ of [1, 2]) {
      const ids = (await expandCases(data)).map((one) => one.caseId);
      expect(ids).to.deep.equal(['0', 'two']);
    }
  });

  it('read nothing before they are asked', async () => {
    const file = join(temporaryFolder(), 'later.jsonl');
    const cases = fromJsonl(file);
    await writeFile(file, '{"input":1}');
    expect(await all(cases)).to.have.lengthOf(1);
  });

  it('name the evaluation and the file when a file cannot be read', async () => {
    const file = join(temporaryFolder(), 'missing.csv');
    const data = definition(evaluation({ name: 'refund', cases: fromCsv(file) }));
    const error = await expandCases(data).catch((caught: unknown) => caught);
    expect((error as Error).message).to.equal(
      `evaluation "refund": its cases could not be read: ${file}: no such file; a plain path is relative to ` +
        "the working directory, new URL('./…', import.meta.url) to the eval file",
    );
  });

  it('refuse folders, text that is not UTF-8, and sources that are no files', async () => {
    expect((await failure(fromJson(temporaryFolder()))).message).to.include('it is not a file');
    const latin = await write('latin.csv', Buffer.from('input\ncaf\xe9\n', 'latin1'));
    expect((await failure(fromCsv(latin))).message).to.include(
      'latin.csv:2:4: it is not UTF-8 text',
    );
    const cut = await write('cut.jsonl', Buffer.from('{"input":"ä"}\n{"input":"ä').subarray(0, -1));
    expect((await failure(fromJsonl(cut))).message).to.include('cut.jsonl:2:11: it is not UTF-8');
    expect(() => fromCsv(new URL('https://example.com/c.csv'))).to.throw(
      TypeError,
      'fromCsv() takes a path or a file URL, not https://example.com/c.csv',
    );
    expect(() => fromJson(7 as unknown as string)).to.throw(
      TypeError,
      'fromJson() takes a path or a file URL, not 7',
    );
    expect(() => fromJson('a', { map: 'input' as never })).to.throw(
      TypeError,
      '"map" must be a function, not "input"',
    );
  });

  it('refuse YAML in which an alias refers to itself, with its line', async () => {
    const circles = [
      ['- &a\n  input: x\n  metadata: *a\n', '3:13', 'a'],
      ['- input: 1\n- &b [1, { of: *b }]\n', '2:16', 'b'],
    ] as const;
    for (const [text, place, name] of circles) {
      const file = await write('circle.yaml', text);
      expect((await failure(fromYaml(file))).message).to.equal(
        `${file}:${place}: the alias *${name} refers to itself`,
      );
    }
    const shared = '- input: &a { of: 1 }\n- input: *a\n- input: { other: *a }\n';
    expect(await all(fromYaml(await write('shared.yaml', shared)))).to.have.lengthOf(3);
    const levels = Array.from({ length: 9 }, (_, n) => `- &a${n + 1} [${`*a${n}, `.repeat(9)}]`);
    const bomb = await write('bomb.yaml', `- &a0 [1]\n${levels.join('\n')}\n`);
    expect((await failure(fromYaml(bomb))).message).to.match(/aliases stand for too many values$/);
  });

  it('take anchors, merges and values of YAML 1.2', async () => {
    const text =
      '- &a { input: yes, reference: 0o17 }\n- <<: *a\n  reference: [1_000, .5, ~, 2024-01-01]\n';
    expect(await all(fromYaml(await write('values.yaml', text)))).to.deep.equal([
      { input: 'yes', reference: 15 },
      { input: 'yes', reference: ['1_000', 0.5, null, '2024-01-01'] },
    ]);
  });

  it('name the row on which map fails, or of which it makes no case', async () => {
    const file = await write('c.jsonl', '{"q":"a"}\n{"q":null}\n');
    const throwing = fromJsonl(file, { map: (row) => ({ input: row.q.length }) });
    expect((await failure(throwing)).message).to.match(
      /:2:1: "map" failed on this row: Cannot read prop/,
    );
    const wrong = fromJsonl(file, { map: (row) => ({ id: row.q ?? '', input: 1 }) });
    expect((await failure(wrong)).message).to.match(
      /:2:1: the case that "map" made of this row: "id" must be/,
    );
  });

  it('keep line breaks inside of CSV fields as they are', async () => {
    const file = await write('c.csv', 'input\r\n"x\r\ny"\r\n');
    expect(await all(fromCsv(file))).to.deep.equal([{ input: 'x\r\ny' }]);
  });

  it('keep a column named __proto__ a column', async () => {
    const file = await write('c.csv', '__proto__,q\na,b\n');
    const cases = fromCsv(file, { map: (row) => ({ input: Object.keys(row) }) });
    expect(await all(cases)).to.deep.equal([{ input: ['__proto__', 'q'] }]);
  });

  it('split CSV where they are told to', async () => {
    const file = await write('c.tsv', 'input\treference\na\tb\n');
    expect(await all(fromCsv(file, { delimiter: '\t' }))).to.deep.equal([
      { input: 'a', reference: 'b' },
    ]);
  });
});
