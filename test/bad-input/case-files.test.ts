import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { escapeLines } from '../../src/cli/terminal/terminal-text.js';
import { fromCsv, fromJson, fromJsonl, fromYaml } from '../../src/index.js';
import { expectPlainWords } from './plain-words.js';

/** A file of cases that cannot be read, and what is said about it. */
interface CaseRow {
  readonly what: string;
  /** Its name; the ending decides how it is read. */
  readonly file: string;
  readonly content?: string | Uint8Array;
  readonly put?: (path: string) => unknown;
  /** Without the name of the file, which comes first. */
  readonly says: string;
}

const notACase = (problem: string) =>
  `this row is not a case: ${problem}; { map: (row) => ({ input: … }) } makes one of it`;
const unknownOption =
  'known are id, input, reference, expected, metadata, labels, dataset, trials, timeout, limits, requires, defaultScoreKey, scores, skip, only, evaluators, target';

/** Rows of one kind of file: what, content, and what is said. */
function files(
  file: string,
  rows: readonly (readonly [what: string, content: string | Uint8Array, says: string])[],
): CaseRow[] {
  return rows.map(([what, content, says]) => ({ what: `${file}: ${what}`, file, content, says }));
}

const json = files('cases.json', [
  ['nothing', '', ':1:1: it is not JSON: the end of the text instead of value'],
  [
    'a list that breaks off',
    '[\n  {"input": 1},\n',
    ':2:16: it is not JSON: the end of the text instead of value',
  ],
  ['a word', '[\n  {"input": oops}\n]', ':2:13: it is not JSON: "o" instead of value'],
  ['a comma too many', '[{"input": 1},]', ':1:15: it is not JSON: "]" instead of value'],
  ['a comment', '[ // cases\n]', ':1:3: it is not JSON: "/" instead of value or ]'],
  ['single quotes', "[{'input': 1}]", `:1:3: it is not JSON: "'" instead of "key" or }`],
  [
    'a line break in a text',
    '[{"input": "a\nb"}]',
    ':1:12: it is not JSON: a string that is not closed or not valid',
  ],
  ['a second value', '[]\n[]', ':2:1: it is not JSON: "[" after the end'],
  ['not a number', '[{"input": NaN}]', ':1:12: it is not JSON: "N" instead of value'],
  ['an object', '{"cases": []}', ':1:1: it must contain an array of cases: [{ "input": … }, …]'],
  ['a text', '"x"', ':1:1: it must contain an array of cases: [{ "input": … }, …]'],
  ['a list in a list', '[[1]]', `:1:2: ${notACase('must be an object, not an array')}`],
  ['null among them', '[{"input": 1},\n null]', `:2:2: ${notACase('must be an object, not null')}`],
  [
    'a key that is misspelt',
    '[{"input": 1},\n {"id": "b",\n  "inptu": 2}]',
    `:3:3: ${notACase('unknown option "inptu": did you mean "input"?')}`,
  ],
  [
    'trials that are text',
    '[{"trials": "3"}]',
    `:1:3: ${notACase('"trials" must be a whole number from 1 to 1000, not "3"')}`,
  ],
  [
    'an id with an escape sequence',
    '[{"id": "a\\u001b[31m"}]',
    `:1:3: ${notACase('"id" must be 1 to 200 printable characters, or a number, not "a\\u001b[31m"')}`,
  ],
  [
    'two ids that are the same',
    '[{"id": "x"},\n {"input": 1,\n  "id": "x"}]',
    ':3:3: the case id "x" is already used in line 1',
  ],
  [
    'a prototype',
    '[{"__proto__": {"input": 1}}]',
    `:1:3: ${notACase(`unknown option "__proto__": ${unknownOption}`)}`,
  ],
  ['Latin-1', Buffer.from('["caf\xe9"]', 'latin1'), ':1:6: it is not UTF-8 text; save it as UTF-8'],
  ['UTF-16', Buffer.from('\ufeff[]', 'utf16le'), ':1:1: it is not UTF-8 text; save it as UTF-8'],
  [
    'UTF-16 without a mark',
    Buffer.from('[]', 'utf16le'),
    ':1:2: it contains a NUL character, as UTF-16 text does; save it as UTF-8',
  ],
]);

const jsonl = files('cases.jsonl', [
  [
    'a line that breaks off',
    '{"input": 1}\n{"input": ',
    ':2:10: it is not JSON: the end of the text instead of value',
  ],
  [
    'a list over several lines',
    '[\n{"input": 1}\n]',
    ':1:2: it is not JSON: the end of the text instead of value or ]',
  ],
  ['two values in a line', '{"input": 1} {"input": 2}', ':1:14: it is not JSON: "{" after the end'],
  [
    'a comma at the end of a line',
    '{"input": 1},\r\n{"input": 2}',
    ':1:13: it is not JSON: "," after the end',
  ],
  ['a bare text', '{"input": 1}\n\n"x"', `:3:1: ${notACase('must be an object, not "x"')}`],
  [
    'a key that is misspelt',
    '{"input": 1}\n  {"input": 1, "labls": []}',
    `:2:16: ${notACase('unknown option "labls": did you mean "labels"?')}`,
  ],
  [
    'two ids that are the same',
    '{"id": 1}\n\n{"id": "1"}',
    ':3:2: the case id "1" is already used in line 1',
  ],
  ['zeros', '\0\0\0', ':1:1: it contains a NUL character, as UTF-16 text does; save it as UTF-8'],
]);

const yaml = files('cases.yaml', [
  ['a map', 'input: 1', ':1:1: it must contain a list of cases: - input: …'],
  ['nothing', '', ':1:1: it must contain a list of cases: - input: …'],
  [
    'a list that is not closed',
    '- input: [1, 2\n- input: 3\n',
    ':2:1: it is not YAML: deficient indentation',
  ],
  ['a tab', '-\tinput: 1\n\t- 2', ':1:8: it is not YAML: a tab cannot indent'],
  [
    'a key that stands twice',
    '- input: 1\n  input: 2',
    ':2:3: it is not YAML: duplicated mapping key',
  ],
  ['two documents', '- input: 1\n---\n- input: 2', ':3:1: it must be one YAML document'],
  ['a bare text', '- input: 1\n- hello', `:2:3: ${notACase('must be an object, not "hello"')}`],
  [
    'a key that is misspelt',
    '- input: 1\n- id: b\n  refrence: 2',
    `:3:3: ${notACase('unknown option "refrence": did you mean "reference"?')}`,
  ],
  [
    'two ids that are the same',
    '- id: x\n- id: x',
    ':2:3: the case id "x" is already used in line 1',
  ],
  ['an alias of nothing', '- input: *x', ':1:11: it is not YAML: unidentified alias "x"'],
  [
    'a billion laughs',
    `- &a [x, x]\n${[...'bcdefghi'].map((to, at) => `- &${to} [${`*${'abcdefgh'[at]}, `.repeat(9)}]\n`).join('')}`,
    ':8:23: its aliases stand for too many values',
  ],
]);

const csv = files('cases.csv', [
  ['nothing', '', ': it is empty; its first row must name the columns'],
  ['a column without a name', 'id,,input\n', ':1:2: column 2 has no name'],
  ['a column that stands twice', 'input,id, input\n', ':1:3: two columns are named "input"'],
  [
    'a field too many',
    'id,input\na,1\nb,2,3\n',
    ':3:3: fields in this row: 3, columns in the first row: 2',
  ],
  [
    'a field too few',
    'id,input\r\n"a\r\nb",1\r\nc\r\n',
    ':4:2: fields in this row: 1, columns in the first row: 2',
  ],
  [
    'a quote that is not closed',
    'id,input\na,"b\n',
    ':2:2: it is not CSV: Quote Not Closed: the parsing is finished with an opening quote at line 2',
  ],
  [
    'a quote within a field',
    'id,input\na,b"c\n',
    ':2:2: it is not CSV: Invalid Opening Quote: a quote is found on field 1 at line 2, value is "b"',
  ],
  [
    'a column that is unknown',
    'id,question\na,why\n',
    `:2:2: ${notACase(`unknown option "question": ${unknownOption}`)}`,
  ],
  [
    'two ids that are the same',
    'id,input\nx,1\n"x",2\n',
    ':3:1: the case id "x" is already used in line 2',
  ],
  [
    'two ids that are the same below fields of several lines',
    'id,input\r\n\r\na,"x\r\ny"\r\n\r\na,z\r\n',
    ':6:1: the case id "a" is already used in line 3',
  ],
  [
    'semicolons',
    'id;input\na;1\n',
    `:2:1: ${notACase('unknown option "id;input": did you mean "input"?')}`,
  ],
]);

const places: readonly CaseRow[] = [
  {
    what: 'a file that is missing',
    file: 'cases.csv',
    put: () => undefined,
    says: ": no such file; a plain path is relative to the working directory, new URL('./…', import.meta.url) to the eval file",
  },
  {
    what: 'a folder',
    file: 'cases.json',
    put: (path) => mkdirSync(path),
    says: ': it is not a file',
  },
  {
    what: 'a pipe',
    file: 'cases.jsonl',
    put: (path) => execFileSync('mkfifo', [path]),
    says: ': it is not a file',
  },
  {
    what: 'a link to itself',
    file: 'cases.yaml',
    put: (path) => symlinkSync(path, path),
    says: ': it is a link that leads in a circle',
  },
];

type Load = (path: string) => AsyncIterable<unknown>;

const loaders: Readonly<Record<string, Load>> = {
  json: (path) => fromJson(path),
  jsonl: (path) => fromJsonl(path),
  yaml: (path) => fromYaml(path),
  csv: (path) => fromCsv(path),
};

describe('bad input: case files', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'assay-cases-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  for (const [at, row] of [...json, ...jsonl, ...yaml, ...csv, ...places].entries()) {
    it(`${row.what} is told with file, line and column`, async () => {
      mkdirSync(join(folder, String(at)));
      const path = join(folder, String(at), row.file);
      if (row.put !== undefined) row.put(path);
      else writeFileSync(path, row.content ?? '');
      const message = await failure(path);
      expect(message.replaceAll(path, row.file)).to.equal(row.file + row.says);
      expectPlainWords(escapeLines(message).join('\n'));
    });
  }
});

async function failure(path: string): Promise<string> {
  const load = loaders[path.slice(path.lastIndexOf('.') + 1)];
  try {
    for await (const one of load?.(path) ?? []) void one;
  } catch (error) {
    expect((error as Error).name).to.equal('CaseFileError');
    return (error as Error).message;
  }
  throw new Error('all cases could be read');
}
