import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { relativePath } from '../../text/file-path.js';
import type { Case } from '../case.js';
import { describeValue } from '../describe-value.js';
import type { MaybePromise } from '../evaluator.js';
import { type LocatedCase, readableAsCases } from './read-as-cases.js';
import type { ParsedRows } from './rows-to-cases.js';

/**
 * The cases of a file, read on demand. Pass it to an evaluation as `cases`, or iterate it with `for await`. (Not a
 * function, because TypeScript infers nothing through a call that returns a function.)
 */
export type CaseFile<One> = AsyncIterable<One>;

/** A row with columns unknown to the compiler. */
// biome-ignore lint/suspicious/noExplicitAny: what a file holds cannot be known; annotate the row to know it
export type LooseRow = Record<string, any>;

// biome-ignore lint/suspicious/noExplicitAny: without a type argument nothing is known of the file's cases
export type LooseCase = Case<any, any>;

/** Converts a row to a case. */
export interface RowOptions<Row, Input, Reference> {
  /** Makes the case of a row; `index` counts rows from 0. Without it, rows must look like cases. */
  readonly map: (row: Row, index: number) => MaybePromise<Case<Input, Reference>>;
}

/** Settings of a CSV file. */
export interface CsvOptions {
  /** Between fields. Default: `,`. */
  readonly delimiter?: string | undefined;
}

/** Loads cases from the rows of a structured file. */
export interface FromRows {
  /** Rows that are cases; name their type to have it inferred: `fromJsonl<{ input: string }>(file)`. */
  <One extends LooseCase = LooseCase>(source: string | URL): CaseFile<One>;
  /** Rows of any shape; annotate the parameter of `map` to have it checked. */
  <Row = LooseRow, Input = undefined, Reference = undefined>(
    source: string | URL,
    options: RowOptions<Row, Input, Reference>,
  ): CaseFile<Case<Input, Reference>>;
  /** With the row's type as the only type argument, types of input and reference are not inferred. */
  <Row>(
    source: string | URL,
    // biome-ignore lint/suspicious/noExplicitAny: TypeScript infers all type arguments or none
    options: RowOptions<Row, any, any>,
  ): CaseFile<LooseCase>;
}

/** Loads cases from the rows of a CSV file; its first row names the columns. */
export interface FromCsv {
  /** The columns may be `id`, `input`, `reference` or `expected`, `dataset` and `labels` (separated by commas). */
  (source: string | URL, options?: CsvOptions): CaseFile<Case<string, string>>;
  /** Columns of any name; all values are strings. */
  <Input = undefined, Reference = undefined>(
    source: string | URL,
    options: RowOptions<Record<string, string>, Input, Reference> & CsvOptions,
  ): CaseFile<Case<Input, Reference>>;
}

/**
 * Cases from a file with one JSON value a line; blank lines are left out. A plain path is relative to the working
 * directory. What cannot be read is a `CaseFileError` with file, line and column.
 */
export const fromJsonl = loader(
  'fromJsonl',
  async () => (await import('./read-jsonl.js')).readJsonl,
) as FromRows;

/** Cases from a JSON file that contains an array. Paths and errors as with {@link fromJsonl}. */
export const fromJson = loader(
  'fromJson',
  async () => (await import('./read-json.js')).readJson,
) as FromRows;

/** Cases from a YAML file that contains a list. Paths and errors as with {@link fromJsonl}. */
export const fromYaml = loader(
  'fromYaml',
  async () => (await import('./read-yaml.js')).readYaml,
) as FromRows;

/** Cases from a CSV file (RFC 4180, UTF-8). Paths and errors as with {@link fromJsonl}. */
export const fromCsv = loader(
  'fromCsv',
  async () => (await import('./read-csv.js')).readCsv,
) as FromCsv;

interface LoaderOptions extends CsvOptions {
  readonly map?: (row: unknown, index: number) => unknown;
}

type ReadRows = (text: string, file: string, options: LoaderOptions) => MaybePromise<ParsedRows>;

// Parsers are imported when cases are read: an eval file without case files pays nothing for them.
function loader(name: string, importReader: () => Promise<ReadRows>) {
  return (source: unknown, options: LoaderOptions = {}): CaseFile<unknown> => {
    const isFile =
      typeof source === 'string' || (source instanceof URL && source.protocol === 'file:');
    if (!isFile || source === '') {
      const given = source instanceof URL ? source.href : describeValue(source);
      throw new TypeError(`${name}() takes a path or a file URL, not ${given}`);
    }
    if (options.map !== undefined && typeof options.map !== 'function') {
      throw new TypeError(`${name}(): "map" must be a function, not ${describeValue(options.map)}`);
    }
    async function read(isAllInCases: boolean) {
      const [readRows, { readCaseFile }, { rowsToCases }] = await Promise.all([
        importReader(),
        import('./read-case-file.js'),
        import('./rows-to-cases.js'),
      ]);
      const { text, file } = await readCaseFile(source as string | URL, isAllInCases);
      const parsed = await readRows(text, file, options);
      return { parsed, cases: await rowsToCases(parsed, file, options.map) };
    }
    async function* readCases() {
      yield* (await read(false)).cases;
    }
    async function* readLocated(): AsyncGenerator<LocatedCase> {
      const { parsed, cases } = await read(true);
      const path = resolve(source instanceof URL ? fileURLToPath(source) : (source as string));
      const file = relativePath(process.cwd(), path);
      const lines = parsed.lines();
      for (const [index, value] of cases.entries()) {
        yield { value, place: { file, line: lines[index] ?? 1 } };
      }
    }
    return readableAsCases({ [Symbol.asyncIterator]: readCases }, readLocated);
  };
}
