import { findJsonFault, findJsonItems, findJsonKey } from '../../text/json-position.js';
import { linesOf, positionAt } from '../../text/text-position.js';
import { CaseFileError } from './case-file-error.js';
import type { ParsedRows } from './rows-to-cases.js';

/** The rows of a JSON array. */
export function readJson(text: string, file: string): ParsedRows {
  const rows = parse(text, file);
  if (!Array.isArray(rows)) {
    const start = positionAt(text, findJsonKey(text, []));
    throw new CaseFileError(file, start, 'it must contain an array of cases: [{ "input": … }, …]');
  }
  return {
    rows,
    locate: (index, field) => positionAt(text, findJsonKey(text, [index], field)),
    lines: () => linesOf(text, findJsonItems(text)),
  };
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const fault = findJsonFault(text.trimEnd());
    throw new CaseFileError(file, positionAt(text, fault.offset), fault.reason, error);
  }
}
