import type { TextPosition } from '../model/text-position.js';
import { CaseFileError } from './case-file-error.js';
import { OptionProblem } from './option-problem.js';
import { parseOptions } from './parse-options.js';

/** Rows of a case file, in order. */
export interface ParsedRows {
  readonly rows: readonly unknown[];
  /** Where a row is, or one of its fields. */
  readonly locate: (index: number, field?: string) => TextPosition;
}

/**
 * Makes cases of rows and checks them, so that a bad one is named with its line.
 * @throws {CaseFileError}
 */
export async function rowsToCases(
  { rows, locate }: ParsedRows,
  file: string,
  map?: (row: unknown, index: number) => unknown,
): Promise<unknown[]> {
  const cases: unknown[] = [];
  const indices = new Map<string, number>();
  for (const [index, row] of rows.entries()) {
    const one = map === undefined ? row : await mapRow(map, row, index, file, locate);
    const id = checkCase(one, index, file, locate, map !== undefined);
    const earlier = id === undefined ? undefined : indices.get(id);
    if (earlier !== undefined) {
      const reason = `the case id ${JSON.stringify(id)} is already used in line ${locate(earlier).line}`;
      throw new CaseFileError(file, locate(index, 'id'), reason);
    }
    if (id !== undefined) indices.set(id, index);
    cases.push(one);
  }
  return cases;
}

async function mapRow(
  map: (row: unknown, index: number) => unknown,
  row: unknown,
  index: number,
  file: string,
  locate: ParsedRows['locate'],
): Promise<unknown> {
  try {
    return await map(row, index);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CaseFileError(file, locate(index), `"map" failed on this row: ${reason}`, error);
  }
}

function checkCase(
  one: unknown,
  index: number,
  file: string,
  locate: ParsedRows['locate'],
  isMapped: boolean,
): string | undefined {
  try {
    return parseOptions(one, 'case').id;
  } catch (error) {
    if (!(error instanceof OptionProblem)) throw error;
    const reason = isMapped
      ? `the case that "map" made of this row: ${error.message}`
      : `this row is not a case: ${error.message}; { map: (row) => ({ input: … }) } makes one of it`;
    throw new CaseFileError(file, locate(index, isMapped ? undefined : error.option), reason);
  }
}
