import type { TextPosition } from '../../text/text-position.js';
import type { MaybePromise } from '../evaluator.js';
import { OptionProblem } from '../options/option-problem.js';
import { parseOptions } from '../options/parse-options.js';
import { CaseFileError } from './case-file-error.js';

/** The rows of a case file, in order. */
export interface ParsedRows {
  readonly rows: readonly unknown[];
  /** The place of a row, or of one of its fields. */
  readonly locate: (index: number, field?: string) => MaybePromise<TextPosition>;
  /** The line on which each row begins, from 1. */
  readonly lines: () => readonly number[];
}

/**
 * Converts rows to cases and validates them; errors name the line.
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
    const checked = checkCase(one);
    if (checked instanceof OptionProblem) {
      const place = await locate(index, map === undefined ? checked.option : undefined);
      throw new CaseFileError(file, place, problemText(checked, map !== undefined));
    }
    const { id } = checked;
    const earlier = id === undefined ? undefined : indices.get(id);
    if (earlier !== undefined) {
      const { line } = await locate(earlier);
      const reason = `the case id ${JSON.stringify(id)} is already used in line ${line}`;
      throw new CaseFileError(file, await locate(index, 'id'), reason);
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
    throw new CaseFileError(
      file,
      await locate(index),
      `"map" failed on this row: ${reason}`,
      error,
    );
  }
}

/** The id of a case, or the problem with it. */
function checkCase(one: unknown): { readonly id?: string | undefined } | OptionProblem {
  try {
    return parseOptions(one, 'case');
  } catch (error) {
    if (error instanceof OptionProblem) return error;
    throw error;
  }
}

function problemText({ message }: OptionProblem, isMapped: boolean): string {
  return isMapped
    ? `the case that "map" made of this row: ${message}`
    : `this row is not a case: ${message}; { map: (row) => ({ input: … }) } makes one of it`;
}
