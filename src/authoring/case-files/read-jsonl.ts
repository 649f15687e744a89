import { findJsonFault, findJsonKey } from '../../text/json-position.js';
import { CaseFileError } from './case-file-error.js';
import type { ParsedRows } from './rows-to-cases.js';

/** The rows of JSON Lines text. */
export function readJsonl(text: string, file: string): ParsedRows {
  const lines: { readonly line: number; readonly text: string }[] = [];
  const rows: unknown[] = [];
  for (const [index, content] of text.split('\n').entries()) {
    if (content.trim() === '') continue;
    rows.push(parseLine(content, index + 1, file));
    lines.push({ line: index + 1, text: content });
  }
  return {
    rows,
    locate: (index, field) => {
      const { line, text: content } = lines[index] ?? { line: 1, text: '' };
      return { line, column: findJsonKey(content, [], field) + 1 };
    },
    lines: () => lines.map(({ line }) => line),
  };
}

function parseLine(content: string, line: number, file: string): unknown {
  try {
    return JSON.parse(content);
  } catch (error) {
    const fault = findJsonFault(content.trimEnd());
    throw new CaseFileError(file, { line, column: fault.offset + 1 }, fault.reason, error);
  }
}
