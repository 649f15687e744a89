import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import type { Json } from '../../../src/model/result.js';
import { rowSource } from '../../../src/server/rows/light-row.js';
import { asRaw, RawNeedle } from '../../../src/server/rows/raw-needle.js';
import { RowDigests } from '../../../src/server/rows/row-digests.js';
import { foldCase, searchTexts } from '../../../src/server/rows/search-text.js';
import { TextBudget } from '../../../src/server/rows/text-budget.js';
import { openStore, type Store } from '../../../src/store/store.js';
import type { StoredRun } from '../../../src/store/stored-run.js';
import { patience, rounds } from '../../helpers/rounds.js';
import { finished, newRun, plan, temporaryFolder } from '../../store/builders.js';

/** Indices of the rows that a search finds when no text is held, and when as many are as there is room for. */
async function found(run: StoredRun, wanted: string): Promise<number[][]> {
  const answers: number[][] = [];
  for (const budget of [0, 2 ** 30]) {
    const digests = new RowDigests(new TextBudget(budget));
    for (const isHeld of [false, true]) {
      if (isHeld) await digests.warm(rowSource(run));
      const marks = await digests.search(rowSource(run), wanted);
      answers.push([...marks.keys()].filter((index) => marks[index] === 1));
    }
  }
  return answers;
}

/** The same by reading every result and looking at each of its texts. */
async function foundByReading(run: StoredRun, wanted: string): Promise<number[]> {
  const indices: number[] = [];
  for await (const { index, entry } of run.entries()) {
    const folded = foldCase(wanted);
    if (searchTexts(entry).some((text) => foldCase(text).includes(folded))) indices.push(index);
  }
  return indices;
}

/** JSON of a value as another program may write it. */
function respelled(value: unknown, random: () => number): string {
  const space = () => (random() < 0.3 ? ' ' : '');
  if (typeof value === 'string')
    return `"${[...value].map((one) => spelled(one, random)).join('')}"`;
  if (typeof value === 'number' && random() < 0.3) return value.toExponential();
  if (Array.isArray(value)) {
    return `[${value.map((one) => space() + respelled(one, random)).join(`${space()},`)}]`;
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(
    ([key, inner]) =>
      `${space()}${respelled(key, random)}${space()}:${space()}${respelled(inner, random)}`,
  );
  return `{${fields.join(',')}}`;
}

function spelled(character: string, random: () => number): string {
  if (character === '/' && random() < 0.5) return '\\/';
  if (random() < 0.9) return JSON.stringify(character).slice(1, -1);
  const units = [...Array(character.length).keys()].map((at) => character.charCodeAt(at));
  const hex = units.map((unit) => unit.toString(16).padStart(4, '0'));
  return hex.map((four) => `\\u${random() < 0.5 ? four : four.toUpperCase()}`).join('');
}

const word = fc.constantFrom(
  ...[
    'order',
    'Order',
    'ORDER 77',
    'k',
    'K',
    'i',
    'İ',
    'I',
    'ς',
    'Σ',
    'ß',
    'ẞ',
    'é',
    'É',
    'e\u0301',
    '日本',
    'ﬁ',
    '😀',
  ],
  ...[
    '\n',
    '\t',
    '\u001b[31m',
    '"',
    '\\',
    '\\n',
    '\\u0041',
    '/',
    '{',
    '}',
    '":"',
    ', ',
    ': ',
    '"output":"',
    ',"input":"',
  ],
  ...[
    '4321',
    '1e21',
    '-0.5',
    'true',
    'null',
    'nothing',
    '\u0000',
    '\u2028',
    '\u007f',
    'u0041',
    'ä',
    'à',
    'Ã',
  ],
);
const text = fc
  .array(fc.oneof(word, fc.constant(' ')), { maxLength: 5 })
  .map((some) => some.join(''));
const value = fc.oneof(
  text,
  fc
    .oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.constantFrom(4321, 1e21, 1e-7, 77.5),
      fc.boolean(),
    )
    .map((plain) => (Object.is(plain, -0) ? 0 : plain)),
  fc.array(text, { maxLength: 2 }),
  fc.dictionary(text, fc.oneof(text, fc.integer()), { maxKeys: 2 }),
) as fc.Arbitrary<Json>;
const row = fc.record({
  input: value,
  output: value,
  reference: value,
  error: fc.option(text),
  trace: text,
  annotation: text,
  isEdited: fc.boolean(),
  runs: fc.nat({ max: 2 }),
});

describe('a search through the log', () => {
  it('knows every letter that becomes another one in lower case', () => {
    const missed: string[] = [];
    for (let code = 0x20; code <= 0x10ffff; code += 1) {
      if (code >= 0xd800 && code < 0xe000) continue;
      const letter = String.fromCodePoint(code);
      if (foldCase(letter) === letter) continue;
      for (const small of foldCase(letter)) {
        const needle = RawNeedle.of(small);
        const line = asRaw(Buffer.from(`{"input":${JSON.stringify(letter)}}`));
        if (needle?.judge(line) === 'no') missed.push(`${small} in ${letter}`);
      }
    }
    expect(missed).to.deep.equal([]);
  }).timeout(patience);

  it('finds what reading every result finds, whoever wrote the log and however', async function () {
    this.timeout(patience);
    const root = temporaryFolder();
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 1, maxLength: 4 }),
        fc.array(fc.tuple(fc.nat(), fc.nat(), fc.nat({ max: 12 }), fc.boolean()), {
          minLength: 4,
          maxLength: 8,
        }),
        fc.array(word, { maxLength: 3 }),
        fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
        fc.boolean(),
        async (rows, cuts, words, randoms, isForeign) => {
          let run = await written(await openStore(root), rows);
          if (isForeign) {
            const file = join(run.folder, 'results.jsonl');
            const random = () => randoms.next().value as number;
            const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
            await run.close();
            writeFileSync(
              file,
              `${lines.map((line) => respelled(JSON.parse(line), random)).join('\n')}\n`,
            );
            run = await (await openStore(root)).openRun(run.runId);
          }
          const texts: string[] = [];
          for await (const { entry } of run.entries()) texts.push(...searchTexts(entry));
          const parts = cuts.map(([which, from, length, isLarge]) => {
            const whole = texts[which % texts.length] ?? '';
            const start = from % (whole.length + 1);
            const part = whole.slice(start, start + length + 1);
            return isLarge ? part.toUpperCase() : part;
          });
          for (const wanted of [...parts, ...words].map((one) => one.toWellFormed())) {
            if (wanted === '') continue;
            const expected = await foundByReading(run, wanted);
            for (const indices of await found(run, wanted)) {
              expect(indices, JSON.stringify(wanted)).to.deep.equal(expected);
            }
          }
          await run.close();
        },
      ),
      rounds(30),
    );
  });

  it('takes no letter of an escape for one of a text', async () => {
    const store = await openStore(temporaryFolder());
    const output = 'all or\nothing \\nothing';
    const plain = { error: null, trace: '', annotation: '', isEdited: false, runs: 1 };
    const run = await written(store, [
      { ...plain, input: 'a', output: 'all or\nothing', reference: null },
      { ...plain, input: 'a', output, reference: null },
    ]);
    for (const indices of await found(run, 'nothing')) expect(indices).to.deep.equal([1]);
    for (const indices of await found(run, 'othing')) expect(indices).to.deep.equal([0, 1]);
    const coloured = await written(store, [
      { ...plain, input: '\u001b[31m', output: 'red \u001b', reference: null },
      { ...plain, input: '001b', output: '', reference: null },
    ]);
    for (const part of ['00', '1b', '001b']) {
      for (const indices of await found(coloured, part)) expect(indices, part).to.deep.equal([1]);
    }
  });

  it('parses only rows that may hold the text', async () => {
    const store = await openStore(temporaryFolder());
    const plain = { error: null, trace: '', annotation: '', isEdited: false, runs: 1 };
    const run = await written(
      store,
      Array.from({ length: 200 }, (_, at) => ({
        ...plain,
        input: `question\n${at}`,
        output: `Order "${at}" of 2\tis here`,
        reference: { isThere: at % 2 === 0 },
      })),
    );
    expect(await parsedRows(run, 'nothing like it')).to.deep.equal({ found: 0, parsed: 0 });
    expect(await parsedRows(run, 'IS HERE')).to.deep.equal({ found: 200, parsed: 0 });
    expect(await parsedRows(run, '"77" of')).to.deep.equal({ found: 1, parsed: 200 });
    expect(await parsedRows(run, 'order "77')).to.deep.equal({ found: 1, parsed: 200 });
    expect(await parsedRows(run, 'question\n77')).to.deep.equal({ found: 1, parsed: 200 });
  });

  it('reads texts into memory while searches follow each other', async () => {
    const store = await openStore(temporaryFolder());
    const plain = { error: null, trace: '', annotation: '', isEdited: false, runs: 1 };
    const rows = Array.from({ length: 500 }, (_, at) => ({
      ...plain,
      input: `question ${at}`,
      output: `answer ${at}`,
      reference: null,
    }));
    const source = rowSource(await written(store, rows));
    const digests = new RowDigests(new TextBudget(2 ** 30));
    const { now } = performance;
    let clock = 0;
    performance.now = () => {
      clock += 1;
      return clock;
    };
    try {
      await digests.search(source, 'nothing');
      const parsed = await linesParsed(() => digests.search(source, 'nothing'));
      expect(parsed / 2).to.be.within(400, 500);
    } finally {
      performance.now = now;
      await digests.warm(source);
    }
  });

  it('reads ahead the rows of the last moment', async () => {
    const store = await openStore(temporaryFolder());
    const plain = { error: null, trace: '', annotation: '', isEdited: false, runs: 1 };
    const rows = ['one', 'two'].map((output) => ({ ...plain, input: '', output, reference: null }));
    const run = await written(store, rows);
    const digests = new RowDigests(new TextBudget(2 ** 30));
    const before = digests.warm(rowSource(run));
    await run.edit(1, { annotation: 'three' });
    await Promise.all([before, digests.warm(rowSource(run))]);
    const search = () => digests.search(rowSource(run), 'three');
    expect(await linesParsed(search)).to.equal(0);
    expect([...(await search())]).to.deep.equal([0, 1]);
  });
});

/** How many rows a first search finds, and how many it parses. */
async function parsedRows(run: StoredRun, wanted: string) {
  const digests = new RowDigests(new TextBudget(0));
  let found = 0;
  const lines = await linesParsed(async () => {
    const marks = await digests.search(rowSource(run), wanted);
    found = marks.reduce((sum, mark) => sum + mark, 0);
  });
  // What it does after the answer must not count for the next one.
  await digests.warm(rowSource(run));
  return { found, parsed: lines / 2 };
}

/** How many lines are parsed until the work is done. */
async function linesParsed(work: () => Promise<unknown>): Promise<number> {
  const { parse } = JSON;
  let lines = 0;
  JSON.parse = (...given) => {
    lines += 1;
    return parse(...given);
  };
  try {
    await work();
    return lines;
  } finally {
    JSON.parse = parse;
  }
}

interface WrittenRow {
  readonly input: Json;
  readonly output: Json;
  readonly reference: Json;
  readonly error: string | null;
  readonly trace: string;
  readonly annotation: string;
  readonly isEdited: boolean;
  /** How often it ran; what came before the last time is gone. */
  readonly runs: number;
}

async function written(store: Store, rows: readonly WrittenRow[]): Promise<StoredRun> {
  const owner = await store.createRun(newRun());
  owner.plan(
    rows.map(({ input, reference, trace }, index) =>
      plan(index, { input, reference, metadata: { trace } }),
    ),
  );
  for (const [index, one] of rows.entries()) {
    for (let time = 0; time < one.runs; time += 1) {
      owner.schedule({ kind: 'run', rows: [index] });
      const isLast = time === one.runs - 1;
      const { error, trace } = one;
      const output = isLast ? one.output : 'order 4321 before';
      const status = error === null ? 'completed' : 'error';
      owner.finish([
        finished(index, { output, error, status, scores: [], trace_data: { output: trace } }),
      ]);
      if (one.isEdited) await owner.run.edit(index, { annotation: one.annotation });
    }
  }
  await owner.close('finished');
  return owner.run;
}
